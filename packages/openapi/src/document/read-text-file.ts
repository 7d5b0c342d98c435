// A text in JSON or YAML -> its value with the way to places in it, or what is wrong with it. JSON needs no library.

import {
  createJsonLocator,
  parseJson,
  problemAtOffset,
  type JsonPointer,
  type JsonValue,
  type Problem,
  type SourceFile,
} from "@callsheet/format"

export type ReadValue =
  | { readonly ok: true; readonly value: JsonValue }
  | { readonly ok: false; readonly problems: readonly Problem[] }

export type ValueReader = (source: SourceFile) => ReadValue

export type ReadText =
  | {
      readonly ok: true
      readonly value: JsonValue
      /** Where the value at a pointer stands, or the nearest container that is there; in UTF-16 code units. */
      readonly locate: (pointer: JsonPointer) => number
    }
  | { readonly ok: false; readonly problems: readonly Problem[] }

export type TextReader = (source: SourceFile) => ReadText

export const isYaml = ({ file }: SourceFile): boolean => /\.ya?ml$/i.test(file)

/** Makes a reader of JSON and, where it may meet YAML, of that too: its library is loaded then. */
export async function createTextReader(hasYaml: boolean): Promise<TextReader> {
  if (!hasYaml) return (source) => (isYaml(source) ? unexpectedYaml(source) : readJson(source))
  const { createYamlReader } = await import("./read-yaml.ts")
  const readYaml = await createYamlReader()
  return (source) => (isYaml(source) ? readYaml(source) : readJson(source))
}

/** A reference whose key is written with escapes may lead there. */
const unexpectedYaml = (source: SourceFile): ReadText => ({
  ok: false,
  problems: [
    problemAtOffset(source, 0, {
      code: "document-invalid",
      message: "the reference that leads to this file is written in a way that is not read",
      hint: `write "$ref" without escapes`,
    }),
  ],
})

function readJson(source: SourceFile): ReadText {
  const parsed = parseJson(source.text)
  if (parsed.ok) {
    let locate: ReturnType<typeof createJsonLocator> | undefined
    return {
      ok: true,
      value: parsed.value,
      locate: (pointer) => (locate ??= createJsonLocator(source.text))(pointer, "value"),
    }
  }
  const problems = parsed.findings.map((finding) => problemAtOffset(source, finding.offset, finding))
  return { ok: false, problems }
}
