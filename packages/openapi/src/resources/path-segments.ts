// The segments of a path template, and the key that makes `/users/{id}` and `/users/{userId}` equal.

import { memo } from "@callsheet/format"
import type { Operation } from "../document/operations.ts"

export interface Segment {
  /** The literal text, or the name of the parameter. Without an ending such as `.json`. */
  readonly text: string
  readonly is: "literal" | "parameter" | "mixed"
}

/** Returns the segments of an operation's path. A slash at the end makes no difference. */
export const segmentsOf = memo((operation: Operation): readonly Segment[] => splitPath(operation.path))

export const splitPath = (path: string): readonly Segment[] =>
  path
    .split("/")
    .filter((text) => text !== "")
    .map(readSegment)

function readSegment(written: string): Segment {
  const text = written.replace(/(?<=.)\.(?:json|xml|ya?ml)$/i, "")
  const parameter = /^\{([^{}]+)\}$/.exec(text)?.[1]
  if (parameter !== undefined) return { text: parameter, is: "parameter" }
  return { text, is: /[{}]/.test(text) ? "mixed" : "literal" }
}

/** Returns a key that is equal for paths that differ only in the names of parameters. */
export const keyOf = (segments: readonly Segment[]): string =>
  segments.map(({ text, is }) => (is === "parameter" ? "{}" : text)).join("/")

/** Returns the last literal segment: the name of a collection. */
export const lastLiteral = (segments: readonly Segment[]): string | undefined =>
  segments.findLast(({ is }) => is === "literal")?.text
