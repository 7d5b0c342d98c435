// Says how many items a stream had and what ended it, for reports.

import type { ResponseView, StreamEnding } from "../events/types.ts"
import { plural } from "../messages/define-messages.ts"

/** Names the setting of `callsheet.json` that ended the stream, to change it. */
const endings: { readonly [E in StreamEnding]: string } = {
  server: "ended by the server",
  idle: "ended by streams.idleMs",
  items: "ended by streams.maxItems",
  until: "ended by streams.until",
  timeout: "ended by the time limit",
}

/** Returns `3 items, ended by the server`. Undefined if the response isn't a stream. */
export const streamSummary = ({
  items,
  endedBy,
}: Pick<ResponseView, "items" | "endedBy">): string | undefined =>
  items === undefined || endedBy === undefined ? undefined : `${plural(items, "item")}, ${endings[endedBy]}`
