// Evaluates the expressions of a script that are known without running it: places in the response, constants, and texts
// with variables.

import type { Expression } from "acorn"
import { isJsonArray, ownOf, stringifyJson, type JsonValue } from "@callsheet/format"
import { mustacheText, plainText, variableText } from "../text.ts"
import type { Script } from "../model.ts"
import type { ResponsePath } from "./checks.ts"
import { asType, keyOf, nameOf, type AnyNode, type Call, type Member } from "./syntax.ts"
import { bodyTexts, getters, headerGetters, replacers, roots } from "./vocabulary.ts"

/** A value of the script that is known without running it. Strings in a value are texts. */
export type Known =
  | { readonly is: "response"; readonly path: ResponsePath }
  | { readonly is: "value"; readonly value: JsonValue }

type Template = Extract<Expression, { type: "TemplateLiteral" }>

export class KnownValues {
  readonly #names = new Map<string, Known | undefined>()
  readonly #roots: Readonly<Record<string, ResponsePath>>
  readonly #parent: KnownValues | undefined
  readonly dialect: Script["dialect"]
  readonly hasResponse: boolean

  constructor(dialect: Script["dialect"], hasResponse: boolean, parent?: KnownValues) {
    this.#roots = roots[dialect]
    this.#parent = parent
    this.dialect = dialect
    this.hasResponse = hasResponse
  }

  /** Returns the values of a function, which sees those around it. */
  inner = (): KnownValues => new KnownValues(this.dialect, this.hasResponse, this)

  /** Declares a name. Undefined hides a name of a function around. */
  declare(name: string, value: Known | undefined): void {
    this.#names.set(name, value)
  }

  /** Evaluates an expression. Undefined if only running it would tell. */
  of(node: AnyNode | null | undefined): Known | undefined {
    if (node === null || node === undefined) return undefined
    switch (node.type) {
      case "ChainExpression":
        return this.of(asType(node, "ChainExpression")?.expression)
      case "LogicalExpression": {
        // `a.b || {}` only avoids an error, where an assertion fails anyway.
        const { left, right, operator } = node as Extract<Expression, { type: "LogicalExpression" }>
        const isEmpty = right.type === "ObjectExpression" && right.properties.length === 0
        return isEmpty && operator === "||" ? this.of(left) : undefined
      }
      case "Identifier": {
        const { name } = node as Extract<Expression, { type: "Identifier" }>
        return this.named(name)
      }
      case "MemberExpression":
        return this.#member(node as Member)
      case "CallExpression":
        return this.#call(node as Call)
      case "TemplateLiteral":
        return this.#template(node as Template)
      case "BinaryExpression":
        return this.#joined(node as Extract<Expression, { type: "BinaryExpression" }>)
      default: {
        const value = this.#literal(node)
        return value === undefined ? undefined : { is: "value", value }
      }
    }
  }

  /** Returns the text of an expression, which may contain variables. */
  text(node: AnyNode | null | undefined): string | undefined {
    const value = this.of(node)
    return value?.is === "value" && typeof value.value === "string" ? value.value : undefined
  }

  /** Returns the value of a name. */
  named(name: string): Known | undefined {
    if (this.#names.has(name)) return this.#names.get(name)
    return this.#parent === undefined ? this.#root(name) : this.#parent.named(name)
  }

  #root(name: string | undefined): Known | undefined {
    const path = name !== undefined ? ownOf(this.#roots, name) : undefined
    return path === undefined || !this.hasResponse ? undefined : { is: "response", path }
  }

  #member(node: Member): Known | undefined {
    const root = this.#root(nameOf(node))
    if (root !== undefined) return root
    const object = this.of(node.object)
    const key = keyOf(node)
    // `length` of a list is not a member of the JSON.
    if (object?.is !== "response" || key === undefined || key === "length") return undefined
    const [part, ...inner] = object.path
    if (part === "headers" && inner.length === 0)
      return { is: "response", path: ["headers", key.toLowerCase()] }
    return part === "body" ? { is: "response", path: [...object.path, key] } : undefined
  }

  #call({ callee, arguments: given }: Call): Known | undefined {
    const [first] = given
    const argument = first === undefined ? undefined : this.of(first)
    const member = asType(callee, "MemberExpression")
    const item = member === undefined ? undefined : this.#item(member, argument)
    if (item !== undefined) return item
    const name = nameOf(callee)
    if (name === undefined) return undefined
    if (given.length === 0) return this.#root(`${name}()`)
    if (given.length !== 1) return undefined
    if (name === "JSON.parse")
      return isBodyText(first) && this.hasResponse ? { is: "response", path: ["body"] } : undefined
    const text = argument?.is === "value" && typeof argument.value === "string" ? argument.value : undefined
    if (text === undefined) return undefined
    if (name === "res") return this.#query(text)
    if (replacers.has(name)) return { is: "value", value: mustacheText(text) }
    if (headerGetters.has(name))
      return this.hasResponse ? { is: "response", path: ["headers", text.toLowerCase()] } : undefined
    return getters.has(name) ? { is: "value", value: variableText(text) } : undefined
  }

  /** Reads `list.at(0)`. */
  #item(callee: Member, index: Known | undefined): Known | undefined {
    const at = index?.is === "value" && typeof index.value === "number" ? index.value : -1
    if (keyOf(callee) !== "at" || at < 0 || !Number.isInteger(at)) return undefined
    const list = this.of(callee.object)
    if (list?.is !== "response" || list.path[0] !== "body") return undefined
    return { is: "response", path: [...list.path, String(at)] }
  }

  /** Reads a path of `res("items[0].id")`. Filters and searches have no path. */
  #query(text: string): Known | undefined {
    const path = text.split(/[.[\]]+/).filter((key) => key !== "")
    const isPath = this.hasResponse && /^[\w-]+(?:\.[\w-]+|\[\d+\])*$/.test(text)
    return isPath && this.dialect === "bru" ? { is: "response", path: ["body", ...path] } : undefined
  }

  /** Joins the parts of a template literal if they are known without running the code. */
  #template({ expressions, quasis }: Template): Known | undefined {
    const texts = expressions.flatMap((expression) => this.text(expression) ?? [])
    if (texts.length < expressions.length) return undefined
    const parts = quasis.map(({ value }, at) => plainText(value.cooked ?? "") + (texts[at] ?? ""))
    return { is: "value", value: parts.join("") }
  }

  /** Joins texts with `+`. */
  #joined({ operator, left, right }: Extract<Expression, { type: "BinaryExpression" }>): Known | undefined {
    if (operator !== "+" || left.type === "PrivateIdentifier") return undefined
    const [start, end] = [this.text(left), this.text(right)]
    return start === undefined || end === undefined ? undefined : { is: "value", value: start + end }
  }

  #literal(node: AnyNode): JsonValue | undefined {
    switch (node.type) {
      case "Literal": {
        const { value } = node as Extract<Expression, { type: "Literal" }>
        if (typeof value === "string") return plainText(value)
        return typeof value === "object" && value !== null ? undefined : value
      }
      case "UnaryExpression": {
        const { operator, argument } = node as Extract<Expression, { type: "UnaryExpression" }>
        const value = this.#literal(argument)
        return operator === "-" && typeof value === "number" ? -value : undefined
      }
      case "ArrayExpression": {
        const { elements } = node as Extract<Expression, { type: "ArrayExpression" }>
        const values = elements.map((element) => this.#inLiteral(element))
        return values.every((value) => value !== undefined) ? values : undefined
      }
      case "ObjectExpression":
        return this.#object(node as Extract<Expression, { type: "ObjectExpression" }>)
      default:
        return undefined
    }
  }

  #object({ properties }: Extract<Expression, { type: "ObjectExpression" }>): JsonValue | undefined {
    const entries = properties.map((property) => {
      if (property.type !== "Property" || property.computed) return undefined
      const key = property.key.type === "Identifier" ? property.key.name : this.#literal(property.key)
      const value = this.#inLiteral(property.value)
      return key === undefined || value === undefined
        ? undefined
        : ([typeof key === "string" ? key : stringifyJson(key), value] as const)
    })
    return entries.every((entry) => entry !== undefined) ? Object.fromEntries(entries) : undefined
  }

  /** Returns a value inside a literal. Undefined for a place in the response. */
  #inLiteral(node: AnyNode | null): JsonValue | undefined {
    const known = this.of(node)
    return known?.is === "value" ? known.value : undefined
  }
}

/** Returns whether an expression is the body as text. A parsed body has another type, so only `JSON.parse` accepts it. */
export function isBodyText(node: AnyNode | undefined): boolean {
  if (node === undefined) return false
  const call = asType(node, "CallExpression")
  return nameOf(node) === "responseBody" || (call !== undefined && bodyTexts.has(nameOf(call.callee) ?? ""))
}

/** Returns whether a value compares like its text, unlike an object, which is equal only to itself. */
export const isScalar = (value: JsonValue): boolean =>
  !isJsonArray(value) && (typeof value !== "object" || value === null)
