// The traces of a session: one per workflow, or the one that TRACEPARENT names. Loaded only if the session is traced.

import { toProblem, type Problem, type RunPlace } from "@callsheet/format"
import { messages } from "../messages.ts"
import { entriesOf, type Entry, type Schedule } from "../plan/schedule.ts"
import type { Ports } from "../ports.ts"
import type { RunTracing } from "../run/context.ts"
import { createSeededRandom } from "../run/dynamic-values.ts"
import type { SessionOptions } from "../session/session-options.ts"
import { OpenTrace, type CreateId } from "./open-trace.ts"
import { readTraceParent, readTraceState, type TraceParent } from "./trace-parent.ts"

interface TracesOptions {
  readonly schedule: Schedule
  readonly options: SessionOptions
  readonly ports: Pick<Ports, "clock" | "random">
  /** `traceUrl` of `callsheet.json`. */
  readonly url: string | undefined
}

interface TracedUse {
  readonly entry: Entry
  readonly place: RunPlace
  /** The attempts that this cleans up after, innermost last. */
  readonly after?: readonly number[] | undefined
}

/** The trace of a workflow, whose runs are attempts. */
interface WorkflowTrace {
  readonly openRun: (attempt: number | undefined) => RunTracing
}

/** The flags of a new trace: sampled. */
const SAMPLED = 1

export class SessionTraces {
  readonly problem: Problem | undefined
  readonly #options: TracesOptions
  readonly #parent: TraceParent | undefined
  readonly #state: string | undefined
  /** The names of the entries, numbered if they repeat. */
  readonly #names: ReadonlyMap<Entry, string>

  constructor(options: TracesOptions) {
    this.#options = options
    const { TRACEPARENT: given = "", TRACESTATE: state } = options.options.processEnvironment ?? {}
    this.#parent = readTraceParent(given)
    // A state belongs to its parent.
    this.#state = this.#parent && readTraceState(state)
    this.#names = namesOf(options.schedule)
    if (given !== "" && this.#parent === undefined)
      this.problem = { ...toProblem(messages["traceparent-invalid"].ignored()), severity: "warning" }
  }

  open({ entry, place: { row, repeat }, after }: TracedUse): WorkflowTrace {
    const parent = this.#parent
    const path = JSON.stringify(["trace", this.#names.get(entry), row, repeat, after])
    const traceId = parent?.traceId ?? this.#createId(path, 32)
    const rootId = this.#createId(`${path}\nroot`, 16)
    const { options, ports, url } = this.#options
    return {
      openRun: (attempt) => {
        const own = attempt === undefined ? path : `${path}\nattempt ${attempt}`
        return new OpenTrace({
          view: {
            traceId,
            spanId: attempt === undefined ? rootId : this.#createId(own, 16),
            ...(attempt === undefined ? {} : { rootId }),
            ...(parent === undefined ? {} : { parentId: parent.spanId }),
            flags: parent?.flags ?? SAMPLED,
            ...(this.#state === undefined ? {} : { state: this.#state }),
            startMs: ports.clock.now(),
            ...(url === undefined ? {} : { url }),
          },
          path: own,
          createId: this.#createId,
          clock: ports.clock,
          tracesProduction: options.trace === "production",
        })
      },
    }
  }

  // A UUID of version 4 has no run of 16 zeros, which no id may be.
  #createId: CreateId = (path, digits) => {
    const { options, ports } = this.#options
    const random = options.seed === undefined ? ports.random : createSeededRandom(options.seed, path)
    return random.uuid().replaceAll("-", "").slice(-digits)
  }
}

function namesOf(schedule: Schedule): ReadonlyMap<Entry, string> {
  const counts = new Map<string, number>()
  const names = new Map<Entry, string>()
  for (const { entry } of entriesOf(schedule)) {
    const count = (counts.get(entry.name) ?? 0) + 1
    counts.set(entry.name, count)
    names.set(entry, count === 1 ? entry.name : `${entry.name} ${count}`)
  }
  return names
}
