// Which schemas bear `readOnly` or `writeOnly`: what only the other direction carries need not be there.

import { isJsonObject } from "@callsheet/format"
import type { OpenApiDocument } from "../document/document.ts"
import { entriesIn, type Located, member } from "../document/located.ts"
import { getOrCreate } from "../document/memo.ts"
import { inclusions } from "./schema-graph.ts"

export type Mark = "readOnly" | "writeOnly"

/** Names of properties that bear the mark, of a schema and what it is made of. */
export function excusedNames(document: OpenApiDocument, schema: Located, mark: Mark): readonly string[] {
  const names: string[] = []
  for (const part of inclusions(document, schema)) {
    for (const [name, property] of entriesIn(part, "properties"))
      if (isMarked(document, property, mark)) names.push(name)
  }
  return names
}

/**
 * Whether a schema, or what it is made of, bears the mark. What stands nearer counts: one that says `readOnly` itself is
 * that, whatever a schema that it includes says.
 */
export const isMarked = (document: OpenApiDocument, schema: Located, mark: Mark): boolean =>
  isJsonObject(schema.value) &&
  getOrCreate(answers[mark], schema.value, () => findMark(document, schema, mark))

/** By schema: a document asks for the same property from every schema that includes another. */
const answers: { readonly [M in Mark]: WeakMap<object, boolean> } = {
  readOnly: new WeakMap(),
  writeOnly: new WeakMap(),
}

function findMark(document: OpenApiDocument, schema: Located, mark: Mark): boolean {
  const other = mark === "readOnly" ? "writeOnly" : "readOnly"
  for (const { value } of inclusions(document, schema, (part) => member(part.value, other) === true))
    if (member(value, mark) === true) return true
  return false
}
