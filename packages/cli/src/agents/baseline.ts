// What a person decided: the files in the last commit or, without a repository, the files at the start of the session.

import { join } from "node:path"
import { realpath } from "node:fs/promises"
import { type Api, type InstanceFile, type Project } from "@callsheet/format"
import { blocksThatName } from "@callsheet/language"
import {
  blobHash,
  committedFiles,
  findScriptFiles,
  isBlob,
  isInRepository,
  readCommitted,
  type StoredFiles,
} from "@callsheet/server"

interface BaselinePlace {
  readonly root: string
  readonly processEnvironment: Readonly<Record<string, string | undefined>>
  readonly readProject: () => Promise<Project>
}

/** Starts to read the files of the project. */
export function createBaseline({ root, processEnvironment, readProject }: BaselinePlace) {
  const place = { root, processEnvironment }
  const start = readStart()

  async function readStart() {
    const committed = committedFiles(place)
    // An unreadable project has no files that a person has seen.
    const project = await readProject().catch(() => undefined)
    const texts = new Map(project && jsonFiles(project).map(({ file, text }) => [file, text]))
    const hashes = project && !isInRepository(root) ? await hashesOf(project) : undefined
    return { texts, hashes, committed: await committed }
  }

  /** Returns whether everything that decides what a run does is as a person decided it. */
  async function holds(project: Project): Promise<boolean> {
    const scripts = await scriptsOf(project)
    const imported = scripts.map(({ path }) => path)
    const known = (await start).hashes ?? (await committedFiles(place, imported)) ?? new Map<string, string>()
    const isSame = (file: string, content: Uint8Array): boolean => {
      const hash = known.get(file)
      return hash !== undefined && isBlob(content, hash)
    }
    const texts = jsonFiles(project, isUsedIn(project))
    if (!texts.every(({ file, text }) => bytesOf(text).some((bytes) => isSame(file, bytes)))) return false
    return scripts.every(({ path, bytes }) => isSame(path, bytes))
  }

  /** Reads what a person has seen of the files: in the last commit, and at the start of the session. */
  async function read(): Promise<SeenFiles> {
    const { texts, committed } = await start
    const now = await committedFiles(place)
    return {
      files: new Set([...(now?.keys() ?? []), ...texts.keys()]),
      textsOf: async (file, current) => {
        const hash = now?.get(file)
        // A commit since the start is newer than what the person saw then.
        const first = hash === committed?.get(file) ? texts.get(file) : undefined
        if (hash === undefined) return first === undefined ? [] : [first]
        const isCurrent = current !== undefined && bytesOf(current).some((bytes) => isBlob(bytes, hash))
        const text = isCurrent ? current : await readCommitted(hash, place)
        return [...new Set([text, first].filter((each) => each !== undefined))]
      },
    }
  }

  return { holds, read }
}

export interface SeenFiles {
  readonly files: ReadonlySet<string>
  /** Returns the texts of a file, newest first. `current` is its text now, which saves a question to git. */
  readonly textsOf: (file: string, current?: string) => Promise<readonly string[]>
}

interface TextFile {
  readonly file: string
  readonly text: string
}

/** Returns the JSON files that decide what a run does. */
function jsonFiles(
  { settingsFile, baselineFile, workflows, apis }: Project,
  isUsed: (api: Api, request: InstanceFile) => boolean = () => true,
): readonly TextFile[] {
  const requests = [...apis.values()].flatMap((api) =>
    [...api.instances.values()].filter((request) => isUsed(api, request)),
  )
  const files = [settingsFile, baselineFile].filter((file) => file !== undefined)
  return [...files, ...workflows.values(), ...requests]
}

/** Returns a function that tells whether a workflow of the project may send a saved request. */
const isUsedIn =
  (project: Project) =>
  ({ name: api }: Api, { resource, name: request }: InstanceFile): boolean =>
    blocksThatName(project, { kind: "request", api, resource, request }).next().done !== true

/** Returns the bytes that a text may have been read from. */
const bytesOf = (text: string): readonly Uint8Array[] => [Buffer.from(text), Buffer.from(`\ufeff${text}`)]

async function scriptsOf(project: Project) {
  const { files, contents } = await findScriptFiles(project)
  const root = await realpath(project.root)
  return files.flatMap(({ path }) => {
    const bytes = contents.get(join(root, path))
    return bytes === undefined ? [] : [{ path, bytes }]
  })
}

async function hashesOf(project: Project): Promise<StoredFiles> {
  const scripts = await scriptsOf(project)
  return new Map([
    ...jsonFiles(project).map(({ file, text }) => [file, blobHash(Buffer.from(text))] as const),
    ...scripts.map(({ path, bytes }) => [path, blobHash(bytes)] as const),
  ])
}
