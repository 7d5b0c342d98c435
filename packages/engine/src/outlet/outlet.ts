// The only output of a session. Masks every event with all known secrets before a listener receives it.

import {
  CallsheetError,
  maskEvent,
  maskProblem,
  type Finding,
  type JsonValue,
  type Listener,
  type Mask,
  type RunEvent,
} from "@callsheet/format"
import type { Bugs } from "../session/bugs.ts"
import { excerptOf, excerptOfSides } from "../run/excerpt.ts"
import { separateJobs, type SourceEvents } from "../session/job-events.ts"
import { createMasker, MASK, type Masker } from "./mask.ts"
import type { LiveListener, MaskAgain } from "./session-log.ts"
import { messages } from "../messages.ts"
import type { RunSecret } from "../ports.ts"

/** Masks a value from now on. `name` is its source. Returns a finding if that isn't possible. */
type KeepSecret = (value: string | number | bigint, name: string) => Finding<"secrets-unmasked"> | undefined

export interface Outlet {
  readonly emit: Listener
  /** Opens the next source of jobs, in the order of the schedule. */
  readonly openSource: () => SourceEvents
  /** The masker for decisions that depend on secrets. Its results aren't shown. */
  readonly secrets: Masker
  readonly keepSecret: KeepSecret
  readonly errorOf: (error: unknown) => unknown
}

export interface OutletOptions {
  readonly bugs: Bugs
  /** True if a listener reads exchanges. Values of blocks are then reported in full. */
  readonly exchanges: boolean
  /** True if jobs run concurrently. Listeners then receive the events of a job when it has ended. */
  readonly isConcurrent: boolean
  /** Receives the events of every run at once, also if runs are concurrent. */
  readonly watch: readonly LiveListener[]
  /** Receives one run after the other, in the order of the schedule. */
  readonly listen?: readonly LiveListener[] | undefined
  /** Receives one run after the other, in the order in which their jobs end. */
  readonly listenEnded?: LiveListener | undefined
  readonly onSecret?: ((secret: RunSecret) => void) | undefined
}

/** The maximum number of secrets that a run can add, because all output is searched for each of them. */
const MAX_SECRETS = 100_000
const MAX_CHARACTERS = 32 * 1024 * 1024

export function createOutlet(
  known: Iterable<RunSecret["value"]>,
  { bugs, exchanges, isConcurrent, onSecret, ...listeners }: OutletOptions,
): Outlet {
  // A listener with a bug must keep neither the run nor other listeners from going on.
  const guarded = (group: readonly LiveListener[] = []) => group.map(bugs.guard)
  const [watching, listening] = [guarded(listeners.watch), guarded(listeners.listen)]
  const listenEnded = listeners.listenEnded && bugs.guard(listeners.listenEnded)
  const secrets = createMasker(known)
  const excerpt = (value: JsonValue): JsonValue => excerptOf(value, secrets)
  const mask: Mask = exchanges
    ? { ...secrets, excerpt, detail: secrets.value }
    : {
        ...secrets,
        excerpt,
        detail: excerpt,
        sides: (expected, actual) => excerptOfSides(expected, actual, secrets),
      }
  const { learn, maskAgain } = createLearned(secrets)
  const receive = (event: RunEvent): RunEvent => {
    const masked = maskEvent(event, mask)
    for (const watch of watching) watch(masked, maskAgain)
    return masked
  }
  const inOrder: Listener = (event) => {
    for (const listen of listening) listen(event, maskAgain)
  }
  const asEnded: Listener = (event) => listenEnded?.(event, maskAgain)
  const emit: Listener = (event) => {
    const masked = receive(event)
    inOrder(masked)
    asEnded(masked)
  }
  let count = 0
  let characters = 0
  return {
    secrets,
    emit,
    openSource: isConcurrent
      ? separateJobs({ maskAgain, receive, inOrder, asEnded })
      : () => ({ open: () => ({ emit, end: doNothing }), close: doNothing }),
    keepSecret: (value, name) => {
      if (secrets.knows(value)) return undefined
      const { length } = String(value)
      if (count >= MAX_SECRETS || characters + length > MAX_CHARACTERS)
        return messages["secrets-unmasked"].full(MAX_SECRETS, MAX_CHARACTERS)
      count++
      characters += length
      learn(value)
      secrets.learn(value)
      onSecret?.({ name, value })
      return undefined
    },
    errorOf: (error) => (error instanceof CallsheetError ? maskError(error, mask) : error),
  }
}

const doNothing = (): void => undefined

/** The maximum length of a new secret that is itself searched for known secrets. */
const MAX_COMPOSED = 4096

/** Creates the masker of the secrets learned since the session began. Costs nothing until the first one. */
function createLearned(secrets: Masker) {
  let mask: (Mask & Pick<Masker, "learn">) | undefined
  const maskAgain: MaskAgain = (event) => (mask === undefined ? event : maskEvent(event, mask))
  return {
    learn: (value: RunSecret["value"]): void => {
      if (mask === undefined) {
        const masker = createMasker([])
        mask = { ...masker, excerpt: masker.value, detail: masker.value }
      }
      mask.learn(value)
      // If the new value contains a known secret, earlier output shows it partly masked. Mask that form too.
      const shown = typeof value === "string" && value.length <= MAX_COMPOSED ? secrets.text(value) : MASK
      if (shown !== MASK) mask.learn(shown)
    },
    maskAgain,
  }
}

function maskError(error: CallsheetError, mask: Mask): CallsheetError {
  const message = mask.text(error.message)
  const hint = error.hint === undefined ? undefined : mask.text(error.hint)
  const problems = error.problems.map((problem) => maskProblem(problem, mask))
  const isSame =
    message === error.message &&
    hint === error.hint &&
    problems.every((problem, at) => problem === error.problems[at])
  return isSame ? error : new CallsheetError({ code: error.code, message, hint }, { problems })
}
