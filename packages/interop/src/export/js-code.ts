// Writes values as literals of JavaScript, for exported scripts of k6 and Postman.

import { isJsonArray, isJsonObject, escapeInvisible, stringifyJson, type JsonValue } from "@callsheet/format"
import { codeTag, joinCode, type Code } from "./code.ts"

export type Js = Code<"js">

export const js = codeTag<"js">()

/** Returns the literal parts of a template, which are code because they are ours. */
export const splitCode = (code: TemplateStringsArray): readonly Js[] => code.map((part) => part as Js)

/** Writes a string. Shows what a reader of the script can't see as escapes. */
export const jsString = (text: string): Js => escapeInvisible(JSON.stringify(text)) as Js

/** Writes a value. `integer` writes an integer that JavaScript can't represent. */
export function jsValue(value: JsonValue, integer: (value: bigint) => Js): Js {
  if (typeof value === "string") return jsString(value)
  if (typeof value === "bigint") return integer(value)
  if (isJsonArray(value)) return jsArray(value.map((item) => jsValue(item, integer)))
  if (isJsonObject(value))
    return jsObject(Object.entries(value).map(([name, item]) => [name, jsValue(item, integer)]))
  return jsScalar(value)
}

/** Writes a number, a boolean or null. JavaScript rounds an integer that it can't represent. */
export const jsScalar = (value: number | bigint | boolean | null): Js => stringifyJson(value) as Js

export const jsArray = (items: readonly Js[]): Js => js`[${joinCode(items, ", ")}]`

export const jsObject = (members: readonly (readonly [name: string, value: Js])[]): Js =>
  members.length === 0
    ? js`{}`
    : js`{ ${joinCode(
        members.map(([name, value]) => js`${jsKey(name)}: ${value}`),
        ", ",
      )} }`

/** Writes the name of a member. In an object literal, a plain `__proto__` would set the prototype. */
export const jsKey = (name: string): Js => (name === "__proto__" ? js`["__proto__"]` : jsString(name))

/** Writes a regular expression. Its own source can't end the literal. */
export const jsRegExp = (pattern: RegExp): Js => escapeInvisible(String(pattern)) as Js
