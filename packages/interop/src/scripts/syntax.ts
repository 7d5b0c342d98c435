// Reads the syntax trees of scripts: names such as `pm.response.json`, keys of members, and the nodes inside a node.

import type { Expression, Node, SpreadElement, Statement, Super } from "acorn"

export type AnyNode = Expression | SpreadElement | Super | Statement | Node

export type Call = Extract<Expression, { type: "CallExpression" }>
export type Member = Extract<Expression, { type: "MemberExpression" }>
export type FunctionNode = Extract<Expression, { type: "FunctionExpression" | "ArrowFunctionExpression" }>

/** Returns the node with the members of its type. acorn's types leave them open in some places. */
export function asType<K extends Expression["type"] | Statement["type"]>(
  node: AnyNode | null | undefined,
  type: K,
): Extract<Expression | Statement, { type: K }> | undefined {
  return node?.type === type ? (node as Extract<Expression | Statement, { type: K }>) : undefined
}

/** No name of an API has more parts, and a limit keeps long chains cheap. */
const MAX_PARTS = 12

/** Returns `pm.response.json` for member accesses by name. `insomnia` has the members of `pm`. */
export function nameOf(node: AnyNode): string | undefined {
  const parts: string[] = []
  let at: AnyNode = node
  while (parts.length < MAX_PARTS) {
    const own = asType(at, "Identifier")
    if (own !== undefined) return [own.name === "insomnia" ? "pm" : own.name, ...parts].join(".")
    const chain = asType(at, "ChainExpression")
    const member = asType(chain?.expression ?? at, "MemberExpression")
    const key = member === undefined ? undefined : keyOf(member)
    if (member === undefined || key === undefined) return undefined
    parts.unshift(key)
    at = member.object
  }
  return undefined
}

/** Returns the key of a member that is known without running the code. */
export function keyOf({ property, computed }: Member): string | undefined {
  if (!computed) return property.type === "Identifier" ? property.name : undefined
  if (property.type !== "Literal") return undefined
  return typeof property.value === "string" || typeof property.value === "number"
    ? String(property.value)
    : undefined
}

export const functionOf = (node: AnyNode | undefined): FunctionNode | undefined =>
  asType(node, "FunctionExpression") ?? asType(node, "ArrowFunctionExpression")

/** Returns the statements of a function. An arrow function may be a single expression. */
export function bodyOf(given: FunctionNode): readonly Statement[] | undefined {
  return given.body.type === "BlockStatement" ? given.body.body : undefined
}

/** Calls `visit` for a node and every node in it. `visit` returns false to leave out what is inside. */
export function walk(node: AnyNode, visit: (node: AnyNode) => boolean | void): void {
  const work: AnyNode[] = [node]
  for (let at = work.pop(); at !== undefined; at = work.pop()) {
    if (visit(at) === false) continue
    const inner = Object.values(at).flat().filter(isNode)
    work.push(...inner.toReversed())
  }
}

const isNode = (value: unknown): value is AnyNode =>
  typeof value === "object" && value !== null && "type" in value && typeof value.type === "string"

/** Returns whether a node is or contains one that `is` accepts. */
export function contains(node: AnyNode, is: (node: AnyNode) => boolean): boolean {
  let isFound = false
  walk(node, (one) => {
    isFound ||= is(one)
    return !isFound
  })
  return isFound
}

/** Returns the names that a pattern declares. */
export function namesIn(pattern: AnyNode): readonly string[] {
  const names: string[] = []
  walk(pattern, (node) => {
    const property = node.type === "Property" ? (node as { readonly value?: AnyNode }).value : undefined
    if (property !== undefined) {
      names.push(...namesIn(property))
      return false
    }
    const assigned =
      node.type === "AssignmentPattern" ? (node as { readonly left?: AnyNode }).left : undefined
    if (assigned !== undefined) {
      names.push(...namesIn(assigned))
      return false
    }
    const own = asType(node, "Identifier")
    if (own !== undefined) names.push(own.name)
    return true
  })
  return names
}
