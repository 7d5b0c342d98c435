// Keeps the page and its server in touch for as long as the page is open: enters, listens, and comes back after a loss.

import { useConnection } from "./connection.ts"
import { holdKey, Refused, send } from "./send.ts"
import { canShareEvents, hearAlone, hearTogether, type EventsListener } from "./share-events.ts"
import { takeLink } from "./take-link.ts"
import { watchSight } from "./when-hidden.ts"

interface Listeners extends EventsListener {
  readonly link: string | undefined
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
    if (status === "open" && (await listen({ onEvent, onOpen }))) wait = firstWaitMs
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
async function listen({ onEvent, onOpen }: EventsListener): Promise<boolean> {
  stream = new AbortController()
  const hear = canShareEvents() ? hearTogether : hearAlone
  let hasOpened = false
  const open = (): void => {
    hasOpened = true
    useConnection.setState({ isCrowded: false })
    onOpen()
  }
  try {
    await hear({ onEvent, onOpen: open }, stream.signal)
  } catch (error) {
    // Whatever ended it, what follows is the same: the page enters again.
    if (error instanceof Refused && error.status === 429) {
      useConnection.setState({ isCrowded: true })
      onOpen()
    }
  }
  return hasOpened
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
