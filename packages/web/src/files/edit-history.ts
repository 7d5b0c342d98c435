// Undo and redo of a text, in limited memory. Pure.

import { applyChange, inverted, joined, type TextChange } from "./text/text-change.ts"

export interface EditHistory {
  /** The steps to undo. The last one is undone first. */
  readonly past: readonly EditStep[]
  /** The steps to redo. The last one is redone first. */
  readonly future: readonly EditStep[]
}

/** The version on which edits are based. */
export interface EditBase {
  readonly etag: string | null
  /** Undefined for a draft of an earlier session, whose base is unknown. */
  readonly text: string | undefined
}

interface EditStep {
  readonly changes: readonly TextChange[]
  /** The bases before and after the step. Set if the step merged the version on disk. */
  readonly base?: { readonly before: EditBase; readonly after: EditBase } | undefined
  /** Steps with the same key within a second become one. */
  readonly merge: string | undefined
  readonly endedAt: number
}

export interface StepOptions {
  readonly merge?: string | undefined
  /** The current time in milliseconds. */
  readonly now: number
  readonly base?: EditStep["base"]
}

export const noHistory: EditHistory = { past: [], future: [] }

const mergeWithinMs = 1000
const MAX_STEPS = 1000
/** The maximum size of all steps together, in UTF-16 code units. */
const MAX_UNITS = 20_000_000

export function withStep(
  history: EditHistory,
  change: TextChange,
  { merge, now, base }: StepOptions,
): EditHistory {
  const last = history.past.at(-1)
  const isMerged =
    merge !== undefined && last?.merge === merge && now - last.endedAt < mergeWithinMs && now >= last.endedAt
  const step = { changes: isMerged ? merged(last.changes, change) : [change], merge, endedAt: now, base }
  const before = isMerged ? history.past.slice(0, -1) : history.past
  return { past: bounded([...before, step]), future: [] }
}

interface Stepped {
  readonly history: EditHistory
  readonly text: string
  /** The base after the step. Set if it differs from the one before. */
  readonly base: EditBase | undefined
}

export function undoStep({ past, future }: EditHistory, text: string): Stepped | undefined {
  const step = past.at(-1)
  if (step === undefined) return undefined
  // The next edit starts a new step.
  const rest = past.slice(0, -1).map(ended)
  const undone = step.changes.toReversed().map(inverted).reduce(applyChange, text)
  const history = { past: rest, future: [...future, ended(step)] }
  return { history, text: undone, base: step.base?.before }
}

/** Redoes the last undone step. Returns undefined if there is none. */
export function redoStep({ past, future }: EditHistory, text: string): Stepped | undefined {
  const step = future.at(-1)
  if (step === undefined) return undefined
  return {
    history: { past: [...past, step], future: future.slice(0, -1) },
    text: step.changes.reduce(applyChange, text),
    base: step.base?.after,
  }
}

/** Removes changes of the base from all steps, because they refer to another file on disk now. */
export function onOneBase(history: EditHistory): EditHistory {
  const { past, future } = history
  if (![...past, ...future].some(({ base }) => base !== undefined)) return history
  const plain = (step: EditStep): EditStep => ({ ...step, base: undefined })
  return { past: past.map(plain), future: future.map(plain) }
}

const ended = (step: EditStep): EditStep => (step.merge === undefined ? step : { ...step, merge: undefined })

function merged(changes: readonly TextChange[], change: TextChange): readonly TextChange[] {
  const last = changes.at(-1)
  const both = last === undefined ? undefined : joined(last, change)
  return both === undefined ? [...changes, change] : [...changes.slice(0, -1), both]
}

/** Drops the oldest steps above the limit. Always keeps the last one. */
function bounded(steps: readonly EditStep[]): readonly EditStep[] {
  let units = 0
  let first = steps.length
  while (first > 0 && steps.length - first < MAX_STEPS) {
    units += unitsOf(steps[first - 1])
    if (units > MAX_UNITS && first < steps.length) break
    first--
  }
  return first === 0 ? steps : steps.slice(first)
}

function unitsOf(step: EditStep | undefined): number {
  const { before, after } = step?.base ?? {}
  return (step?.changes ?? []).reduce(
    (sum, { removed, inserted }) => sum + removed.length + inserted.length,
    (before?.text?.length ?? 0) + (after?.text?.length ?? 0),
  )
}
