// Translates statements and expressions of a script to TypeScript. Code is composed only from the syntax tree: everything
// that isn't listed here, and every name that could reach more than the script's own values, is refused.

import type { Expression, Pattern, Statement } from "acorn"
import { identifierCode, numberCode } from "../export/code.ts"
import { js, jsRegExp, type Js } from "../export/js-code.ts"
import { hasVariables, plainText } from "../text.ts"
import { isJsonText } from "./body-text.ts"
import { chainOf } from "./chain.ts"
import type { CodeWriter } from "./code-writer.ts"
import { draft, indent, joinDrafts, line, type Draft, type Line } from "./draft.ts"
import { isBodyText, type KnownValues } from "./known-values.ts"
import {
  asType,
  bodyOf,
  contains,
  functionOf,
  keyOf,
  nameOf,
  namesIn,
  type AnyNode,
  type Call,
  type FunctionNode,
  type Member,
} from "./syntax.ts"
import { callCode, isNumberCall } from "./translate-calls.ts"
import { claimLines } from "./translate-claims.ts"
import { schemaClaim } from "./translate-schema.ts"
import { refuse } from "./untranslatable.ts"
import { allowedKey, keyDraft } from "./value-code.ts"
import { flowCalls, setters, testers } from "./vocabulary.ts"

interface Binding {
  readonly isFunction: boolean
  /** True if the value is certainly a number, so that it can't be the name of a member. */
  readonly isCounter: boolean
}

interface TranslatorOptions {
  readonly known: KnownValues
  /** The names that the whole script declares, with those of its functions. */
  readonly outer: ReadonlyMap<string, { readonly isFunction: boolean }>
  /** The names that the script assigns after their declaration. */
  readonly assigned: ReadonlySet<string>
  /** `checks` leaves out variables that the script sets, and `values` leaves out what it checks. */
  readonly mode: "checks" | "values"
  /** True for code that other code only depends on. Leaves out both. */
  readonly isDependency: boolean
}

/** Names that generated code uses itself, or that mean something else in it. */
const reserved = new Set(
  `ctx given outputs read own sizeOf textOf Object Array JSON Math Number String Boolean Date Set Map Error RegExp crypto
  responseBody undefined NaN Infinity parseInt parseFloat isNaN isFinite encodeURIComponent decodeURIComponent btoa atob let static
  implements interface package private protected public yield await arguments eval enum any`.split(/\s+/),
)

const arithmetic = new Set(["-", "*", "/", "%", "**"])
const binaryOperators = new Set([
  ..."=== == !== != < > <= >= + & | ^ << >> >>>".split(" "),
  ...arithmetic,
  "in",
])

export class Translator implements CodeWriter {
  /** The names of the script that the code uses. */
  readonly used = new Set<string>()
  readonly known: KnownValues
  readonly mode: TranslatorOptions["mode"]
  readonly #outer: TranslatorOptions["outer"]
  readonly #assigned: TranslatorOptions["assigned"]
  readonly #isDependency: boolean
  readonly #scopes: Map<string, Binding>[] = [new Map()]
  /** The number of functions around a statement, without the one of the test. */
  #functions = 0
  #inlined = 0

  constructor({ known, outer, assigned, mode, isDependency }: TranslatorOptions) {
    this.known = known
    this.#outer = outer
    this.#assigned = assigned
    this.#isDependency = isDependency
    this.mode = mode
  }

  get #checks(): boolean {
    return this.mode === "checks" && !this.#isDependency
  }

  statements = (nodes: readonly Statement[]): readonly Line[] => {
    for (const node of nodes) {
      const declared = asType(node, "FunctionDeclaration")
      if (declared !== undefined) this.#bind(declared.id?.name ?? "", { isFunction: true })
    }
    return nodes.flatMap((node) => this.statement(node))
  }

  /** Translates statements in a scope of their own. */
  block(nodes: readonly Statement[]): readonly Line[] {
    this.#scopes.push(new Map())
    const lines = this.statements(nodes)
    this.#scopes.pop()
    return lines
  }

  statement(node: Statement): readonly Line[] {
    switch (node.type) {
      case "EmptyStatement":
        return []
      case "ExpressionStatement":
        return this.effect(node.expression)
      case "VariableDeclaration":
        return node.declarations.map(({ id, init }) => line(this.#declaration(id, init)))
      case "FunctionDeclaration":
        return this.#functionDeclaration(node.id?.name ?? "", node)
      case "BlockStatement": {
        const inner = this.block(node.body)
        return inner.length === 0 ? [] : [line(draft`{`), ...indent(inner), line(draft`}`)]
      }
      case "IfStatement":
        return this.#condition(node)
      case "ReturnStatement":
        return this.#return(node.argument ?? undefined)
      case "ThrowStatement":
        return [line(draft`throw ${this.expression(node.argument)}`)]
      case "BreakStatement":
      case "ContinueStatement":
        return node.label
          ? refuse("a label")
          : [line(node.type === "BreakStatement" ? draft`break` : draft`continue`)]
      case "TryStatement":
        return this.#try(node)
      default:
        return this.#loop(node)
    }
  }

  /** Translates an expression that is a statement. */
  effect(node: Expression): readonly Line[] {
    const awaited = asType(node, "AwaitExpression")
    if (awaited !== undefined) return this.effect(awaited.argument)
    const chain = chainOf(node)
    if (chain !== undefined) return this.#checks ? (schemaClaim(this, chain) ?? claimLines(this, chain)) : []
    const call = asType(node, "CallExpression")
    const name = call === undefined ? undefined : nameOf(call.callee)
    if (call !== undefined && name !== undefined) {
      if (/^console\.\w+$/.test(name) || flowCalls.has(name)) return []
      if (testers.has(name)) return this.#isDependency ? [] : this.#test(call)
      if (setters.has(name)) return this.#set(call)
      if (name === "pm.expect.fail" || name === "expect.fail")
        return this.#checks ? [line(draft`ctx.assert(false)`)] : []
    }
    const target = asType(node, "AssignmentExpression")?.left
    if (target !== undefined && (nameOf(target) ?? "").startsWith("tests.")) return []
    const visited = call === undefined ? undefined : this.#visit(call)
    if (visited !== undefined) return visited
    const logical = asType(node, "LogicalExpression")
    if (logical?.operator === "&&") return this.#guarded(logical.left, this.effect(logical.right))
    return [line(this.expression(node))]
  }

  expression = (node: AnyNode): Draft => {
    switch (node.type) {
      case "Identifier":
        return this.#identifier((node as Extract<Expression, { type: "Identifier" }>).name)
      case "Literal":
        return this.#literal(node as Extract<Expression, { type: "Literal" }>)
      case "ChainExpression":
        return this.expression((node as Extract<Expression, { type: "ChainExpression" }>).expression)
      case "ParenthesizedExpression":
        return this.expression((node as Extract<Expression, { type: "ParenthesizedExpression" }>).expression)
      case "MemberExpression":
        return this.#member(node as Member)
      case "CallExpression":
        return callCode(this, node as Call)
      case "NewExpression":
        return this.#creation(node as Extract<Expression, { type: "NewExpression" }>)
      case "TemplateLiteral":
        return this.#template(node as Extract<Expression, { type: "TemplateLiteral" }>)
      case "ArrayExpression":
      case "ObjectExpression":
        return this.#collection(node as Expression)
      case "FunctionExpression":
      case "ArrowFunctionExpression":
        return this.#function(node as FunctionNode)
      default:
        return this.#operation(node as Expression)
    }
  }

  operand = (node: AnyNode): Draft => {
    const isPlain =
      /^(?:Identifier|Literal|MemberExpression|CallExpression|ChainExpression|ArrayExpression|NewExpression)$/.test(
        node.type,
      ) && !(asType(node, "Literal") !== undefined && typeof asType(node, "Literal")?.value === "number")
    return isPlain ? this.expression(node) : draft`(${this.expression(node)})`
  }

  arguments = (nodes: readonly AnyNode[]): Draft =>
    joinDrafts(
      nodes.map((node) => {
        const spread =
          node.type === "SpreadElement" ? (node as { readonly argument?: AnyNode }).argument : undefined
        return spread === undefined ? this.expression(node) : draft`...${this.operand(spread)}`
      }),
      draft`, `,
    )

  isFunction = (name: string): boolean => {
    const local = this.#scopes.findLast((scope) => scope.has(name))?.get(name)
    return (local ?? this.#outer.get(name))?.isFunction === true
  }

  isDeclared = (name: string): boolean =>
    this.#outer.has(name) || this.#scopes.some((scope) => scope.has(name))

  text = (raw: string): Draft => [{ is: "text", text: plainText(raw) }]

  #bind(name: string, binding: Partial<Binding> = {}): Js {
    if (reserved.has(name) || !/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) refuse("this name")
    this.#scopes.at(-1)?.set(name, { isFunction: false, isCounter: false, ...binding })
    this.known.declare(name, undefined)
    return identifierCode(name)
  }

  #identifier(name: string): Draft {
    if (name === "undefined" || name === "NaN" || name === "Infinity") return draft`${identifierCode(name)}`
    if (this.#scopes.some((scope) => scope.has(name))) return draft`${identifierCode(name)}`
    if (!this.#outer.has(name)) {
      const known = this.known.named(name)
      return known?.is === "response" ? [known] : refuse(name)
    }
    if (reserved.has(name)) refuse("this name")
    this.used.add(name)
    return draft`${identifierCode(name)}`
  }

  #literal(node: Extract<Expression, { type: "Literal" }>): Draft {
    const { value } = node
    if (typeof value === "string") return this.text(value)
    if (typeof value === "number") return draft`${numberCode(value)}`
    if (typeof value === "boolean") return value ? draft`true` : draft`false`
    if (value instanceof RegExp) return draft`${jsRegExp(value)}`
    return value === null && node.raw === "null" ? draft`null` : refuse("this literal")
  }

  #member(node: Member): Draft {
    const known = this.known.of(node)
    if (known?.is === "response" && known.path.length === (known.path[0] === "headers" ? 2 : 1))
      return [known]
    const { object, property, computed, optional } = node
    const key = keyOf(node)
    const name = nameOf(node)
    const [root = ""] = name?.split(".") ?? []
    if (name !== undefined && !this.isDeclared(root) && this.known.of(object)?.is !== "response") refuse(name)
    if (key !== undefined) return draft`${this.operand(object)}${keyDraft(key, optional)}`
    if (!computed) return refuse("this member")
    const at = this.expression(property)
    if (this.#isNumber(property)) return draft`${this.operand(object)}${optional ? js`?.` : js``}[${at}]`
    return draft`${[{ is: "helper", helper: "own" }]}(${this.expression(object)}, ${at})`
  }

  /** Returns whether an expression is a number, whatever its values are. */
  #isNumber(node: AnyNode): boolean {
    const own = asType(node, "Identifier")
    if (own !== undefined)
      return this.#scopes.findLast((scope) => scope.has(own.name))?.get(own.name)?.isCounter === true
    const literal = asType(node, "Literal")
    if (literal !== undefined) return typeof literal.value === "number"
    const member = asType(node, "MemberExpression")
    if (member !== undefined) return keyOf(member) === "length"
    const call = asType(node, "CallExpression")
    if (call !== undefined) return isNumberCall(call)
    const binary = asType(node, "BinaryExpression")
    if (binary === undefined) return node.type === "UpdateExpression"
    if (binary.left.type === "PrivateIdentifier") return false
    return arithmetic.has(binary.operator)
      ? true
      : binary.operator === "+" && this.#isNumber(binary.left) && this.#isNumber(binary.right)
  }

  #creation({ callee, arguments: given }: Extract<Expression, { type: "NewExpression" }>): Draft {
    const name = nameOf(callee) ?? ""
    if (name === "RegExp" && !this.isDeclared(name)) return this.#regExp(given)
    if (!/^(?:Date|Set|Map|Error)$/.test(name) || this.isDeclared(name)) return refuse(`new ${name}`)
    return draft`new ${identifierCode(name)}(${this.arguments(given)})`
  }

  #regExp(given: readonly AnyNode[]): Draft {
    const [pattern, flags = ""] = given.map((one) => this.known.text(one))
    if (pattern === undefined || hasVariables(pattern)) return refuse("a pattern that is computed")
    try {
      return draft`${jsRegExp(new RegExp(pattern, flags))}`
    } catch {
      return refuse("this pattern")
    }
  }

  #template({ expressions, quasis }: Extract<Expression, { type: "TemplateLiteral" }>): Draft {
    const parts = quasis.flatMap(({ value }, at) => {
      const text = value.cooked ?? ""
      const expression = expressions[at]
      const own = text === "" && at > 0 ? [] : [this.text(text)]
      return expression === undefined ? own : [...own, this.operand(expression)]
    })
    return joinDrafts(parts, draft` + `)
  }

  #collection(node: Expression): Draft {
    if (node.type === "ArrayExpression") {
      const elements = node.elements.map((element) => element ?? refuse("an array with holes"))
      return draft`[${this.arguments(elements)}]`
    }
    if (node.type !== "ObjectExpression") return refuse("this expression")
    const members = node.properties.map((property) => {
      if (property.type === "SpreadElement") return draft`...${this.operand(property.argument)}`
      if (property.kind !== "init" || property.method || property.computed) return refuse("this object")
      const key =
        property.key.type === "Identifier" ? property.key.name : asType(property.key, "Literal")?.value
      return draft`${[{ is: "key", name: String(key) }]}: ${this.expression(property.value)}`
    })
    return members.length === 0 ? draft`{}` : draft`{ ${joinDrafts(members, draft`, `)} }`
  }

  #function(node: FunctionNode): Draft {
    if (node.async || node.generator) return refuse("an asynchronous function")
    this.#scopes.push(new Map())
    this.#functions++
    const parameters = this.#parameters(node.params)
    const statements = bodyOf(node)
    const [only] = statements ?? []
    const returned = statements?.length === 1 ? asType(only, "ReturnStatement")?.argument : undefined
    const value = statements === undefined ? (node.body as Expression) : (returned ?? undefined)
    const isEffect = value !== undefined && (chainOf(value) !== undefined || isAction(value))
    const lines = value !== undefined && !isEffect ? undefined : this.#bodyLines(statements, value)
    const body =
      lines === undefined && value !== undefined
        ? value.type === "ObjectExpression"
          ? draft`(${this.expression(value)})`
          : this.expression(value)
        : inlineBlock(lines ?? [])
    this.#functions--
    this.#scopes.pop()
    return draft`(${parameters}) => ${body}`
  }

  #bodyLines(statements: readonly Statement[] | undefined, value: Expression | undefined): readonly Line[] {
    return statements === undefined && value !== undefined
      ? this.effect(value)
      : this.statements(statements ?? [])
  }

  #parameters(params: readonly Pattern[]): Draft {
    return joinDrafts(
      params.map((param) => {
        const assigned = asType(param as AnyNode, "AssignmentExpression")
        if (assigned !== undefined || param.type === "AssignmentPattern")
          return refuse("a default of a parameter")
        return draft`${this.#pattern(param)}: any`
      }),
      draft`, `,
    )
  }

  /** Declares the names of a pattern, and returns it. */
  #pattern(pattern: Pattern, binding: Partial<Binding> = {}): Draft {
    if (pattern.type === "Identifier") return draft`${this.#bind(pattern.name, binding)}`
    if (pattern.type === "ArrayPattern") {
      const elements = pattern.elements.map((element) => this.#pattern(element ?? refuse("a hole")))
      return draft`[${joinDrafts(elements, draft`, `)}]`
    }
    if (pattern.type !== "ObjectPattern") return refuse("this pattern")
    const members = pattern.properties.map((property) => {
      if (property.type !== "Property" || property.computed || property.key.type !== "Identifier")
        return refuse("this pattern")
      const key = allowedKey(property.key.name)
      if (property.shorthand && property.value.type === "Identifier") return this.#pattern(property.value)
      return draft`${[{ is: "key", name: key }]}: ${this.#pattern(property.value)}`
    })
    return draft`{ ${joinDrafts(members, draft`, `)} }`
  }

  #operation(node: Expression): Draft {
    switch (node.type) {
      case "UnaryExpression":
        if (!/^(?:[!+~-]|typeof|void)$/.test(node.operator)) return refuse(node.operator)
        if (node.operator === "typeof") return draft`typeof ${this.operand(node.argument)}`
        if (node.operator === "void") return draft`undefined`
        return draft`${operatorCode(node.operator)}${this.operand(node.argument)}`
      case "BinaryExpression":
        return this.#binary(node)
      case "LogicalExpression":
        return draft`${this.#side(node.left, node)} ${operatorCode(node.operator)} ${this.#side(node.right, node)}`
      case "ConditionalExpression":
        return draft`${this.operand(node.test)} ? ${this.operand(node.consequent)} : ${this.operand(node.alternate)}`
      case "AssignmentExpression":
        return draft`${this.#target(node.left)} ${operatorCode(node.operator)} ${this.expression(node.right)}`
      case "UpdateExpression": {
        const target = this.#target(node.argument)
        const operator = operatorCode(node.operator)
        return node.prefix ? draft`${operator}${target}` : draft`${target}${operator}`
      }
      default:
        return refuse("this expression")
    }
  }

  #binary(node: Extract<Expression, { type: "BinaryExpression" }>): Draft {
    const { operator, left, right } = node
    if (left.type === "PrivateIdentifier") return refuse("this expression")
    if (operator === "instanceof" && nameOf(right) === "Array")
      return draft`Array.isArray(${this.expression(left)})`
    if (!binaryOperators.has(operator)) return refuse(operator)
    const texts = [left, right].filter((one) => isBodyText(one))
    if (texts.length > 0) return this.#bodyComparison(node)
    // The compiler refuses to subtract dates.
    const side = (one: AnyNode): Draft =>
      arithmetic.has(operator) && one.type === "NewExpression"
        ? draft`Number(${this.expression(one)})`
        : this.#side(one, node)
    return draft`${side(left)} ${operatorCode(operator)} ${side(right)}`
  }

  /** Translates `responseBody === "text"`. A body that is JSON has no text, so such a text can't be compared. */
  #bodyComparison({ operator, left, right }: Extract<Expression, { type: "BinaryExpression" }>): Draft {
    const text = this.known.text(isBodyText(left) ? right : left)
    if (text === undefined || isJsonText(text) || !/^[!=]==?$/.test(operator))
      return refuse("the text of the body")
    return draft`(${[{ is: "response", path: ["body"] }]} ?? "") ${operatorCode(operator)} ${[{ is: "text", text }]}`
  }

  /** Translates a side of an operator. A comparison needs no parentheses beside `&&`, nor does the same operator. */
  #side(node: AnyNode, parent: { readonly type: string; readonly operator: string }): Draft {
    const inner = asType(node, "BinaryExpression") ?? asType(node, "LogicalExpression")
    const isSame = inner?.operator === parent.operator && inner.operator !== "**"
    const isComparison = parent.type === "LogicalExpression" && inner?.type === "BinaryExpression"
    const isPlain =
      isSame || isComparison || node.type === "UnaryExpression" || asType(node, "Literal") !== undefined
    return isPlain ? this.expression(node) : this.operand(node)
  }

  /** Returns the variable or the member that an assignment changes. */
  #target(node: AnyNode): Draft {
    const own = asType(node, "Identifier")
    if (own !== undefined) return this.isDeclared(own.name) ? this.#identifier(own.name) : refuse("this name")
    const member = asType(node, "MemberExpression")
    const isKnown = member !== undefined && (keyOf(member) !== undefined || this.#isNumber(member.property))
    return isKnown ? this.#member(member) : refuse("this assignment")
  }

  #declaration(id: Pattern, init: Expression | null | undefined): Draft {
    const isConstant =
      init !== null && init !== undefined && !namesIn(id).some((name) => this.#assigned.has(name))
    const isFunction = functionOf(init ?? undefined) !== undefined && isConstant
    const value = init === null || init === undefined ? undefined : this.expression(init)
    const pattern = this.#pattern(id, { isFunction })
    const isTyped = isConstant && !/^(?:Array|Object|New)Expression$/.test(init.type)
    const type = id.type === "Identifier" && !isTyped ? js`: any` : js``
    const word = isConstant ? js`const` : js`let`
    return value === undefined
      ? draft`${word} ${pattern}${type}`
      : draft`${word} ${pattern}${type} = ${value}`
  }

  #functionDeclaration(
    name: string,
    node: Extract<Statement, { type: "FunctionDeclaration" }>,
  ): readonly Line[] {
    if (node.async || node.generator) return refuse("an asynchronous function")
    const own = this.#bind(name, { isFunction: true })
    this.#scopes.push(new Map())
    this.#functions++
    const parameters = this.#parameters(node.params)
    const inner = this.statements(node.body.body)
    this.#functions--
    this.#scopes.pop()
    return [line(draft`function ${own}(${parameters}): any {`), ...indent(inner), line(draft`}`)]
  }

  #condition({ test, consequent, alternate }: Extract<Statement, { type: "IfStatement" }>): readonly Line[] {
    const then = this.#branch(consequent)
    const otherwise = alternate ? this.#branch(alternate) : []
    // What the branches did is translated elsewhere.
    if (then.length === 0 && otherwise.length === 0) return []
    const lines = [line(draft`if (${this.expression(test)}) {`), ...indent(then)]
    const [first, ...rest] = otherwise
    if (first === undefined) return [...lines, line(draft`}`)]
    if (alternate?.type === "IfStatement") return [...lines, line(draft`} else ${first.code}`), ...rest]
    return [...lines, line(draft`} else {`), ...indent(otherwise), line(draft`}`)]
  }

  #branch = (node: Statement): readonly Line[] =>
    node.type === "BlockStatement" ? this.block(node.body) : this.statement(node)

  #guarded(test: Expression, inner: readonly Line[]): readonly Line[] {
    if (inner.length === 0) return []
    return [line(draft`if (${this.expression(test)}) {`), ...indent(inner), line(draft`}`)]
  }

  #return(argument: Expression | undefined): readonly Line[] {
    if (this.#inlined > 0 && this.#functions === 0) return refuse("return")
    if (argument === undefined) return [line(draft`return`)]
    // The result of a test has no meaning, so only its effect remains.
    if (this.#functions === 0) return [...this.effect(argument), line(draft`return`)]
    if (chainOf(argument) !== undefined) return [...this.effect(argument), line(draft`return`)]
    return [line(draft`return ${this.expression(argument)}`)]
  }

  #try({ block, handler, finalizer }: Extract<Statement, { type: "TryStatement" }>): readonly Line[] {
    const checks = (node: AnyNode): boolean => chainOf(node) !== undefined
    // A check inside would be caught.
    if (finalizer || !handler || contains(block, checks)) return refuse("try")
    const inner = this.block(block.body)
    this.#scopes.push(new Map())
    const caught = handler.param ? draft` (${this.#pattern(handler.param)})` : draft``
    const handled = this.statements(handler.body.body)
    this.#scopes.pop()
    if (inner.length === 0) return []
    return [
      line(draft`try {`),
      ...indent(inner),
      line(draft`} catch${caught} {`),
      ...indent(handled),
      line(draft`}`),
    ]
  }

  #loop(node: Statement): readonly Line[] {
    this.#scopes.push(new Map())
    const { head, body } = this.#loopParts(node)
    const inner = this.#branch(body)
    this.#scopes.pop()
    return inner.length === 0 ? [] : [line(draft`${head} {`), ...indent(inner), line(draft`}`)]
  }

  #loopParts(node: Statement): { readonly head: Draft; readonly body: Statement } {
    switch (node.type) {
      case "ForStatement": {
        const { init, test, update, body } = node
        const start = init ? this.#loopStart(init, body) : draft``
        const check = test ? this.expression(test) : draft``
        return { head: draft`for (${start}; ${check}; ${update ? this.expression(update) : draft``})`, body }
      }
      case "ForOfStatement":
      case "ForInStatement": {
        const list = this.expression(node.right)
        const declared = asType(node.left as AnyNode, "VariableDeclaration")?.declarations[0]
        if (declared === undefined || (node.type === "ForOfStatement" && node.await))
          return refuse("this loop")
        const item = this.#pattern(declared.id)
        const word = node.type === "ForOfStatement" ? js`of` : js`in`
        return { head: draft`for (const ${item} ${word} ${list})`, body: node.body }
      }
      case "WhileStatement":
        return { head: draft`while (${this.expression(node.test)})`, body: node.body }
      default:
        return refuse("this statement")
    }
  }

  #loopStart(init: AnyNode, body: Statement): Draft {
    const declaration = asType(init, "VariableDeclaration")
    if (declaration === undefined) return this.expression(init)
    const parts = declaration.declarations.map(({ id, init: first }) => {
      const [name = ""] = namesIn(id)
      const isReset = contains(
        body,
        (node) =>
          nameOf(asType(node, "AssignmentExpression")?.left ?? node) === name &&
          node.type === "AssignmentExpression",
      )
      const isNumber = first !== null && first !== undefined && this.#isNumber(first)
      const value = first === null || first === undefined ? refuse("this loop") : this.expression(first)
      return draft`${this.#pattern(id, { isCounter: isNumber && !isReset })} = ${value}`
    })
    return draft`let ${joinDrafts(parts, draft`, `)}`
  }

  /** Translates `list.forEach((item) => …)` with what the function does. */
  #visit(call: Call): readonly Line[] | undefined {
    const member = asType(call.callee, "MemberExpression")
    const [visitor] = call.arguments
    const called = functionOf(visitor)
    if (
      member === undefined ||
      keyOf(member) !== "forEach" ||
      called === undefined ||
      call.arguments.length > 1
    )
      return undefined
    this.#scopes.push(new Map())
    this.#functions++
    const parameters = this.#parameters(called.params)
    const statements = bodyOf(called)
    const inner = this.#bodyLines(
      statements,
      statements === undefined ? (called.body as Expression) : undefined,
    )
    this.#functions--
    this.#scopes.pop()
    if (inner.length === 0) return []
    const list = this.operand(member.object)
    const dot = member.optional ? js`?.` : js`.`
    return [line(draft`${list}${dot}forEach((${parameters}) => {`), ...indent(inner), line(draft`})`)]
  }

  /** Translates a test inside the code of another one, or with the variables that it sets. */
  #test({ arguments: [, tested] }: Call): readonly Line[] {
    const called = functionOf(tested)
    if (called === undefined || called.params.length > 0 || called.async) return refuse("this test")
    this.#inlined++
    const statements = bodyOf(called)
    const lines = statements === undefined ? this.effect(called.body as Expression) : this.block(statements)
    this.#inlined--
    if (lines.length === 0) return []
    const declares = statements?.some((one) => one.type.endsWith("Declaration")) ?? false
    return declares ? [line(draft`{`), ...indent(lines), line(draft`}`)] : lines
  }

  #set({ arguments: [name, value] }: Call): readonly Line[] {
    if (this.mode === "checks" || this.#isDependency) return []
    const variable = this.known.text(name)
    if (variable === undefined || value === undefined) return refuse("the name of this variable")
    return [line(draft`${[{ is: "output", name: variable }]} = ${this.expression(value)}`)]
  }
}

/** Returns whether an expression is called for what it does. */
function isAction(node: Expression): boolean {
  const name = node.type === "CallExpression" ? nameOf(node.callee) : undefined
  return name !== undefined && (setters.has(name) || testers.has(name) || name.startsWith("console."))
}

function inlineBlock(lines: readonly Line[]): Draft {
  const inner = lines.flatMap(({ depth, code }): Draft => [{ is: "break", depth: depth + 1 }, ...code])
  return draft`{${inner}${[{ is: "break", depth: 0 }]}}`
}

/** The operators that code may have. */
const operators: readonly Js[] = [
  js`===`,
  js`==`,
  js`!==`,
  js`!=`,
  js`<`,
  js`>`,
  js`<=`,
  js`>=`,
  js`+`,
  js`-`,
  js`*`,
  js`/`,
  js`%`,
  js`**`,
  js`&`,
  js`|`,
  js`^`,
  js`<<`,
  js`>>`,
  js`>>>`,
  js`in`,
  js`&&`,
  js`||`,
  js`??`,
  js`!`,
  js`~`,
  js`++`,
  js`--`,
  js`=`,
  js`+=`,
  js`-=`,
  js`*=`,
  js`/=`,
  js`??=`,
  js`||=`,
  js`&&=`,
]
const operatorCodes: ReadonlyMap<string, Js> = new Map(operators.map((code) => [code, code] as const))

const operatorCode = (operator: string): Js => operatorCodes.get(operator) ?? refuse("this operator")
