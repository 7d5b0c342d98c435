// One question asked of a schema and of all that speak of the same value beside it; each is asked once.

import type { SchemaNode, SchemaPart } from "./schema-nodes.ts"

export interface Branch<R> {
  readonly node: SchemaNode
  readonly result: R
}

/** A question: what a schema's own keywords answer, and how answers are joined. */
interface Question<R> extends Record<Exclude<SchemaPart["joins"], "all">, Join<R>> {
  readonly own: (node: SchemaNode) => R
  readonly all: (results: readonly R[]) => R
  /** The answer that claims nothing: of schemas that cannot be known, that lead into themselves, or nest without end. */
  readonly unknown: R
}

type Join<R> = (branches: readonly Branch<R>[]) => R

/** Schemas inside schemas (`allOf` of `allOf`) and chains of references beyond this depth are not looked at. */
const MAX_DEPTH = 100
/** Nor is more than this for one question. */
const MAX_VISITS = 5_000

interface Walk {
  visits: number
  readonly depths: Map<SchemaNode, number>
  /** The depth of the outermost schema, still unanswered, that the answers at hand have left out. */
  leftOut: number
}

/** Makes a function that answers the question for any node. */
export function createFold<R>(question: Question<R>): (node: SchemaNode) => R {
  const answers = new Map<SchemaNode, R>()
  const visit = (node: SchemaNode, walk: Walk): R => {
    const known = answers.get(node)
    if (known !== undefined) return known
    const depth = walk.depths.get(node)
    if (depth !== undefined) {
      walk.leftOut = Math.min(walk.leftOut, depth)
      return question.unknown
    }
    if (walk.depths.size >= MAX_DEPTH || ++walk.visits > MAX_VISITS) return question.unknown
    return answer(node, walk)
  }
  const answer = (node: SchemaNode, walk: Walk): R => {
    const depth = walk.depths.size
    const outer = walk.leftOut
    walk.depths.set(node, depth)
    walk.leftOut = Infinity
    const result = ask(question, node, (part) => visit(part, walk))
    walk.depths.delete(node)
    // An answer that leaves out a schema around it is good there alone; elsewhere it would claim too little.
    if (walk.leftOut >= depth) {
      answers.set(node, result)
      walk.leftOut = outer
    } else walk.leftOut = Math.min(walk.leftOut, outer)
    return result
  }
  return (node) => visit(node, { visits: 0, depths: new Map(), leftOut: Infinity })
}

function ask<R>(question: Question<R>, node: SchemaNode, visit: (node: SchemaNode) => R): R {
  if (node.schema === undefined) return question.unknown
  const own = question.own(node)
  const results: R[] = []
  for (const { joins, nodes } of node.parts()) {
    if (joins === "all") for (const part of nodes) results.push(visit(part))
    else results.push(question[joins](nodes.map((part) => ({ node: part, result: visit(part) }))))
  }
  return results.length === 0 ? own : question.all([own, ...results])
}
