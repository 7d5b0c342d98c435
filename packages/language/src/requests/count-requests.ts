// Counts how many requests a workflow sends to each API, by method. The counts are minimums, based only on the blocks.

import {
  type Block,
  type BlockKind,
  type Blocks,
  type BlockTypes,
  getOrCreate,
  hasTokens,
  isJsonArray,
  type JsonValue,
  type LoopBlock,
  type LoopChain,
  parsePathOnce,
  type RequestBlock,
  resolveSegments,
  walkBlocks,
} from "@callsheet/format"
import { iteratorNamed } from "../scope/rules.ts"

interface CountedWorkflow {
  readonly blocks: Blocks
  /** The inputs, including defaults. They determine how often a `forEach` over an input repeats. */
  readonly inputs: ReadonlyMap<string, JsonValue>
  /** Returns whether the run ends in the first iteration of the loop. */
  readonly isOnce?: (loop: LoopBlock) => boolean
  /** Returns the method of a request. Undefined if it is known only at run time. */
  readonly methodOf: (block: RequestBlock) => string | undefined
}

export interface RequestCount {
  /** The number of requests if nothing fails. Redirects, other branches and more iterations add to it. */
  readonly atLeast: number
  /** Every method that may be sent, with safe methods first and the unknown method last. */
  readonly methods: readonly MethodCount[]
}

interface MethodCount {
  /** Absent if the method is known only at run time. */
  readonly method?: string | undefined
  /** May be 0. */
  readonly atLeast: number
}

/**
 * Counts guaranteed requests by API: the guaranteed iterations of a loop, one iteration of `until`, and the smaller
 * branch of a condition.
 */
export function countRequests(workflow: CountedWorkflow): ReadonlyMap<string, RequestCount> {
  const known = new Map<Block, Counts>()
  const sumOf = (blocks: Blocks): Counts => sum(blocks.flatMap((block) => known.get(block) ?? []))
  // Count from last to first, so that nested blocks come before their container.
  for (const { block, loops } of [...walkBlocks(workflow.blocks)].toReversed())
    known.set(block, count(block, { ...workflow, loops, sumOf }))
  return byApi(sumOf(workflow.blocks))
}

export function addCounts(counts: readonly RequestCount[]): RequestCount {
  const all = counts.map(({ atLeast, methods }) => {
    const byMethod = methods.map(
      ({ method, atLeast: least }) => [keyOf("", method ?? unknown), least] as const,
    )
    return new Map([[keyOf("", ""), atLeast], ...byMethod])
  })
  return byApi(sum(all)).get("") ?? { atLeast: 0, methods: [] }
}

/** Returns the count of a workflow that runs several times. */
export const multiplyCount = ({ atLeast, methods }: RequestCount, times: number): RequestCount => ({
  atLeast: capped(atLeast * times),
  methods: methods.map((method) => ({ ...method, atLeast: capped(method.atLeast * times) })),
})

const reading = new Set(["GET", "HEAD", "OPTIONS", "TRACE", "QUERY"])

/** Returns whether requests of a method may change data. An unknown method may. */
const mayWrite = (method: string | undefined): boolean => method === undefined || !reading.has(method)

/** The counts by API and method. An empty method stands for all requests of the API. */
type Counts = ReadonlyMap<string, number>

/** Returns a unique key, because API names never contain spaces. */
const keyOf = (api: string, method: string): string => `${api} ${method}`

/** The key of the unknown method, which can't be a real method because of its space. */
const unknown = "not known"

/**
 * Limits a count to the largest safe integer, because nested loops can exceed it. A smaller minimum is still correct.
 */
const capped = (count: number): number => Math.min(count, Number.MAX_SAFE_INTEGER)

function sum(all: readonly Counts[]): Counts {
  const total = new Map<string, number>()
  for (const counts of all)
    for (const [key, atLeast] of counts) total.set(key, capped((total.get(key) ?? 0) + atLeast))
  return total
}

interface Counting extends CountedWorkflow {
  readonly loops: LoopChain | undefined
  readonly sumOf: (blocks: Blocks) => Counts
}

type Counter<K extends BlockKind> = (block: BlockTypes[K], counting: Counting) => Counts
const nothing = (): Counts => new Map()

const counters: { readonly [K in BlockKind]: Counter<K> } = {
  request: (block, { methodOf }) => {
    const { api } = block.request
    return new Map([keyOf(api, ""), keyOf(api, methodOf(block) ?? unknown)].map((key) => [key, 1]))
  },
  group: ({ blocks }, { sumOf }) => sumOf(blocks),
  condition: (block, { sumOf }) => smaller(sumOf(block.then), sumOf(block.else ?? [])),
  loop: (block, counting) => {
    const all = iterations(block, counting)
    const times = all !== undefined && counting.isOnce?.(block) === true ? Math.min(all, 1) : all
    const once = times === 0 ? nothing() : counting.sumOf(block.blocks)
    return new Map([...once].map(([key, atLeast]) => [key, capped(atLeast * (times ?? 0))]))
  },
  assert: nothing,
  transform: nothing,
  script: nothing,
}

const count = <K extends BlockKind>(block: Block<K>, counting: Counting): Counts =>
  counters[block.type as K](block, counting)

/** Returns the minimum of two branches by API and method. A method in only one of them has 0. */
const smaller = (one: Counts, other: Counts): Counts =>
  new Map(
    [...one.keys(), ...other.keys()].map((key) => [key, Math.min(one.get(key) ?? 0, other.get(key) ?? 0)]),
  )

/** Returns the guaranteed number of iterations. Undefined if there may be none. */
function iterations(loop: LoopBlock, counting: Counting): number | undefined {
  switch (loop.mode) {
    case "times":
      return loop.count
    case "until":
      return 1
    case "forEach":
      return itemsOf(loop.source, counting)
  }
}

/** Iterators shadow inputs of the same name. */
function itemsOf(source: string, { inputs, loops }: Counting): number | undefined {
  const parsed = hasTokens(source) ? undefined : parsePathOnce(source)
  if (parsed?.ok !== true) return undefined
  const [first] = parsed.segments
  const input = iteratorNamed(loops, first) === undefined ? inputs.get(first) : undefined
  const found = input === undefined ? undefined : resolveSegments(input, parsed.segments, 1)
  return found?.found === true && isJsonArray(found.value) ? found.value.length : undefined
}

function byApi(counts: Counts): ReadonlyMap<string, RequestCount> {
  const apis = new Map<string, { atLeast: number; methods: MethodCount[] }>()
  for (const [key, atLeast] of counts) {
    const [, api = "", method] = /^(\S*) (.*)$/.exec(key) ?? []
    const count = getOrCreate(apis, api, () => ({ atLeast: 0, methods: [] }))
    if (method === "") count.atLeast = atLeast
    else count.methods.push({ atLeast, ...(method === unknown ? {} : { method }) })
  }
  for (const { methods } of apis.values()) methods.sort(byMethod)
  return apis
}

const order = [...reading, "POST", "PUT", "PATCH", "DELETE"]
const rank = ({ method }: MethodCount): number => {
  if (method === undefined) return order.length + 1
  const at = order.indexOf(method)
  return at === -1 ? order.length : at
}
const byMethod = (one: MethodCount, other: MethodCount): number => rank(one) - rank(other)

/** Formats a count: `at least 1,000 requests`. */
export const requestWords = ({ atLeast }: RequestCount): string =>
  `at least ${inDigits(atLeast)} request${atLeast === 1 ? "" : "s"}`

/** Describes each method that may be sent: `POST 2`, or `perhaps DELETE`. Methods that are certain come first. */
export function methodWords({ atLeast, methods }: RequestCount) {
  const certain = methods.filter((method) => method.atLeast > 0)
  const words = [...certain, ...methods.filter((method) => method.atLeast === 0)].map((count) => ({
    name: count.method ?? "methods known only at run time",
    text: wordsOf(count),
    mayWrite: mayWrite(count.method),
  }))
  // The branches of a condition may use different methods, so the total may exceed the sum over certain methods.
  const more = atLeast - certain.reduce((sum, method) => sum + method.atLeast, 0)
  return more > 0 ? [...words, { name: "", text: `${inDigits(more)} more of these`, mayWrite: false }] : words
}

function wordsOf({ method, atLeast }: MethodCount): string {
  const least = inDigits(atLeast)
  if (method !== undefined) return atLeast === 0 ? `perhaps ${method}` : `${method} ${least}`
  return `${atLeast === 0 ? "perhaps some" : least} whose method is known only at run time`
}

const inDigits = (count: number): string => count.toLocaleString("en-US")
