// The open files of the page. All edits pass through here before they reach the server.

import { createStore, type StoreApi } from "zustand/vanilla"
import { type CallFailure, type FileName, filePath } from "@callsheet/server/calls"
import type { call } from "../connection/call.ts"
import { faultOf } from "../connection/fault-of.ts"
import { Refused } from "../connection/send.ts"
import { fileKey } from "./file-key.ts"
import {
  changedOnDisk,
  editedFile,
  isDirty,
  isInConflict,
  keptMine,
  mergedFile,
  openedFile,
  redoneFile,
  savedFile,
  tookTheirs,
  undoneFile,
  type FileState,
  type Opened,
  type EditOptions,
} from "./file-state.ts"

interface FilePorts {
  readonly call: typeof call
  readonly now: () => number
  /**
   * Returns the text to save, which the user may have changed in the meantime. Undefined if the user cancels. Without
   * it, the text is saved as it is.
   */
  readonly textToSave?: (
    name: FileName,
    text: string,
    onDisk: string | undefined,
  ) => Promise<string | undefined>
}

/** An open file: loading, unreadable or editable. */
export interface FileEntry {
  readonly name: FileName
  readonly file: FileState | undefined
  readonly failure: CallFailure | undefined
}

export interface FileStore {
  readonly store: StoreApi<ReadonlyMap<string, FileEntry>>
  /** Reads the file now and after each change on disk, until the returned function is called. */
  readonly watch: (name: FileName) => () => void
  readonly edit: (name: FileName, change: (text: string) => string, options?: EditOptions) => void
  readonly undo: (name: FileName) => void
  readonly redo: (name: FileName) => void
  /** Resolves to true when the text is on disk. Saves run one after another. Does nothing if there are no changes. */
  readonly save: (name: FileName) => Promise<boolean>
  /** Replaces unsaved text with the version on disk. One undo restores it. */
  readonly discard: (name: FileName) => void
  readonly reload: (name: FileName) => Promise<void>
  /** Resolves a conflict: writes the user's text over the version on disk. */
  readonly keepMine: (name: FileName) => Promise<boolean>
  /** Resolves a conflict: continues with a merged text, which isn't saved yet. */
  readonly merge: (name: FileName, text: string) => void
  /** Forgets the file and its unsaved changes, after it was deleted or renamed. */
  readonly close: (name: FileName) => void
  /** Reads again the files that may have changed, and those that couldn't be read. */
  readonly readAgain: () => void
}

/** The maximum number of unused files to keep, for their undo history. */
const MAX_IDLE = 20

export function createFileStore(ports: FilePorts): FileStore {
  const files = new OpenFiles(ports)
  return {
    store: files.store,
    watch: (name) => files.watch(name),
    edit: (name, change, { merge } = {}) =>
      files.update(name, (file) => editedFile(file, change(file.text), { merge, now: ports.now() })),
    undo: (name) => files.update(name, undoneFile),
    redo: (name) => files.update(name, redoneFile),
    save: (name) => files.save(name),
    discard: (name) => files.update(name, (file) => tookTheirs(file, ports.now())),
    reload: (name) => files.reload(name),
    keepMine: (name) => {
      files.update(name, keptMine)
      return files.save(name)
    },
    merge: (name, text) => files.update(name, (file) => mergedFile(file, text, ports.now())),
    close: (name) => files.close(name),
    readAgain: () => files.readAgain(),
  }
}

class OpenFiles {
  readonly store = createStore<ReadonlyMap<string, FileEntry>>(() => new Map())
  readonly #ports: FilePorts
  readonly #watched = new Map<string, number>()
  /** The number of the latest request for each file. Answers to earlier requests are ignored. */
  readonly #heard = new Map<string, number>()
  #asked = 0

  constructor(ports: FilePorts) {
    this.#ports = ports
  }

  update(name: FileName, step: (file: FileState) => FileState): void {
    const file = this.#fileOf(name)
    if (file === undefined) return
    const next = step(file)
    if (next !== file) this.#put({ name, file: next, failure: undefined })
  }

  async reload(name: FileName): Promise<void> {
    const question = ++this.#asked
    const read = await readFile(this.#ports.call, name)
    const file = this.#fileOf(name)
    // The answer to a save is newer, and the file is read again after a save.
    if ((this.#heard.get(fileKey(name)) ?? 0) > question || file?.isSaving === true) return
    this.#hear(name, question)
    if (read.ok) {
      const next =
        file === undefined ? openedFile(name, read) : changedOnDisk(file, read.disk, this.#ports.now())
      if (next !== file) this.#put({ name, failure: undefined, file: next })
    } else if (file === undefined && read.failure !== undefined) {
      this.#put({ name, file: undefined, failure: read.failure })
    }
  }

  async save(name: FileName): Promise<boolean> {
    const file = this.#fileOf(name)
    if (file === undefined || !isDirty(file)) return file !== undefined
    if (file.isSaving || isInConflict(file)) return false
    if (this.#ports.textToSave !== undefined && !(await this.#mayBeSaved(name, file))) return false
    // Another save may have started, and the answer may have changed the text.
    const { text, base, isSaving } = this.#fileOf(name) ?? file
    if (isSaving) return false
    this.update(name, (open) => ({ ...open, isSaving: true, failure: undefined }))
    try {
      const { etag } = await this.#ports.call("files.save", { file: name, etag: base.etag, text })
      this.#hear(name, ++this.#asked)
      this.update(name, (open) => savedFile(open, { text, etag }))
      return true
    } catch (error) {
      this.#hear(name, ++this.#asked)
      this.update(name, (open) => withFailure({ ...open, isSaving: false }, error))
      return false
    } finally {
      // Changes on disk during the save were skipped, so read the file again.
      void this.reload(name)
    }
  }

  async #mayBeSaved(name: FileName, { text, base }: FileState): Promise<boolean> {
    const { textToSave } = this.#ports
    if (textToSave === undefined) return true
    try {
      const next = await textToSave(name, text, base.text)
      if (next === undefined) return false
      if (next !== text) this.update(name, (file) => editedFile(file, next, { now: this.#ports.now() }))
    } catch (error) {
      this.update(name, (file) => withFailure(file, error))
      return false
    }
    return true
  }

  watch(name: FileName): () => void {
    const key = fileKey(name)
    const count = this.#watched.get(key) ?? 0
    this.#watched.set(key, count + 1)
    if (!this.store.getState().has(key)) this.#put({ name, file: undefined, failure: undefined })
    if (count === 0) void this.reload(name)
    return () => {
      const rest = (this.#watched.get(key) ?? 1) - 1
      if (rest > 0) this.#watched.set(key, rest)
      else this.#watched.delete(key)
      this.#forgetIdle()
    }
  }

  close(name: FileName): void {
    // A pending answer would open the file again, so ignore it.
    this.#hear(name, ++this.#asked)
    this.#drop(new Set([fileKey(name)]))
  }

  readAgain(): void {
    for (const [key, { name, file }] of this.store.getState())
      if (this.#watched.has(key) || (file !== undefined && isDirty(file))) void this.reload(name)
  }

  #fileOf(name: FileName): FileState | undefined {
    return this.store.getState().get(fileKey(name))?.file
  }

  #put(entry: FileEntry): void {
    this.store.setState((files) => new Map(files).set(fileKey(entry.name), entry), true)
  }

  #hear(name: FileName, question: number): void {
    this.#heard.set(fileKey(name), question)
  }

  #forgetIdle(): void {
    const idle = [...this.store.getState()].filter(
      ([key, { file }]) =>
        !this.#watched.has(key) && (file === undefined || !(isDirty(file) || file.isSaving)),
    )
    if (idle.length > MAX_IDLE) this.#drop(new Set(idle.slice(0, idle.length - MAX_IDLE).map(([key]) => key)))
  }

  #drop(keys: ReadonlySet<string>): void {
    this.store.setState((files) => new Map([...files].filter(([key]) => !keys.has(key))), true)
  }
}

function withFailure(file: FileState, error: unknown): FileState {
  if (!(error instanceof Refused)) return { ...file, failure: { code: "internal", ...faultOf(error) } }
  const { failure } = error
  return { ...file, failure, disk: failure.current === undefined ? file.disk : failure.current }
}

type FileRead =
  | ({ readonly ok: true } & Opened)
  /** Undefined if the server didn't answer. The read is then repeated. */
  | { readonly ok: false; readonly failure: CallFailure | undefined }

/** Returns the server's answer about a file, if it has answered. */
async function readFile(ask: typeof call, file: FileName): Promise<FileRead> {
  try {
    const { path, text, etag, draft } = await ask("files.read", { file })
    return { ok: true, path, disk: etag === null ? null : { text, etag }, draft }
  } catch (error) {
    if (!(error instanceof Refused)) return { ok: false, failure: undefined }
    if (error.failure.code === "file-missing") return { ok: true, path: filePath(file), disk: null }
    return { ok: false, failure: error.failure }
  }
}
