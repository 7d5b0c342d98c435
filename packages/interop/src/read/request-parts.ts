// Reads parts that several sources have in common: pairs that may be disabled, path parameters, GraphQL bodies and
// media types.

import type { JsonValue } from "@callsheet/format"
import { reasons } from "../messages.ts"
import type { Loss, Pair, Segment } from "../model.ts"
import { mustacheText, type Text } from "../text.ts"
import { isTrue, text } from "./json.ts"

export interface PairsRequest {
  readonly values: readonly JsonValue[]
  /** The member that holds the name. */
  readonly key: "key" | "name"
  /** The word for a pair in losses, such as `header`. */
  readonly what: string
  readonly where: string
  readonly read: (raw: string) => Text
  readonly lose: (loss: Loss) => void
}

/** Returns whether a folder or an environment has a color, which has no effect on requests. */
export const hasColor = (value: JsonValue | undefined): boolean => (text(value, "color") ?? "") !== ""

/** Returns the enabled pairs. Disabled ones are lost. */
export const readPairs = ({ values, key, what, where, read, lose }: PairsRequest): readonly Pair[] =>
  values.flatMap((value) => {
    const name = text(value, key) ?? ""
    if (name === "") return []
    if (isTrue(value, "disabled")) {
      lose({ where, what: `${what} ${name}`, reason: reasons.disabled() })
      return []
    }
    return [{ name: read(name), value: read(text(value, "value") ?? "") }]
  })

/** Replaces `:id` by its value. Keeps a segment whose value isn't known. */
export const withPathValues = (
  path: readonly Segment[],
  valueOf: (name: string) => Text | undefined,
): readonly Segment[] =>
  path.map((segment) => {
    const [, name = ""] = /^:([\p{L}_][\p{L}\p{M}\p{N}_.-]*)$/u.exec(segment.text) ?? []
    const value = name === "" ? undefined : valueOf(name)
    return value === undefined ? segment : { name, text: value }
  })

/** Writes the body of a GraphQL request. `variables` is JSON that may contain variables. */
export function graphqlText(value: JsonValue | undefined, read: (raw: string) => Text = mustacheText): Text {
  const variables = text(value, "variables") ?? ""
  const name = text(value, "operationName")
  const query = read(JSON.stringify(text(value, "query") ?? ""))
  const operation = name === undefined ? "" : `,"operationName":${JSON.stringify(name)}`
  return `{"query":${query}${operation}${variables.trim() === "" ? "" : `,"variables":${read(variables)}`}}`
}

/** The media types of bodies by the language that a source names. */
export const mediaTypes: ReadonlyMap<string, string> = new Map([
  ["json", "application/json"],
  ["xml", "application/xml"],
  ["html", "text/html"],
  ["javascript", "application/javascript"],
  ["text", "text/plain"],
  ["sparql", "application/sparql-query"],
])
