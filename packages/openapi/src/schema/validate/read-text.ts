// A header's or a plain body's text -> the values that it can stand for, by the types that its schema declares.

import { parseJson, type JsonValue } from "@callsheet/format"
import { dereference, type OpenApiDocument } from "../../document/document.ts"
import { type Located, member } from "../../document/located.ts"
import { memo } from "../../document/memo.ts"
import { alternatives } from "../schema-graph.ts"
import { isNumber } from "./exact-keywords.ts"

/** The readings in the order of the declared types; none where the way of writing such a value is not known. */
export function textReadings(
  document: OpenApiDocument,
  schema: Located,
  { text, isHeader }: HeaderOrBody,
): readonly JsonValue[] {
  const { types, isOfParts } = readableTypes(schema, document)
  const [only] = types
  const readings =
    only !== undefined && types.length === 1
      ? readAs({ document, schema, text, isHeader, type: only })
      : types.flatMap((type) => readAs({ document, schema, text, isHeader, type }))
  if (readings.length > 0) return readings
  // A text that is no number where a number is declared is still what came.
  return isOfParts ? [] : [text]
}

interface ReadableTypes {
  readonly types: readonly string[]
  /** Whether lists or objects are declared. */
  readonly isOfParts: boolean
}

/** By the schema as its owner keeps it: it is looked at once for all texts. */
const readableTypes = memo((schema: Located, document: OpenApiDocument): ReadableTypes => {
  const types = declaredTypes(document, schema)
  return {
    types: types.size === 0 ? ["string", "number", "boolean"] : [...types],
    isOfParts: types.has("object") || types.has("array"),
  }
})

export interface HeaderOrBody {
  readonly text: string
  /** Lists are written with commas in headers alone (style `simple`). */
  readonly isHeader: boolean
}

interface Reading extends HeaderOrBody {
  readonly document: OpenApiDocument
  readonly schema: Located
  readonly type: string
}

function readAs({ document, schema, text, isHeader, type }: Reading): readonly JsonValue[] {
  switch (type) {
    case "string":
      return [text]
    case "integer":
    case "number": {
      const parsed = parseJson(text)
      return parsed.ok && isNumber(parsed.value) ? [parsed.value] : []
    }
    case "boolean":
      return text === "true" ? [true] : text === "false" ? [false] : []
    case "null":
      return text === "" ? [null] : []
    case "array": {
      if (!isHeader) return []
      const list = dereference(document, schema) ?? schema
      const items = { value: member(list.value, "items") ?? true, pointer: `${list.pointer}/items` }
      return [
        text
          .split(",")
          .map((part) => textReadings(document, items, { text: part.trim(), isHeader })[0] ?? part),
      ]
    }
    default:
      return []
  }
}

function declaredTypes(document: OpenApiDocument, schema: Located): ReadonlySet<string> {
  const types = new Set<string>()
  for (const { value } of alternatives(document, schema, (part) => ownTypes(part).length > 0))
    for (const name of ownTypes({ value })) types.add(name)
  return types
}

const ownTypes = ({ value }: Pick<Located, "value">): readonly string[] =>
  [member(value, "type") ?? []].flat().filter((name) => typeof name === "string")
