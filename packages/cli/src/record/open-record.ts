// Opens the record of a run: its lock, and the header with a digest of the project's files.

import { createHash, randomUUID } from "node:crypto"
import { readdirSync, readFileSync, realpathSync } from "node:fs"
import * as system from "node:path"
import { basename, dirname, join } from "node:path"
import { attempt, CallsheetError, wayBetween, type Project } from "@callsheet/format"
import type { Suite } from "@callsheet/language"
import { withProjectLock } from "@callsheet/project"
import { messages } from "../messages.ts"
import { createPositions, type Shard } from "../args/shard.ts"
import { version } from "../version.ts"
import { noteDocuments } from "./document-digests.ts"
import { RECORD_VERSION, type RecordHeader } from "./lines.ts"
import { openRecord, type OpenRecord } from "./write-record.ts"

export interface RecordPlace {
  readonly path: string
  /** The path as the user wrote it. */
  readonly shown: string
}

export interface RecordSubject extends Pick<RecordHeader, "command" | "seed"> {
  readonly project: Project
  readonly shard?: Shard | undefined
  readonly schedule?: Suite | undefined
}

/** Runs `task` while no other process writes the record. Throws `report-failed` if another one does. */
export async function withRecordLock<T>({ path, shown }: RecordPlace, task: () => Promise<T>): Promise<T> {
  const folder = attempt(() => realpathSync(dirname(path))) ?? dirname(path)
  const real = attempt(() => realpathSync(path)) ?? join(folder, basename(path))
  let isStarted = false
  const start = (): Promise<T> => {
    isStarted = true
    return task()
  }
  return withProjectLock(real, start, { waitMs: 0 }).catch((error: unknown) => {
    if (isStarted || !(error instanceof CallsheetError) || error.code !== "locked") throw error
    throw new CallsheetError(messages["report-failed"].recordLocked(shown), { cause: error })
  })
}

/** Opens the record. Returns the project to run, which notes the files of documents that are read. */
export function openRunRecord(
  place: RecordPlace,
  { project, command, seed, shard, schedule }: RecordSubject,
): { readonly record: OpenRecord; readonly project: Project } {
  const noted = noteDocuments(project)
  const record = openRecord(place.path, place.shown, {
    header: headerOf({ command, seed, shard, digest: digestOf(project.root) }),
    documents: noted.digests,
    positionOf: shard && createPositions(shard.all(), schedule),
  })
  return { record, project: noted.project }
}

export interface ProjectsSubject extends Pick<RecordHeader, "command" | "seed"> {
  /** Never empty. */
  readonly projects: readonly (Pick<RecordSubject, "project" | "shard" | "schedule"> & {
    readonly name: string
  })[]
}

/** Opens the record of several projects. It names no documents: only a replay reads them, and it needs one project. */
export function openProjectsRecord(
  place: RecordPlace,
  { projects, command, seed }: ProjectsSubject,
): OpenRecord {
  const hash = createHash("sha256")
  for (const { name, project } of projects) hash.update(`${name}\n${digestOf(project.root)}\n`)
  const digest = `sha256:${hash.digest("hex")}`
  const shard = projects[0]?.shard
  return openRecord(place.path, place.shown, {
    header: headerOf({ command, seed, shard, digest }),
    documents: () => ({}),
    positionOf: shard && positionsOf(projects),
  })
}

/** The runs of each project come after those of the projects before it. */
function positionsOf(projects: ProjectsSubject["projects"]): PositionOf {
  const positions = new Map<string | undefined, PositionOf>()
  let first = 0
  for (const { name, schedule, shard } of projects) {
    const all = shard?.all() ?? []
    positions.set(name, createPositions(all, schedule, first))
    first += all.length + 2
  }
  return (event) => positions.get(event.project)?.(event) ?? 0
}

type PositionOf = ReturnType<typeof createPositions>

const headerOf = ({
  digest,
  shard,
  command,
  seed,
}: Pick<RecordSubject, "command" | "seed" | "shard"> & { readonly digest: string }): RecordHeader => ({
  callsheetRecord: RECORD_VERSION,
  id: randomUUID(),
  callsheet: version,
  project: digest,
  command,
  seed,
  startedAt: new Date().toISOString(),
  shard: shard && { index: shard.index, count: shard.count, plan: shard.plan() },
})

/** Returns a digest of `callsheet.json` and all files in `apis/`, except those with secrets. */
function digestOf(root: string): string {
  const hash = createHash("sha256")
  const folder = join(root, "apis")
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith(".secrets.env"))
    .map((entry) => wayBetween(system, root, join(entry.parentPath, entry.name)))
  for (const name of ["callsheet.json", ...names.sort()]) {
    const text = attempt(() => readFileSync(join(root, name)))
    if (text !== undefined) hash.update(`${name}\n${text.length}\n`).update(text)
  }
  return `sha256:${hash.digest("hex")}`
}
