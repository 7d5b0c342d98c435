// Reads JSON or YAML as a value, with a function that locates its parts.

import {
  createJsonLocator,
  type Finding,
  type JsonPointer,
  type JsonValue,
  once,
  parseJson,
  type Problem,
  problemAtOffset,
  type SourceFile,
} from "@callsheet/format"
import { messages } from "./messages.ts"

export interface Unreadable {
  readonly ok: false
  readonly problems: readonly Problem[]
}

export type ReadText =
  | {
      readonly ok: true
      readonly value: JsonValue
      /** Returns the offset of the value at a pointer, or of its nearest existing container, in UTF-16 code units. */
      readonly locate: (pointer: JsonPointer) => number
    }
  | Unreadable

export type TextReader = (source: SourceFile) => ReadText

export const isYaml = ({ file }: SourceFile): boolean => /\.ya?ml$/i.test(file)

/** Creates a reader of JSON and, if `hasYaml` is true, of YAML. Loads the YAML library only if needed. */
export async function createTextReader(hasYaml: boolean): Promise<TextReader> {
  if (!hasYaml) return (source) => (isYaml(source) ? unexpectedYaml(source) : readJson(source))
  const { createYamlReader } = await import("./read-yaml.ts")
  const readYaml = await createYamlReader()
  return (source) => (isYaml(source) ? readYaml(source) : readJson(source))
}

/** Parses YAML, whatever the file's name is. */
export async function parseYaml(source: SourceFile): Promise<ReadText> {
  const { createYamlReader } = await import("./read-yaml.ts")
  return (await createYamlReader())(source)
}

/** Rejects a YAML file that the search for references missed because an escape hides its `$ref`. */
const unexpectedYaml = (source: SourceFile): Unreadable =>
  unreadable(source, 0, messages["document-invalid"].escapedReference())

export const unreadable = (source: SourceFile, offset: number, finding: Finding): Unreadable => ({
  ok: false,
  problems: [problemAtOffset(source, offset, finding)],
})

function readJson(source: SourceFile): ReadText {
  const parsed = parseJson(source.text)
  if (!parsed.ok)
    return { ok: false, problems: parsed.findings.map((one) => problemAtOffset(source, one.offset, one)) }
  const locate = once(() => createJsonLocator(source.text))
  return { ok: true, value: parsed.value, locate: (pointer) => locate()(pointer, "value") }
}
