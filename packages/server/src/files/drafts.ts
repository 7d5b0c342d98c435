// Texts that are not saved: in the user's state folder, by project and file, so that a reload and a new start keep them.

import { createHash } from "node:crypto"
import { readdirSync, readFileSync, readSync, statSync, unlinkSync } from "node:fs"
import { join } from "node:path"
import { CallsheetError, readShape, isJsonObject, parseJson, type JsonValue } from "@callsheet/format"
import { fileName } from "../calls/files.ts"
import type { Draft, DraftSummary, FileName } from "../calls/index.ts"
import { readPrivateFile } from "../state/state-folder.ts"
import { makePrivateFolder, projectKey } from "../state/state-folder.ts"
import { writePrivateFile } from "../state/state-folder.ts"

export interface Drafts {
  readonly read: (file: FileName) => Draft | undefined
  /** One of `memory` is on no disk. Where the disk refuses, a draft is kept in memory as well. Throws `draft-limit`. */
  readonly keep: (file: FileName, draft: Draft, where: "disk" | "memory") => "disk" | "memory"
  readonly drop: (file: FileName) => void
  /** The draft is that of another name from now on. */
  readonly move: (file: FileName, to: FileName) => void
  /** Latest first. Texts are not read. */
  readonly list: () => readonly DraftSummary[]
  /** Files whose drafts stand on the disk. */
  readonly onDisk: () => readonly FileName[]
  /** The draft is in memory alone from now on. */
  readonly hide: (file: FileName) => void
}

export interface DraftsOptions {
  /** The user's state folder; it need not be there. */
  readonly state: string
  /** The project's folder. */
  readonly root: string
  /** Of a project. */
  readonly mostDrafts?: number
  /** Of all texts of a project. */
  readonly mostBytes?: number
}

interface HeldDraft extends Draft {
  readonly file: FileName
}

/** Another application of the project may write to the same folder: it is looked at anew each time. */
export function createDrafts(options: DraftsOptions): Drafts {
  const { state, root, mostDrafts = 200, mostBytes = 64 * 1024 * 1024 } = options
  const folder = join(state, "drafts", projectKey(root))
  const folders = [state, join(state, "drafts"), folder]
  const held = new Map<string, HeldDraft>()
  const pathOf = (key: string): string => join(folder, `${key}.json`)
  const requireRoom = (key: string, text: string): void => {
    const others = new Map([...sizesIn(folder), ...sizesOf(held)].filter(([other]) => other !== key))
    const bytes = [...others.values()].reduce((sum, size) => sum + size, Buffer.byteLength(text))
    if (others.size >= mostDrafts || bytes > mostBytes) throw full(others.size)
  }
  const read: Drafts["read"] = (file) => {
    const key = keyOf(file)
    return withoutFile(held.get(key)) ?? readDraft(pathOf(key), file)
  }
  const keep: Drafts["keep"] = (file, draft, where) => {
    const key = keyOf(file)
    requireRoom(key, draft.text)
    if (where === "disk" && writeDraft(folders, pathOf(key), { file, ...draft })) {
      held.delete(key)
      return "disk"
    }
    remove(pathOf(key))
    held.set(key, { file, ...draft })
    return "memory"
  }
  const drop: Drafts["drop"] = (file) => {
    const key = keyOf(file)
    held.delete(key)
    remove(pathOf(key))
  }
  const summaries = (): readonly DraftSummary[] => {
    const keys = [...sizesIn(folder).keys()].filter((key) => !held.has(key))
    return keys.flatMap((key) => readSummary(pathOf(key), key))
  }
  return {
    read,
    keep,
    drop,
    move: (file, to) => {
      const draft = read(file)
      const where = held.has(keyOf(file)) ? "memory" : "disk"
      drop(file)
      if (draft !== undefined) keep(to, draft, where)
    },
    onDisk: () => summaries().map(({ file }) => file),
    hide: (file) => {
      const draft = read(file)
      drop(file)
      if (draft !== undefined) held.set(keyOf(file), { file, ...draft })
    },
    list: () => {
      clearAbandoned(folder)
      const inMemory = [...held.values()].map(({ file, keptAt }) => ({ file, keptAt }))
      return [...summaries(), ...inMemory].toSorted((one, other) => (one.keptAt < other.keptAt ? 1 : -1))
    },
  }
}

/** The same for the same file, whatever the order of the parts of its name. */
function keyOf(file: FileName): string {
  const parts = Object.entries(file).toSorted(([one], [other]) => (one < other ? -1 : 1))
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, 32)
}

const withoutFile = (held: HeldDraft | undefined): Draft | undefined =>
  held === undefined ? undefined : { text: held.text, etag: held.etag, keptAt: held.keptAt }

const sizesOf = (held: ReadonlyMap<string, Draft>): ReadonlyMap<string, number> =>
  new Map([...held].map(([key, { text }]) => [key, Buffer.byteLength(text)]))

/** What cannot be removed is seen again, and can be dropped again. */
function remove(path: string): void {
  try {
    unlinkSync(path)
  } catch {
    // Most often there is none.
  }
}

/** Nobody takes so long to write a file. */
const ABANDONED_MS = 60 * 60 * 1000

/** Removes what a killed application has left half written. */
function clearAbandoned(folder: string): void {
  for (const name of namesIn(folder)) {
    if (!/^\.[0-9a-f]{32}-[0-9a-f]{16}\.tmp$/.test(name)) continue
    const path = join(folder, name)
    const stats = statSync(path, { throwIfNoEntry: false })
    if (stats !== undefined && stats.mtimeMs < Date.now() - ABANDONED_MS) remove(path)
  }
}

/** By the keys of the drafts that are there. */
function sizesIn(folder: string): ReadonlyMap<string, number> {
  const sizes = new Map<string, number>()
  for (const name of namesIn(folder)) {
    if (!/^[0-9a-f]{32}\.json$/.test(name)) continue
    const stats = statSync(join(folder, name), { throwIfNoEntry: false })
    if (stats !== undefined) sizes.set(name.slice(0, -".json".length), stats.size)
  }
  return sizes
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

/** What stands behind a line about it. */
function writeDraft(folders: readonly string[], path: string, { text, ...about }: HeldDraft): boolean {
  try {
    if (!folders.every((each) => makePrivateFolder(each))) return false
    writePrivateFile(path, `${JSON.stringify(about)}\n${text}`)
    return true
  } catch {
    return false
  }
}

/** A name of a file has parts of at most some hundred bytes each. */
const LONGEST_ABOUT = 64 * 1024

function readSummary(path: string, key: string): readonly DraftSummary[] {
  const about = readPrivateFile(path, (descriptor) => {
    const bytes = Buffer.alloc(LONGEST_ABOUT)
    const length = readSync(descriptor, bytes, 0, LONGEST_ABOUT, 0)
    return readAbout(bytes.toString("utf8", 0, length))
  })
  return about === undefined || keyOf(about.file) !== key ? [] : [{ file: about.file, keptAt: about.keptAt }]
}

function readDraft(path: string, file: FileName): Draft | undefined {
  const content = readPrivateFile(path, (descriptor) => readFileSync(descriptor, "utf8"))
  const about = content === undefined ? undefined : readAbout(content)
  if (content === undefined || about === undefined || keyOf(about.file) !== keyOf(file)) return undefined
  return { text: content.slice(content.indexOf("\n") + 1), etag: about.etag, keptAt: about.keptAt }
}

type About = Omit<HeldDraft, "text">

/** Undefined where it is none of ours. */
function readAbout(content: string): About | undefined {
  const end = content.indexOf("\n")
  const parsed = end === -1 ? undefined : parseJson(content.slice(0, end))
  if (parsed?.ok !== true || !isJsonObject(parsed.value)) return undefined
  const { file, etag = null, keptAt } = parsed.value
  const name = nameIn(file)
  const isEtag = etag === null || typeof etag === "string"
  if (name === undefined || !isEtag || typeof keptAt !== "string") return undefined
  return { file: name, etag, keptAt }
}

const nameIn = (value: JsonValue | undefined): FileName | undefined =>
  value === undefined ? undefined : readShape(fileName, value).value

const full = (count: number): CallsheetError =>
  new CallsheetError("draft-limit", `no more can be kept beside ${count} texts that are not saved`, {
    hint: "save or discard some of them",
  })
