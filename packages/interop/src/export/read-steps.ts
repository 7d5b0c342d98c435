// Walks a workflow once. Returns its steps, with the requests that a run would send.

import {
  hasResponse,
  scriptsOf,
  type Assertion,
  type Block,
  type BlockKind,
  type Blocks,
  type BlockTypes,
  type LoopBlock,
  type RequestBlock,
  type ResolvedEnvironment,
} from "@callsheet/format"
import { exportReasons as reasons } from "./messages.ts"
import type { Check, Exported, ExportSource, LoopStep, Ref, Step } from "./model.ts"
import type { InboxReads } from "./inbox-reads.ts"
import { Marks, type Place } from "./marks.ts"
import { requestOf } from "./read-request.ts"

export interface Walk extends Pick<Exported, "lose"> {
  readonly source: ExportSource
  readonly marks: Marks
  readonly inbox: InboxReads
  /** Returns whether a value is filled in. */
  readonly fills: (ref: Ref) => boolean
}

interface Here {
  readonly place: Place
  /** The names of the blocks around. */
  readonly path: readonly string[]
}

const MAX_DEPTH = 100

/** Reads the steps. No text of them contains a secret. */
export async function readSteps(walk: Walk): Promise<readonly Step[]> {
  const { source, lose } = walk
  if (source.workflow.validateContracts === true) lose(source.name, "validateContracts", reasons.contracts())
  return readList(walk, source.workflow.blocks, { place: { iterators: new Set() }, path: [] })
}

async function readList(walk: Walk, blocks: Blocks, here: Here): Promise<readonly Step[]> {
  const steps: Step[] = []
  for (const block of blocks) {
    const step = await readBlock(walk, block, { ...here, path: [...here.path, block.id] })
    if (step !== undefined) steps.push(step)
  }
  return steps
}

interface Reading<K extends BlockKind> {
  readonly walk: Walk
  readonly block: BlockTypes[K]
  readonly here: Here
  readonly base: Pick<Step, "id" | "where" | "description">
}

type Read<K extends BlockKind> = (reading: Reading<K>) => Promise<Step | undefined> | Step | undefined

const readers: { readonly [K in BlockKind]: Read<K> } = {
  request: async ({ walk, block, here, base }) => {
    const place = { ...here.place, api: block.request.api }
    const request = await buildRequest(walk, block, { where: base.where, place })
    return request && { ...base, kind: "send", request }
  },
  assert: ({ walk, block, here, base }) => {
    const { marks, inbox, lose } = walk
    const checks = (block.assertions ?? []).flatMap((one) =>
      inbox.isRead(one)
        ? (lose(base.where, `assertion ${marks.name(one.source)}`, reasons.inbox()) ?? [])
        : [checkOf(marks, one, here)],
    )
    return { ...base, kind: "check", checks }
  },
  transform: ({ walk, block, here, base }) => {
    const outputs = walk.marks.members(block.transforms ?? {})
    const named = outputs.map(([name, path]) => ({ name, source: walk.marks.path(path, here.place) }))
    return { ...base, kind: "outputs", outputs: named }
  },
  condition: async ({ walk, block, here, base }) => {
    if (block.if === undefined) return undefined
    const then = await readList(walk, block.then, here)
    const otherwise = await readList(walk, block.else ?? [], here)
    return { ...base, kind: "branch", check: checkOf(walk.marks, block.if, here), then, otherwise }
  },
  loop: ({ walk, block, here, base }) => readLoop(walk, block, here, base),
  group: async ({ walk, block, here, base }) => ({
    ...base,
    kind: "section",
    steps: await readList(walk, block.blocks, here),
  }),
  script: () => undefined,
}

async function readBlock<K extends BlockKind>(
  walk: Walk,
  block: Block<K>,
  here: Here,
): Promise<Step | undefined> {
  const { source, marks, inbox, lose } = walk
  const where = marks.mask(`${source.name}: ${here.path.join(" / ")}`)
  if (here.path.length > MAX_DEPTH) return lose(where, `block ${block.type}`, reasons.deep(MAX_DEPTH))
  if (scriptsOf(block).length > 0) return lose(where, `${block.type} script`, reasons.script())
  if (inbox.needs(block)) {
    inbox.leave(block)
    return lose(where, hasResponse(block) ? "request" : `block ${block.type}`, reasons.inbox())
  }
  const description = block.description && marks.mask(block.description)
  const base = { id: marks.name(marks.text(block.id, here.place)), where, description }
  const read: Read<K> = readers[block.type as K]
  return read({ walk, block, here, base })
}

async function readLoop(
  walk: Walk,
  block: LoopBlock,
  here: Here,
  base: Pick<LoopStep, "id" | "where" | "description">,
): Promise<LoopStep | undefined> {
  const { iteratorVar } = block
  const iterators =
    iteratorVar === undefined ? here.place.iterators : new Set([...here.place.iterators, iteratorVar])
  const inner = { ...here, place: { ...here.place, iterators } }
  const over = overOf(walk.marks, block, inner, here)
  if (over === undefined) return undefined
  const isParallel = block.mode !== "until" && block.execution === "parallel"
  return {
    ...base,
    kind: "repeat",
    over,
    iterator: iteratorVar && walk.marks.name(iteratorVar),
    isParallel,
    steps: await readList(walk, block.blocks, inner),
  }
}

function overOf(marks: Marks, block: LoopBlock, inner: Here, outer: Here): LoopStep["over"] | undefined {
  if (block.mode === "times") return { mode: "times", count: block.count }
  if (block.mode === "forEach") return { mode: "forEach", source: marks.path(block.source, outer.place) }
  if (block.until === undefined) return undefined
  const { maxIterations = 100, delayMs = 0 } = block
  return { mode: "until", until: checkOf(marks, block.until, inner), max: maxIterations, delayMs }
}

const checkOf = (marks: Marks, assertion: Assertion, { place }: Here): Check => ({
  source: marks.path(assertion.source, place),
  operator: assertion.operator,
  value: assertion.value === undefined ? undefined : marks.value(assertion.value, place),
})

async function buildRequest(
  walk: Walk,
  block: RequestBlock,
  { where, place }: { where: string; place: Place },
) {
  const { source, marks, inbox, fills, lose } = walk
  const { api } = block.request
  if (inbox.isInbox(api)) return lose(where, "request", reasons.inbox())
  const environment = source.environments.get(api)
  if (environment === undefined) return undefined
  const standInFor = (ref: Ref): string | undefined => (fills(ref) ? undefined : marks.mark(ref))
  let isLeft = false
  const built = await source.build(block, {
    environment: markedEnvironment(environment, marks, standInFor),
    valueOf: (path) => {
      isLeft ||= inbox.isAt(path)
      return standInFor(marks.refer(path, place))
    },
    contentOf: (path) => marks.mark({ kind: "file", path: marks.name(path), isSecret: false }),
  })
  if (isLeft) {
    inbox.leave(block)
    return lose(where, "request", reasons.inbox())
  }
  if (!built.ok) return lose(where, "request", reasons.notBuilt(built.message))
  return requestOf(built, { api, where, marks, nonce: source.nonce, lose })
}

/** Returns the environment with marks in place of the values that aren't filled in. */
function markedEnvironment(
  environment: ResolvedEnvironment,
  marks: Marks,
  standInFor: (ref: Ref) => string | undefined,
): ResolvedEnvironment {
  const variables = [...environment.variables].map(([name, variable]) => {
    const ref = marks.variable(environment.api, name)
    if (ref === undefined || variable.value === "" || name === "timeout") return [name, variable] as const
    const isBase = name === "baseUrl"
    // A URL with a query isn't the start of other URLs.
    if (isBase && String(variable.value).includes("?")) return [name, variable] as const
    const mark = standInFor(ref)
    if (mark === undefined) return [name, variable] as const
    return [name, { ...variable, value: isBase ? `http://${mark}` : mark }] as const
  })
  return { ...environment, variables: new Map(variables) }
}
