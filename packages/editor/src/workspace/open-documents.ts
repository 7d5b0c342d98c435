// The texts of open documents, by the files that they belong to.

import { getOrCreate } from "@callsheet/format"
import { withoutMark } from "../file/editor-file.ts"
import { pathOf, realPathOf } from "./uris.ts"

export interface Sent {
  readonly uri: string
  /** As the client sent it, with its byte order mark. */
  readonly text: string
  /** The client's number of this text. */
  readonly version: number
}

export type OpenDocuments = ReturnType<typeof createOpenDocuments>

export function createOpenDocuments() {
  /** The real path of each document when it was opened: its file may be deleted or replaced since. */
  const paths = new Map<string, string>()
  /** The documents of a file, which may have several URIs. The text of the one that changed last is the file's. */
  const byPath = new Map<string, Map<string, Sent>>()
  const unsaved = new Map<string, string>()
  const lastAt = (path: string): Sent | undefined => [...(byPath.get(path)?.values() ?? [])].at(-1)
  const settle = (path: string): void => {
    const last = lastAt(path)
    if (last === undefined) {
      unsaved.delete(path)
      byPath.delete(path)
    } else unsaved.set(path, withoutMark(last.text))
  }
  /** Returns the document's real path. Undefined if it isn't a file. */
  const pathAt = (uri: string): string | undefined => {
    const known = paths.get(uri)
    if (known !== undefined) return known
    const path = pathOf(uri)
    return path === undefined ? undefined : realPathOf(path)
  }
  return {
    unsaved,
    pathAt,
    paths: (): readonly string[] => [...byPath.keys()],
    sentAt: lastAt,
    /** Returns the text of an open document, as the client sent it. */
    textOf: (uri: string): string | undefined => {
      const path = pathAt(uri)
      return path === undefined ? undefined : lastAt(path)?.text
    },
    /** Returns the version of a document's text. Null if it isn't open. */
    versionOf: (uri: string): number | null => {
      const path = pathAt(uri)
      return (path === undefined ? undefined : byPath.get(path)?.get(uri))?.version ?? null
    },
    /** Returns the URIs with which the client opened the file. */
    urisAt: (path: string): readonly string[] => [...(byPath.get(path)?.keys() ?? [])],
    set: (sent: Sent): string | undefined => {
      const { uri } = sent
      const path = pathAt(uri)
      if (path === undefined) return undefined
      paths.set(uri, path)
      const documents = getOrCreate(byPath, path, () => new Map<string, Sent>())
      documents.delete(uri)
      documents.set(uri, sent)
      settle(path)
      return path
    },
    /** Returns the document's real path. Undefined if it wasn't open. */
    remove: (uri: string): string | undefined => {
      const path = paths.get(uri)
      if (path === undefined) return undefined
      paths.delete(uri)
      byPath.get(path)?.delete(uri)
      settle(path)
      return path
    },
  }
}
