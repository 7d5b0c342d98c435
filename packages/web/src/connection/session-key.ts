// The session's key: kept in the tab's storage, whose origin includes the port, and lent to other tabs of the same origin. Cookies
// ignore ports, so another server of this machine can receive the cookie, but not the key.

import { keep, readKept } from "../data/window-storage.ts"

const KEPT_NAME = "callsheet-key"
const CHANNEL_NAME = "callsheet-key"
/** Tabs answer within milliseconds, hidden ones too. */
const BORROW_WAIT_MS = 500

type Message = { readonly type: "wanted" } | { readonly type: "lent"; readonly key: string }

let key = readKept(KEPT_NAME)

export const heldKey = (): string | undefined => key

export function holdKey(next: string): void {
  key = next
  keep(KEPT_NAME, next)
}

/** Answers other tabs that ask for the key while `isOpen` says that the server takes it. */
export function lendKey(isOpen: () => boolean): void {
  const channel = openChannel()
  channel?.addEventListener("message", ({ data }: MessageEvent<Message>) => {
    if (data.type === "wanted" && key !== undefined && isOpen()) post(channel, { type: "lent", key })
  })
}

/** The key of another tab; undefined if none answers. */
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

/** Undefined if the browser gives this page no storage. */
function openChannel(): BroadcastChannel | undefined {
  try {
    return new BroadcastChannel(CHANNEL_NAME)
  } catch {
    return undefined
  }
}

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel between tabs of one origin, not a window
const post = (channel: BroadcastChannel, message: Message): void => channel.postMessage(message)
