// What can be undone and redone of one text, in bounded memory. Pure.

import { applyChange, inverted, joined, type TextChange } from "./text-change.ts"

export interface EditHistory {
  /** The latest one last. */
  readonly past: readonly EditStep[]
  /** The next one last. */
  readonly future: readonly EditStep[]
}

/** What the edits of a text were begun from. */
export interface EditBase {
  readonly etag: string | null
  /** Not known of a draft that was begun earlier. */
  readonly text: string | undefined
}

interface EditStep {
  readonly changes: readonly TextChange[]
  /** Of a step that took what is on the disk into the text: what the edits were begun from before it, and since. */
  readonly base?: { readonly before: EditBase; readonly after: EditBase } | undefined
  /** Steps of the same key within a second are one. */
  readonly merge: string | undefined
  readonly endedAt: number
}

export interface StepOptions {
  readonly merge?: string | undefined
  /** In milliseconds. */
  readonly now: number
  readonly base?: EditStep["base"]
}

export const noHistory: EditHistory = { past: [], future: [] }

const mergeWithinMs = 1000
const mostSteps = 1000
/** UTF-16 code units that all steps may hold. */
const mostUnits = 20_000_000

/** The history with one more change, behind which nothing can be redone. */
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
  /** Where it is another than before the step. */
  readonly base: EditBase | undefined
}

/** The text without its last step; undefined where there is none. */
export function undoStep({ past, future }: EditHistory, text: string): Stepped | undefined {
  const step = past.at(-1)
  if (step === undefined) return undefined
  // What is typed next begins a step of its own.
  const rest = past.slice(0, -1).map(ended)
  const undone = step.changes.toReversed().map(inverted).reduce(applyChange, text)
  const history = { past: rest, future: [...future, ended(step)] }
  return { history, text: undone, base: step.base?.before }
}

/** The text with the step that was undone last; undefined where there is none. */
export function redoStep({ past, future }: EditHistory, text: string): Stepped | undefined {
  const step = future.at(-1)
  if (step === undefined) return undefined
  return {
    history: { past: [...past, step], future: future.slice(0, -1) },
    text: step.changes.reduce(applyChange, text),
    base: step.base?.after,
  }
}

/** The same steps, of which none changes what the edits were begun from: all of them are of one file that is on the disk now. */
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

/** Without the oldest steps, where there are too many of them; the last one stays, however large it is. */
function bounded(steps: readonly EditStep[]): readonly EditStep[] {
  let units = 0
  let first = steps.length
  while (first > 0 && steps.length - first < mostSteps) {
    units += unitsOf(steps[first - 1])
    if (units > mostUnits && first < steps.length) break
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
