// One stream of events for all windows of a browser, which has six connections to a server for all of them: the window that holds a
// lock hears the stream, and tells the others. Both the lock and what is told stay within the origin.

import type { AppEvent } from "@callsheet/server/calls"
import { readEvents } from "./read-events.ts"
import { send } from "./send.ts"
import { openChannel, type WindowsChannel } from "./windows-channel.ts"

export interface EventsListener {
  readonly onEvent: (event: AppEvent) => void
  /** The events begin now: what was read before may be old. */
  readonly onOpen: () => void
}

const name = "callsheet events"
/** How often a window that hears the stream says so. */
const beatMs = 2000
/** One that does not for so many times is busy, or held by a dialog of the browser: another one takes its place. */
const mostMissed = 4

/** Whether this browser has what it takes; it has not where the page came over a network without TLS. */
export const canShareEvents = (): boolean =>
  typeof BroadcastChannel === "function" && "locks" in navigator && "randomUUID" in crypto

/** Resolves when the events end. Rejects with `Refused` or `Unreachable`, or as the signal says. */
export async function hearAlone({ onEvent, onOpen }: EventsListener, signal: AbortSignal): Promise<void> {
  const response = await send("/events", {}, { signal })
  onOpen()
  await readEvents(response, onEvent)
}

/** As `hearAlone`, by the stream of whichever window has one. */
export async function hearTogether(listener: EventsListener, signal: AbortSignal): Promise<void> {
  const channel = openChannel(name)
  const waiting = new AbortController()
  let leave: () => void = () => undefined
  const over = new Promise<"ended" | "silent">((resolve, reject) => {
    leave = hearOthers(channel, listener, resolve)
    signal.addEventListener("abort", () => reject(new DOMException("given up", "AbortError")))
  })
  const lead = (ended: AbortSignal): Promise<void> => {
    leave()
    return tellOthers(channel, listener, ended)
  }
  const led = whileLocked({ signal: waiting.signal }, signal, lead)
  // Of the two the other one is of no more interest.
  for (const promise of [over, led]) promise.catch(() => undefined)
  try {
    if ((await Promise.race([over, led])) !== "silent") return
    waiting.abort()
    await whileLocked({ steal: true }, signal, lead)
  } finally {
    leave()
    waiting.abort()
    channel.close()
  }
}

/** The signal of `use` says that the lock is lost, or as the given one says. */
async function whileLocked(
  options: LockOptions,
  signal: AbortSignal,
  use: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const lost = new AbortController()
  const lose = (): void => lost.abort()
  signal.addEventListener("abort", lose)
  try {
    await navigator.locks.request(name, options, () =>
      signal.aborted || options.signal?.aborted === true ? undefined : use(lost.signal),
    )
  } finally {
    lose()
    signal.removeEventListener("abort", lose)
  }
}

/** Hears the stream for all windows, until it ends. */
async function tellOthers(
  { tell, hear }: WindowsChannel,
  listener: EventsListener,
  signal: AbortSignal,
): Promise<void> {
  const stream = crypto.randomUUID()
  const tellOpen = (): void => tell({ type: "open", stream })
  let hasOthers = false
  let stop: () => void = () => undefined
  const onOpen = (): void => {
    const beat = setInterval(tellOpen, beatMs)
    const leave = hear(({ type }) => {
      if (type !== "asked") return
      hasOthers = true
      tellOpen()
    })
    stop = () => {
      clearInterval(beat)
      leave()
    }
    tellOpen()
    listener.onOpen()
  }
  const onEvent = (event: AppEvent): void => {
    if (hasOthers) tell({ type: "told", stream, event })
    listener.onEvent(event)
  }
  try {
    await hearAlone({ onOpen, onEvent }, signal)
  } finally {
    stop()
    // Where it is given up here, another window takes over.
    if (!signal.aborted) tell({ type: "ended", stream })
  }
}

/** Hears what another window tells; `onOver` hears that its stream has ended, or that it says nothing more. Returns what ends it. */
function hearOthers(
  { tell, hear }: WindowsChannel,
  { onEvent, onOpen }: EventsListener,
  onOver: (how: "ended" | "silent") => void,
): () => void {
  let known: string | undefined
  let missed = 0
  const leave = hear((word) => {
    if (word.type === "asked") return
    missed = 0
    if (word.type === "open" && word.stream !== known) {
      known = word.stream
      tell({ type: "asked" })
      onOpen()
    } else if (word.type === "told" && word.stream === known) onEvent(word.event)
    else if (word.type === "ended" && word.stream === (known ?? word.stream)) onOver("ended")
  })
  const miss = (): void => {
    if (++missed > mostMissed) onOver("silent")
  }
  // Counted, for this window may have been the busy one; and not by all windows at once.
  const timer = setInterval(miss, beatMs * (1 + Math.random() / 2))
  tell({ type: "asked" })
  return () => {
    clearInterval(timer)
    leave()
  }
}
