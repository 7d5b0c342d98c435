// How many requests a workflow sends to which API at least, and by which methods: counted from its blocks alone.

import {
  type Block,
  type BlockKind,
  type Blocks,
  type BlockTypes,
  getOrCreate,
  hasTokens,
  isJsonArray,
  iterates,
  type JsonValue,
  type LoopBlock,
  parsePathOnce,
  type RequestBlock,
  resolveSegments,
} from "@callsheet/format"

interface CountedWorkflow {
  readonly blocks: Blocks
  /** Inputs, with their defaults: a `forEach` over one of them is as long as it is. */
  readonly inputs: ReadonlyMap<string, JsonValue>
  /** Whether the run ends inside a loop, after its first iteration. */
  readonly isOnce?: (loop: LoopBlock) => boolean
  /** Undefined where only the run knows: where a token names the operation. */
  readonly methodOf: (block: RequestBlock) => string | undefined
}

export interface RequestCount {
  /** What the run sends where nothing fails; redirects, other branches and longer loops come on top. */
  readonly atLeast: number
  /** Every method that may be sent: reading ones first, the unknown one last. */
  readonly methods: readonly MethodCount[]
}

interface MethodCount {
  /** Absent: known only at run time. */
  readonly method?: string
  /** 0 where the run may send none. */
  readonly atLeast: number
}

/** Counts requests by API, at least: a loop as often as it surely runs, `until` once, a condition as its smaller branch. */
export function countRequests(workflow: CountedWorkflow): ReadonlyMap<string, RequestCount> {
  return byApi(countBlocks(workflow))
}

export function addCounts(counts: readonly RequestCount[]): RequestCount {
  const sum: Counts = new Map()
  for (const { atLeast, methods } of counts) {
    add(sum, { api: "" }, atLeast)
    for (const { method, atLeast: least } of methods) add(sum, { api: "", method: method ?? unknown }, least)
  }
  return byApi(sum).get("") ?? { atLeast: 0, methods: [] }
}

const reading = new Set(["GET", "HEAD", "OPTIONS", "TRACE", "QUERY"])

/** Whether requests of a method may change what is there; one that is not known may. */
const mayWrite = (method: string | undefined): boolean => method === undefined || !reading.has(method)

/** Of an API as a whole (no method), and of each of its methods. */
type Counts = Map<string, { readonly of: Counted; atLeast: number }>
interface Counted {
  readonly api: string
  readonly method?: string
}

/** No method's name: it holds blanks. */
const unknown = "not known"

function add(counts: Counts, of: Counted, atLeast: number): void {
  const known = getOrCreate(counts, `${of.api} ${of.method ?? ""}`, () => ({ of, atLeast: 0 }))
  // Loops in loops pass what a number can count; it stays true that there are at least so many.
  known.atLeast = Math.min(known.atLeast + atLeast, Number.MAX_SAFE_INTEGER)
}

interface Step {
  readonly blocks: Blocks
  at: number
  readonly into: Counts
  readonly loops: Loops | undefined
  readonly leave?: () => void
}

/** The names that iterators have around a block: they hide inputs. */
interface Loops {
  readonly name: string | undefined
  readonly outer: Loops | undefined
}

interface Counting extends CountedWorkflow {
  readonly step: Step
  readonly enter: (step: Omit<Step, "at" | "loops">) => void
}

// Iterative: blocks may nest deeper than the stack.
function countBlocks(workflow: CountedWorkflow): Counts {
  const total: Counts = new Map()
  const work: Step[] = [{ blocks: workflow.blocks, at: 0, into: total, loops: undefined }]
  for (let step = work.at(-1); step !== undefined; step = work.at(-1)) {
    const block = step.blocks[step.at++]
    if (block === undefined) {
      work.pop()
      step.leave?.()
      continue
    }
    const inner = iterates(block) ? { name: block.iteratorVar, outer: step.loops } : step.loops
    const enter: Counting["enter"] = (next) => work.push({ ...next, at: 0, loops: inner })
    count(block, { ...workflow, step, enter })
  }
  return total
}

type Counter<K extends BlockKind> = (block: BlockTypes[K], counting: Counting) => void
const nothing = (): void => {}

const counters: { readonly [K in BlockKind]: Counter<K> } = {
  request: (block, { step, methodOf }) => {
    const { api } = block.request
    add(step.into, { api }, 1)
    add(step.into, { api, method: methodOf(block) ?? unknown }, 1)
  },
  group: ({ blocks }, { step, enter }) => enter({ blocks, into: step.into }),
  condition: (block, { step, enter }) => {
    const met: Counts = new Map()
    const unmet: Counts = new Map()
    const leave = (): void => addSmaller(step.into, met, unmet)
    // The last one that is entered is counted first.
    enter({ blocks: block.else ?? [], into: unmet, leave })
    enter({ blocks: block.then, into: met })
  },
  loop: (block, { step, enter, inputs, isOnce }) => {
    const all = iterations(block, { inputs, loops: step.loops })
    const times = all !== undefined && isOnce?.(block) === true ? Math.min(all, 1) : all
    if (times === 0) return
    const once: Counts = new Map()
    const leave = (): void => {
      for (const { of, atLeast } of once.values()) add(step.into, of, atLeast * (times ?? 0))
    }
    enter({ blocks: block.blocks, into: once, leave })
  },
  assert: nothing,
  transform: nothing,
  script: nothing,
}

const count = <K extends BlockKind>(block: Block<K>, counting: Counting): void =>
  counters[block.type as K](block, counting)

/** What both branches send at least; what only one of them may send is kept with 0. */
function addSmaller(into: Counts, one: Counts, other: Counts): void {
  for (const [key, { of, atLeast }] of one) add(into, of, Math.min(atLeast, other.get(key)?.atLeast ?? 0))
  for (const [key, { of }] of other) if (!one.has(key)) add(into, of, 0)
}

interface LoopScope extends Pick<CountedWorkflow, "inputs"> {
  readonly loops: Loops | undefined
}

/** How often a loop runs for certain; undefined where it may be never. */
function iterations(loop: LoopBlock, scope: LoopScope): number | undefined {
  switch (loop.mode) {
    case "times":
      return loop.count
    case "until":
      return 1
    case "forEach":
      return itemsOf(loop.source, scope)
  }
}

function itemsOf(source: string, { inputs, loops }: LoopScope): number | undefined {
  const parsed = hasTokens(source) ? undefined : parsePathOnce(source)
  if (parsed?.ok !== true) return undefined
  const [first] = parsed.segments
  for (let loop = loops; loop !== undefined; loop = loop.outer) if (loop.name === first) return undefined
  const input = inputs.get(first)
  const found = input === undefined ? undefined : resolveSegments(input, parsed.segments, 1)
  return found?.found === true && isJsonArray(found.value) ? found.value.length : undefined
}

function byApi(counts: Counts): ReadonlyMap<string, RequestCount> {
  const apis = new Map<string, { atLeast: number; methods: MethodCount[] }>()
  for (const { of, atLeast } of counts.values()) {
    const count = getOrCreate(apis, of.api, () => ({ atLeast: 0, methods: [] }))
    if (of.method === undefined) count.atLeast = atLeast
    else count.methods.push(of.method === unknown ? { atLeast } : { method: of.method, atLeast })
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

interface MethodWords {
  readonly name: string
  /** `POST 2`, or `perhaps DELETE`. */
  readonly text: string
  readonly mayWrite: boolean
}

/** `at least 1,000 requests`. */
export const requestWords = ({ atLeast }: RequestCount): string =>
  `at least ${inDigits(atLeast)} request${atLeast === 1 ? "" : "s"}`

/** A word or two for each method that may be sent; those that are sent for certain come first. */
export function methodWords({ atLeast, methods }: RequestCount): readonly MethodWords[] {
  const certain = methods.filter((method) => method.atLeast > 0)
  const words = [...certain, ...methods.filter((method) => method.atLeast === 0)].map((count) => ({
    name: count.method ?? "methods known only at run time",
    text: wordsOf(count),
    mayWrite: mayWrite(count.method),
  }))
  // Of two branches one is taken, and nobody knows which: what both send is of neither's method.
  const more = atLeast - certain.reduce((sum, method) => sum + method.atLeast, 0)
  return more > 0 ? [...words, { name: "", text: `${inDigits(more)} more of these`, mayWrite: false }] : words
}

function wordsOf({ method, atLeast }: MethodCount): string {
  const least = inDigits(atLeast)
  if (method !== undefined) return atLeast === 0 ? `perhaps ${method}` : `${method} ${least}`
  return `${atLeast === 0 ? "perhaps some" : least} whose method is known only at run time`
}

const inDigits = (count: number): string => count.toLocaleString("en-US")
