// The blocks that are open right now, and nothing of those that have finished.

import type {
  AssertionView,
  BlockEntered,
  BlockKind,
  ContractProblem,
  ContractView,
  RequestView,
  ResponseView,
} from "@callsheet/format"

export interface OpenBlock {
  readonly id: string
  readonly kind: BlockKind
  readonly parent: OpenBlock | undefined
  /** The iteration of the parent, where that is a loop. */
  readonly iteration: number | undefined
  /** The outermost loop around the block: its line stands for all that it repeats. */
  readonly loop: OpenBlock | undefined
  request?: RequestView
  requestProblems?: readonly ContractProblem[]
  response?: ResponseView
  contract?: ContractView
  assertions?: readonly AssertionView[]
  outputs?: readonly string[]
  logs?: Logs
  /** Finished blocks in it, where it is a container with lines of its own. */
  rows?: Row[]
  notes?: Notes
  tally?: Tally
}

/** A finished line and those below it. */
export interface Row {
  /** The block's name with its mark; what follows it stands in a column. */
  readonly head: string
  /** Columns that the head takes. */
  readonly headWidth: number
  readonly tail?: string
  readonly below: readonly Row[]
}

export interface Logs {
  readonly first: string[]
  more: number
}

/** Remarks below a block's line; each text once. */
export interface Notes {
  readonly texts: Set<string>
  more: number
}

/** What a loop's line sums up. */
export interface Tally {
  iterations: number
  failedIterations: number
  requests: number
  /** Responses by status, from 400 on. */
  readonly refused: Map<number, number>
  /** Responses that no document describes, though contracts are to be validated. */
  unchecked: number
  hiddenFailures: number
}

const MOST_LOGS = 50
const MOST_NOTES = 20

const newTally = (): Tally => ({
  iterations: 0,
  failedIterations: 0,
  requests: 0,
  refused: new Map(),
  unchecked: 0,
  hiddenFailures: 0,
})

export function openBlock(event: BlockEntered, parent: OpenBlock | undefined): OpenBlock {
  const block: OpenBlock = {
    id: event.id,
    kind: event.kind,
    parent,
    iteration: event.iteration,
    loop: parent?.loop ?? (parent?.kind === "loop" ? parent : undefined),
  }
  if (event.kind === "loop" && block.loop === undefined) block.tally = newTally()
  return block
}

export function addLog(block: OpenBlock, text: string): void {
  const logs = (block.logs ??= { first: [], more: 0 })
  if (logs.first.length < MOST_LOGS) logs.first.push(text.slice(0, 4000))
  else logs.more++
}

export function addNote(block: OpenBlock, text: string): void {
  const notes = (block.notes ??= { texts: new Set(), more: 0 })
  if (notes.texts.has(text)) return
  if (notes.texts.size < MOST_NOTES) notes.texts.add(text)
  else notes.more++
}
