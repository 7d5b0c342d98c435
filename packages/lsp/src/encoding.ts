// Converts positions between UTF-16, which the service uses, and the encoding of the client (LSP 3.17, PositionEncodingKind).

import type { Position } from "vscode-languageserver"

export type Encoding = "utf-8" | "utf-16" | "utf-32"

type TextOf = (uri: string) => string | undefined

/** UTF-16 unless the client offers only other encodings. */
export function chooseEncoding(offered: readonly string[] | undefined): Encoding {
  if (offered === undefined || offered.length === 0 || offered.includes("utf-16")) return "utf-16"
  return offered.includes("utf-8") ? "utf-8" : offered.includes("utf-32") ? "utf-32" : "utf-16"
}

export interface Conversion {
  readonly toService: <T>(value: T, uri?: string) => T
  readonly toClient: <T>(value: T, uri?: string) => T
}

/**
 * Converts every position in a message. A position counts in the document that the nearest object around it names, or
 * in `uri`.
 */
export function createConversion(encoding: Encoding, textOf: TextOf): Conversion {
  if (encoding === "utf-16") return { toService: (value) => value, toClient: (value) => value }
  const convert =
    (character: (line: string, count: number) => number) =>
    <T>(value: T, uri?: string): T => {
      const lines = createLines(textOf)
      return walk(value, uri, (position, document) => ({
        ...position,
        character: character(lines(document, position.line), position.character),
      }))
    }
  return {
    toService: convert((line, count) => unitsBefore(line, count, encoding)),
    toClient: convert((line, count) => lengthOf(line.slice(0, count), encoding)),
  }
}

/** Splits each document of a message once, because it may have thousands of positions. */
function createLines(textOf: TextOf) {
  const split = new Map<string, readonly string[]>()
  return (uri: string | undefined, line: number): string => {
    if (uri === undefined) return ""
    const lines = split.get(uri) ?? textOf(uri)?.split(/\r\n|\r|\n/) ?? []
    split.set(uri, lines)
    return lines[line] ?? ""
  }
}

const sizeOf = (char: string, encoding: Encoding): number =>
  encoding === "utf-32" ? 1 : Buffer.byteLength(char)

function lengthOf(text: string, encoding: Encoding): number {
  let length = 0
  for (const char of text) length += sizeOf(char, encoding)
  return length
}

/** Returns the number of UTF-16 code units in the first `count` units of the client's encoding. */
function unitsBefore(line: string, count: number, encoding: Encoding): number {
  let [units, left] = [0, count]
  for (const char of line) {
    left -= sizeOf(char, encoding)
    if (left < 0) break
    units += char.length
  }
  return units
}

const isPosition = (value: object): value is Position =>
  typeof Reflect.get(value, "line") === "number" && typeof Reflect.get(value, "character") === "number"

function walk<T>(value: T, uri: string | undefined, change: (position: Position, uri?: string) => Position): T
function walk(
  value: unknown,
  uri: string | undefined,
  change: (position: Position, uri?: string) => Position,
): unknown {
  if (typeof value !== "object" || value === null) return value
  if (Array.isArray(value)) return value.map((item: unknown) => walk(item, uri, change))
  if (isPosition(value)) return change(value, uri)
  const own = documentOf(value) ?? uri
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]: [string, unknown]) => {
      // The keys of an edit's `changes` are documents. A link's origin is in the document that the request names.
      const isDocument = key.includes("://")
      return [key, walk(inner, isDocument ? key : key === "originSelectionRange" ? uri : own, change)]
    }),
  )
}

function documentOf(value: object): string | undefined {
  const document: unknown = Reflect.get(value, "textDocument")
  const holder = typeof document === "object" && document !== null ? document : value
  const uri: unknown = Reflect.get(holder, "targetUri") ?? Reflect.get(holder, "uri")
  return typeof uri === "string" ? uri : undefined
}
