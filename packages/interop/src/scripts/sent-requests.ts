// Takes the requests that a script sends out of it. Each becomes a request of its own, and its callback a test script of that
// request. Reads the syntax tree and never runs the code. What can't be taken out stays in the script.

import { parse, type Expression, type Statement } from "acorn"
import { attempt, type JsonValue } from "@callsheet/format"
import type { Script } from "../model.ts"
import { mustacheText, variablesIn } from "../text.ts"
import { splitUrl } from "../read/url.ts"
import { convertScript, MAX_LENGTH, MAX_STATEMENTS } from "./convert-script.ts"
import { KnownValues } from "./known-values.ts"
import { callbackCode, onlyReports } from "./sent-callback.ts"
import { isSending, readDefinition, sendingOf, type SendingCall } from "./sent-definition.ts"
import { assignedIn, declaredBy } from "./slices.ts"
import { variablesSetBy } from "./steps.ts"
import {
  asType,
  contains,
  functionOf,
  bodyOf,
  keyOf,
  nameOf,
  namesIn,
  walk,
  type AnyNode,
  type Call,
  type FunctionNode,
} from "./syntax.ts"
import { refuse, Untranslatable } from "./untranslatable.ts"

/** A request that a script sends. */
export interface SentRequest {
  /** The request in Postman's format, with `{{name}}` for variables. */
  readonly definition: JsonValue
  /** What the script does with the response. It may send further requests. */
  readonly after: Script | undefined
}

export interface SplitScript {
  /** What is left. It runs before the requests are sent. */
  readonly script: Script
  readonly sent: readonly SentRequest[]
}

/** Returns a name for a variable that nothing else has. */
export type NameVariable = (hint: string) => string

/** Returns whether a script may send requests, without reading its syntax. */
export const maySend = ({ code }: Script): boolean => /sendRequest|axios|fetch/.test(code)

/** Takes out the requests that a script always sends, once. */
export function splitScript(script: Script, nameVariable: NameVariable): SplitScript {
  const whole = { script, sent: [] }
  if (!maySend(script) || script.code.length > MAX_LENGTH) return whole
  const statements = attempt(() => parse(script.code, parseOptions).body as readonly Statement[])
  if (statements === undefined || statements.length > MAX_STATEMENTS) return whole
  try {
    return new Splitter(script, statements, nameVariable).split()
  } catch (error) {
    // Code may nest deeper than the stack.
    if (error instanceof Untranslatable || error instanceof RangeError) return whole
    throw error
  }
}

const parseOptions = {
  ecmaVersion: "latest",
  allowReturnOutsideFunction: true,
  allowAwaitOutsideFunction: true,
} as const

/** The maximum number of calls that are tried, because each one may convert the script. */
const MAX_TRIED = 20

/** A statement that sends a request. */
interface Sending {
  readonly call: Call
  readonly kind: SendingCall
  readonly callback: FunctionNode | undefined
  /** True if the callback takes the error first. That of `then` takes only the response. */
  readonly takesError: boolean
  /** The name of the response in what follows the statement. */
  readonly result: string | undefined
  /** True if what follows waits for the response. */
  readonly isAwaited: boolean
}

/** A variable that the script sets to a value of its own, for the request. */
interface Hoisted {
  readonly variable: string
  readonly code: string
}

interface Taken {
  readonly sent: SentRequest
  readonly hoisted: readonly Hoisted[]
}

class Splitter {
  readonly #script: Script
  readonly #isBruno: boolean
  readonly #spine: readonly Statement[]
  readonly #assigned: ReadonlySet<string>
  readonly #changed: ReadonlySet<string>
  readonly #known: KnownValues
  readonly #nameVariable: NameVariable

  constructor(script: Script, statements: readonly Statement[], nameVariable: NameVariable) {
    this.#script = script
    this.#isBruno = script.dialect === "bru"
    this.#spine = spineOf(statements, this.#isBruno)
    this.#assigned = assignedIn(statements)
    this.#changed = changedIn(statements)
    this.#nameVariable = nameVariable
    this.#known = new KnownValues(script.dialect, script.when === "after")
    for (const { name, init } of this.#declarations())
      if (!this.#assigned.has(name) && !this.#changed.has(name))
        this.#known.declare(name, this.#known.of(init))
  }

  split(): SplitScript {
    const texts = this.#spine.map(({ start, end }) => this.#script.code.slice(start, end))
    const sent: SentRequest[] = []
    let tried = 0
    for (const [at, statement] of this.#spine.entries()) {
      const sending = sendingIn(statement, this.#isBruno)
      if (sending === undefined || tried++ >= MAX_TRIED) continue
      const taken = this.#take(sending, at)
      if (taken === undefined) continue
      const setters = taken.hoisted.map(({ variable, code }) => this.#setter(variable, code))
      const left = [...texts.slice(0, at), ...setters, ...(sending.isAwaited ? [] : texts.slice(at + 1))]
      const names = taken.hoisted.map(({ variable }) => variable)
      if (!this.#sets(left.join("\n"), names)) continue
      texts[at] = setters.join("\n")
      sent.push(taken.sent)
      if (!sending.isAwaited) continue
      texts.splice(at + 1)
      break
    }
    if (sent.length === 0) return { script: this.#script, sent }
    const code = texts.filter((text) => text !== "").join("\n")
    return { script: { ...this.#script, code }, sent }
  }

  /** Returns whether the translation of code sets variables. */
  #sets(code: string, variables: readonly string[]): boolean {
    if (variables.length === 0) return true
    const set = new Set(variablesSetBy(convertScript({ ...this.#script, code }).steps))
    return variables.every((name) => set.has(name))
  }

  #setter = (variable: string, code: string): string =>
    `${this.#isBruno ? "bru.setVar" : "pm.variables.set"}(${JSON.stringify(variable)}, ${code})`

  #take(sending: Sending, at: number): Taken | undefined {
    try {
      const hoisted = new Map<string, string>()
      const hoist = (node: AnyNode, hint: string): string => {
        const code = this.#script.code.slice(node.start, node.end)
        const known = [...hoisted].find(([, other]) => other === code)
        const variable = known?.[0] ?? this.#nameVariable(hint)
        hoisted.set(variable, code)
        return variable
      }
      const context = { known: this.#known, valueOf: (name: string) => this.#valueOf(name), hoist }
      const definition = readDefinition(sending.call, sending.kind, context)
      const { url } = definition
      // The server has to be known before a run.
      const { base } = splitUrl(mustacheText(typeof url === "string" ? url : ""))
      if (base === "" || variablesIn(base).some((name) => hoisted.has(name)))
        return refuse("the URL of a sent request")
      const after = this.#after(sending, at, hoist)
      return {
        sent: { definition, after },
        hoisted: [...hoisted].map(([variable, code]) => ({ variable, code })),
      }
    } catch (error) {
      if (error instanceof Untranslatable) return undefined
      throw error
    }
  }

  /** Returns the script that handles the response. */
  #after(
    { kind, callback, takesError, result, isAwaited }: Sending,
    at: number,
    hoist: (node: AnyNode, hint: string) => string,
  ): Script | undefined {
    const rest = isAwaited ? this.#spine.slice(at + 1) : []
    const [first, second] = callback?.params ?? []
    const parameters = takesError ? { error: first, response: second } : { error: undefined, response: first }
    const own = callback === undefined ? [] : (bodyOf(callback) ?? [callback.body as Expression])
    const statements: readonly AnyNode[] = [...own, ...rest]
    if (statements.length === 0 && kind !== "axios") return undefined
    const { code, untranslated, used } = callbackCode({
      code: this.#script.code,
      statements,
      kind,
      isBruno: this.#isBruno,
      response: isAwaited ? result : nameOfParameter(parameters.response),
      error: nameOfParameter(parameters.error),
      known: this.#known,
      dependsOnResponse: (name) => this.#dependsOnResponse(name),
      hoist,
    })
    // The clients of Bruno throw if a status is an error.
    const check = kind === "axios" ? ["expect(res.status).to.be.below(400)"] : []
    const whole = [...check, ...this.#prelude([...used], statements), code]
    const parts = statements.map(({ start, end }) => this.#script.code.slice(start, end))
    return {
      ...this.#script,
      when: "after",
      code: whole.join("\n"),
      madeOf: { code: parts.join("\n"), untranslated },
    }
  }

  /** Returns the declarations that code uses, in order. */
  #prelude(used: readonly string[], within: readonly AnyNode[]): readonly string[] {
    const units = this.#spine.flatMap((statement) =>
      statement.type.endsWith("Declaration") && !within.includes(statement) ? [statement] : [],
    )
    const included = new Set<Statement>()
    const work = [...used]
    for (let name = work.pop(); name !== undefined; name = work.pop()) {
      const unit = units.find((one) => declaredBy([one]).includes(name ?? ""))
      if (unit === undefined || included.has(unit)) continue
      if (declaredBy([unit]).some((one) => this.#isChangedOutside(one, within)))
        refuse("a variable that a script changes")
      if (contains(unit, (one) => isSending(one, this.#isBruno))) refuse("a function that sends a request")
      included.add(unit)
      walk(unit, (node) => void work.push(asType(node, "Identifier")?.name ?? ""))
    }
    return units
      .filter((unit) => included.has(unit))
      .map(({ start, end }) => this.#script.code.slice(start, end))
  }

  /** Returns whether a script changes a value other than in a callback, which would see the change or not. */
  #isChangedOutside(name: string, within: readonly AnyNode[]): boolean {
    if (!this.#assigned.has(name) && !this.#changed.has(name)) return false
    return this.#spine.some(
      (statement) =>
        !statement.type.endsWith("Declaration") &&
        contains(
          statement,
          (node) =>
            asType(node, "Identifier")?.name === name &&
            !within.some(({ start, end }) => node.start >= start && node.end <= end),
        ),
    )
  }

  *#declarations(): Iterable<{ readonly name: string; readonly init: AnyNode | undefined }> {
    for (const statement of this.#spine)
      for (const { id, init } of asType(statement, "VariableDeclaration")?.declarations ?? [])
        if (id.type === "Identifier") yield { name: id.name, init: init ?? undefined }
        else for (const name of namesIn(id)) yield { name, init: init ?? undefined }
  }

  #valueOf(name: string): AnyNode | undefined {
    if (this.#assigned.has(name)) return undefined
    if (this.#changed.has(name)) return refuse("an object that a script changes")
    const found = [...this.#declarations()].filter((one) => one.name === name)
    return found.length === 1 ? found[0]?.init : undefined
  }

  readonly #dependent = new Map<string, boolean>()

  /** Returns whether the value of a name is from the response that the script is about. */
  #dependsOnResponse(name: string): boolean {
    const known = this.#dependent.get(name)
    if (known !== undefined) return known
    this.#dependent.set(name, false)
    const depends = [...this.#declarations()].some(
      ({ name: own, init }) =>
        own === name &&
        init !== undefined &&
        contains(init, (node) => {
          const used = asType(node, "Identifier")?.name
          return (
            this.#known.of(node)?.is === "response" ||
            (used !== undefined && used !== name && this.#dependsOnResponse(used))
          )
        }),
    )
    this.#dependent.set(name, depends)
    return depends
  }
}

/** Returns the statements that always run, in order: those of blocks, too, if they send requests. */
function spineOf(statements: readonly Statement[], isBruno: boolean): readonly Statement[] {
  const flat = statements.flatMap((statement): readonly Statement[] => {
    const inner = innerOf(statement)
    const sends = inner?.some((one) => contains(one, (node) => isSending(node, isBruno))) ?? false
    return inner !== undefined && sends ? spineOf(inner, isBruno) : [statement]
  })
  const names = declaredBy(flat)
  // Names of a block may hide others.
  return new Set(names).size === names.length ? flat : statements
}

function innerOf(statement: Statement): readonly Statement[] | undefined {
  const block = asType(statement, "BlockStatement")
  if (block !== undefined) return block.body
  const tried = asType(statement, "TryStatement")
  if (tried !== undefined)
    return tried.handler && !tried.finalizer && onlyReports(tried.handler.body.body)
      ? tried.block.body
      : undefined
  // `(async () => { … })()`
  const expression = asType(statement, "ExpressionStatement")?.expression
  const call = asType(asType(expression, "AwaitExpression")?.argument ?? expression, "CallExpression")
  const called = functionOf(call?.callee)
  const isPlain = called?.params.length === 0 && call?.arguments.length === 0
  const body = called !== undefined && isPlain ? bodyOf(called) : undefined
  return body?.some((one) => contains(one, (node) => node.type === "ReturnStatement")) ? undefined : body
}

/** Reads a statement that sends a request. */
function sendingIn(statement: Statement, isBruno: boolean): Sending | undefined {
  const [declarator, ...others] = asType(statement, "VariableDeclaration")?.declarations ?? []
  const expression = asType(statement, "ExpressionStatement")?.expression
  const awaited = asType(declarator?.init ?? expression, "AwaitExpression")?.argument
  if (declarator !== undefined && (others.length > 0 || declarator.id.type !== "Identifier" || !awaited))
    return undefined
  const result = declarator?.id.type === "Identifier" ? declarator.id.name : undefined
  const chain = promiseIn(awaited ?? expression)
  const call = asType(chain?.call, "CallExpression")
  const kind = call === undefined ? undefined : sendingOf(call, isBruno)
  if (call === undefined || kind === undefined || (chain?.then !== undefined && result !== undefined))
    return undefined
  const functions = call.arguments.flatMap((one) => functionOf(one) ?? [])
  const callback = functions[0] ?? chain?.then
  const isAwaited = awaited !== undefined && callback === undefined
  // A function that isn't written here may do anything.
  const isKnown = call.arguments.every(
    (one, at) => at === 0 || kind !== "postman" || functionOf(one) !== undefined,
  )
  const takesError = functions.length > 0
  return isKnown ? { call, kind, callback, takesError, result, isAwaited } : undefined
}

/** Reads `send(…).then(…).catch(…)`. */
function promiseIn(
  node: AnyNode | undefined,
): { readonly call: AnyNode; readonly then?: FunctionNode | undefined } | undefined {
  const call = asType(node, "CallExpression")
  const member = asType(call?.callee, "MemberExpression")
  const key = member === undefined ? undefined : keyOf(member)
  if (call === undefined || member === undefined || (key !== "then" && key !== "catch"))
    return node && { call: node }
  const [first, ...others] = call.arguments
  const called = functionOf(first)
  const inner = promiseIn(member.object)
  if (called === undefined || others.length > 0 || inner === undefined || inner.then !== undefined)
    return key === "catch" && called !== undefined && inner?.then !== undefined && reportsError(called)
      ? inner
      : undefined
  if (key === "then") return { ...inner, then: called }
  return reportsError(called) ? inner : undefined
}

const reportsError = (called: FunctionNode): boolean =>
  onlyReports(bodyOf(called) ?? [{ ...called.body, type: called.body.type }])

const nameOfParameter = (node: AnyNode | undefined): string | undefined => {
  if (node === undefined) return undefined
  return asType(node, "Identifier")?.name ?? refuse("the parameters of a callback")
}

const mutators = new Set("push pop shift unshift splice sort reverse fill set add delete".split(" "))

/** Returns the names of objects whose members a script changes. */
function changedIn(statements: readonly Statement[]): ReadonlySet<string> {
  const names = new Set<string>()
  for (const statement of statements)
    walk(statement, (node) => {
      const target = asType(node, "AssignmentExpression")?.left ?? asType(node, "UpdateExpression")?.argument
      const callee = asType(asType(node, "CallExpression")?.callee, "MemberExpression")
      const isMutation = callee !== undefined && mutators.has(keyOf(callee) ?? "")
      let at: AnyNode | undefined =
        asType(target, "MemberExpression") ?? (isMutation ? callee.object : undefined)
      for (
        let member = asType(at, "MemberExpression");
        member !== undefined;
        member = asType(at, "MemberExpression")
      )
        at = member.object
      const name = asType(at, "Identifier")?.name
      if (name !== undefined && nameOf(callee ?? node)?.startsWith("pm.") !== true) names.add(name)
    })
  return names
}
