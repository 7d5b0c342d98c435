// Parses the structure of a regular expression. V8's RegExp still decides what a single character matches.

export type PatternNode =
  /** Matches one character. `source` is a complete regular expression. */
  | { readonly type: "atom"; readonly source: string }
  | { readonly type: "sequence"; readonly parts: readonly PatternNode[] }
  | { readonly type: "choice"; readonly branches: readonly PatternNode[] }
  | { readonly type: "repeat"; readonly body: PatternNode; readonly min: number; readonly max: number }
  | { readonly type: "edge"; readonly edge: Edge }
  | { readonly type: "ahead"; readonly body: PatternNode; readonly isNegated: boolean }
  /** A backreference or a lookbehind, for which an engine must backtrack. */
  | { readonly type: "beyond"; readonly body?: PatternNode }

export type Repeat = Extract<PatternNode, { readonly type: "repeat" }>

export type Edge = "start" | "end" | "word" | "noWord"

const MAX_DEPTH = 100

/** Parses a pattern that `RegExp` accepts. Returns undefined for unsupported syntax. */
export function parsePattern(source: string, isUnicode: boolean): PatternNode | undefined {
  const reading: Reading = { source, isUnicode, at: 0, depth: 0 }
  const node = readChoice(reading)
  return node !== undefined && reading.at === source.length ? node : undefined
}

interface Reading {
  readonly source: string
  readonly isUnicode: boolean
  at: number
  depth: number
}

function readChoice(reading: Reading): PatternNode | undefined {
  const branches: PatternNode[] = []
  do {
    if (branches.length > 0) reading.at++
    const branch = readSequence(reading)
    if (branch === undefined) return undefined
    branches.push(branch)
  } while (reading.source[reading.at] === "|")
  return branches.length === 1 ? branches[0] : { type: "choice", branches }
}

function readSequence(reading: Reading): PatternNode | undefined {
  const parts: PatternNode[] = []
  while (reading.at < reading.source.length && !/[|)]/.test(reading.source[reading.at] ?? "")) {
    const term = readTerm(reading)
    if (term === undefined) return undefined
    const part = readRepeat(reading, term)
    if (part === undefined) return undefined
    parts.push(part)
  }
  return { type: "sequence", parts }
}

function take(reading: Reading, expression: RegExp): RegExpExecArray | undefined {
  expression.lastIndex = reading.at
  const found = expression.exec(reading.source) ?? undefined
  if (found !== undefined) reading.at += found[0].length
  return found
}

const quantifier = /(?:([*+?])|\{(\d+)(,(\d*))?\})\??/y

function readRepeat(reading: Reading, body: PatternNode): PatternNode | undefined {
  const found = take(reading, quantifier)
  if (found === undefined) return body
  // Rejects a repeated lookahead, which is valid without `u` but never intended.
  if (body.type !== "atom" && body.type !== "sequence" && body.type !== "choice" && body.type !== "beyond")
    return undefined
  const [, sign, low, comma, high] = found
  if (sign !== undefined)
    return { type: "repeat", body, min: sign === "+" ? 1 : 0, max: sign === "?" ? 1 : Infinity }
  const min = Number(low)
  return { type: "repeat", body, min, max: comma === undefined ? min : high === "" ? Infinity : Number(high) }
}

function readTerm(reading: Reading): PatternNode | undefined {
  switch (reading.source[reading.at]) {
    case "^":
      return edgeAt(reading, 1, "start")
    case "$":
      return edgeAt(reading, 1, "end")
    case "(":
      return readGroup(reading)
    case "[":
      return atomOf(take(reading, /\[(?:[^\]\\]|\\[^])*\]/y))
    case "\\":
      return readEscape(reading)
    default:
      return atomOf(take(reading, reading.isUnicode ? /[^]/uy : /[^]/y))
  }
}

const atomOf = (found: RegExpExecArray | undefined): PatternNode | undefined =>
  found === undefined ? undefined : { type: "atom", source: found[0] }

function edgeAt(reading: Reading, length: number, edge: Edge): PatternNode {
  reading.at += length
  return { type: "edge", edge }
}

function readGroup(reading: Reading): PatternNode | undefined {
  const [opening = "("] = take(reading, /\((?:\?(?:[:=!]|<[=!]|<[^>=!]+>))?/y) ?? []
  // Rejects modifiers (`(?i:`), which change the meaning of the group.
  if (reading.source[reading.at] === "?" || reading.depth >= MAX_DEPTH) return undefined
  reading.depth++
  const body = readChoice(reading)
  reading.depth--
  if (body === undefined || reading.source[reading.at] !== ")") return undefined
  reading.at++
  if (opening === "(?=" || opening === "(?!") return { type: "ahead", body, isNegated: opening === "(?!" }
  if (opening === "(?<=" || opening === "(?<!") return { type: "beyond", body }
  // Wraps the body, so that `(ab)*` repeats the whole group.
  return { type: "sequence", parts: [body] }
}

const unicodeEscape =
  /\\(?:u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|u\{[\da-fA-F]+\}|[pP]\{[^}]*\})/y
const escape = /\\(?:u[\da-fA-F]{4}|x[\da-fA-F]{2}|c[a-zA-Z]|0(?!\d)|[^1-9kcux0])/y

function readEscape(reading: Reading): PatternNode | undefined {
  const next = reading.source[reading.at + 1]
  if (next === "b") return edgeAt(reading, 2, "word")
  if (next === "B") return edgeAt(reading, 2, "noWord")
  if (take(reading, /\\(?:[1-9]\d*|k<[^>]*>)/y) !== undefined) return { type: "beyond" }
  const wide = reading.isUnicode ? take(reading, unicodeEscape) : undefined
  return atomOf(wide ?? take(reading, escape))
}
