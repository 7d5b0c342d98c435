// Reads files of a commit as the working tree's are read: documents with the files that they refer to.

import type { GitPlace } from "@callsheet/engine"
import { decodeText, type ReadFile, type ReadFileResult, type SourceFile } from "@callsheet/format"
import { documentNames, projectMessages, sharedDocumentPaths } from "@callsheet/project"
import { readStored, type StoredFiles } from "./revision.ts"

/** The files of a commit, as documents read them: synchronously, by their paths from the project's root. */
export class OldFiles {
  readonly #stored: StoredFiles
  readonly #place: GitPlace
  readonly #folders: readonly string[]
  readonly #read = new Map<string, ReadFileResult>()
  readonly #missing = new Set<string>()

  /** `folders` are the directories of documents outside of `apis/`, by their paths from the project's root. */
  constructor(stored: StoredFiles, place: GitPlace, folders: readonly string[] = []) {
    this.#stored = stored
    this.#place = place
    this.#folders = folders
  }

  /** Returns the document of an API with the files beside it. Undefined if the API had none. */
  async document(api: string): Promise<SourceFile | undefined> {
    const folder = `apis/${api}/`
    const name = documentNames.find((each) => this.#stored.has(folder + each))
    if (name === undefined) {
      const shared = sharedDocumentPaths(this.#folders, api).find((path) => this.#stored.has(path))
      return shared === undefined ? undefined : this.file(shared)
    }
    const beside = [...this.#stored.keys()].filter(
      (file) => file.startsWith(folder) && !/^(?:requests|environments)\//.test(file.slice(folder.length)),
    )
    await this.#load(beside)
    return this.file(folder + name)
  }

  /** Returns a text file. Undefined if the commit doesn't have it, or if it isn't text. */
  async file(path: string): Promise<SourceFile | undefined> {
    if (this.#stored.has(path)) await this.#load([path])
    const read = this.read(path)
    return read.ok ? read.value : undefined
  }

  readonly read: ReadFile = (file) => {
    const known = this.#read.get(file)
    if (known !== undefined) return known
    if (this.#stored.has(file)) this.#missing.add(file)
    return { ok: false, problem: unreadable.file("the commit doesn't have it") }
  }

  /** Does the work, again whenever it read files that had to be fetched from git first. */
  async reading<T>(work: () => Promise<T>): Promise<T> {
    for (;;) {
      const result = await work()
      if (this.#missing.size === 0) return result
      await this.#load([...this.#missing])
      this.#missing.clear()
    }
  }

  async #load(files: readonly string[]): Promise<void> {
    const wanted = files.filter((file) => !this.#read.has(file))
    const contents = await readStored(
      wanted.map((file) => this.#stored.get(file) ?? ""),
      this.#place,
    )
    for (const file of wanted)
      this.#read.set(file, toSource(file, contents.get(this.#stored.get(file) ?? "")))
  }
}

const unreadable = projectMessages["file-unreadable"]

function toSource(file: string, bytes: Uint8Array | undefined): ReadFileResult {
  if (bytes === undefined) return { ok: false, problem: unreadable.file("git doesn't have its content") }
  const decoded = decodeText(bytes)
  return decoded.ok
    ? { ok: true, value: { file, text: decoded.text } }
    : { ok: false, problem: decoded.finding }
}
