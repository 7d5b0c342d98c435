// Finds the variables that a script reads and sets, whether or not the script can be converted. Reads the syntax tree and
// never runs the code.

import { parse, type Node } from "acorn"
import { attempt, memo } from "@callsheet/format"
import type { Script } from "../model.ts"

/** A place where a script reads or sets a variable. */
export interface VariableUse {
  readonly is: "read" | "set"
  readonly variable: string
  /** True if the place is reached whenever the script runs. */
  readonly isCertain: boolean
}

/** Returns the places in the order of the code. Code that isn't valid has none. */
export const variablesOfScript = memo(({ code }: Script): readonly VariableUse[] => {
  const options = {
    ecmaVersion: "latest",
    allowReturnOutsideFunction: true,
    allowAwaitOutsideFunction: true,
  } as const
  const program = attempt(() => parse(code, options))
  return program === undefined ? [] : usesIn(program)
})

interface Visit {
  readonly node: Node
  readonly isCertain: boolean
}

/** Code may nest deeper than the stack, so this keeps a list of its own. */
function usesIn(program: Node): readonly VariableUse[] {
  const uses: VariableUse[] = []
  const work: Visit[] = [{ node: program, isCertain: true }]
  for (let visit = work.pop(); visit !== undefined; visit = work.pop()) {
    const { node, isCertain } = visit
    const use = useOf(node)
    if (use !== undefined) uses.push({ ...use, isCertain })
    const isBranch = branches.has(node.type) || (node.type === "CallExpression" && !isTest(node))
    const inner = nodesIn(node).map((child) => ({
      node: child,
      isCertain: isCertain && !(isBranch && mayBeSkipped(child, node)),
    }))
    work.push(...inner.toReversed())
  }
  return uses
}

const branches = new Set(
  `IfStatement ConditionalExpression LogicalExpression SwitchCase CatchClause ForStatement ForInStatement
  ForOfStatement WhileStatement FunctionDeclaration`.split(/\s+/),
)

/** The function of a test runs at once. Other functions may run later, or never. */
const isTest = (node: Node): boolean => {
  const name = nameOf(member(node, "callee"))
  return name === "pm.test" || name === "insomnia.test" || name === "test"
}

function mayBeSkipped(child: Node, parent: Node): boolean {
  if (parent.type === "CallExpression") return /Function/.test(child.type)
  return child !== member(parent, "test") && child !== member(parent, "left")
}

function useOf(node: Node): Pick<VariableUse, "is" | "variable"> | undefined {
  if (node.type !== "CallExpression") return undefined
  const name = nameOf(member(node, "callee")) ?? ""
  const [, verb] =
    /^(?:(?:pm|insomnia)\.(?:environment|collectionVariables|globals|variables|baseEnvironment)|postman|bru)\.(get|set)(?:\w*Var|\w*Variable)?$/.exec(
      name,
    ) ?? []
  const [first] = (node as Node & { readonly arguments: readonly Node[] }).arguments
  const variable = first === undefined ? undefined : valueOf(first)
  return verb === undefined || variable === undefined
    ? undefined
    : { is: verb === "set" ? "set" : "read", variable }
}

function valueOf(node: Node): string | undefined {
  const value: unknown = Object.getOwnPropertyDescriptor(node, "value")?.value
  return node.type === "Literal" && typeof value === "string" ? value : undefined
}

/** Returns `pm.environment.set` for member accesses by name. */
function nameOf(node: Node | undefined): string | undefined {
  const words: string[] = []
  let at = node
  for (; at?.type === "MemberExpression"; at = member(at, "object")) {
    const property = member(at, "property")
    if (property?.type !== "Identifier") return undefined
    words.unshift((property as Node & { readonly name: string }).name)
  }
  return at?.type === "Identifier"
    ? [(at as Node & { readonly name: string }).name, ...words].join(".")
    : undefined
}

const member = (node: Node, key: string): Node | undefined => {
  const value: unknown = Object.getOwnPropertyDescriptor(node, key)?.value
  return isNode(value) ? value : undefined
}

const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && "type" in value && "start" in value

/** Returns the nodes right below a node, in the order of the code. */
const nodesIn = (node: Node): readonly Node[] =>
  Object.values(node)
    .flat()
    .filter(isNode)
    .toSorted((a, b) => a.start - b.start)
