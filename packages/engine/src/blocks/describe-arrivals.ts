// Says what has arrived in the inbox instead of what a loop waited for. Loaded only by loops that waited in vain.

import { INBOX, touchedApis, type LoopBlock } from "@callsheet/format"
import { messages } from "../messages.ts"
import type { Running } from "../run/context.ts"

/** The number of listed paths, and their maximum length. */
const MAX_PATHS = 10
const MAX_LENGTH = 100

/** Returns undefined if the loop doesn't read the inbox. */
export function describeArrivals({ block, frame }: Running<LoopBlock>): string | undefined {
  const { inbox, plan, secrets } = frame.context
  const isInbox = (api: string): boolean => plan.environments.get(api)?.service?.is === INBOX
  if (inbox === undefined || !touchedApis(block.blocks).some(isInbox)) return undefined
  const counts = new Map<string, number>()
  for (const { method, path } of inbox.arrived()) {
    // A part of a secret can't be recognized, so mask it before it is cut.
    const shown = secrets.text(`${method} ${path}`)
    const cut = shown.length > MAX_LENGTH ? `${shown.slice(0, MAX_LENGTH)}…` : shown
    counts.set(cut, (counts.get(cut) ?? 0) + 1)
  }
  const listed = [...counts].slice(0, MAX_PATHS)
  return messages["until-exhausted"].arrived(listed, counts.size - listed.length).message
}
