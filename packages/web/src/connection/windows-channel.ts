// What windows of the page in one browser say to each other. It stays within the origin.

import type { AppEvent } from "@callsheet/server/calls"

export type Word =
  /** Another window listens. */
  | { readonly type: "asked" }
  /** The stream of events is there, or has ended by itself. */
  | { readonly type: "open" | "ended"; readonly stream: string }
  | { readonly type: "told"; readonly stream: string; readonly event: AppEvent }

export interface WindowsChannel {
  /** To all other windows. */
  readonly tell: (word: Word) => void
  /** Until the function that it returns is called. */
  readonly hear: (listener: (word: Word) => void) => () => void
  readonly close: () => void
}

export function openChannel(name: string): WindowsChannel {
  const channel = new BroadcastChannel(name)
  return {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has one origin only
    tell: (word) => channel.postMessage(word),
    hear: (listener) => {
      const own = ({ data }: MessageEvent<Word>): void => listener(data)
      channel.addEventListener("message", own)
      return () => channel.removeEventListener("message", own)
    },
    close: () => channel.close(),
  }
}
