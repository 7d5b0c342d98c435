// Keeps the page connected: opens a session, listens to events, and reconnects. A hidden page doesn't listen, because
// all windows of a browser share six connections.

import { parseExact } from "@callsheet/format"
import type { AppEvent } from "@callsheet/server/calls"
import { useConnection } from "./connection.ts"
import { Refused, send } from "./send.ts"
import { borrowKey, currentKey, holdKey, lendKey, takeLink } from "./session-key.ts"

interface EventsListener {
  readonly onEvent: (event: AppEvent) => void
  /** Called when events start to arrive. Data that was read earlier may be outdated. */
  readonly onOpen: () => void
  /** Called if the server has too many listeners. Resolves after the page has read its data again. */
  readonly onCrowded: () => Promise<void>
}

interface Listeners extends EventsListener {
  readonly link: string | undefined
}

const firstWaitMs = 500
const longestWaitMs = 10_000
/** The pause in milliseconds between reads while the server has too many listeners. */
const crowdedWaitMs = 1000
/** A page stops listening after it is hidden for this many milliseconds, because users often return sooner. */
const hiddenAfterMs = 5000

let wake: () => void = () => undefined
let stream: AbortController | undefined

/** Reconnects now instead of at the next attempt. */
export function reconnect(): void {
  stream?.abort()
  wake()
}

/** Keeps the page connected. Never resolves. */
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
    // When a hidden page becomes visible, it reads the data that it missed.
    if (sight.isHidden()) continue
    await pause(status === "ended" ? undefined : heard === "crowded" ? crowdedWaitMs : wait)
    wait = Math.min(wait * 2, longestWaitMs)
  }
}

type Entered = "open" | "lost" | "ended"

/** Opens the session. The link works once, but this tab or another may already have its session. */
async function enter(link: string | undefined): Promise<Entered> {
  const byLink = link === undefined ? "ended" : await ask(() => openSession(link))
  if (byLink !== "ended") return byLink
  const byOwnKey = currentKey() === undefined ? "ended" : await ask(resume)
  if (byOwnKey !== "ended") return byOwnKey
  const borrowed = await borrowKey()
  if (borrowed === undefined || borrowed === currentKey()) return "ended"
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

/** Listens until the stream of events ends. Returns `crowded` if the server has too many listeners. */
async function listen(listener: EventsListener): Promise<"events" | "crowded" | "nothing"> {
  stream = new AbortController()
  let heard: "events" | "nothing" = "nothing"
  try {
    const response = await send("/events", {}, { signal: stream.signal })
    heard = "events"
    listener.onOpen()
    await readEvents(response, listener.onEvent)
  } catch (error) {
    // After any other error, the page opens a session again.
    if (error instanceof Refused && error.status === 429) {
      await listener.onCrowded()
      return "crowded"
    }
  }
  return heard
}

/** Waits for a time or until `reconnect` is called. Without a time, waits for `reconnect`. */
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
  /** Resolves when the page is visible. */
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

/** The maximum length of a line that the server sends. */
const longestLine = 1_000_000

/** Reads events. Resolves when the stream ends, and rejects if it breaks. A blank line keeps the connection alive. */
export async function readEvents(response: Response, onEvent: (event: AppEvent) => void): Promise<void> {
  if (response.body === null) return
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
  let rest = ""
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    const lines = (rest + read.value).split("\n")
    rest = lines.pop() ?? ""
    if (rest.length > longestLine) throw new Error("a line of the event stream is too long")
    for (const line of lines) if (line.trim() !== "") onEvent(parseExact<AppEvent>(line))
  }
}
