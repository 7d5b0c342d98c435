// The key of the session. The tab keeps it in its storage and shares it with tabs of the same origin, which includes
// the port. A cookie isn't enough, because browsers send it to every port of the host.

import { keep, readKept } from "./window-storage.ts"

const KEPT_NAME = "callsheet-key"
const CHANNEL_NAME = "callsheet-key"
/** The time in milliseconds to wait for other tabs, which answer within a few milliseconds even if they are hidden. */
const BORROW_WAIT_MS = 500

type Message = { readonly type: "wanted" } | { readonly type: "lent"; readonly key: string }

let key = readKept(KEPT_NAME)

export const currentKey = (): string | undefined => key

export function holdKey(next: string): void {
  key = next
  keep(KEPT_NAME, next)
}

/** Shares the key with other tabs while `isOpen` says that the server accepts it. */
export function lendKey(isOpen: () => boolean): void {
  const channel = openChannel()
  channel?.addEventListener("message", ({ data }: MessageEvent<Message>) => {
    if (data.type === "wanted" && key !== undefined && isOpen()) post(channel, { type: "lent", key })
  })
}

/** Asks other tabs for the key. Undefined if none answers. */
export function borrowKey(): Promise<string | undefined> {
  const channel = openChannel()
  if (channel === undefined) return Promise.resolve(undefined)
  return new Promise((resolve) => {
    const settle = (lent?: string): void => {
      clearTimeout(timer)
      channel.close()
      resolve(lent)
    }
    const timer = setTimeout(settle, BORROW_WAIT_MS)
    channel.addEventListener("message", ({ data }: MessageEvent<Message>) => {
      if (data.type === "lent") settle(data.key)
    })
    post(channel, { type: "wanted" })
  })
}

/** Opens the channel. Undefined if the browser gives this page no storage. */
function openChannel(): BroadcastChannel | undefined {
  try {
    return new BroadcastChannel(CHANNEL_NAME)
  } catch {
    return undefined
  }
}

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel between tabs of one origin, not a window
const post = (channel: BroadcastChannel, message: Message): void => channel.postMessage(message)

const prefix = "#link="

/**
 * Returns the secret after `#link=`. Removes it from the address and the history. What follows a slash is the route to
 * open.
 */
export function takeLink(): string | undefined {
  const { hash, pathname } = window.location
  if (!hash.startsWith(prefix)) return undefined
  const [secret = "", ...route] = hash.slice(prefix.length).split("/")
  window.history.replaceState(null, "", `${pathname}#/${route.join("/")}`)
  return secret
}
