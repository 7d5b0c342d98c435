// Reads a chain of assertions: `pm.expect(a).to.have.property("b").that.is.a("string")`.

import { asType, nameOf, type AnyNode } from "./syntax.ts"
import { expectations } from "./vocabulary.ts"

interface Word {
  readonly word: string
  /** The arguments, if the word is called. */
  readonly given?: readonly AnyNode[]
}

export interface Chain {
  readonly root: { readonly is: "response" } | { readonly is: "value"; readonly value: AnyNode }
  readonly words: readonly Word[]
}

/** Returns the chain. Undefined if the expression is something else. */
export function chainOf(node: AnyNode): Chain | undefined {
  const words: Word[] = []
  let at: AnyNode = node
  while (words.length < MAX_WORDS) {
    const call = asType(at, "CallExpression")
    const member = asType(call?.callee ?? at, "MemberExpression")
    const [subject] = call?.arguments ?? []
    if (call !== undefined && expectations.has(nameOf(call.callee) ?? ""))
      return subject === undefined || words.length === 0
        ? undefined
        : { root: { is: "value", value: subject }, words }
    if (call === undefined && nameOf(at) === "pm.response")
      return words.length === 0 || !isResponseChain(words) ? undefined : { root: { is: "response" }, words }
    if (member === undefined || member.computed || member.property.type !== "Identifier") return undefined
    words.unshift({ word: member.property.name, ...(call === undefined ? {} : { given: call.arguments }) })
    at = member.object
  }
  return undefined
}

const MAX_WORDS = 50

/** `pm.response.to.have.status(200)` is an assertion, `pm.response.json()` a value. */
const isResponseChain = ([first]: readonly Word[]): boolean => first?.word === "to"
