// The context that all block runners share: the plan, the ports, the outlet and the position in the run.

import {
  checkId,
  parseTemplateOnce,
  type Block,
  type BlockSpan,
  type BlockEntered,
  type RequestBlock,
  type RunError,
  type RunTrace,
  type SentSpan,
} from "@callsheet/format"
import { loopGiving, putResult, type BlockResult, type Scope } from "@callsheet/language"
import { createSeededRandom, type DynamicValues } from "./dynamic-values.ts"
import { expandString, expandText, literalText, type Reader } from "./expand.ts"
import type { BlockOutcome } from "./failure.ts"
import { readTime } from "./generated.ts"
import type { RunBaseline } from "../baseline/run-baseline.ts"
import type { Limiter } from "./limiter.ts"
import type { Outlet } from "../outlet/outlet.ts"
import type { Plan } from "../plan/plan.ts"
import type {
  BlockTimes,
  ExpectedResponse,
  OpenInbox,
  Ports,
  Random,
  SpanOpener,
  WireRequest,
} from "../ports.ts"
import type { IterationRecorder } from "./run-results.ts"
import type { RequestTemplate } from "../request/request-template.ts"

export interface RunContext extends Pick<Outlet, "emit" | "secrets" | "keepSecret"> {
  readonly plan: Plan
  readonly ports: Ports
  readonly requests: Limiter
  /** Undefined if no workflow validates contracts, or if the project has no baseline. */
  readonly baseline?: RunBaseline | undefined
  readonly run: number
  readonly nextBlock: () => number
  /** The resolved targets of request blocks without placeholders in their names. */
  readonly templates: Map<RequestBlock, RequestTemplate>
  readonly recorder?: IterationRecorder
  /** Set if the run is traced. */
  readonly tracing?: RunTracing | undefined
  /** The inbox of the run, if it has one. */
  readonly inbox: Pick<OpenInbox, "onExchange" | "arrived"> | undefined
  /** Notes an unexpected error, and ends the run with an error. Returns the failure of the block. */
  readonly noteBug: (error: unknown) => BlockOutcome
  readonly stop: (error: RunError) => void
  /** The positions and messages of earlier warnings, so that a loop doesn't repeat a warning. */
  readonly warned: Set<string>
}

/** The trace of a run. */
export interface RunTracing {
  readonly view: RunTrace
  /** Opens the span of a block. Undefined for a request to production, unless that is traced, too. */
  readonly openBlock: (block: Block, frame: Frame) => BlockSpan | undefined
  /** Adds the headers to a request, unless it sets `traceparent` itself. `count` is the number of earlier ones of the block. */
  readonly stamp: (
    running: Running,
    request: WireRequest,
    count: number,
  ) => { readonly request: WireRequest; readonly span: SentSpan | undefined }
  /** Returns how to open the spans of requests for the tokens of a block. */
  readonly tokenSpans: (running: Running) => SpanOpener | undefined
}

/** The state with which one list of blocks runs. */
export interface Frame {
  readonly context: RunContext
  readonly scope: Scope
  readonly signal: AbortSignal
  readonly parent?: number
  readonly iteration?: number
  /**
   * The number of containers around this list. In deeply nested lists, runners yield from time to time so that the
   * stack unwinds.
   */
  readonly depth: number
  /** Runs blocks in order. A parameter, so that containers don't import the runners of all kinds. */
  readonly runBlocks: (blocks: readonly Block[], frame: Frame) => Promise<ListOutcome>
}

export type ListOutcome = "passed" | "failed" | "cancelled"

export interface Running<B extends Block = Block> {
  readonly block: B
  readonly id: string
  readonly number: number
  readonly frame: Frame
  readonly reader: Reader
  /** Set while the run is recorded or repeats a record. */
  readonly times: BlockTimes | undefined
  /** Set if the block is traced. */
  readonly span: BlockSpan | undefined
  /** Set for a request whose response is compared. */
  readonly expected?: ExpectedResponse | undefined
}

export type BlockRunner<B extends Block> = (running: Running<B>) => Promise<BlockOutcome> | BlockOutcome

/** Expands the placeholders of a block id. A value that can't be part of an id is replaced by the iteration's index. */
function expandId(rawId: string, frame: Frame): string {
  if (!rawId.includes("{{")) return rawId
  const template = parseTemplateOnce(rawId)
  if (!template.ok) return rawId
  const reader: Reader = { scope: frame.scope, dynamic: dynamicValuesOf(rawId, frame) }
  return template.parts
    .map((part) => (typeof part === "string" ? part : idText(literalText(part.inner), reader)))
    .join("")
}

function idText(path: string, reader: Reader): string {
  const expanded = expandString(`{{${path}}}`, reader)
  // A later path could guess an id that contains a withheld secret.
  const isHidden = expanded.ok && expanded.isSecret && reader.scope.run.withheld !== undefined
  const value = expanded.ok && !isHidden ? expanded.value : null
  if (typeof value === "string" && checkId(value) === undefined) return value
  if (typeof value === "number" || typeof value === "bigint" || typeof value === "boolean")
    return String(value)
  return String((loopGiving(reader.scope, path) ?? reader.scope).iteration?.index ?? 0)
}

/** Creates a block's dynamic values. They are random, or derived from the seed, the block and its iterations. */
export function dynamicValuesOf(rawId: string, frame: Frame, times?: BlockTimes): DynamicValues {
  const { ports, plan } = frame.context
  const seed = plan.settings.seed ?? ports.generated?.seed
  if (seed === undefined) return ports
  return new SeededValues(seed, { rawId, frame, times })
}

interface SeededBlock {
  readonly rawId: string
  readonly frame: Frame
  readonly times: BlockTimes | undefined
}

/** The dynamic values of a block with a seed. One object, because every block of a recorded run has one. */
class SeededValues implements DynamicValues, Random {
  readonly #seed: number
  readonly #block: SeededBlock
  #random: Random | undefined

  constructor(seed: number, block: SeededBlock) {
    this.#seed = seed
    this.#block = block
  }

  get clock(): DynamicValues["clock"] {
    return this
  }

  get random(): Random {
    return this
  }

  now(): number {
    const { times, frame } = this.#block
    return times === undefined ? frame.context.ports.clock.now() : readTime(times)
  }

  integer(bound: number): number {
    return this.#seeded().integer(bound)
  }

  uuid(): string {
    return this.#seeded().uuid()
  }

  #seeded(): Random {
    const { rawId, frame } = this.#block
    return (this.#random ??= createSeededRandom(this.#seed, iterationPath(rawId, frame)))
  }
}

/** Returns the id of a block and the indexes of the iterations around it, innermost first. */
export function iterationPath(rawId: string, frame: Frame): string {
  const path = [rawId]
  for (let here: Scope | undefined = frame.scope; here !== undefined; here = here.outer) {
    if (here.iteration !== undefined) path.push(String(here.iteration.index))
  }
  return path.join("\n")
}

/** Keeps a result for later blocks, or drops it if no block can read it. */
export function keepResult(running: Running, result: Omit<BlockResult, "outlives" | "rawId">): void {
  const { block, id, frame } = running
  const { references } = frame.context.plan
  if (!references.isRead(block.id)) return
  const outlives = frame.scope.iteration !== undefined && references.outlives(block.id)
  putResult(frame.scope.results, id, Object.assign(result, { outlives, rawId: block.id }))
}

/** Records that a block failed without a result, so that no block reads the result of an earlier iteration instead. */
export function keepFailure(running: Running): void {
  if (!running.frame.scope.results.has(running.id)) keepResult(running, { value: {}, isMissing: true })
}

/** Builds the common fields of `block.started` and `block.skipped`. Avoids spreads, because it runs for every block. */
export function entered<T extends "block.started" | "block.skipped">(
  type: T,
  block: Block,
  frame: Frame,
): { -readonly [K in keyof BlockEntered]: BlockEntered[K] } & { type: T } {
  const { context } = frame
  const event: { -readonly [K in keyof BlockEntered]: BlockEntered[K] } & { type: T } = {
    type,
    run: context.run,
    block: context.nextBlock(),
    id: expandId(block.id, frame),
    kind: block.type,
  }
  if (frame.parent !== undefined) event.parent = frame.parent
  if (frame.iteration !== undefined) event.iteration = frame.iteration
  if (block.description !== undefined) event.description = describe(block.description, block.id, frame)
  return event
}

// A description must not fail a block. If a placeholder doesn't resolve, it is shown as written.
function describe(description: string, rawId: string, frame: Frame): string {
  if (!description.includes("{{")) return description
  const expanded = expandText(description, { scope: frame.scope, dynamic: dynamicValuesOf(rawId, frame) })
  return expanded.ok ? expanded.value : description
}
