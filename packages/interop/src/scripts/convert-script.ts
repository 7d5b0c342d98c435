// Converts the common subset of test scripts: checks of a response, and variables set from it. Reads the syntax tree and
// never runs the code.

import { parse, type Expression, type Node, type SpreadElement, type Statement, type Super } from "acorn"
import { attempt, memo, type JsonValue, ownOf } from "@callsheet/format"
import type { Script } from "../model.ts"
import { compareWith, type Check, type ResponsePath, type ResponseStep } from "./checks.ts"
import { plainText, variableText } from "../text.ts"

export interface ConvertedScript {
  /** The checks and assignments, in order. */
  readonly steps: readonly ResponseStep[]
  /** The names of the tests that the checks are from. */
  readonly tests: readonly string[]
  /** True if the script contains nothing else. */
  readonly isWhole: boolean
  readonly prints: boolean
}

export const convertScript = memo(({ code, dialect, when }: Script): ConvertedScript => {
  const options = {
    ecmaVersion: "latest",
    allowReturnOutsideFunction: true,
    allowAwaitOutsideFunction: true,
  } as const
  // Code may nest deeper than the stack.
  const converted = attempt(() => {
    const converter = new Converter(dialect, when === "after")
    for (const statement of parse(code, options).body) converter.statement(statement as Statement)
    return converter.result()
  })
  return converted ?? { steps: [], tests: [], isWhole: false, prints: false }
})

/** A value of the script that is known without running it. */
type Known =
  | { readonly is: "response"; readonly path: ResponsePath }
  | { readonly is: "value"; readonly value: JsonValue }

type AnyNode = Expression | SpreadElement | Super | Node

class Converter {
  readonly #steps: ResponseStep[] = []
  readonly #tests: string[] = []
  readonly #names = new Map<string, Known>()
  readonly #roots: Readonly<Record<string, ResponsePath>>
  readonly #hasResponse: boolean
  #isWhole = true
  #prints = false

  constructor(dialect: Script["dialect"], hasResponse: boolean) {
    this.#roots = roots[dialect]
    this.#hasResponse = hasResponse
  }

  result(): ConvertedScript {
    return { steps: this.#steps, tests: this.#tests, isWhole: this.#isWhole, prints: this.#prints }
  }

  statement(node: Statement): void {
    if (node.type === "EmptyStatement") return
    if (node.type === "VariableDeclaration") {
      for (const { id, init } of node.declarations) {
        const value = id.type === "Identifier" && init ? this.#known(init) : undefined
        if (id.type === "Identifier" && value !== undefined) this.#names.set(id.name, value)
        else this.#isWhole = false
      }
    } else if (node.type !== "ExpressionStatement" || !this.#expression(node.expression))
      this.#isWhole = false
  }

  /** Converts an expression statement. Returns false if it can't. */
  #expression(node: Expression): boolean {
    if (node.type === "AwaitExpression") return this.#expression(node.argument)
    if (node.type === "AssignmentExpression") return this.#oldTest(node.left, node.right, node.operator)
    if (node.type === "MemberExpression") return this.#assertion(node)
    if (node.type !== "CallExpression") return false
    const name = nameOf(node.callee)
    if (name === "pm.test" || name === "test") return this.#test(node.arguments)
    if (name !== undefined && /^console\.\w+$/.test(name)) {
      this.#prints = true
      return true
    }
    if (name !== undefined && setters.has(name)) return this.#set(node.arguments)
    return this.#assertion(node)
  }

  #test([title, body]: readonly AnyNode[]): boolean {
    if (body?.type !== "FunctionExpression" && body?.type !== "ArrowFunctionExpression") return false
    const before = this.#steps.length
    const content = (body as { readonly body: Statement | Expression }).body
    if (content.type === "BlockStatement") for (const statement of content.body) this.statement(statement)
    else if (!this.#expression(content as Expression)) return false
    const name = title === undefined ? undefined : this.#known(title)
    if (this.#steps.length > before && name?.is === "value" && typeof name.value === "string")
      this.#tests.push(name.value)
    return true
  }

  /** Reads `tests["name"] = responseCode.code === 200`, which old collections use. */
  #oldTest(left: AnyNode, right: Expression, operator: string): boolean {
    const name = left.type === "Identifier" ? (left as { readonly name: string }).name : undefined
    if (name !== undefined) this.#names.delete(name)
    const target = nameOf(left)
    if (operator !== "=" || target === undefined || !target.startsWith("tests.")) return false
    const check = this.#comparison(right) ?? this.#ownProperty(right)
    if (check === undefined) return false
    this.#steps.push({ is: "check", ...check })
    this.#tests.push(target.slice("tests.".length))
    return true
  }

  #comparison(node: Expression): Omit<Check, "is"> | undefined {
    if (node.type !== "BinaryExpression" || node.left.type === "PrivateIdentifier") return undefined
    const [source, value] = [this.#known(node.left), this.#known(node.right)]
    if (source?.is !== "response" || value?.is !== "value") return undefined
    const compared = compareWith(source.path, node.operator, value.value)
    return compared && { source: source.path, ...compared }
  }

  /** Reads `body.hasOwnProperty("name")`. */
  #ownProperty(node: Expression): Omit<Check, "is"> | undefined {
    if (node.type !== "CallExpression" || node.callee.type !== "MemberExpression") return undefined
    const [name] = node.arguments
    const [object, key] = [this.#known(node.callee.object), name && this.#known(name)]
    const isCall = keyOf(node.callee) === "hasOwnProperty" && object?.is === "response"
    if (!isCall || object.path[0] !== "body" || key?.is !== "value" || typeof key.value !== "string")
      return undefined
    return { source: [...object.path, key.value], operator: "exists" }
  }

  #set([name, value]: readonly AnyNode[]): boolean {
    const variable = name === undefined ? undefined : this.#known(name)
    // A placeholder in a text inserts a body as its text.
    const body: Known | undefined =
      this.#hasResponse && isBodyText(value) ? { is: "response", path: ["body"] } : undefined
    const source = body ?? (value === undefined ? undefined : this.#known(value))
    if (variable?.is !== "value" || typeof variable.value !== "string" || source?.is !== "response")
      return false
    this.#steps.push({ is: "set", variable: variable.value, source: source.path })
    return true
  }

  /** Reads a chain such as `pm.expect(a).to.not.eql(b)` or `pm.response.to.have.status(200)`. */
  #assertion(node: Expression): boolean {
    const call = node.type === "CallExpression" ? node : undefined
    const words: string[] = []
    let at: AnyNode = call === undefined ? node : call.callee
    while (at.type === "MemberExpression") {
      const member = at as Extract<Expression, { type: "MemberExpression" }>
      if (member.computed || member.property.type !== "Identifier") return false
      words.unshift(member.property.name)
      at = member.object
    }
    const subject = this.#subject(at, words)
    if (subject === undefined || !this.#hasResponse) return false
    const meaningful = words.filter((word) => !fillers.has(word))
    const isNegated = meaningful.filter((word) => word === "not").length === 1
    const [verb, ...others] = meaningful.filter((word) => word !== "not")
    const given = call?.arguments.map((argument) => this.#known(argument)) ?? []
    const values = given.flatMap((one) => (one?.is === "value" ? [one.value] : []))
    if (verb === undefined || others.length > 0 || values.length !== given.length) return false
    const checks = checksOf({ subject, verb, values, isCall: call !== undefined, isNegated })
    if (checks === undefined) return false
    this.#steps.push(...checks.map((check) => ({ is: "check" as const, ...check })))
    return true
  }

  /** Returns the subject of an assertion, and removes its words from the chain. */
  #subject(node: AnyNode, words: string[]): ResponsePath | undefined {
    if (node.type === "CallExpression") {
      const { callee, arguments: given } = node as Extract<Expression, { type: "CallExpression" }>
      const name = nameOf(callee)
      const value =
        (name === "pm.expect" || name === "expect") && given[0] ? this.#known(given[0]) : undefined
      return value?.is === "response" ? value.path : undefined
    }
    if (nameOf(node) !== "pm" || words[0] !== "response") return undefined
    words.shift()
    return []
  }

  /** Evaluates an expression. Undefined if only running it would tell. */
  #known(node: AnyNode): Known | undefined {
    switch (node.type) {
      case "ChainExpression":
        return this.#known((node as Extract<Expression, { type: "ChainExpression" }>).expression)
      case "LogicalExpression": {
        // `a.b || {}` only avoids an error, where an assertion fails anyway.
        const { left, right } = node as Extract<Expression, { type: "LogicalExpression" }>
        const isEmpty = right.type === "ObjectExpression" && right.properties.length === 0
        return isEmpty ? this.#known(left) : undefined
      }
      case "Identifier": {
        const { name } = node as Extract<Expression, { type: "Identifier" }>
        return this.#names.get(name) ?? this.#root(name)
      }
      case "MemberExpression":
        return this.#member(node as Extract<Expression, { type: "MemberExpression" }>)
      case "CallExpression":
        return this.#call(node as Extract<Expression, { type: "CallExpression" }>)
      case "TemplateLiteral":
        return this.#template(node as Extract<Expression, { type: "TemplateLiteral" }>)
      default: {
        const value = this.#literal(node)
        return value === undefined ? undefined : { is: "value", value }
      }
    }
  }

  #root(name: string | undefined): Known | undefined {
    const path = name !== undefined ? ownOf(this.#roots, name) : undefined
    return path === undefined || !this.#hasResponse ? undefined : { is: "response", path }
  }

  #member(node: Extract<Expression, { type: "MemberExpression" }>): Known | undefined {
    const root = this.#root(nameOf(node))
    if (root !== undefined) return root
    const object = this.#known(node.object)
    const key = keyOf(node)
    // `length` of a list is not a member of the JSON.
    if (object?.is !== "response" || key === undefined || key === "length") return undefined
    const [part, ...inner] = object.path
    if (part === "headers" && inner.length === 0)
      return { is: "response", path: ["headers", key.toLowerCase()] }
    return part === "body" ? { is: "response", path: [...object.path, key] } : undefined
  }

  #call({ callee, arguments: given }: Extract<Expression, { type: "CallExpression" }>): Known | undefined {
    const [first] = given
    const argument = first === undefined ? undefined : this.#known(first)
    const item = callee.type === "MemberExpression" ? this.#item(callee, argument) : undefined
    if (item !== undefined) return item
    const name = nameOf(callee)
    if (name === undefined) return undefined
    const text = argument?.is === "value" && typeof argument.value === "string" ? argument.value : undefined
    if (given.length === 0) return this.#root(`${name}()`)
    if (given.length !== 1) return undefined
    if (name === "JSON.parse")
      return isBodyText(first) && this.#hasResponse ? { is: "response", path: ["body"] } : undefined
    // A placeholder in place of a JSON value keeps the type without it.
    if (name === "JSON.stringify") return argument?.is === "response" ? argument : undefined
    if (text === undefined) return undefined
    if (name === "res") return this.#query(text)
    if (headerGetters.has(name))
      return this.#hasResponse ? { is: "response", path: ["headers", text.toLowerCase()] } : undefined
    return getters.has(name) ? { is: "value", value: variableText(text) } : undefined
  }

  /** Reads `list.at(0)`. */
  #item(
    callee: Extract<Expression, { type: "MemberExpression" }>,
    index: Known | undefined,
  ): Known | undefined {
    const at = index?.is === "value" && typeof index.value === "number" ? index.value : -1
    if (keyOf(callee) !== "at" || at < 0 || !Number.isInteger(at)) return undefined
    const list = this.#known(callee.object)
    if (list?.is !== "response" || list.path[0] !== "body") return undefined
    return { is: "response", path: [...list.path, String(at)] }
  }

  /** Reads a path of `res("items[0].id")`. Filters and searches have no path. */
  #query(text: string): Known | undefined {
    const path = text.split(/[.[\]]+/).filter((key) => key !== "")
    const isPath = this.#hasResponse && /^[\w-]+(?:\.[\w-]+|\[\d+\])*$/.test(text)
    return isPath && Object.hasOwn(this.#roots, "res.body")
      ? { is: "response", path: ["body", ...path] }
      : undefined
  }

  /** Joins the parts of a template literal if they are known without running the code. */
  #template({ expressions, quasis }: Extract<Expression, { type: "TemplateLiteral" }>): Known | undefined {
    const values = expressions.map((expression) => this.#known(expression))
    const texts = values.flatMap((one) =>
      one?.is === "value" && typeof one.value === "string" ? [one.value] : [],
    )
    if (texts.length < values.length) return undefined
    const parts = quasis.map(({ value }, at) => plainText(value.cooked ?? "") + (texts[at] ?? ""))
    return { is: "value", value: parts.join("") }
  }

  #literal(node: AnyNode): JsonValue | undefined {
    switch (node.type) {
      case "Literal": {
        const { value } = node as Extract<Expression, { type: "Literal" }>
        if (typeof value === "string") return plainText(value)
        return typeof value === "object" && value !== null ? undefined : value
      }
      case "TemplateLiteral": {
        const { expressions, quasis } = node as Extract<Expression, { type: "TemplateLiteral" }>
        return expressions.length === 0 ? plainText(quasis[0]?.value.cooked ?? "") : undefined
      }
      case "UnaryExpression": {
        const { operator, argument } = node as Extract<Expression, { type: "UnaryExpression" }>
        const value = this.#literal(argument)
        return operator === "-" && typeof value === "number" ? -value : undefined
      }
      case "ArrayExpression": {
        const { elements } = node as Extract<Expression, { type: "ArrayExpression" }>
        const values = elements.map((element) => (element === null ? undefined : this.#literal(element)))
        return values.every((value) => value !== undefined) ? values : undefined
      }
      case "ObjectExpression": {
        const { properties } = node as Extract<Expression, { type: "ObjectExpression" }>
        const entries = properties.map((property) => {
          if (property.type !== "Property" || property.computed) return undefined
          const key = property.key.type === "Identifier" ? property.key.name : this.#literal(property.key)
          const value = this.#literal(property.value)
          return key === undefined || value === undefined ? undefined : ([key, value] as const)
        })
        return entries.every((entry) => entry !== undefined) ? Object.fromEntries(entries) : undefined
      }
      default:
        return undefined
    }
  }
}

const roots: Readonly<Record<Script["dialect"], Readonly<Record<string, ResponsePath>>>> = {
  pm: {
    "pm.response.code": ["status"],
    "pm.response.responseTime": ["durationMs"],
    "pm.response.json()": ["body"],
    "responseCode.code": ["status"],
    responseTime: ["durationMs"],
  },
  bru: {
    "res.status": ["status"],
    "res.getStatus()": ["status"],
    "res.responseTime": ["durationMs"],
    "res.getResponseTime()": ["durationMs"],
    "res.body": ["body"],
    "res.getBody()": ["body"],
    "res.headers": ["headers"],
    "res.getHeaders()": ["headers"],
  },
}

const setters = new Set([
  ...["environment", "collectionVariables", "globals", "variables"].map((scope) => `pm.${scope}.set`),
  ...["setEnvironmentVariable", "setGlobalVariable"].map((name) => `postman.${name}`),
  ...["setVar", "setEnvVar", "setGlobalEnvVar", "setCollectionVar"].map((name) => `bru.${name}`),
])
const getters = new Set([
  ...["environment", "collectionVariables", "globals", "variables"].map((scope) => `pm.${scope}.get`),
  ...["getEnvironmentVariable", "getGlobalVariable"].map((name) => `postman.${name}`),
  ...["Var", "EnvVar", "GlobalEnvVar", "CollectionVar", "FolderVar", "RequestVar"].map(
    (name) => `bru.get${name}`,
  ),
])
const headerGetters = new Set(["pm.response.headers.get", "postman.getResponseHeader", "res.getHeader"])

/** Words of a chain that have no effect. */
const fillers = new Set(
  "to be been is that which and has have with at of same but does still also deep".split(" "),
)

interface Claim {
  /** Empty if the assertion is about the whole response. */
  readonly subject: ResponsePath
  readonly verb: string
  readonly values: readonly JsonValue[]
  readonly isCall: boolean
  readonly isNegated: boolean
}

type Checks = readonly Omit<Check, "is">[]

function checksOf(claim: Claim): Checks | undefined {
  if (claim.subject.length === 0) return checksOfResponse(claim)
  const { subject: source, verb, values, isCall, isNegated } = claim
  const [value, more] = values
  if (!isCall) return checksOfProperty(source, verb, isNegated)
  if (verb === "property" && typeof value === "string" && source[0] === "body") {
    const path = [...source, value]
    if (more !== undefined) return isNegated ? undefined : [{ source: path, operator: "equals", value: more }]
    return [{ source: path, operator: isNegated ? "notExists" : "exists" }]
  }
  if (value === undefined || values.length !== 1) return undefined
  const operator = verbs.get(verb)
  if (operator === undefined) return undefined
  if (isNegated) return operator === "==" ? [{ source, operator: "notEquals", value }] : undefined
  // Strings and lists contain values, objects don't.
  if (operator === "contains") {
    const isText = source[0] === "headers" || source[0] === "body"
    return typeof value === "object" || !isText ? undefined : [{ source, operator, value }]
  }
  const compared = compareWith(source, operator, value)
  return compared && [{ source, ...compared }]
}

const verbs: ReadonlyMap<string, string> = new Map([
  ...group("==", "eql eqls equal equals eq"),
  ...group(">", "above gt greaterThan"),
  ...group("<", "below lt lessThan"),
  ...group(">=", "least gte"),
  ...group("<=", "most lte"),
  ...group("contains", "include includes contain contains"),
])

function group(operator: string, words: string) {
  return words.split(" ").map((word) => [word, operator] as const)
}

function checksOfProperty(source: ResponsePath, verb: string, isNegated: boolean): Checks | undefined {
  if (verb === "true" || verb === "false")
    return isNegated ? undefined : [{ source, operator: "equals", value: verb === "true" }]
  if (verb === "null") return [{ source, operator: isNegated ? "notEquals" : "equals", value: null }]
  if (verb === "undefined") return [{ source, operator: isNegated ? "exists" : "notExists" }]
  return verb === "exist" ? [{ source, operator: isNegated ? "hasNoValue" : "hasValue" }] : undefined
}

function checksOfResponse({ verb, values, isCall, isNegated }: Claim): Checks | undefined {
  const [value, more] = values
  if (isNegated) return undefined
  if (!isCall) {
    const range = ownOf(ranges, verb)
    if (range === undefined) return undefined
    return [
      { source: ["status"], operator: "greaterThan", value: range - 1 },
      { source: ["status"], operator: "lessThan", value: range + 100 },
    ]
  }
  if (verb === "status" && typeof value === "number")
    return [{ source: ["status"], operator: "equals", value }]
  if (verb === "header" && typeof value === "string") {
    const source = ["headers", value.toLowerCase()]
    return [more === undefined ? { source, operator: "exists" } : { source, operator: "equals", value: more }]
  }
  if (verb !== "jsonBody") return undefined
  if (value === undefined) return [{ source: ["body"], operator: "exists" }]
  if (typeof value !== "string") return [{ source: ["body"], operator: "equals", value }]
  if (value.includes("[")) return undefined
  const source = ["body", ...value.split(".")]
  return [more === undefined ? { source, operator: "exists" } : { source, operator: "equals", value: more }]
}

const ranges: Readonly<Record<string, number>> = {
  ok: 200,
  success: 200,
  info: 100,
  redirection: 300,
  clientError: 400,
  serverError: 500,
}

/** Returns `pm.response.json` for member accesses by name. */
function nameOf(node: AnyNode): string | undefined {
  if (node.type === "Identifier") return (node as Extract<Expression, { type: "Identifier" }>).name
  if (node.type !== "MemberExpression") return undefined
  const member = node as Extract<Expression, { type: "MemberExpression" }>
  const [object, key] = [nameOf(member.object), keyOf(member)]
  return object === undefined || key === undefined ? undefined : `${object}.${key}`
}

/** Returns whether an expression is the body as text. A parsed body has another type, so only `JSON.parse` accepts it. */
function isBodyText(node: AnyNode | undefined): boolean {
  const call =
    node?.type === "CallExpression" ? (node as Extract<Expression, { type: "CallExpression" }>) : undefined
  return (
    node !== undefined &&
    (nameOf(node) === "responseBody" || (call !== undefined && nameOf(call.callee) === "pm.response.text"))
  )
}

function keyOf({
  property,
  computed,
}: Extract<Expression, { type: "MemberExpression" }>): string | undefined {
  if (!computed) return property.type === "Identifier" ? property.name : undefined
  if (property.type !== "Literal") return undefined
  return typeof property.value === "string" || typeof property.value === "number"
    ? String(property.value)
    : undefined
}
