// The value of a JSON text, however broken it is, as an editor reads it while the user types.

import {
  ARRAY,
  END,
  field,
  type JsonTree,
  KEY_FROM,
  keyOfRow,
  KIND,
  MISSING,
  OBJECT,
  PARENT,
  readJsonTree,
  START,
} from "./json-tree.ts"
import { parseJson } from "./parse-json.ts"
import { isJsonArray, type JsonArray, type JsonObject, type JsonValue, setOwn } from "./value.ts"

/**
 * Reads a text. Missing values are `null`, and words without quotes are strings. Its pointers are those of `jsonPlaceAt`. Never
 * use the value for a run or an edit: nobody knows what the user will write.
 */
export function looseJson(text: string): JsonValue {
  const parsed = parseJson(text, { allowDuplicateKeys: true })
  return parsed.ok ? parsed.value : valueOfTree(readJsonTree(text))
}

type Container = JsonArray | JsonObject

function valueOfTree(tree: JsonTree): JsonValue {
  const containers = new Map<number, Container>()
  let root: JsonValue = null
  for (let row = 0; row < tree.count; row++) {
    const value = valueOfRow(tree, row)
    if (typeof value === "object" && value !== null) containers.set(row, value)
    if (row === 0) root = value
    else put(containers.get(field(tree, row, PARENT)), nameOf(tree, row), value)
  }
  return root
}

function put(container: Container | undefined, key: string | undefined, value: JsonValue): void {
  if (container === undefined) return
  if (isJsonArray(container)) (container as JsonValue[]).push(value)
  // A half-written member doesn't replace a whole one.
  else if (key !== undefined && (value !== null || !Object.hasOwn(container, key)))
    setOwn(container as Record<string, JsonValue>, key, value)
}

/** Undefined for a value without a key. */
const nameOf = (tree: JsonTree, row: number): string | undefined =>
  field(tree, row, KEY_FROM) === -1 ? undefined : keyOfRow(tree, row)

function valueOfRow(tree: JsonTree, row: number): JsonValue {
  const kind = field(tree, row, KIND)
  if (kind === OBJECT) return {}
  if (kind === ARRAY) return []
  return kind === MISSING ? null : scalarOf(tree.text.slice(field(tree, row, START), field(tree, row, END)))
}

function scalarOf(text: string): JsonValue {
  for (const whole of [text, `${text}"`]) {
    const parsed = parseJson(whole)
    if (parsed.ok) return parsed.value
  }
  return text.replaceAll(/^"|"$/g, "")
}
