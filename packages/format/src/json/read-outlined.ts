// A JSON text and its outline -> its value, of which only those parts are parsed that somebody looks at.

import {
  decodePart,
  KEY_END,
  KEY_START,
  NEXT_ROW,
  ROW_LENGTH,
  VALUE_END,
  VALUE_START,
  type JsonOutline,
} from "./outline.ts"
import { parseJson } from "./parse-json.ts"
import type { JsonObject, JsonValue } from "./value.ts"

/** Smaller values are parsed at once: that takes less time than putting them off, in bytes. */
const SMALL = 1024

interface Text {
  readonly bytes: Uint8Array
  readonly rows: Int32Array
}

/**
 * The value that `parseJson` gives for the text, but for the moment at which its parts are made: the members of outlined
 * objects are getters, and these objects have no prototype.
 *
 * @example
 * const outline = outlineJson(bytes)
 * const value = outline === undefined ? undefined : readOutlined(bytes, outline)
 */
export function readOutlined(bytes: Uint8Array, { rows }: JsonOutline): JsonValue {
  const text = { bytes, rows }
  return rows.length === 0 ? parsePart(bytes, 0, bytes.length) : objectOf(text, 0, rows.length / ROW_LENGTH)
}

/** The object whose members have the rows from `first` up to `end`. */
function objectOf(text: Text, first: number, end: number): JsonObject {
  // Without a prototype V8 keeps the members in a table: thousands of getters are added to that in no time.
  const object = Object.create(null) as JsonObject
  for (let row = first; row < end; row = text.rows[row * ROW_LENGTH + NEXT_ROW]!)
    Object.defineProperty(object, keyOf(text, row), lazily(text, row))
  return object
}

function lazily(text: Text, row: number): PropertyDescriptor {
  let value: JsonValue | undefined
  return { enumerable: true, get: () => (value ??= valueOf(text, row)) }
}

const keyOf = ({ bytes, rows }: Text, row: number): string => {
  const at = row * ROW_LENGTH
  const quoted = decodePart(bytes, rows[at + KEY_START]!, rows[at + KEY_END]!)
  return quoted.includes("\\") ? (JSON.parse(quoted) as string) : quoted.slice(1, -1)
}

function valueOf(text: Text, row: number): JsonValue {
  const { bytes, rows } = text
  const at = row * ROW_LENGTH
  const start = rows[at + VALUE_START]!
  const end = rows[at + VALUE_END]!
  const next = rows[at + NEXT_ROW]!
  const isOutlined = next > row + 1
  return isOutlined && end - start > SMALL ? objectOf(text, row + 1, next) : parsePart(bytes, start, end)
}

function parsePart(bytes: Uint8Array, start: number, end: number): JsonValue {
  // The outline holds for texts without keys that stand twice: they need not be looked for again.
  const parsed = parseJson(decodePart(bytes, start, end), { allowDuplicateKeys: true })
  if (parsed.ok) return parsed.value
  throw new Error("an outline does not belong to its text")
}
