// What is known of a value on the way to it: the set of schemas that may describe it. A set is made when a value first needs it.

import type { JsonValue } from "@callsheet/format"
import { textMember } from "../document.ts"
import { matchesPattern } from "../types/matches-pattern.ts"
import type { NodeLinks, SecretNode, SecretNodes } from "./secret-nodes.ts"

export interface ValueState {
  /** Whether the value is secret, with all that is in it. */
  readonly isSecret: boolean
  /** The members that may hold secrets, where these can be listed. */
  readonly names: readonly string[] | undefined
  /** Of a member or an item; undefined where no secret can be in it. */
  readonly property: (name: string) => ValueState | undefined
  readonly item: (index: number) => ValueState | undefined
  /** The same with the schemas that the value itself names. */
  readonly of: (value: JsonValue) => ValueState
}

type MaybeNodes = readonly (SecretNode | undefined)[]

/** Gives the state of a value that these schemas may describe; undefined where none of them leads to a mark. */
export type ValueStates = (nodes: MaybeNodes) => ValueState | undefined

/** More states are not remembered: bodies that are made to need many take longer, not more memory. */
const MAX_REMEMBERED = 10_000

export function createValueStates(nodes: SecretNodes): ValueStates {
  const states = new Map<string, ValueState>()
  const stateOf: ValueStates = (roots) => {
    const members = closure(roots)
    if (members.length === 0) return undefined
    if (members.some(({ isMarked }) => isMarked)) return secret
    const key = members.map(({ id }) => id).join(" ")
    let state = states.get(key)
    if (state === undefined) {
      if (states.size >= MAX_REMEMBERED) states.clear()
      state = new SchemaState(members, { nodes, stateOf })
      states.set(key, state)
    }
    return state
  }
  return stateOf
}

const mayLead = (node: SecretNode | undefined): node is SecretNode =>
  node !== undefined && node.leads !== false

/** With all schemas that speak of the same value; in one order, however they were reached. */
function closure(roots: MaybeNodes): readonly SecretNode[] {
  const members = new Set(roots.filter(mayLead))
  for (const node of members) for (const same of node.links().same) if (mayLead(same)) members.add(same)
  return [...members].sort((a, b) => a.id - b.id)
}

const secret: ValueState = {
  isSecret: true,
  names: undefined,
  property: () => secret,
  item: () => secret,
  of: () => secret,
}

interface Context {
  readonly nodes: SecretNodes
  readonly stateOf: ValueStates
}

/** A value whose schema is named by another schema that its value names, and so on, is secret beyond these. */
const MAX_NAMED = 20

class SchemaState implements ValueState {
  readonly isSecret = false
  readonly names: readonly string[] | undefined
  readonly #members: readonly SecretNode[]
  readonly #context: Context
  readonly #listed: ReadonlySet<string>
  readonly #hasPatterns: boolean
  /** So many items are described one by one. */
  readonly #firstItems: number
  /** By their listed names; undefined stands for all others, which lead to the same. */
  readonly #properties = new Map<string | undefined, ValueState | undefined>()
  readonly #items = new Map<number, ValueState | undefined>()

  constructor(members: readonly SecretNode[], context: Context) {
    this.#members = members
    this.#context = context
    const links = members.map((node) => node.links())
    this.#listed = new Set(links.flatMap(({ properties }) => [...properties.keys()]))
    this.#hasPatterns = links.some(({ patterns }) => patterns.length > 0)
    this.#firstItems = links.reduce((most, { firstItems }) => Math.max(most, firstItems.length), 0)
    if (!links.some(mayHoldUnlisted)) this.names = [...new Set(links.flatMap(leadingNames))]
  }

  property(name: string): ValueState | undefined {
    const make = () => this.#join((links) => propertyNodes(links, name))
    const listed = this.#listed.has(name) ? name : undefined
    return listed === undefined && this.#hasPatterns ? make() : remembered(this.#properties, listed, make)
  }

  item(index: number): ValueState | undefined {
    const place = Math.min(index, this.#firstItems)
    return remembered(this.#items, place, () => this.#join((links) => itemNodes(links, place)))
  }

  #join(nodesOf: (links: NodeLinks) => MaybeNodes): ValueState | undefined {
    return this.#context.stateOf(this.#members.flatMap((node) => nodesOf(node.links())))
  }

  of(value: JsonValue): ValueState {
    let members = this.#members
    for (let step = 0; step < MAX_NAMED; step++) {
      const named = this.#namedBy(value, members)
      const state = named.length === 0 ? this : (this.#context.stateOf([...members, ...named]) ?? this)
      if (!(state instanceof SchemaState) || state.#members.length === members.length) return state
      members = state.#members
    }
    return secret
  }

  #namedBy(value: JsonValue, members: readonly SecretNode[]): MaybeNodes {
    return members.flatMap(({ discriminator }) => {
      const name = discriminator && textMember(value, discriminator.property)
      return name === undefined ? [] : [this.#context.nodes.named(discriminator!, name)]
    })
  }
}

function remembered<K, V>(known: Map<K, V>, key: K, make: () => V): V {
  if (known.has(key)) return known.get(key) as V
  const made = make()
  known.set(key, made)
  return made
}

const mayHoldUnlisted = ({ patterns, otherProperties }: NodeLinks): boolean =>
  otherProperties.some(mayLead) || patterns.some(([, node]) => mayLead(node))

const leadingNames = ({ properties }: NodeLinks): readonly string[] =>
  [...properties].filter(([, node]) => mayLead(node)).map(([name]) => name)

function propertyNodes({ properties, patterns, otherProperties }: NodeLinks, name: string): MaybeNodes {
  const matches = patterns.map(([pattern]) => matchesPattern(pattern, name))
  const matching = patterns.filter((_, index) => matches[index] !== false)
  const own = [properties.get(name), ...matching.map(([, node]) => node)]
  return properties.has(name) || matches.includes(true) ? own : [...own, ...otherProperties]
}

function itemNodes({ firstItems, otherItems, anyItems }: NodeLinks, index: number): MaybeNodes {
  return index < firstItems.length ? [firstItems[index], ...anyItems] : [...otherItems, ...anyItems]
}
