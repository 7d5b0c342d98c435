// Unsaved text by project and file, in the user's state directory. Drafts survive a reload and a restart.

import { createHash } from "node:crypto"
import { attempt, CallsheetError, shapes } from "@callsheet/format"
import { messages } from "../messages.ts"
import { fileName } from "../calls/files.ts"
import type { Draft, DraftSummary, FileName } from "../calls/index.ts"
import { orNull, text } from "../calls/names.ts"
import { joinHeader, PrivateFolder, projectKey, type ProjectState } from "@callsheet/engine"

const { object, optional, required } = shapes

const aboutShape = object({
  file: required(fileName, "The file."),
  etag: optional(orNull(text), "The version of the file that the draft is based on."),
  keptAt: required(text, "ISO 8601."),
})

export interface DraftsOptions extends ProjectState {
  readonly maxDrafts?: number
  readonly maxBytes?: number
}

/** Manages drafts. Another app of the same project may use the same directory. */
export class Drafts {
  readonly #folder: PrivateFolder
  readonly #options: DraftsOptions
  readonly #buffered = new Map<string, { readonly file: FileName; readonly draft: Draft }>()

  constructor(options: DraftsOptions) {
    this.#options = options
    this.#folder = new PrivateFolder(options.state, "drafts", projectKey(options.root))
  }

  read(file: FileName): Draft | undefined {
    const key = keyOf(file)
    const buffered = this.#buffered.get(key)
    if (buffered !== undefined) return buffered.draft
    const content = this.#folder.readWithHeader(fileOf(key), aboutShape)
    if (content === undefined || keyOf(content.header.file) !== key) return undefined
    return { text: content.text, etag: content.header.etag ?? null, keptAt: content.header.keptAt }
  }

  /** Keeps a draft and returns where. Uses memory if the disk fails. Throws `draft-limit`. */
  keep(file: FileName, draft: Draft, where: "disk" | "memory"): "disk" | "memory" {
    const { text, ...about } = draft
    const key = keyOf(file)
    this.#requireRoom(key, text)
    if (where === "disk" && this.#folder.write(fileOf(key), joinHeader({ file, ...about }, text))) {
      this.#buffered.delete(key)
      return "disk"
    }
    this.drop(file)
    this.#buffered.set(key, { file, draft })
    return "memory"
  }

  drop(file: FileName): void {
    const key = keyOf(file)
    this.#buffered.delete(key)
    // If this fails, the draft is listed again, and the user can drop it again.
    attempt(() => this.#folder.remove(fileOf(key)))
  }

  move(file: FileName, to: FileName): void {
    const draft = this.read(file)
    const where = this.#buffered.has(keyOf(file)) ? "memory" : "disk"
    this.drop(file)
    if (draft !== undefined) this.keep(to, draft, where)
  }

  hide(file: FileName): void {
    const draft = this.read(file)
    this.drop(file)
    if (draft !== undefined) this.#buffered.set(keyOf(file), { file, draft })
  }

  /** Lists the drafts, newest first. Doesn't read their text. */
  list(): readonly DraftSummary[] {
    this.#folder.removeAbandoned((name) => /^\.[0-9a-f]{32}-[0-9a-f]{16}\.tmp$/.test(name))
    const inMemory = [...this.#buffered.values()].map(({ file, draft }) => ({ file, keptAt: draft.keptAt }))
    return [...this.#summaries(), ...inMemory].toSorted((one, other) => (one.keptAt < other.keptAt ? 1 : -1))
  }

  onDisk(): readonly FileName[] {
    return this.#summaries().map(({ file }) => file)
  }

  #summaries(): readonly DraftSummary[] {
    return [...this.#sizes().keys()].flatMap((key) => {
      const about = this.#buffered.has(key) ? undefined : this.#folder.readHeader(fileOf(key), aboutShape)
      return about === undefined || keyOf(about.file) !== key
        ? []
        : [{ file: about.file, keptAt: about.keptAt }]
    })
  }

  #requireRoom(key: string, text: string): void {
    const { maxDrafts = 200, maxBytes = 64 * 1024 * 1024 } = this.#options
    const buffered = [...this.#buffered].map(
      ([each, { draft }]) => [each, Buffer.byteLength(draft.text)] as const,
    )
    const others = new Map([...this.#sizes(), ...buffered].filter(([other]) => other !== key))
    const bytes = [...others.values()].reduce((sum, size) => sum + size, Buffer.byteLength(text))
    if (others.size < maxDrafts && bytes <= maxBytes) return
    throw new CallsheetError(messages["draft-limit"].full(others.size))
  }

  #sizes(): ReadonlyMap<string, number> {
    const names = this.#folder.names().filter((name) => /^[0-9a-f]{32}\.json$/.test(name))
    return new Map(
      names.flatMap((name) => {
        const size = this.#folder.sizeOf(name)
        return size === undefined ? [] : [[name.slice(0, -".json".length), size] as const]
      }),
    )
  }
}

/** Returns a key that doesn't depend on the order of the fields in the name. */
function keyOf(file: FileName): string {
  const parts = Object.entries(file).toSorted(([one], [other]) => (one < other ? -1 : 1))
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, 32)
}

const fileOf = (key: string): string => `${key}.json`
