// Identifies the documents of a run by the files that it read, to tell whether recorded verdicts still hold.

import { createHash } from "node:crypto"
import { isJsonObject, type JsonValue, type Project, type SourceFile } from "@callsheet/format"

/** The digests of a document's files by path, for each API. A file that can't be read has the digest "". */
export type DocumentDigests = Readonly<Record<string, Readonly<Record<string, string>>>>

/** Returns a project that notes the files of each document that are read. `digests` returns them. */
export function noteDocuments(project: Project) {
  const noted = new Map<string, Map<string, SourceFile | undefined>>()
  const apis = new Map(
    [...project.apis].map(([name, api]) => {
      const { document, readFile } = api
      if (document === undefined || readFile === undefined) return [name, api]
      const files = new Map<string, SourceFile | undefined>([[document.file, document]])
      noted.set(name, files)
      const note: typeof readFile = (path) => {
        const read = readFile(path)
        files.set(path, read.ok ? read.value : undefined)
        return read
      }
      return [name, { ...api, readFile: note }]
    }),
  )
  const digests = (): DocumentDigests =>
    Object.fromEntries(
      [...noted].map(([api, files]) => [
        api,
        Object.fromEntries([...files].map(([path, file]) => [path, digestOf(file)])),
      ]),
    )
  return { project: { ...project, apis }, digests }
}

const digestOf = (file: SourceFile | undefined): string =>
  file === undefined
    ? ""
    : createHash("sha256")
        .update(file.bytes ?? file.text)
        .digest("hex")

/** The maximum number of files to read for a document. */
const MAX_FILES = 2000

/** Returns the APIs whose documents still have the recorded digests. A hostile record may contain anything. */
export function unchangedApis({ apis }: Project, recorded: JsonValue | undefined): ReadonlySet<string> {
  if (recorded === undefined || !isJsonObject(recorded)) return new Set()
  const isSame = ([name, digests]: [string, JsonValue]): boolean => {
    const { document, readFile } = apis.get(name) ?? {}
    if (document === undefined || !isJsonObject(digests) || !Object.hasOwn(digests, document.file))
      return false
    const files = Object.entries(digests)
    if (files.length > MAX_FILES) return false
    return files.every(([path, digest]) => {
      const read = path === document.file ? ({ ok: true, value: document } as const) : readFile?.(path)
      return digestOf(read?.ok === true ? read.value : undefined) === digest
    })
  }
  return new Set(
    Object.entries(recorded)
      .filter(isSame)
      .map(([name]) => name),
  )
}
