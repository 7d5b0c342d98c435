// Reads what a script sends: the arguments of `pm.sendRequest`, `bru.sendRequest`, `axios` and `fetch`, as a request of
// Postman's format.

import type { Expression } from "acorn"
import {
  isJsonArray,
  isJsonObject,
  ownOf,
  stringifyJson,
  toText,
  type JsonObject,
  type JsonValue,
} from "@callsheet/format"
import { text } from "../read/json.ts"
import { mapText } from "../text.ts"
import type { KnownValues } from "./known-values.ts"
import { asType, keyOf, nameOf, type AnyNode, type Call } from "./syntax.ts"
import { refuse } from "./untranslatable.ts"

/** What the definition of a request may use. */
export interface DefinitionContext {
  readonly known: KnownValues
  /** Returns the value of a name that the script gives it once. */
  readonly valueOf: (name: string) => AnyNode | undefined
  /** Returns the name of a variable that the script sets to a value that only running it would tell. */
  readonly hoist: (node: AnyNode, hint: string) => string
}

export type SendingCall = "postman" | "axios" | "fetch"

/** Returns how a call sends a request. Undefined for other calls. `insomnia` has the members of `pm`. */
export function sendingOf({ callee }: Call, isBruno: boolean): SendingCall | undefined {
  const name = nameOf(callee) ?? ""
  if (name === "pm.sendRequest") return "postman"
  if (!isBruno) return undefined
  if (name === "bru.sendRequest" || /^axios(?:\.(?:request|get|delete|head|post|put|patch))?$/.test(name))
    return "axios"
  return name === "fetch" ? "fetch" : undefined
}

/** Returns whether a node is a call that sends a request. */
export function isSending(node: AnyNode, isBruno: boolean): boolean {
  const call = asType(node, "CallExpression")
  return call !== undefined && sendingOf(call, isBruno) !== undefined
}

/** Returns the request as Postman's format has it, with `{{name}}` for variables. Throws `Untranslatable`. */
export function readDefinition(call: Call, kind: SendingCall, context: DefinitionContext): JsonObject {
  const values = call.arguments.filter((one) => !/Function/.test(one.type))
  const given = values.map((one) => new DefinitionReader(context).value(one, "value"))
  const made = kind === "postman" ? ofPostman(given[0]) : ofClient(nameOf(call.callee) ?? "", given)
  const { url, ...others } = made
  if (typeof url !== "string") return refuse("the URL of a sent request")
  return { url, ...others }
}

class DefinitionReader {
  readonly #context: DefinitionContext

  constructor(context: DefinitionContext) {
    this.#context = context
  }

  /** Returns a value. Strings have `{{name}}` for variables. */
  value(node: AnyNode, hint: string): JsonValue {
    const known = this.#context.known.of(node)
    if (known?.is === "value") return withMustaches(known.value)
    switch (node.type) {
      case "Literal": {
        const { value } = node as Extract<Expression, { type: "Literal" }>
        return value === null ? null : refuse("this literal")
      }
      case "ObjectExpression":
        return this.#object(node as Extract<Expression, { type: "ObjectExpression" }>)
      case "ArrayExpression": {
        const { elements } = node as Extract<Expression, { type: "ArrayExpression" }>
        return elements.map((one) => this.value(one ?? refuse("an array with holes"), hint))
      }
      case "TemplateLiteral": {
        const { quasis, expressions } = node as Extract<Expression, { type: "TemplateLiteral" }>
        const texts = expressions.map((one) => this.#text(one, hint))
        return quasis.map(({ value }, at) => (value.cooked ?? "") + (texts[at] ?? "")).join("")
      }
      case "BinaryExpression": {
        const { operator, left, right } = node as Extract<Expression, { type: "BinaryExpression" }>
        const isText = operator === "+" && left.type !== "PrivateIdentifier" && this.#joinsText(node)
        return isText ? this.#text(left, hint) + this.#text(right, hint) : this.#hoisted(node, hint)
      }
      case "Identifier": {
        const value = this.#context.valueOf((node as Extract<Expression, { type: "Identifier" }>).name)
        return value === undefined || !isBuilt(value) ? this.#hoisted(node, hint) : this.value(value, hint)
      }
      case "CallExpression": {
        const { callee, arguments: given } = node as Call
        const [written, replacer] = given
        if (nameOf(callee) !== "JSON.stringify" || written === undefined) return this.#hoisted(node, hint)
        if (replacer !== undefined && asType(replacer, "Literal")?.value !== null) refuse("JSON.stringify")
        return stringifyJson(this.value(written, hint))
      }
      default:
        return this.#hoisted(node, hint)
    }
  }

  #text(node: AnyNode, hint: string): string {
    const value = this.value(node, hint)
    return typeof value === "object" ? refuse("an object in a text") : toText(value)
  }

  /** Returns whether `+` joins texts: one of the parts is a text, whatever the others are. */
  #joinsText(node: AnyNode): boolean {
    const binary = asType(node, "BinaryExpression")
    if (binary?.operator === "+")
      return binary.left.type === "PrivateIdentifier"
        ? false
        : this.#joinsText(binary.left) || this.#joinsText(binary.right)
    return node.type === "TemplateLiteral" || this.#context.known.text(node) !== undefined
  }

  #object({ properties }: Extract<Expression, { type: "ObjectExpression" }>): JsonValue {
    const entries = properties.map((property) => {
      if (property.type !== "Property" || property.computed || property.method || property.kind !== "init")
        return refuse("this object")
      const { key } = property
      const name = key.type === "Identifier" ? key.name : String(asType(key, "Literal")?.value)
      return [name, this.value(property.value, name)] as const
    })
    return Object.fromEntries(entries)
  }

  #hoisted(node: AnyNode, hint: string): string {
    const member = asType(node, "MemberExpression")
    const key = member === undefined ? undefined : keyOf(member)
    return `{{${this.#context.hoist(node, key ?? asType(node, "Identifier")?.name ?? hint)}}}`
  }
}

/** Returns whether a value is composed of others, so that its parts can be read. */
const isBuilt = (node: AnyNode): boolean =>
  /^(?:ObjectExpression|ArrayExpression|TemplateLiteral|BinaryExpression)$/.test(node.type) ||
  nameOf(asType(node, "CallExpression")?.callee ?? node) === "JSON.stringify"

/** Writes the variables of texts as `{{name}}`. */
function withMustaches(value: JsonValue): JsonValue {
  if (typeof value === "string")
    return mapText(
      value,
      (part) => part,
      (name) => (/[{}\r\n]/.test(name) ? refuse("the name of a variable") : `{{${name}}}`),
    )
  if (isJsonArray(value)) return value.map(withMustaches)
  if (!isJsonObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withMustaches(inner)]))
}

interface Definition {
  readonly url?: JsonValue | undefined
  readonly method: JsonValue
  readonly header: JsonValue
  readonly body?: JsonValue
  readonly auth?: JsonValue
}

/** Completes the short forms that `pm.sendRequest` accepts and a collection doesn't. */
function ofPostman(given: JsonValue | undefined): Definition {
  if (typeof given === "string") return { url: given, method: "GET", header: [] }
  if (!isJsonObject(given)) return refuse("the definition of a sent request")
  const { url, method = "GET", header = [], body, auth } = given
  return {
    url,
    method,
    header: typeof header === "string" ? header : pairs(header),
    ...(body === undefined || body === null ? {} : { body: postmanBody(body) }),
    ...(auth === undefined || auth === null ? {} : { auth }),
  }
}

function postmanBody(body: JsonValue): JsonValue {
  if (typeof body === "string") return { mode: "raw", raw: body }
  if (!isJsonObject(body)) return refuse("the body of a sent request")
  const { mode } = body
  const content = typeof mode === "string" ? ownOf(body, mode) : undefined
  if (mode === "raw") return typeof content === "string" ? body : refuse("the body of a sent request")
  if (mode === "urlencoded" && typeof content !== "string")
    return { ...body, urlencoded: pairs(content ?? []) }
  if (mode === "formdata") return { ...body, formdata: pairs(content ?? []) }
  return mode === "urlencoded" || mode === "graphql" ? body : refuse("the body of a sent request")
}

/** Returns pairs as a list of `key` and `value`. An object has a pair for each member, and a text is `name: value`. */
function pairs(value: JsonValue): readonly JsonValue[] {
  if (isJsonObject(value))
    return Object.entries(value).map(([key, inner]) => ({ key, value: scalarText(inner) }))
  if (!isJsonArray(value)) return refuse("the pairs of a sent request")
  return value.map((one) => {
    if (typeof one === "string") {
      const cut = one.indexOf(":")
      return cut < 1
        ? refuse("a header of a sent request")
        : { key: one.slice(0, cut).trim(), value: one.slice(cut + 1).trim() }
    }
    if (!isJsonObject(one)) return refuse("the pairs of a sent request")
    const { value: inner } = one
    return inner === undefined ? one : { ...one, value: scalarText(inner) }
  })
}

const scalarText = (value: JsonValue): string =>
  value === null ? "" : typeof value === "object" ? refuse("an object in a text") : toText(value)

const isMethodWithData = (name: string): boolean => /\.(?:post|put|patch)$/.test(name)

/** Reads the arguments of `axios` and `fetch`. */
function ofClient(name: string, given: readonly JsonValue[]): Definition {
  const [first] = given
  const config = typeof first === "string" ? given[isMethodWithData(name) ? 2 : 1] : first
  const settings = isJsonObject(config) ? config : {}
  for (const key of Object.keys(settings))
    if (!/^(?:url|method|headers|data|body)$/.test(key)) refuse(`the setting ${key}`)
  const { url: own, method: word, headers = {}, data: sent, body } = settings
  const [, verb] = /^axios\.(get|delete|head|post|put|patch)$/.exec(name) ?? []
  const method = verb ?? (typeof word === "string" ? word : "GET")
  const header = pairs(headers)
  const data = typeof first === "string" && isMethodWithData(name) ? given[1] : (sent ?? body)
  const url = typeof first === "string" ? first : own
  if (data === undefined || data === null) return { url, method, header }
  // A client sends an object as JSON, and a text as a form unless a header says something else.
  if (typeof data !== "string") {
    if (name === "fetch") refuse("the body of a sent request")
    const options = { raw: { language: "json" } }
    return { url, method, header, body: { mode: "raw", raw: stringifyJson(data), options } }
  }
  const hasType = header.some((one) => /^content-type$/i.test(text(one, "key") ?? ""))
  const type = name === "fetch" ? "text/plain;charset=UTF-8" : "application/x-www-form-urlencoded"
  return {
    url,
    method,
    header: hasType ? header : [...header, { key: "Content-Type", value: type }],
    body: { mode: "raw", raw: data },
  }
}
