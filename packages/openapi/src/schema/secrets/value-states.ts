// The state of a value: the set of schemas that may describe it. Finds the secrets in the value.

import {
  getOrCreate,
  isJsonArray,
  type JsonArray,
  type JsonObject,
  type JsonValue,
  once,
} from "@callsheet/format"
import { member, textMember } from "../../document/located.ts"
import { namedSchema } from "../discriminator.ts"
import { matchesPattern } from "../patterns/create-pattern.ts"
import { type NodeLinks, type SecretNode, secretNodeOf } from "./secret-nodes.ts"

interface ValueState {
  readonly isSecret: boolean
  /** The only members that may contain secrets. Undefined if there are many or if they are unknown. */
  readonly names: readonly string[] | undefined
  /** Returns the state of a member, or undefined if it can't contain a secret. */
  readonly property: (name: string) => ValueState | undefined
  readonly item: (index: number) => ValueState | undefined
  /** Returns the state with the schemas added that the value names. */
  readonly of: (value: JsonValue) => ValueState
}

type MaybeNodes = readonly (SecretNode | undefined)[]

/** Returns the state of a value that these schemas may describe. Undefined if none of them leads to a mark. */
export type ValueStates = (nodes: MaybeNodes) => ValueState | undefined

/** The maximum number of schemas in cached states, so that a malicious body can't exhaust memory. */
const MAX_REMEMBERED = 500_000

export function createValueStates(): ValueStates {
  const states = new Map<string, SchemaState>()
  let size = 0
  const stateOf: ValueStates = (roots) => {
    const members = closure(roots)
    if (members.length === 0) return undefined
    if (members.some(({ isMarked }) => isMarked)) return secret
    const key = members.map(({ id }) => id).join(" ")
    const known = states.get(key)
    if (known !== undefined) return known
    size += members.length
    if (size > MAX_REMEMBERED) {
      for (const one of states.values()) one.forget()
      states.clear()
      size = members.length
    }
    const state = new SchemaState(members, stateOf)
    states.set(key, state)
    return state
  }
  return stateOf
}

const mayLead = (node: SecretNode | undefined): node is SecretNode =>
  node !== undefined && node.leads !== false

/** Returns all schemas of the same value, in an order that doesn't depend on the path to them. */
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

/** The maximum length of a chain of schemas that a value names. If a chain is longer, the whole value is secret. */
const MAX_NAMED = 20

class SchemaState implements ValueState {
  readonly isSecret = false
  readonly #members: readonly SecretNode[]
  readonly #stateOf: ValueStates
  readonly #links: readonly NodeLinks[]
  readonly #hasPatterns: boolean
  readonly #isOpen: boolean
  /** The number of leading items with their own schemas. */
  readonly #firstItems: number
  /** The states by name. All names that aren't listed share one state, under undefined. */
  readonly #properties = new Map<string | undefined, ValueState | undefined>()
  readonly #items = new Map<number, ValueState | undefined>()
  readonly #names = once(() => fewNames(this.#links))

  constructor(members: readonly SecretNode[], stateOf: ValueStates) {
    this.#members = members
    this.#stateOf = stateOf
    this.#isOpen = members.some(({ discriminator }) => discriminator !== undefined)
    this.#links = members.map((node) => node.links())
    this.#hasPatterns = this.#links.some(({ patterns }) => patterns.length > 0)
    this.#firstItems = this.#links.reduce((max, { firstItems }) => Math.max(max, firstItems.length), 0)
  }

  forget(): void {
    this.#properties.clear()
    this.#items.clear()
  }

  get names(): readonly string[] | undefined {
    return this.#names()
  }

  property(name: string): ValueState | undefined {
    const isListed = this.#properties.has(name) || this.#links.some(({ properties }) => properties.has(name))
    const key = isListed ? name : undefined
    const find = () => this.#join((links) => propertyNodes(links, name))
    return isListed || !this.#hasPatterns ? getOrCreate(this.#properties, key, find) : find()
  }

  item(index: number): ValueState | undefined {
    const place = Math.min(index, this.#firstItems)
    const nodesAt = ({ firstItems, otherItems, anyItems }: NodeLinks): MaybeNodes => [
      ...(place < firstItems.length ? [firstItems[place]] : otherItems),
      ...anyItems,
    ]
    return getOrCreate(this.#items, place, () => this.#join(nodesAt))
  }

  #join(nodesOf: (links: NodeLinks) => MaybeNodes): ValueState | undefined {
    return this.#stateOf(this.#links.flatMap(nodesOf))
  }

  of(value: JsonValue): ValueState {
    return this.#isOpen ? this.#withNamed(value, MAX_NAMED) : this
  }

  #withNamed(value: JsonValue, left: number): ValueState {
    const named = this.#members.flatMap(({ discriminator }) => {
      if (discriminator === undefined) return []
      const name = textMember(value, discriminator.property)
      const schema = name === undefined ? undefined : namedSchema(discriminator.holder, name)
      return schema === undefined ? [] : [secretNodeOf(schema)]
    })
    const state = this.#stateOf([...this.#members, ...named])
    const isMore = state instanceof SchemaState && state.#members.length > this.#members.length
    if (!isMore) return state ?? this
    return left === 0 ? secret : state.#withNamed(value, left - 1)
  }
}

/** The maximum number of names to look up. With more, the names of the object are looked up instead. */
const FEW = 16

function fewNames(links: readonly NodeLinks[]): readonly string[] | undefined {
  if (links.some(mayHoldUnlisted)) return undefined
  const names = new Set<string>()
  for (const { properties } of links) {
    for (const [name, node] of properties) {
      if (!mayLead(node)) continue
      names.add(name)
      if (names.size > FEW) return undefined
    }
  }
  return [...names]
}

const mayHoldUnlisted = ({ patterns, otherProperties }: NodeLinks): boolean =>
  otherProperties.some(mayLead) || patterns.some(([, node]) => mayLead(node))

function propertyNodes({ properties, patterns, otherProperties }: NodeLinks, name: string): MaybeNodes {
  const matches = patterns.map(([pattern]) => matchesPattern(pattern, name))
  const matching = patterns.filter((_, index) => matches[index] !== false)
  const own = [properties.get(name), ...matching.map(([, node]) => node)]
  return properties.has(name) || matches.includes(true) ? own : [...own, ...otherProperties]
}

/** Yields the secrets of a value in a state. Booleans, null and empty strings are not secrets. */
export function* secretValues(
  body: JsonValue,
  state: ValueState | undefined,
): Generator<string | number | bigint> {
  const work: OpenValue[] = []
  add(work, body, state)
  for (let next = work.pop(); next !== undefined; next = work.pop()) {
    const { value } = next
    if (typeof value === "object" && value !== null) addInner(work, value, next.state.of(value))
    else if (typeof value !== "boolean" && value !== null && value !== "") yield value
  }
}

interface OpenValue {
  readonly value: JsonValue
  readonly state: ValueState
}

function add(work: OpenValue[], value: JsonValue, state: ValueState | undefined): void {
  const mayHold = state !== undefined && (state.isSecret || (typeof value === "object" && value !== null))
  if (mayHold) work.push({ value, state })
}

function addInner(work: OpenValue[], value: JsonArray | JsonObject, state: ValueState): void {
  if (isJsonArray(value)) for (const [index, item] of value.entries()) add(work, item, state.item(index))
  else for (const [name, inner] of membersIn(value, state)) add(work, inner, state.property(name))
}

const membersIn = (value: JsonObject, { names }: ValueState): readonly (readonly [string, JsonValue])[] =>
  names === undefined
    ? Object.entries(value)
    : names.flatMap((name) => {
        const inner = member(value, name)
        return inner === undefined ? [] : [[name, inner] as const]
      })
