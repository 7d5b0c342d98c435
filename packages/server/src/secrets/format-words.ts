// The format's own words in files, reports and messages. They stay readable even if a secret equals one of them.

import {
  anyValueFileShape,
  environmentSchemaShape,
  getOrCreate,
  savedRequestShape,
  workflowShape,
  type Shape,
} from "@callsheet/format"

const reportWords = ["passed", "failed", "skipped", "error", "warning", "branch", "halted", "cancelled"]
const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "QUERY"]

const words = new Map<string, Set<string>>()
for (const shape of [workflowShape, savedRequestShape, environmentSchemaShape, anyValueFileShape])
  addWords(shape, "", new Set())
add("version", ["1"])
add("method", methods)

const all: ReadonlySet<string> = new Set([...reportWords, ...[...words.values()].flatMap((of) => [...of])])

export const isWordOf = (key: string, value: string): boolean => words.get(key)?.has(value) === true

export const isFormatWord = (text: string): boolean => all.has(text)

function add(key: string, values: readonly string[]): void {
  const known = getOrCreate(words, key, () => new Set())
  for (const value of values) known.add(value)
}

/** Adds the words of a shape. Visits each shape once, because blocks contain blocks. */
function addWords(shape: Shape, key: string, seen: Set<Shape>): void {
  if (shape.is === "enum") add(key, shape.values)
  if (seen.has(shape)) return
  seen.add(shape)
  if (shape.is === "array") addWords(shape.items(), key, seen)
  if (shape.is === "map") addWords(shape.values, key, seen)
  if (shape.is === "object")
    for (const [name, field] of Object.entries(shape.fields)) addWords(field.shape, name, seen)
  if (shape.is === "variant") {
    add(shape.tag, Object.keys(shape.variants))
    for (const each of Object.values(shape.variants)) addWords(each, key, seen)
  }
}
