// Translates calls. A script may call its own functions, the functions of the language that only compute values, and the
// parts of Postman's and Bruno's API that have a counterpart.

import { identifierCode } from "../export/code.ts"
import { js } from "../export/js-code.ts"
import { onlyVariable, variableText, type Text } from "../text.ts"
import { draft, type Draft } from "./draft.ts"
import { isBodyText } from "./known-values.ts"
import { asType, functionOf, keyOf, nameOf, type AnyNode, type Call, type Member } from "./syntax.ts"
import { isSearchable } from "./body-text.ts"
import type { CodeWriter } from "./code-writer.ts"
import { refuse } from "./untranslatable.ts"
import { getters, headerGetters, headerHolders, holders, replacers } from "./vocabulary.ts"

/** Functions of the language, by the names of their objects. None runs text as code. */
const functions = new Set(
  `parseInt parseFloat isNaN isFinite Number String Boolean encodeURIComponent decodeURIComponent btoa atob
  Object.keys Object.values Object.entries Object.fromEntries Array.isArray Array.from JSON.stringify JSON.parse
  Number.isInteger Number.isFinite Number.isNaN Number.parseInt Number.parseFloat Number.isSafeInteger Date.now Date.parse
  Math.abs Math.ceil Math.floor Math.max Math.min Math.random Math.round Math.sqrt Math.trunc Math.pow Math.sign`.split(
    /\s+/,
  ),
)

/** Methods of arrays, texts, numbers, dates and sets. */
const methods = new Set(
  `at concat every fill filter find findIndex findLast findLastIndex flat flatMap forEach includes indexOf join keys
  lastIndexOf map pop push reduce reduceRight reverse shift slice some sort splice unshift values entries
  charAt charCodeAt codePointAt endsWith localeCompare match matchAll normalize padEnd padStart repeat replace replaceAll
  search split startsWith substring substr toLowerCase toUpperCase trim trimEnd trimStart toString toFixed toPrecision
  test exec getTime getFullYear getMonth getDate getDay getHours getMinutes getSeconds getMilliseconds toISOString
  getUTCFullYear getUTCMonth getUTCDate getUTCHours getUTCMinutes getUTCSeconds toJSON toDateString setDate setMonth
  setHours setMinutes setSeconds setFullYear valueOf has get set add`.split(/\s+/),
)

/** Functions that may be passed to another one, as in `list.filter(Boolean)`. */
const passed = new Set(["Boolean", "Number", "String", "parseInt", "parseFloat"])

/** Returns whether a call returns a number, whatever its arguments are. */
export const isNumberCall = ({ callee }: Call): boolean => {
  const name = nameOf(callee) ?? ""
  return name.startsWith("Math.") || /^(?:Number|parseInt|parseFloat|Date\.now)$/.test(name)
}

export function callCode(translator: CodeWriter, call: Call): Draft {
  const { callee, arguments: given, optional } = call
  const member = asType(callee, "MemberExpression")
  const name = nameOf(callee)
  const own = asType(callee, "Identifier")?.name
  if (own !== undefined && translator.isDeclared(own))
    return translator.isFunction(own)
      ? draft`${translator.expression(callee)}(${translator.arguments(given)})`
      : refuse(`the function ${own}`)
  const known = translator.known.of(call)
  if (known?.is === "response") return [known]
  const [root = ""] = name?.split(".") ?? []
  const isForeign = !translator.isDeclared(root)
  const special = name === undefined || !isForeign ? undefined : apiCode(translator, name, call)
  if (special !== undefined) return special
  if (name !== undefined && isForeign && functions.has(name))
    return draft`${nameCode(name)}(${callbacks(translator, given)})`
  // The rest of the API has no counterpart.
  const isOfApi = name !== undefined && isForeign && translator.known.of(member?.object)?.is !== "response"
  if (member === undefined || optional || (isOfApi && !isBodyText(member.object)))
    return refuse(name ?? "this call")
  return methodCode(translator, member, given)
}

/** Translates a function of Postman's or Bruno's API. Undefined for any other function. */
function apiCode(translator: CodeWriter, name: string, call: Call): Draft | undefined {
  const { known } = translator
  const { arguments: given } = call
  const text = known.text(given[0])
  if (getters.has(name) && text !== undefined) return [{ is: "variable", name: text }]
  if (holders.has(name) && text !== undefined)
    return draft`(${[{ is: "variable", name: text }]} !== undefined)`
  if (headerHolders.has(name) && text !== undefined && known.hasResponse)
    return [{ is: "has", path: ["headers", text.toLowerCase()] }]
  if (replacers.has(name) || headerGetters.has(name)) {
    const value = known.text(call)
    return value === undefined ? refuse(name) : templateCode(value)
  }
  if (name === "JSON.parse" && given.length === 1) {
    const parsed = known.of(call)
    if (parsed?.is === "response") return [parsed]
    return isBodyText(given[0]) ? refuse("the text of the body") : undefined
  }
  return undefined
}

/** Returns the code of a text in which placeholders stand for variables. */
const templateCode = (text: Text): Draft => {
  const variable = onlyVariable(text)
  return variable === undefined || variableText(variable) !== text
    ? [{ is: "text", text }]
    : [{ is: "variable", name: variable }]
}

function methodCode(translator: CodeWriter, member: Member, given: readonly AnyNode[]): Draft {
  const key = keyOf(member) ?? refuse("this call")
  if (isBodyText(member.object)) return bodyTextCode(translator, key, given)
  if (key === "hasOwnProperty" && given.length === 1)
    return draft`Object.keys(${translator.expression(member.object)}).includes(${translator.arguments(given)})`
  if (!methods.has(key)) return refuse(nameOf(member) ?? key)
  const object = translator.operand(member.object)
  const dot = member.optional ? js`?.` : js`.`
  return draft`${object}${dot}${identifierCode(key)}(${callbacks(translator, given)})`
}

/** Translates a search in the text of the body. `has` is one that Postman adds to texts. */
function bodyTextCode(translator: CodeWriter, key: string, given: readonly AnyNode[]): Draft {
  const text = translator.known.text(given[0])
  if (!/^(?:has|includes)$/.test(key) || text === undefined || !isSearchable(text))
    return refuse("the text of the body")
  return draft`${bodyTextOf}.includes(${[{ is: "text", text }]})`
}

export const bodyTextOf: Draft = [
  ...draft`${[{ is: "helper", helper: "textOf" }]}(${[{ is: "response", path: ["body"] }]})`,
]

/** Translates arguments, among which the name of a function that only computes a value is allowed. */
function callbacks(translator: CodeWriter, given: readonly AnyNode[]): Draft {
  const parts = given.map((node) => {
    const name = asType(node, "Identifier")?.name
    if (name !== undefined && passed.has(name) && !translator.isDeclared(name))
      return draft`${identifierCode(name)}`
    return functionOf(node) === undefined ? translator.arguments([node]) : translator.expression(node)
  })
  return parts.flatMap((part, at) => (at === 0 ? part : [js`, `, ...part]))
}

/** Writes a name that the table of functions contains. */
const nameCode = (name: string): Draft =>
  name
    .split(".")
    .map((part) => draft`${identifierCode(part)}`)
    .flatMap((part, at) => (at === 0 ? part : [js`.`, ...part]))
