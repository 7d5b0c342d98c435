// Reads runtime expressions of Arazzo, and the criteria that consist of them.

import { pointerKeys, type JsonValue } from "@callsheet/format"
import { compareWith, type Check, type ResponsePath } from "../scripts/checks.ts"
import { plainText, variableText, type Text } from "../text.ts"

export type RuntimeExpression =
  | { readonly is: "response"; readonly path: ResponsePath }
  /** `inputs.x` or `steps.x.outputs.y`, and the place in its value. */
  | { readonly is: "variable"; readonly name: string; readonly path: ResponsePath }

/** Reads an expression. Undefined if it has no value in a workflow of callsheet, such as `$request.body`. */
export function readExpression(text: string): RuntimeExpression | undefined {
  if (text === "$statusCode") return { is: "response", path: ["status"] }
  const [, header] = /^\$response\.header\.([^\s#]+)$/.exec(text) ?? []
  if (header !== undefined) return { is: "response", path: ["headers", header.toLowerCase()] }
  const [, body] = /^\$response\.body(.*)$/s.exec(text) ?? []
  const inBody = body === undefined ? undefined : pathOf(body)
  if (inBody !== undefined) return { is: "response", path: ["body", ...inBody] }
  const [, name, rest = ""] =
    /^\$(inputs\.[\p{L}\p{M}\p{N}_.-]+?|(?:steps|workflows)\.[\w-]+\.outputs\.[\w-]+)((?:#|\.|\[).*)?$/su.exec(
      text,
    ) ?? []
  const path = pathOf(rest)
  return name === undefined || path === undefined ? undefined : { is: "variable", name, path }
}

/** Reads `#/a/0`, or `.a[0]`, as conditions may write it. */
export function pathOf(text: string): ResponsePath | undefined {
  if (text === "" || text === "#" || text === "#/") return []
  if (text.startsWith("#/")) return pointerKeys(text)
  if (!/^(?:\.[\w-]+|\[\d+\])+$/.test(text)) return undefined
  return text.split(/[.[\]]+/).filter((part) => part !== "")
}

/** Identifies a place in a variable. */
export const placeName = (name: string, path: ResponsePath): string =>
  path.length === 0 ? name : `${name}#/${path.join("/")}`

/** Converts a text that is an expression, or that contains some in braces. `nameOf` returns the variable of one. */
export function expressionText(text: string, nameOf: (expression: string) => string | undefined): Text {
  const whole = text.startsWith("$") ? nameOf(text) : undefined
  if (whole !== undefined) return variableText(whole)
  return plainText(text).replaceAll(/\{(\$[^{}]+)\}/g, (written, expression: string) => {
    const name = nameOf(expression)
    return name === undefined ? written : variableText(name)
  })
}

/** Longer conditions aren't worth the time that their patterns may take. */
const MAX_CONDITION = 1000

export interface Criterion {
  readonly condition: string
  readonly type: string
  readonly context: string | undefined
}

type Source = Pick<Check, "source" | "variable">

/** Reads a criterion. Undefined if checks can't express it. `sourceOf` returns what an expression reads. */
export function readCriterion(
  { condition, type, context }: Criterion,
  sourceOf: (expression: string) => Source | undefined,
  nameOf: (expression: string) => string | undefined,
): readonly Check[] | undefined {
  if (condition.length > MAX_CONDITION) return undefined
  const source = context === undefined ? undefined : sourceOf(context)
  if (type === "simple") {
    const checks = splitConjunction(condition).map((part) => readComparison(part, sourceOf, nameOf))
    return checks.every((check) => check !== undefined) ? checks : undefined
  }
  if (source === undefined) return undefined
  const check =
    type === "regex" ? readPattern(condition) : type === "jsonpath" ? readJsonPath(condition) : undefined
  if (check === undefined) return undefined
  const { path, ...claim } = check
  return [{ is: "check", ...source, source: [...source.source, ...path], ...claim }]
}

/** Splits at `&&` outside of quotes. */
function splitConjunction(condition: string): readonly string[] {
  const parts: string[][] = [[]]
  for (const [token] of condition.matchAll(/'(?:[^']|'')*'|&&|[^'&]+|[&']/g))
    if (token === "&&") parts.push([])
    else parts.at(-1)?.push(token)
  return parts.map((part) => part.join("").trim())
}

const opposites: ReadonlyMap<string, string> = new Map([
  ["==", "!="],
  ["!=", "=="],
  ["<", ">="],
  [">", "<="],
  ["<=", ">"],
  [">=", "<"],
])

/** Negates a comparison. Undefined for any other condition. */
export function negate(condition: string): string | undefined {
  if (condition.length > MAX_CONDITION) return undefined
  const [, left, operator = "", right] =
    /^([^'"=!<>|&]+?)\s*([=!]=|[<>]=?)\s*('(?:[^']|'')*'|[^\s'"=!<>|&]+)$/s.exec(condition) ?? []
  return left === undefined ? undefined : `${left} ${opposites.get(operator)} ${right}`
}

const mirrored: ReadonlyMap<string, string> = new Map([
  ["<", ">"],
  [">", "<"],
  ["<=", ">="],
  [">=", "<="],
])

/** Reads `$statusCode == 200`. */
function readComparison(
  text: string,
  sourceOf: (expression: string) => Source | undefined,
  nameOf: (expression: string) => string | undefined,
): Check | undefined {
  const bare = text.startsWith("{") && text.endsWith("}") ? text.slice(1, -1) : text
  const operand = String.raw`('(?:[^']|'')*'|"[^"]*"|[^\s=!<>()|]+)`
  const [, left = "", operator = "", right = ""] =
    new RegExp(String.raw`^${operand}\s*(===?|!==?|<=|>=|<|>)\s*${operand}$`, "s").exec(bare) ?? []
  const source = left.startsWith("$") ? sourceOf(left) : undefined
  if (source === undefined && right.startsWith("$") && left !== "" && !left.startsWith("$"))
    return readComparison(`${right} ${mirrored.get(operator) ?? operator} ${left}`, sourceOf, nameOf)
  const value = right.startsWith("$") ? variableOf(right, nameOf) : literalOf(right)
  if (source === undefined || value === undefined) return undefined
  if (value === null && operator.startsWith("=")) return { is: "check", ...source, operator: "hasNoValue" }
  if (value === null && operator.startsWith("!")) return { is: "check", ...source, operator: "hasValue" }
  const compared = compareWith(source.source, operator, value)
  return compared && { is: "check", ...source, ...compared }
}

function variableOf(expression: string, nameOf: (expression: string) => string | undefined) {
  const name = nameOf(expression)
  return name === undefined ? undefined : variableText(name)
}

function literalOf(text: string): JsonValue | undefined {
  if (text === "null") return null
  if (text === "true" || text === "false") return text === "true"
  if (/^-?\d+(?:\.\d+)?$/.test(text)) return Number(text)
  const [, , inner] = /^(['"])(.*)\1$/s.exec(text) ?? []
  return inner === undefined ? undefined : plainText(inner.replaceAll("''", "'"))
}

type Claim = { readonly path: ResponsePath } & Pick<Check, "operator" | "value">

/** Reads a pattern that is a text: `\.com`, `^200$`. */
function readPattern(pattern: string): Claim | undefined {
  const [, start, body = "", end] = /^(\^?)(.*?)((?<!\\)\$)?$/s.exec(pattern) ?? []
  const isText = /^(?:\\[^\w\s]|[^\\.*+?^${}()|[\]])*$/.test(body)
  const text = body.replaceAll(/\\(.)/g, "$1")
  if (!isText || text === "") return undefined
  if (!start && end === undefined) return { path: [], operator: "contains", value: plainText(text) }
  const isWhole = start && end !== undefined
  return isWhole ? { path: [], operator: "equals", value: literalOf(text) ?? plainText(text) } : undefined
}

/** Reads `$.items[0].id`, and `$.tags[?@ == 'new']`. */
function readJsonPath(path: string): Claim | undefined {
  const found =
    /^\$((?:\.[A-Za-z_][\w-]*|\[(?:\d+|'[^']*'|"[^"]*")\])*)(?:\[\?\s*\(?\s*@\s*==\s*([^()]+?)\s*\)?\s*\])?$/.exec(
      path.trim(),
    )
  const [whole, names = "", filter] = found ?? []
  if (whole === undefined || (names === "" && filter === undefined)) return undefined
  const parts = [...names.matchAll(/\.([\w-]+)|\[(\d+)\]|\[(?:'([^']*)'|"([^"]*)")\]/g)]
  const steps = parts.map(([, name, index, single, double]) => name ?? index ?? single ?? double ?? "")
  if (filter === undefined) return { path: steps, operator: "exists" }
  const value = literalOf(filter)
  return value === undefined || value === null ? undefined : { path: steps, operator: "contains", value }
}
