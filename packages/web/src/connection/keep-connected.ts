// Keeps the page and its server in touch for as long as the page is open: enters, listens, and comes back after a loss. A page that is
// hidden listens to nothing, because all windows of a browser share six connections to a server.

import type { AppEvent } from "@callsheet/server/calls"
import { useConnection } from "./connection.ts"
import { readEvents } from "./read-events.ts"
import { Refused, send } from "./send.ts"
import { borrowKey, heldKey, holdKey, lendKey } from "./session-key.ts"
import { takeLink } from "./take-link.ts"

interface EventsListener {
  readonly onEvent: (event: AppEvent) => void
  /** The events begin now: what was read before may be old. */
  readonly onOpen: () => void
  /** There are no events for this page now. Fulfilled when it has read again what it shows. */
  readonly onCrowded: () => Promise<void>
}

interface Listeners extends EventsListener {
  readonly link: string | undefined
}

const firstWaitMs = 500
const longestWaitMs = 10_000
/** The pause after which a page reads again while the server has as many listeners as it allows. */
const crowdedWaitMs = 1000
/** Long enough to look into another tab and back. */
const hiddenAfterMs = 5000

let wake: () => void = () => undefined
let stream: AbortController | undefined

/** Tries at once what would be tried later, or no more. */
export function reconnect(): void {
  stream?.abort()
  wake()
}

/** Never ends. */
export async function keepConnected({ link, ...listener }: Listeners): Promise<void> {
  let unused = link
  let wait = firstWaitMs
  const sight = watchSight()
  lendKey(() => useConnection.getState().status === "open")
  window.addEventListener("hashchange", () => {
    const pasted = takeLink()
    if (pasted === undefined) return
    unused = pasted
    reconnect()
  })
  for (;;) {
    useConnection.setState({ isTrying: true })
    await sight.shown()
    const status = await enter(unused)
    unused = status === "lost" ? unused : undefined
    useConnection.setState({ status, isTrying: false })
    const heard = status === "open" ? await listen(listener) : "nothing"
    if (heard === "events") wait = firstWaitMs
    // What it does not hear meanwhile, it reads when it is in sight again.
    if (sight.isHidden()) continue
    await pause(status === "ended" ? undefined : heard === "crowded" ? crowdedWaitMs : wait)
    wait = Math.min(wait * 2, longestWaitMs)
  }
}

type Entered = "open" | "lost" | "ended"

/** A link works once; who opens it again may have the session that it was swapped for, in this tab or in another one. */
async function enter(link: string | undefined): Promise<Entered> {
  const byLink = link === undefined ? "ended" : await ask(() => openSession(link))
  if (byLink !== "ended") return byLink
  const byOwnKey = heldKey() === undefined ? "ended" : await ask(resume)
  if (byOwnKey !== "ended") return byOwnKey
  const borrowed = await borrowKey()
  if (borrowed === undefined || borrowed === heldKey()) return "ended"
  holdKey(borrowed)
  return ask(resume)
}

async function openSession(link: string): Promise<void> {
  const { key } = (await (await send("/session", { link })).json()) as { key: string }
  holdKey(key)
}

async function resume(): Promise<void> {
  await send("/session/resume", {})
}

async function ask(question: () => Promise<void>): Promise<Entered> {
  try {
    await question()
    return "open"
  } catch (error) {
    return error instanceof Refused && error.status < 500 ? "ended" : "lost"
  }
}

/** Listens until the stream of events ends. `crowded`: the server has as many listeners as it allows. */
async function listen(listener: EventsListener): Promise<"events" | "crowded" | "nothing"> {
  stream = new AbortController()
  let heard: "events" | "nothing" = "nothing"
  try {
    const response = await send("/events", {}, { signal: stream.signal })
    heard = "events"
    listener.onOpen()
    await readEvents(response, listener.onEvent)
  } catch (error) {
    // Whatever else ended it, what follows is the same: the page enters again.
    if (error instanceof Refused && error.status === 429) {
      await listener.onCrowded()
      return "crowded"
    }
  }
  return heard
}

/** Waits that long, or until the page is told to try; without a time, until it is told. */
function pause(timeMs: number | undefined): Promise<void> {
  return new Promise((resolve) => {
    const timer = timeMs === undefined ? undefined : setTimeout(resolve, timeMs)
    wake = () => {
      clearTimeout(timer)
      resolve()
    }
  })
}

interface Sight {
  readonly isHidden: () => boolean
  /** Fulfilled when the page is in sight; at once if it is. */
  readonly shown: () => Promise<void>
}

/** Ends the stream of events when the page has been hidden for a while. */
function watchSight(): Sight {
  let isHidden = false
  let timer: ReturnType<typeof setTimeout> | undefined
  let show: () => void = () => undefined
  const look = (): void => {
    clearTimeout(timer)
    if (document.visibilityState !== "hidden") {
      isHidden = false
      show()
      return
    }
    timer = setTimeout(() => {
      isHidden = true
      stream?.abort()
    }, hiddenAfterMs)
  }
  document.addEventListener("visibilitychange", look)
  look()
  return {
    isHidden: () => isHidden,
    shown: () => (isHidden ? new Promise((resolve) => (show = resolve)) : Promise.resolve()),
  }
}
