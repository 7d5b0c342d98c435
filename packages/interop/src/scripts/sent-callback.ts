// Makes a test script of what a script does with the response to a request that it sent: a callback, or what follows an
// `await`. The response is then that of the request itself, and its error is never one, because a request without a
// response fails its block.

import type { Expression, Statement } from "acorn"
import { chainOf, type Chain } from "./chain.ts"
import type { KnownValues } from "./known-values.ts"
import { isSending, type SendingCall } from "./sent-definition.ts"
import { asType, contains, keyOf, nameOf, namesIn, walk, type AnyNode } from "./syntax.ts"
import { refuse } from "./untranslatable.ts"
import { testers } from "./vocabulary.ts"

export interface CallbackRequest {
  readonly code: string
  readonly statements: readonly AnyNode[]
  readonly kind: SendingCall
  readonly isBruno: boolean
  /** The names of its parameters. */
  readonly response: string | undefined
  readonly error: string | undefined
  /** The values of the script around it. */
  readonly known: KnownValues
  /** Returns whether a name of the script depends on the response that the script is about. */
  readonly dependsOnResponse: (name: string) => boolean
  /** Returns the name of a variable that the script sets to a value around the callback. */
  readonly hoist: (node: AnyNode, hint: string) => string
}

export interface Callback {
  readonly code: string
  /** What has no translation, for people. */
  readonly untranslated: readonly string[]
  /** The names around it that it uses. */
  readonly used: ReadonlySet<string>
}

const ERROR_HANDLING = "what happens without a response"

/** Returns the code of the callback as a test script. Throws `Untranslatable`. */
export function callbackCode(request: CallbackRequest): Callback {
  return new CallbackWriter(request).write()
}

/** Returns whether statements only report an error: a run reports the failure of a request itself. */
export const onlyReports = (statements: readonly AnyNode[]): boolean => statements.every(reports)

function reports(node: AnyNode): boolean {
  const block = asType(node, "BlockStatement")
  if (block !== undefined) return onlyReports(block.body)
  if (node.type === "EmptyStatement" || node.type === "ThrowStatement") return true
  const returned = asType(node, "ReturnStatement")
  if (returned !== undefined) return !returned.argument || returned.argument.type !== "CallExpression"
  const expression = asType(node, "ExpressionStatement")?.expression ?? node
  const call = asType(expression, "CallExpression")
  const name = call === undefined ? "" : (nameOf(call.callee) ?? "")
  if (/^console\.\w+$/.test(name) || /^(?:pm\.)?expect\.fail$/.test(name)) return true
  if (chainOf(expression) !== undefined) return true
  const tested = testers.has(name) ? call?.arguments[1] : undefined
  const body = (tested as { readonly body?: AnyNode } | undefined)?.body
  return body !== undefined && reports(body)
}

class CallbackWriter {
  readonly #request: CallbackRequest
  readonly #locals: ReadonlySet<string>
  readonly #untranslated = new Set<string>()
  readonly #used = new Set<string>()
  /** The number of functions around a node. */
  #functions = 0

  constructor(request: CallbackRequest) {
    this.#request = request
    const { response, error, statements } = request
    const locals = statements.flatMap(declaredIn)
    if (locals.some((name) => name === response || name === error)) refuse("a name that hides a response")
    this.#locals = new Set(locals)
  }

  write(): Callback {
    const code = this.#statements(this.#flat(this.#request.statements))
    return { code, untranslated: [...this.#untranslated], used: this.#used }
  }

  /** Writes statements. What follows one that may return runs only if it doesn't. */
  #statements(statements: readonly AnyNode[]): string {
    for (const [at, statement] of statements.entries()) {
      if (statement.type === "ReturnStatement")
        return this.#lines([...statements.slice(0, at), ...returnedIn(statement)])
      const guard = this.#guard(statement)
      if (guard === undefined) continue
      const rest = this.#statements(statements.slice(at + 1))
      const then = this.#lines(guard.then)
      return `${this.#lines(statements.slice(0, at))}\nif (${guard.test}) {\n${then}\n} else {\n${rest}\n}`
    }
    return this.#lines(statements)
  }

  /** Returns statements with those of branches that only the error decides. */
  #flat = (statements: readonly AnyNode[]): readonly AnyNode[] =>
    statements.flatMap((statement): readonly AnyNode[] => {
      const branch = asType(statement, "IfStatement")
      const value = branch === undefined ? undefined : this.#condition(branch.test)
      if (branch === undefined || typeof value !== "boolean") return [statement]
      const { consequent, alternate } = branch
      const [kept, dropped] = value ? [consequent, alternate] : [alternate, consequent]
      if (dropped && !reports(dropped)) this.#untranslated.add(ERROR_HANDLING)
      return kept ? this.#flat(asType(kept, "BlockStatement")?.body ?? [kept]) : []
    })

  #lines = (statements: readonly AnyNode[]): string =>
    statements
      .map((one) => this.#text(one))
      .filter((text) => text !== "")
      .join("\n")

  /** Reads `if (a) { …; return }`, unless `a` is only whether there is an error. */
  #guard(statement: AnyNode): { readonly test: string; readonly then: readonly AnyNode[] } | undefined {
    const branch = asType(statement, "IfStatement")
    if (branch === undefined || branch.alternate) return undefined
    const body = asType(branch.consequent, "BlockStatement")?.body ?? [branch.consequent]
    if (body.at(-1)?.type !== "ReturnStatement") return undefined
    const test = this.#condition(branch.test)
    return typeof test === "boolean" ? undefined : { test, then: body.slice(0, -1) }
  }

  /** Writes a node with the names of its place. */
  #text(node: AnyNode): string {
    const special = this.#special(node)
    if (special !== undefined) return special
    const { code } = this.#request
    let text = ""
    let at = node.start
    for (const inner of nodesIn(node)) {
      text += code.slice(at, inner.start) + this.#text(inner)
      at = inner.end
    }
    return text + code.slice(at, node.end)
  }

  #special(node: AnyNode): string | undefined {
    switch (node.type) {
      case "IfStatement":
        return this.#branch(node as Extract<Statement, { type: "IfStatement" }>)
      case "ConditionalExpression": {
        const { test, consequent, alternate } = node as Extract<Expression, { type: "ConditionalExpression" }>
        const value = this.#condition(test)
        return typeof value === "boolean" ? this.#text(value ? consequent : alternate) : undefined
      }
      case "LogicalExpression": {
        const value = this.#condition(node as Expression)
        return typeof value === "boolean" ? String(value) : value
      }
      case "ReturnStatement":
        if (this.#functions === 0) this.#untranslated.add("a return in a branch")
        return undefined
      case "AwaitExpression": {
        const { argument } = node as Extract<Expression, { type: "AwaitExpression" }>
        const sends = contains(argument, (one) => isSending(one, this.#request.isBruno))
        return sends ? undefined : this.#text(argument)
      }
      case "FunctionExpression":
      case "ArrowFunctionExpression":
      case "FunctionDeclaration":
        return this.#function(node)
      case "Property": {
        const { key, value, computed } = node as AnyNode & { key: AnyNode; value: AnyNode; computed: boolean }
        const name = computed ? `[${this.#text(key)}]` : this.#raw(key)
        const isPattern = value.type === "AssignmentPattern"
        return isPattern ? this.#raw(node) : `${name}: ${this.#text(value)}`
      }
      default:
        return this.#expression(node)
    }
  }

  #raw = ({ start, end }: AnyNode): string => this.#request.code.slice(start, end)

  /** A function may return. */
  #function(node: AnyNode): string | undefined {
    const inner = nodesIn(node).at(-1)
    if (inner === undefined) return undefined
    this.#functions++
    const text = this.#text(inner)
    this.#functions--
    const { code } = this.#request
    return code.slice(node.start, inner.start) + text + code.slice(inner.end, node.end)
  }

  #branch(node: Extract<Statement, { type: "IfStatement" }>): string {
    const { test, consequent, alternate } = node
    const value = this.#condition(test)
    if (typeof value === "boolean") return `{\n${this.#lines(this.#flat([node]))}\n}`
    const otherwise = alternate ? ` else ${this.#text(alternate)}` : ""
    return `if (${value}) ${this.#text(consequent)}${otherwise}`
  }

  /** Returns a condition without the error, which there is none of: its value, or the code of what is left. */
  #condition(node: Expression): boolean | string {
    const { error } = this.#request
    if (error === undefined) return this.#plain(node)
    if (asType(node, "Identifier")?.name === error) return false
    const unary = asType(node, "UnaryExpression")
    if (unary?.operator === "!") {
      const value = this.#condition(unary.argument)
      return typeof value === "boolean" ? !value : this.#plain(node)
    }
    const binary = asType(node, "BinaryExpression")
    if (binary !== undefined && asType(binary.left, "Identifier")?.name === error && isNothing(binary.right))
      return binary.operator.startsWith("=")
    const logical = asType(node, "LogicalExpression")
    if (logical === undefined || logical.operator === "??") return this.#plain(node)
    const [left, right] = [this.#condition(logical.left), this.#condition(logical.right)]
    const isOr = logical.operator === "||"
    if (typeof left === "boolean") return left === isOr ? left : right
    if (typeof right === "boolean") return right === isOr ? right : left
    return `${left} ${logical.operator} ${right}`
  }

  /** Writes an expression that isn't a condition about the error. */
  #plain(node: Expression): string {
    if (node.type !== "LogicalExpression") return this.#text(node)
    const { left, right, operator } = node
    return `(${this.#plain(left)} ${operator} ${this.#plain(right)})`
  }

  #expression(node: AnyNode): string | undefined {
    const { response, error, known, hoist, dependsOnResponse } = this.#request
    const chain = chainOf(node)
    const claim = chain === undefined ? undefined : this.#claim(chain)
    if (claim !== undefined) return claim
    const name = asType(node, "Identifier")?.name
    const member = asType(node, "MemberExpression")
    const root = rootOf(node)
    const isLocal = root !== undefined && (this.#locals.has(root) || root === response || root === error)
    if (name === error && name !== undefined) return "null"
    if (root === response && response !== undefined) {
      const own = this.#response(node)
      if (own !== undefined) return own
    }
    if (!isLocal && known.hasResponse) {
      const isOuter = known.of(node)?.is === "response" || (name !== undefined && dependsOnResponse(name))
      const key = member === undefined ? undefined : keyOf(member)
      if (isOuter) return this.#getter(hoist(node, key ?? name ?? "value"))
      if (isResponseName(nameOf(node) ?? "", this.#request.isBruno)) refuse("an earlier response")
    }
    if (name !== undefined && !isLocal) this.#used.add(name)
    if (member === undefined) return undefined
    const { object, property, computed } = member
    const end = this.#request.code.slice(object.end, property.start)
    return `${this.#text(object)}${end}${computed ? this.#text(property) : this.#raw(property)}${computed ? this.#request.code.slice(property.end, node.end) : ""}`
  }

  #getter = (variable: string): string =>
    this.#request.isBruno
      ? `bru.getVar(${JSON.stringify(variable)})`
      : `pm.variables.get(${JSON.stringify(variable)})`

  /** Writes the response, whose members have other names in some clients. */
  #response(node: AnyNode): string | undefined {
    const { kind, response, isBruno } = this.#request
    const name = nameOf(asType(node, "CallExpression")?.callee ?? node) ?? ""
    const rest = name.slice((response ?? "").length + 1)
    const isCall = node.type === "CallExpression"
    if (kind === "postman")
      return asType(node, "Identifier") === undefined ? undefined : isBruno ? "res" : "pm.response"
    if (rest === "status" && !isCall) return "res.status"
    if (rest === "headers" && !isCall) return "res.headers"
    if (kind === "axios" && rest === "data" && !isCall) return "res.body"
    if (kind === "fetch" && isCall && rest === "json") return "res.body"
    return asType(node, "Identifier") === undefined ? undefined : refuse("a response as a whole")
  }

  /** Writes an assertion about the error, or about members of the response as a whole. */
  #claim({ root, words }: Chain): string | undefined {
    const { response, error, isBruno } = this.#request
    const name = root.is === "value" ? asType(root.value, "Identifier")?.name : undefined
    if (name === undefined) return undefined
    if (name === error) {
      const written = words.map(({ word, given }) => (given === undefined ? word : `${word}()`)).join(".")
      const isNone = given(words).every((one) => isNothing(one))
      if (
        !isNone ||
        !/^(?:to|be|is|that|not|null|undefined|exist|ok|equals?|eql|eq|a|an|instanceof|\(\)|\.)+$/.test(
          written,
        )
      )
        return refuse(ERROR_HANDLING)
      const isNegated = words.filter(({ word }) => word === "not").length === 1
      const claimsError = words.some(({ word }) => /^(?:exist|ok|instanceof|an?)$/.test(word))
      if (isNegated !== claimsError) return refuse(ERROR_HANDLING)
      // Each response has a status, so that the test keeps its name.
      return isBruno ? "expect(res.status).to.be.above(99)" : "pm.expect(pm.response.code).to.be.above(99)"
    }
    if (name !== response || isBruno) return undefined
    const property = words.find(({ word }) => word === "property")?.given ?? []
    const [key, value] = property
    const isStatus = /^(?:code|status)$/.test(String(asType(key, "Literal")?.value)) && value !== undefined
    const isNegated = words.some(({ word }) => word === "not")
    return isStatus && !isNegated ? `pm.response.to.have.status(${this.#text(value)})` : undefined
  }
}

const given = (words: Chain["words"]): readonly AnyNode[] => words.flatMap((word) => word.given ?? [])

const isNothing = (node: AnyNode): boolean =>
  (node.type === "Literal" && asType(node, "Literal")?.value === null) ||
  asType(node, "Identifier")?.name === "undefined"

const returnedIn = (statement: AnyNode): readonly AnyNode[] => {
  const { argument } = asType(statement, "ReturnStatement") ?? {}
  return argument && contains(argument, (one) => one.type === "CallExpression") ? [argument] : []
}

/** Returns the name that an expression starts with: `a` for `a.b().c`. */
function rootOf(node: AnyNode): string | undefined {
  let at: AnyNode = node
  for (;;) {
    const inner: AnyNode | undefined =
      asType(at, "CallExpression")?.callee ??
      asType(at, "MemberExpression")?.object ??
      asType(at, "ChainExpression")?.expression
    if (inner === undefined) return asType(at, "Identifier")?.name
    at = inner
  }
}

const isResponseName = (name: string, isBruno: boolean): boolean =>
  isBruno
    ? /^res(?:\.|$)/.test(name)
    : /^(?:pm\.response|responseBody|responseCode|responseTime|postman\.getResponseHeader)(?:\.|$)/.test(name)

/** Returns the names that a statement declares, with those of its functions. */
function declaredIn(statement: AnyNode): readonly string[] {
  const names: string[] = []
  walk(statement, (node) => {
    for (const { id } of asType(node, "VariableDeclaration")?.declarations ?? []) names.push(...namesIn(id))
    const { params = [], id } = node as { readonly params?: readonly AnyNode[]; readonly id?: AnyNode | null }
    if (!/Function/.test(node.type)) return
    names.push(...params.flatMap(namesIn), ...(id ? namesIn(id) : []))
  })
  return names
}

/** Returns the nodes right below a node, in the order of the code. */
const nodesIn = (node: AnyNode): readonly AnyNode[] =>
  Object.values(node)
    .flat()
    .filter((value): value is AnyNode => typeof value === "object" && value !== null && "start" in value)
    .toSorted((a, b) => a.start - b.start)
