// Which schemas bear `readOnly` or `writeOnly`: what only the other direction carries need not be there.

import { isJsonObject, type JsonValue } from "@callsheet/format"
import { listMember, type Located, member, objectMember } from "../document/located.ts"
import { getOrCreate } from "../document/memo.ts"

export type Mark = "readOnly" | "writeOnly"

/** What stands behind a schema's `$ref`s. */
export type Follow = (schema: Located) => Located | undefined

/** Names of properties that bear the mark, of a schema and what it is made of. */
export function excusedNames(schema: Located, mark: Mark, follow: Follow): readonly string[] {
  const names: string[] = []
  for (const { value, pointer } of madeOf(schema, follow)) {
    for (const [name, property] of Object.entries(objectMember(value, "properties") ?? {}))
      if (isMarked({ value: property, pointer }, mark, follow)) names.push(name)
  }
  return names
}

/**
 * Whether a schema, or what it is made of, bears the mark. What stands nearer counts: one that says `readOnly` itself is
 * that, whatever a schema that it includes says.
 */
export function isMarked(schema: Located, mark: Mark, follow: Follow): boolean {
  const { value } = schema
  if (!isJsonObject(value)) return false
  return getOrCreate(answers[mark], value, () => findMark(schema, mark, follow))
}

/** By schema: a document asks for the same property from every schema that includes another. */
const answers: { readonly [M in Mark]: WeakMap<object, boolean> } = {
  readOnly: new WeakMap(),
  writeOnly: new WeakMap(),
}

function findMark(schema: Located, mark: Mark, follow: Follow): boolean {
  const other = mark === "readOnly" ? "writeOnly" : "readOnly"
  for (const { value } of madeOf(schema, follow, (part) => member(part.value, other) === true))
    if (member(value, mark) === true) return true
  return false
}

/** A schema and all that it is made of, by references and `allOf`, each once; what an end is made of is left out. */
function* madeOf(schema: Located, follow: Follow, isEnd?: (part: Located) => boolean): Generator<Located> {
  const seen = new Set<JsonValue>()
  const work = [schema]
  for (let part = work.pop(); part !== undefined; part = work.pop()) {
    if (seen.has(part.value)) continue
    seen.add(part.value)
    yield part
    if (isEnd?.(part) === true) continue
    // Only the file that a part stands in matters to its references: its inner parts go by its name.
    for (const value of listMember(part.value, "allOf")) work.push({ value, pointer: part.pointer })
    const followed = follow(part)
    if (followed !== undefined) work.push(followed)
  }
}
