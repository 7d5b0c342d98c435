// The open files of the page: what is typed is here first, and goes to the server from here alone.

import { createStore, type StoreApi } from "zustand/vanilla"
import type { CallFailure, FileName } from "../../api.ts"
import type { call } from "../connection/call.ts"
import { Refused } from "../connection/send.ts"
import { fileKey } from "./file-key.ts"
import {
  changedOnDisk,
  editedFile,
  isDirty,
  isInConflict,
  keptMine,
  openedFile,
  redoneFile,
  savedFile,
  tookTheirs,
  undoneFile,
  type FileState,
} from "./file-state.ts"
import type { EditOptions } from "./open-file.ts"
import { readFile } from "./read-file.ts"

export interface FilePorts {
  readonly call: typeof call
  /** In milliseconds. */
  readonly now: () => number
}

/** One open file: not read yet, not readable, or there to be edited. */
export interface FileEntry {
  readonly name: FileName
  readonly file: FileState | undefined
  readonly failure: CallFailure | undefined
}

export interface FileStore {
  readonly store: StoreApi<ReadonlyMap<string, FileEntry>>
  /** Reads the file, and again when it changes on the disk, until the function that it returns is called. */
  readonly watch: (name: FileName) => () => void
  readonly edit: (name: FileName, change: (text: string) => string, options?: EditOptions) => void
  readonly undo: (name: FileName) => void
  readonly redo: (name: FileName) => void
  /** Resolves to whether the text is on the disk now. One save at a time; one without an unsaved change does nothing. */
  readonly save: (name: FileName) => Promise<boolean>
  /** Goes back to what is on the disk; one undo brings the unsaved text back. */
  readonly discard: (name: FileName) => void
  /** Reads it again. */
  readonly reload: (name: FileName) => Promise<void>
  /** Of a conflict: writes the own text over what is on the disk. */
  readonly keepMine: (name: FileName) => Promise<boolean>
  /** Of a conflict: this text, made of both, is the own one now; it is not saved yet. */
  readonly merge: (name: FileName, text: string) => void
  /** Forgets it with what is unsaved: it was deleted, or has another name. */
  readonly close: (name: FileName) => void
  /** Files may have changed on the disk, or could not be read before. */
  readonly readAgain: () => void
}

/** Files that nobody looks at and that have nothing unsaved, kept for their history. */
const mostIdle = 20

export function createFileStore(ports: FilePorts): FileStore {
  const { call, now } = ports
  const store = createStore<ReadonlyMap<string, FileEntry>>(() => new Map())
  const watched = new Map<string, number>()
  /** When what is known of each file was asked for: an answer to an earlier question says nothing. */
  const heard = new Map<string, number>()
  let asked = 0

  const put = (entry: FileEntry): void =>
    store.setState((files) => new Map(files).set(fileKey(entry.name), entry), true)
  const fileOf = (name: FileName): FileState | undefined => store.getState().get(fileKey(name))?.file
  const update = (name: FileName, step: (file: FileState) => FileState): void => {
    const file = fileOf(name)
    if (file === undefined) return
    const next = step(file)
    if (next !== file) put({ name, file: next, failure: undefined })
  }
  const hear = (name: FileName, question: number): void => void heard.set(fileKey(name), question)

  const reload = async (name: FileName): Promise<void> => {
    const question = ++asked
    const read = await readFile(call, name)
    const file = fileOf(name)
    // What a save says is newer; and what is written is told of once more.
    if ((heard.get(fileKey(name)) ?? 0) > question || file?.isSaving === true) return
    hear(name, question)
    if (read.ok) {
      const next = file === undefined ? openedFile(name, read) : changedOnDisk(file, read.disk, now())
      if (next !== file) put({ name, failure: undefined, file: next })
    } else if (file === undefined && read.failure !== undefined) {
      put({ name, file: undefined, failure: read.failure })
    }
  }

  const save = async (name: FileName): Promise<boolean> => {
    const file = fileOf(name)
    if (file === undefined || !isDirty(file)) return file !== undefined
    if (file.isSaving || isInConflict(file)) return false
    const { text, base } = file
    update(name, (open) => ({ ...open, isSaving: true, failure: undefined }))
    try {
      const { etag } = await call("files.save", { file: name, etag: base.etag, text })
      hear(name, ++asked)
      update(name, (open) => savedFile(open, { text, etag }))
      return true
    } catch (error) {
      hear(name, ++asked)
      update(name, (open) => withFailure({ ...open, isSaving: false }, error))
      return false
    } finally {
      // What was heard of the file meanwhile was passed over.
      void reload(name)
    }
  }

  const forget = (): void => {
    const idle = [...store.getState()].filter(
      ([key, { file }]) => !watched.has(key) && (file === undefined || !(isDirty(file) || file.isSaving)),
    )
    if (idle.length <= mostIdle) return
    const gone = new Set(idle.slice(0, idle.length - mostIdle).map(([key]) => key))
    store.setState((files) => new Map([...files].filter(([key]) => !gone.has(key))), true)
  }

  return {
    store,
    watch: (name) => {
      const key = fileKey(name)
      const count = watched.get(key) ?? 0
      watched.set(key, count + 1)
      if (!store.getState().has(key)) put({ name, file: undefined, failure: undefined })
      if (count === 0) void reload(name)
      return () => {
        const rest = (watched.get(key) ?? 1) - 1
        if (rest > 0) watched.set(key, rest)
        else watched.delete(key)
        forget()
      }
    },
    edit: (name, change, { merge } = {}) =>
      update(name, (file) => editedFile(file, change(file.text), { merge, now: now() })),
    undo: (name) => update(name, undoneFile),
    redo: (name) => update(name, redoneFile),
    save,
    discard: (name) => update(name, (file) => tookTheirs(file, now())),
    reload,
    keepMine: (name) => {
      update(name, keptMine)
      return save(name)
    },
    merge: (name, text) => update(name, (file) => editedFile(keptMine(file), text, { now: now() })),
    close: (name) => {
      const key = fileKey(name)
      // An answer that is on its way would open it again.
      hear(name, ++asked)
      store.setState((files) => new Map([...files].filter(([other]) => other !== key)), true)
    },
    readAgain: () => {
      for (const [key, { name, file }] of store.getState())
        if (watched.has(key) || (file !== undefined && isDirty(file))) void reload(name)
    },
  }
}

function withFailure(file: FileState, error: unknown): FileState {
  if (!(error instanceof Refused)) return { ...file, failure: notReached }
  const { failure } = error
  return { ...file, failure, ...(failure.current === undefined ? {} : { disk: failure.current }) }
}

const notReached: CallFailure = {
  code: "internal",
  message: "callsheet app does not answer, so nothing was saved. What you typed is still here.",
}
