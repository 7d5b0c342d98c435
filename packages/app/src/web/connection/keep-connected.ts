// Keeps the page and its server in touch for as long as the page is open: enters, listens, and comes back after a loss.

import type { AppEvent } from "../../api.ts"
import { useConnection } from "./connection.ts"
import { readEvents } from "./read-events.ts"
import { holdKey, Refused, send } from "./send.ts"
import { takeLink } from "./take-link.ts"
import { watchSight } from "./when-hidden.ts"

interface Listeners {
  readonly link: string | undefined
  readonly onEvent: (event: AppEvent) => void
  /** The events begin now: what was read before may be old. */
  readonly onOpen: () => void
}

const firstWaitMs = 500
const longestWaitMs = 10_000

let wake: () => void = () => undefined
let stream: AbortController | undefined

/** Tries at once what would be tried later, or no more. */
export function reconnect(): void {
  stream?.abort()
  wake()
}

/** Never ends. */
export async function keepConnected({ link, onEvent, onOpen }: Listeners): Promise<void> {
  let unused = link
  let wait = firstWaitMs
  const sight = watchSight(() => stream?.abort())
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
    if (status === "open" && (await listen(onEvent, onOpen))) wait = firstWaitMs
    // What it does not hear meanwhile, it reads when it is in sight again.
    if (sight.isHidden()) continue
    await pause(status === "ended" ? undefined : wait)
    wait = Math.min(wait * 2, longestWaitMs)
  }
}

async function enter(link: string | undefined): Promise<"open" | "lost" | "ended"> {
  const byLink = link === undefined ? "ended" : await ask("/session", { link })
  // A link works once; who opens it again may have the cookie that it was swapped for.
  return byLink === "ended" ? ask("/session/resume", {}) : byLink
}

async function ask(path: string, body: unknown): Promise<"open" | "lost" | "ended"> {
  try {
    const { key } = (await (await send(path, body)).json()) as { key?: unknown }
    if (typeof key !== "string") return "ended"
    holdKey(key)
    return "open"
  } catch (error) {
    return error instanceof Refused && error.status < 500 ? "ended" : "lost"
  }
}

/** Whether events were heard of at all. */
async function listen(onEvent: (event: AppEvent) => void, onOpen: () => void): Promise<boolean> {
  stream = new AbortController()
  try {
    const response = await send("/events", {}, { signal: stream.signal })
    useConnection.setState({ isCrowded: false })
    onOpen()
    await readEvents(response, onEvent)
    return true
  } catch (error) {
    // Whatever ended it, what follows is the same: the page enters again.
    if (error instanceof Refused && error.status === 429) {
      useConnection.setState({ isCrowded: true })
      onOpen()
    }
    return false
  }
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
