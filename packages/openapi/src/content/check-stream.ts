// Checks the items of a stream against the schemas of its media type.

import {
  type ContractProblem,
  isJsonObject,
  type JsonArray,
  type JsonValue,
  once,
  ownOf,
  streamItems,
  type StreamFormat,
} from "@callsheet/format"
import { hideSecrets } from "../schema/validate/contract-problems.ts"
import type { CheckSchema } from "../schema/validate/schema-checker.ts"
import type { DataReading, StreamSchema } from "./stream-schemas.ts"

/** The body of a stream. */
export interface StreamBody {
  readonly format: StreamFormat
  readonly items: JsonArray
  readonly text: () => string
}

interface StreamCheck {
  /** Checks the text of an event's data against `contentSchema`, too. */
  readonly checkItem: CheckSchema
  readonly isSecret: (text: string) => boolean
}

/** The maximum number of problems. The items after them aren't checked. */
const MAX_PROBLEMS = 1000

const root = "/body"

export function checkStream(
  body: StreamBody,
  schemas: readonly StreamSchema[],
  check: StreamCheck,
): readonly ContractProblem[] {
  const problems: ContractProblem[] = []
  for (const part of partsOf(body, schemas)) {
    const { schema, readings, path, shown } = part
    const found = check.checkItem(schema, readings, path)
    if (found.length > 0) problems.push(...hideSecrets(found, { value: shown, path }, check.isSecret))
    if (problems.length >= MAX_PROBLEMS) break
  }
  return problems
}

interface CheckedPart {
  readonly schema: StreamSchema["schema"]
  readonly readings: readonly JsonValue[]
  readonly path: string
  /** The value that messages may quote. */
  readonly shown: JsonValue
}

function* partsOf(body: StreamBody, schemas: readonly StreamSchema[]): Generator<CheckedPart> {
  const { format, items, text } = body
  const texts = once(() => streamItems(format, text(), (item) => item.text))
  const asText = (item: JsonValue, index: number): JsonValue => {
    const data = texts()[index]
    return isJsonObject(item) && data !== undefined ? { ...item, data } : item
  }
  const read = (reading: DataReading, index: number): JsonValue => {
    const item = items[index] ?? null
    return reading === "text" ? asText(item, index) : item
  }
  for (const { schema, describes, data } of schemas) {
    if (describes === "text") yield { schema, readings: [text()], path: root, shown: text() }
    else if (describes === "items") {
      const readings = data.map((reading) => items.map((_, index) => read(reading, index)))
      yield { schema, readings, path: root, shown: items }
    } else
      for (const [index, item] of items.entries()) {
        const path = `${root}/${index}`
        if (describes === "item")
          yield { schema, readings: data.map((reading) => read(reading, index)), path, shown: item }
        else if (format !== "events") yield { schema, readings: [item], path, shown: item }
        else {
          const value = isJsonObject(item) ? (ownOf(item, "data") ?? null) : item
          yield { schema, readings: [value], path: `${path}/data`, shown: value }
        }
      }
  }
}
