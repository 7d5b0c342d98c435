// Fills the holes of translated code: where a response and a variable are in a workflow.

import { formatPath } from "@callsheet/format"
import { js, jsKey, jsString, type Js } from "../export/js-code.ts"
import { identifierCode, joinCode } from "../export/code.ts"
import { reasons } from "../messages.ts"
import type { Loss } from "../model.ts"
import type { ResponsePath } from "../scripts/checks.ts"
import type { Hole, Line } from "../scripts/draft.ts"
import { refuse } from "../scripts/untranslatable.ts"
import { keyCode } from "../scripts/value-code.ts"
import { mapText, variablesIn, variableText, type Text } from "../text.ts"
import { isDynamic } from "./names.ts"
import type { CarriedApi, Names } from "./read-names.ts"
import { variableOf, type Results } from "./render.ts"
import type { Place } from "./secrets.ts"
import { BASE_URL } from "./variables.ts"

/** How code reads what its place tells. */
export interface CodePlace {
  readonly response: (path: ResponsePath) => Js
  readonly has: (path: ResponsePath) => Js
  /** A place in the response as the argument of `ctx.expect`. */
  readonly subject: (path: ResponsePath) => Js
  readonly variable: (name: string) => Js
}

export interface BlockPlace {
  readonly names: Names
  readonly api: CarriedApi
  readonly where: string
  readonly results: Results
  /** The id of the request's block. */
  readonly id: string
  readonly losses: Loss[]
}

/** Code in a function for a single place. */
export function placeOfBlock(place: BlockPlace): CodePlace {
  const { id, names, where } = place
  const pathOf = (path: ResponsePath): Js => {
    const clean = path.map((key) => names.secrets.name(key, { where, what: "script" }))
    return jsString(formatPath([id, "response", ...clean]))
  }
  return {
    response: (path) => js`read(ctx, ${pathOf(path)})`,
    has: (path) => js`ctx.has(${pathOf(path)})`,
    subject: pathOf,
    variable: (name) => variableCode(place, name),
  }
}

/** Code in a function that several places share. The caller passes the response and the variables. */
export const sharedPlace: CodePlace = {
  response: (path) => givenCode(path),
  has: (path) => js`${givenCode(path)} !== undefined`,
  subject: (path) => givenCode(path),
  variable: (name) => js`given${keyCode(givenKey(name))}`,
}

/** A variable doesn't replace the response. */
const givenKey = (variable: string): string => (variable === "response" ? "response_" : variable)

const givenCode = (path: ResponsePath): Js =>
  joinCode([js`given.response`, ...path.map((key) => keyCode(key))], "")

/** Returns the argument for a function that several places share. Undefined if it reads neither. */
export function givenIn(lines: readonly Line[], kept: readonly string[], place: BlockPlace): Js | undefined {
  const holes = lines.flatMap(({ code }) => code.flatMap((part) => (typeof part === "string" ? [] : [part])))
  const readsResponse = holes.some(({ is }) => is === "response" || is === "has" || is === "subject")
  const read = holes.flatMap((hole) =>
    hole.is === "variable" ? [hole.name] : hole.is === "text" ? variablesIn(cleanText(hole.text, place)) : [],
  )
  const own = placeOfBlock(place)
  // A variable that keeps its value has one only if something set it earlier.
  const earlier = placeOfBlock({ ...place, losses: [] })
  const members = [
    ...(readsResponse ? [js`response: ${own.response([])}`] : []),
    ...[...new Set([...kept, ...read])].map(
      (name) => js`${objectKey(givenKey(name))}: ${(kept.includes(name) ? earlier : own).variable(name)}`,
    ),
  ]
  return members.length === 0 ? undefined : js`{ ${joinCode(members, ", ")} }`
}

const cleanText = (text: Text, { names, where }: Pick<BlockPlace, "names" | "where">): Text =>
  names.secrets.text(text, { where, what: "script" })

/** Dynamic values, as code. */
const dynamicCodes: ReadonlyMap<string, Js> = new Map([
  ["$guid", js`crypto.randomUUID()`],
  ["$randomUUID", js`crypto.randomUUID()`],
  ["$uuid", js`crypto.randomUUID()`],
  ["$timestamp", js`Math.floor(Date.now() / 1000)`],
  ["$isoTimestamp", js`new Date().toISOString()`],
  ["$randomInt", js`Math.floor(Math.random() * 1001)`],
])

function variableCode({ names, api, where, results, losses }: BlockPlace, name: string): Js {
  const { secrets, variables, setNames, scope } = names
  const secret = secrets.marked(name)
  const result = results.get(name)
  if (secret === undefined && result !== undefined) return js`read(ctx, ${jsString(result)})`
  if (isDynamic(name)) return dynamicCodes.get(name) ?? refuse("this dynamic value")
  if (setNames.has(name)) losses.push({ where, what: `variable ${name}`, reason: reasons.setElsewhere() })
  const isBase = name === api.origin.variable
  const own =
    secret === undefined ? (isBase ? BASE_URL : variables.nameOf(name)) : variableOf(secret, names, api)
  if (own !== BASE_URL) api.used.add(own)
  const value = js`ctx.env(${jsString(api.name)})${keyCode(own)}`
  if (secret !== undefined || isBase) return value
  // In the source, a value that it writes as text is one, even if it looks like a number.
  const declared = scope.names.includes(name) ? scope.declarations(name) : []
  const isText = declared.every((one) => typeof one.value === "string")
  return variables.typeOf(name) !== "string" && isText && declared.length > 0
    ? js`${value}?.toString()`
    : value
}

export interface DraftContext {
  readonly place: CodePlace
  readonly clean: (text: Text) => Text
  readonly key: (name: string) => string
  readonly output: (variable: string) => Js
}

/** Returns the functions that clean texts of a script of secrets. */
export const draftContext = (names: Names, where: string, place: CodePlace): DraftContext => {
  const at: Place = { where, what: "script" }
  return {
    place,
    clean: (text) => names.secrets.text(text, at),
    key: (name) => names.secrets.name(name, at),
    output: (variable) => js`outputs${keyCode(names.secrets.variableName(variable, at))}`,
  }
}

/** Writes lines of code. `depth` is the indentation of the first one, in levels. */
export const writeLines = (lines: readonly Line[], depth: number, context: DraftContext): readonly Js[] =>
  lines.map(({ depth: own, code }) => {
    const level = depth + own
    const parts = code.map((part) => (typeof part === "string" ? part : holeCode(part, level, context)))
    return joinCode([indentation(level), ...parts], "")
  })

const indentation = (level: number): Js =>
  joinCode(
    Array.from({ length: level }, () => js`  `),
    "",
  )

function holeCode(hole: Hole, level: number, { place, clean, key, output }: DraftContext): Js {
  switch (hole.is) {
    case "response":
      return place.response(hole.path)
    case "has":
      return place.has(hole.path)
    case "subject":
      return place.subject(hole.path)
    case "variable":
      return place.variable(hole.name)
    case "output":
      return output(hole.name)
    case "key":
      return objectKey(key(hole.name))
    case "text":
      return textCode(clean(hole.text), place)
    case "break":
      return joinCode([js``, indentation(level + hole.depth)], "\n")
    case "helper":
      return helperNames[hole.helper]
  }
}

const helperNames = { own: js`own`, sizeOf: js`sizeOf`, textOf: js`textOf` } as const

/** Writes a name of a member without quotes if it is one word. */
export const objectKey = (name: string): Js =>
  /^[A-Za-z_]\w*$/.test(name) ? (wordCode(name) ?? jsKey(name)) : jsKey(name)

const wordCode = (name: string): Js | undefined => (name === "__proto__" ? undefined : identifierCode(name))

/** Writes a text. Variables in it are joined with its other parts. */
function textCode(text: Text, place: CodePlace): Js {
  const parts: Js[] = []
  mapText(
    text,
    (part) => {
      if (part !== "") parts.push(jsString(part))
      return ""
    },
    (name) => {
      if (text === variableText(name)) {
        parts.push(place.variable(name))
        return ""
      }
      // A text comes first, so that `+` joins texts.
      if (parts.length === 0) parts.push(js`""`)
      parts.push(place.variable(name))
      return ""
    },
  )
  if (parts.length === 0) return js`""`
  const [only, ...others] = parts
  return others.length === 0 && only !== undefined ? only : js`(${joinCode(parts, " + ")})`
}
