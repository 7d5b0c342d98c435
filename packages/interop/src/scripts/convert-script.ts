// Converts scripts to steps: tests, and variables set from a response. Reads the syntax tree and never runs the code. What an
// operator says becomes a check, and the rest becomes code.

import { parse, type Expression, type Statement } from "acorn"
import { memo } from "@callsheet/format"
import type { Script } from "../model.ts"
import { variablesIn } from "../text.ts"
import { chainOf } from "./chain.ts"
import { compareWith, type Check } from "./checks.ts"
import { draft, line, type Line } from "./draft.ts"
import { isBodyText, KnownValues, type Known } from "./known-values.ts"
import { nativeChecks } from "./native-checks.ts"
import { isSending } from "./sent-definition.ts"
import {
  assignedIn,
  declaredBy,
  enter,
  noSurroundings,
  sliceOf,
  valuesOf,
  type Surroundings,
} from "./slices.ts"
import type { ScriptStep, TestStep } from "./steps.ts"
import {
  asType,
  bodyOf,
  contains,
  functionOf,
  keyOf,
  nameOf,
  walk,
  type AnyNode,
  type Call,
} from "./syntax.ts"
import type { Translator } from "./translate-code.ts"
import { validation } from "./translate-schema.ts"
import { refuse, Untranslatable } from "./untranslatable.ts"
import { flowCalls, getters, setters, testers } from "./vocabulary.ts"

export interface ConvertedScript {
  /** The variables and tests, in order. Variables come first. */
  readonly steps: readonly ScriptStep[]
  /** True if the script contains nothing else. */
  readonly isWhole: boolean
  readonly prints: boolean
  /** The texts that it sets variables to. */
  readonly literals: readonly { readonly name: string; readonly text: string }[]
  /** What has no translation, for people. */
  readonly untranslated: readonly Untranslated[]
}

interface Untranslated {
  /** The name of the test. Undefined outside tests. */
  readonly test?: string | undefined
  readonly what: string
}

export const convertScript = memo((script: Script): ConvertedScript => {
  const converted = convert(script)
  const lost = script.madeOf?.untranslated ?? []
  if (lost.length === 0) return converted
  const untranslated = [...converted.untranslated, ...lost.map((what) => ({ what }))]
  return { ...converted, isWhole: false, untranslated }
})

function convert({ code, dialect, when }: Script): ConvertedScript {
  const options = {
    ecmaVersion: "latest",
    allowReturnOutsideFunction: true,
    allowAwaitOutsideFunction: true,
  } as const
  const without = (what: string): ConvertedScript => ({
    steps: [],
    isWhole: false,
    prints: false,
    literals: [],
    untranslated: [{ what }],
  })
  try {
    const statements = parse(code, options).body as readonly Statement[]
    if (code.length > MAX_LENGTH || statements.length > MAX_STATEMENTS)
      return without("a script of this size")
    return new Converter(statements, { dialect, when }).result()
  } catch {
    // The code isn't JavaScript, or nests deeper than the stack.
    return without("a script that isn't JavaScript")
  }
}

/** Each test looks at the statements before it. */
export const MAX_STATEMENTS = 2000
export const MAX_LENGTH = 256 * 1024

class Converter {
  readonly #untranslated: Untranslated[] = []
  readonly #statements: readonly Statement[]
  readonly #root: Surroundings
  #prints = false

  constructor(statements: readonly Statement[], { dialect, when }: Pick<Script, "dialect" | "when">) {
    this.#statements = declareAssigned(statements)
    const assigned = assignedIn(this.#statements)
    const known = new KnownValues(dialect, when === "after")
    this.#root = enter(noSurroundings(known, assigned), this.#statements)
  }

  result(): ConvertedScript {
    const tests = this.#steps(this.#root, this.#statements)
    const values = this.#values()
    for (const statement of this.#statements)
      walk(statement, (node) => {
        const name = nameOf(asType(node, "CallExpression")?.callee ?? node) ?? ""
        if (node.type === "CallExpression" && flowCalls.has(name)) this.#lose(name)
        if (node.type === "CallExpression" && name.startsWith("console.")) this.#prints = true
      })
    return {
      steps: [...values, ...tests],
      isWhole: this.#untranslated.length === 0,
      prints: this.#prints,
      literals: this.#statements.flatMap((one) => literalsIn(this.#root.known, one)),
      untranslated: this.#untranslated,
    }
  }

  #lose(what: string, test?: string): void {
    this.#untranslated.push({ what, ...(test === undefined ? {} : { test }) })
  }

  /** Runs a conversion. Returns undefined and remembers the reason if there is none. */
  #attempt<T>(convert: () => T, test?: string): T | undefined {
    try {
      return convert()
    } catch (error) {
      this.#lose(error instanceof Untranslatable ? error.message : "code that is nested too deep", test)
      return undefined
    }
  }

  #steps(around: Surroundings, statements: readonly Statement[]): readonly ScriptStep[] {
    return statements.flatMap((statement) => this.#statement(around, statement))
  }

  #statement(around: Surroundings, statement: Statement): readonly ScriptStep[] {
    switch (statement.type) {
      case "EmptyStatement":
      case "FunctionDeclaration":
        return []
      case "VariableDeclaration":
        for (const { id, init } of statement.declarations) {
          const value =
            id.type === "Identifier" && !around.assigned.has(id.name) ? around.known.of(init) : undefined
          if (id.type === "Identifier") around.known.declare(id.name, value)
          if (init && contains(init, isEffect)) this.#lose(describe(init))
        }
        return []
      case "BlockStatement":
        return this.#steps(enter(around, statement.body), statement.body)
      case "IfStatement":
        if (contains(statement, isTest)) return this.#branch(around, statement)
        break
      case "ExpressionStatement":
        return this.#expression(around, statement.expression, statement)
      default:
        break
    }
    return contains(statement, isClaim) ? this.#codeTest(around, statement) : this.#other(around, statement)
  }

  #expression(around: Surroundings, node: Expression, within: Statement): readonly ScriptStep[] {
    if (node.type === "AwaitExpression") return this.#expression(around, node.argument, within)
    if (node.type === "AssignmentExpression" && (nameOf(node.left) ?? oldTestName(node.left)) !== undefined) {
      const isOldTest = oldTestName(node.left) !== undefined
      if (isOldTest && node.operator === "=")
        return this.#oldTest(around, node.left, { value: node.right, within })
    }
    const call = asType(node, "CallExpression")
    const name = call === undefined ? undefined : nameOf(call.callee)
    if (call !== undefined && name !== undefined && testers.has(name)) return this.#test(around, call, within)
    const chain = chainOf(node)
    const native = chain === undefined ? undefined : nativeChecks(chain, around.known)
    if (native !== undefined) return native.map((check) => ({ is: "check", ...check }))
    return contains(node, isClaim) ? this.#codeTest(around, within) : this.#other(around, within)
  }

  /** Reads a statement without tests. What only computes has no effect, and variables are read elsewhere. */
  #other(around: Surroundings, statement: Statement): readonly ScriptStep[] {
    if (contains(statement, isSetter)) return []
    this.#attempt(() =>
      sliceOf(around, { within: statement, translate: (translator) => translator.statements([statement]) }),
    )
    return []
  }

  /** Converts a statement with assertions, such as a loop over tests. */
  #codeTest(around: Surroundings, statement: Statement): readonly ScriptStep[] {
    const names: string[] = []
    walk(statement, (node) => {
      const call = asType(node, "CallExpression")
      if (call !== undefined && testers.has(nameOf(call.callee) ?? ""))
        names.push(titleOf(around.known, call.arguments[0]))
    })
    const name = names.join("; ")
    return this.#code(around, name, {
      within: statement,
      translate: (translator) => translator.statements([statement]),
    })
  }

  #code(around: Surroundings, name: string, target: Parameters<typeof sliceOf>[1]): readonly TestStep[] {
    const code = this.#attempt(() => sliceOf(around, target), name)
    return code === undefined || code.length === 0 ? [] : [{ is: "test", name, content: { code } }]
  }

  #test(
    around: Surroundings,
    { arguments: [title, tested] }: Call,
    within: Statement,
  ): readonly ScriptStep[] {
    const name = titleOf(around.known, title)
    const called = functionOf(tested)
    if (called === undefined || called.params.length > 0) {
      this.#lose("this kind of test", name)
      return []
    }
    const expression = {
      type: "ExpressionStatement",
      expression: called.body,
      start: called.start,
      end: called.end,
    }
    const statements = bodyOf(called) ?? [expression as Statement]
    const checks = nativeTest(around.known.inner(), statements, around.assigned)
    if (checks !== undefined) return checks.length === 0 ? [] : [{ is: "test", name, content: { checks } }]
    if (
      !statements.some((one) => contains(one, isClaim)) &&
      statements.some((one) => contains(one, isSetter))
    )
      return []
    return this.#code(around, name, {
      within,
      declares: declaredBy(statements),
      translate: (translator) => translator.statements(statements),
    })
  }

  /** Reads `tests["name"] = responseCode.code === 200`, which old collections use. */
  #oldTest(
    around: Surroundings,
    left: AnyNode,
    { value, within }: { readonly value: Expression; readonly within: Statement },
  ): readonly ScriptStep[] {
    const member = asType(left, "MemberExpression")
    const key = member === undefined ? undefined : keyOf(member)
    const name = key ?? titleOf(around.known, member?.property)
    const native = comparison(around.known, value) ?? ownProperty(around.known, value)
    if (native !== undefined) return [{ is: "test", name, content: { checks: [{ is: "check", ...native }] } }]
    return this.#code(around, name, { within, translate: (translator) => truthLines(translator, value) })
  }

  #branch(
    around: Surroundings,
    statement: Extract<Statement, { type: "IfStatement" }>,
  ): readonly ScriptStep[] {
    const { test, consequent, alternate } = statement
    const native = comparison(around.known, test)
    const condition: { readonly check: Check } | { readonly code: readonly Line[] } | undefined =
      native === undefined
        ? this.#attempt(() => ({
            code: sliceOf(around, {
              within: statement,
              translate: (translator) => [line(draft`return Boolean(${translator.expression(test)})`)],
            }),
          }))
        : { check: { is: "check", ...native } }
    if (condition === undefined) return []
    const known = around.known.inner()
    const then = this.#steps({ ...around, known }, [asBlock(consequent)])
    const otherwise = alternate
      ? this.#steps({ ...around, known: around.known.inner() }, [asBlock(alternate)])
      : []
    return then.length + otherwise.length === 0 ? [] : [{ is: "branch", condition, then, otherwise }]
  }

  /** Returns what the script sets: places in the response if that is all, otherwise code. */
  #values(): readonly ScriptStep[] {
    const targets = this.#statements.filter((statement) => contains(statement, isSetter))
    if (targets.length === 0) return []
    const plain = targets.flatMap((target) => plainSets(this.#root.known, target))
    if (plain.length === targets.flatMap(settersIn).length) return plain
    const calls = targets.flatMap(settersIn)
    const variables = calls.map(({ arguments: [name] }) => this.#root.known.text(name))
    const code = this.#attempt(() => {
      if (variables.some((name) => name === undefined || variablesIn(name).length > 0))
        return refuse("the name of a variable")
      return valuesOf(this.#root, targets)
    })
    // Without code, what has a place in the response still has one.
    if (code === undefined) return plain
    const names = [...new Set(variables.flatMap((name) => name ?? []))]
    const always = new Set(
      targets
        .filter((one) => one.type === "ExpressionStatement")
        .flatMap((one) => directSets(this.#root.known, one)),
    )
    const read = new Set(this.#statements.flatMap((one) => readsIn(this.#root.known, one)))
    const kept = names.filter((name) => !always.has(name) || read.has(name))
    return [{ is: "values", variables: names, kept, code }]
  }
}

/** Makes a declaration of the first assignment to a name that the script doesn't declare. */
function declareAssigned(statements: readonly Statement[]): readonly Statement[] {
  const declared = new Set(declaredBy(statements))
  return statements.map((statement) => {
    const assignment = asType(asType(statement, "ExpressionStatement")?.expression, "AssignmentExpression")
    const id = asType(assignment?.left, "Identifier")
    if (assignment?.operator !== "=" || id === undefined || declared.has(id.name)) return statement
    declared.add(id.name)
    const { start, end } = statement
    const declarator = { type: "VariableDeclarator", id, init: assignment.right, start, end } as const
    return { type: "VariableDeclaration", kind: "var", declarations: [declarator], start, end }
  })
}

const asBlock = (node: Statement): Statement =>
  node.type === "BlockStatement"
    ? node
    : { type: "BlockStatement", body: [node], start: node.start, end: node.end }

const callNameOf = (node: AnyNode): string => {
  const call = asType(node, "CallExpression")
  return call === undefined ? "" : (nameOf(call.callee) ?? "")
}

const isSetter = (node: AnyNode): boolean => setters.has(callNameOf(node))
const isTest = (node: AnyNode): boolean => testers.has(callNameOf(node)) || isOldTest(node)
const isOldTest = (node: AnyNode): boolean =>
  oldTestName(asType(node, "AssignmentExpression")?.left) !== undefined
const isClaim = (node: AnyNode): boolean =>
  isTest(node) || chainOf(node) !== undefined || /^(?:pm\.)?expect\.fail$/.test(callNameOf(node))
/** Calls that do something other than compute a value. */
const isEffect = (node: AnyNode): boolean =>
  isSetter(node) ||
  isClaim(node) ||
  isSending(node, true) ||
  node.type === "AwaitExpression" ||
  flowCalls.has(callNameOf(node))

const describe = (node: AnyNode): string => {
  let name = "this declaration"
  walk(node, (one) => {
    if (isEffect(one)) name = callNameOf(one) || name
  })
  return name
}

/** Returns a word for the name of `tests["name"]`. */
function oldTestName(left: AnyNode | undefined): string | undefined {
  const member = asType(left, "MemberExpression")
  return member !== undefined && nameOf(member.object) === "tests" ? "tests" : undefined
}

function settersIn(statement: Statement): readonly Call[] {
  const calls: Call[] = []
  walk(statement, (node) => {
    const call = asType(node, "CallExpression")
    if (call !== undefined && isSetter(node)) calls.push(call)
  })
  return calls
}

function literalsIn(known: KnownValues, statement: Statement): ConvertedScript["literals"] {
  return settersIn(statement).flatMap(({ arguments: [variable, value] }) => {
    const [name, text] = [known.text(variable), known.text(value)]
    return name === undefined || text === undefined || variablesIn(text).length > 0 ? [] : [{ name, text }]
  })
}

/** Returns the variables that a statement reads. */
function readsIn(known: KnownValues, statement: Statement): readonly string[] {
  const names: string[] = []
  walk(statement, (node) => {
    const call = asType(node, "CallExpression")
    if (call !== undefined && getters.has(nameOf(call.callee) ?? ""))
      names.push(known.text(call.arguments[0]) ?? "")
  })
  return names
}

/** Returns the variables that a statement sets each time. */
function directSets(known: KnownValues, statement: Statement): readonly string[] {
  const call = asType(asType(statement, "ExpressionStatement")?.expression, "CallExpression")
  return call !== undefined && isSetter(call) ? [known.text(call.arguments[0]) ?? ""] : []
}

/** Returns the places in the response to which a statement, or a test, sets variables. */
function plainSets(known: KnownValues, statement: Statement): readonly ScriptStep[] {
  const call = asType(asType(statement, "ExpressionStatement")?.expression, "CallExpression")
  if (call === undefined) return []
  const name = nameOf(call.callee) ?? ""
  if (testers.has(name)) {
    const called = functionOf(call.arguments[1])
    const inner = known.inner()
    return (called === undefined ? [] : (bodyOf(called) ?? [])).flatMap((one) => {
      declareAll(inner, one)
      return plainSets(inner, one)
    })
  }
  if (!setters.has(name)) return []
  const [variable, value] = [known.text(call.arguments[0]), call.arguments[1]]
  // A placeholder in a text inserts a body as its text.
  const body: Known | undefined =
    known.hasResponse && isBodyText(value) ? { is: "response", path: ["body"] } : undefined
  const source = body ?? jsonText(known, value) ?? known.of(value)
  if (variable === undefined || variablesIn(variable).length > 0 || source?.is !== "response") return []
  return [{ is: "set", variable, source: source.path }]
}

/** A placeholder in place of a JSON value keeps the type without `JSON.stringify`. */
function jsonText(known: KnownValues, node: AnyNode | undefined): Known | undefined {
  const call = asType(node, "CallExpression")
  return call !== undefined && nameOf(call.callee) === "JSON.stringify" && call.arguments.length === 1
    ? known.of(call.arguments[0])
    : undefined
}

function declareAll(known: KnownValues, statement: Statement): void {
  for (const { id, init } of asType(statement, "VariableDeclaration")?.declarations ?? [])
    if (id.type === "Identifier") known.declare(id.name, known.of(init))
}

/** Returns the checks of a test if operators say all that it does. */
function nativeTest(
  known: KnownValues,
  statements: readonly Statement[],
  assigned: ReadonlySet<string>,
): readonly Check[] | undefined {
  const checks: Check[] = []
  for (const statement of statements) {
    const declarations = asType(statement, "VariableDeclaration")?.declarations
    const expression = asType(statement, "ExpressionStatement")?.expression
    if (declarations !== undefined) {
      const isKnown = declarations.every(
        ({ id, init }) => id.type === "Identifier" && !assigned.has(id.name) && known.of(init) !== undefined,
      )
      if (!isKnown) return undefined
      declareAll(known, statement)
      continue
    }
    if (expression === undefined) return undefined
    const name = callNameOf(expression)
    if (setters.has(name) || flowCalls.has(name) || name.startsWith("console.")) continue
    const chain = chainOf(expression)
    const native = chain === undefined ? undefined : nativeChecks(chain, known)
    if (native === undefined) return undefined
    checks.push(...native.map((check) => ({ is: "check", ...check }) as const))
  }
  return checks
}

function comparison(known: KnownValues, node: Expression): Omit<Check, "is"> | undefined {
  if (node.type !== "BinaryExpression" || node.left.type === "PrivateIdentifier") return undefined
  const [source, value] = [known.of(node.left), known.of(node.right)]
  if (source?.is !== "response" || value?.is !== "value") return undefined
  const compared = compareWith(source.path, node.operator, value.value)
  return compared && { source: source.path, ...compared }
}

/** Reads `body.hasOwnProperty("name")`. */
function ownProperty(known: KnownValues, node: Expression): Omit<Check, "is"> | undefined {
  if (node.type !== "CallExpression" || node.callee.type !== "MemberExpression") return undefined
  const [name] = node.arguments
  const [object, key] = [known.of(node.callee.object), known.text(name)]
  const isCall = keyOf(node.callee) === "hasOwnProperty" && object?.is === "response"
  if (!isCall || object.path[0] !== "body" || key === undefined) return undefined
  return { source: [...object.path, key], operator: "exists" }
}

/** Translates the value of an old test, which passes if it is true. */
function truthLines(translator: Translator, value: Expression): readonly Line[] {
  const valid = validation(translator, value)
  if (valid !== undefined) return valid
  const isBoolean =
    (value.type === "BinaryExpression" && /^(?:[=!]==?|[<>]=?)$/.test(value.operator)) ||
    (value.type === "UnaryExpression" && value.operator === "!")
  const code = translator.expression(value)
  return [line(draft`ctx.expect(${isBoolean ? code : draft`Boolean(${code})`}).toEqual(true)`)]
}

/** Returns the name of a test. Parts that only running the script would tell are left out. */
function titleOf(known: KnownValues, node: AnyNode | undefined): string {
  const text = known.text(node)
  if (text !== undefined && variablesIn(text).length === 0) return text
  const template = asType(node, "TemplateLiteral")
  if (template !== undefined) return template.quasis.map(({ value }) => value.cooked ?? "").join("…")
  const binary = asType(node, "BinaryExpression")
  if (binary === undefined || binary.left.type === "PrivateIdentifier") return "…"
  return `${titleOf(known, binary.left)}${titleOf(known, binary.right)}`
}
