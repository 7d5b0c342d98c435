// The events of a run on their way to pages: many at a time, and no more at once than a page can take.

import { stringifyJson, type RunEvent } from "@callsheet/format"
import type { RunEventsTold } from "../calls/index.ts"

interface EventBatches {
  readonly add: (event: RunEvent) => void
  /** Tells what one page takes at once, and then nothing: of what is left, `runs.read` has the outcome. */
  readonly end: () => void
}

interface EventBatchesOptions {
  readonly run: string
  readonly tell: (told: RunEventsTold) => void
  /** The event as the run would say it now. */
  readonly latest: (event: RunEvent) => RunEvent
}

const EVERY_MS = 50
/** Characters of JSON in one batch. One event that is longer is left out. */
const LONGEST = 256 * 1024
/** At the end of a run: together less than a page may leave unread. */
const LAST_BATCHES = 3

export function createEventBatches({ run, tell, latest }: EventBatchesOptions): EventBatches {
  let waiting: RunEvent[] = []
  let told = 0
  let timer: NodeJS.Timeout | undefined
  const flush = (): void => {
    timer = undefined
    const { events, skipped, from } = take(waiting, latest)
    waiting = waiting.slice(skipped + events.length)
    if (events.length > 0) tell({ type: "run.events", run, from: told + from, events })
    told += skipped + events.length
    if (waiting.length > 0) timer = setTimeout(flush, EVERY_MS)
  }
  return {
    add: (event) => {
      waiting.push(event)
      timer ??= setTimeout(flush, EVERY_MS)
    },
    end: () => {
      for (let batch = 0; batch < LAST_BATCHES && waiting.length > 0; batch++) {
        clearTimeout(timer)
        flush()
      }
      clearTimeout(timer)
      waiting = []
    },
  }
}

interface Taken {
  readonly events: readonly RunEvent[]
  /** Too long ones before them. */
  readonly skipped: number
  readonly from: number
}

/** The next events that follow one another without a gap. */
function take(waiting: readonly RunEvent[], latest: EventBatchesOptions["latest"]): Taken {
  const events: RunEvent[] = []
  let skipped = 0
  let length = 0
  for (const said of waiting) {
    const event = latest(said)
    const own = stringifyJson(event).length
    if (own > LONGEST && events.length === 0) skipped++
    else {
      length += own
      if (length > LONGEST) break
      events.push(event)
    }
  }
  return { events, skipped, from: skipped }
}
