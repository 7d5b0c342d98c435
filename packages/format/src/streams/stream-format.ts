// The media types of streams: responses whose body is a list of items, which arrive one by one.

import { memoTexts } from "../memo.ts"
import { essence } from "../text/response-type.ts"

/**
 * How the items of a stream are separated: events (WHATWG HTML section 9.2), lines of JSON, or a JSON text sequence
 * (RFC 7464).
 */
export type StreamFormat = "events" | "lines" | "sequence"

/** Returns the format of a stream by its content type. Undefined for other types. */
export const streamFormatOf = memoTexts(readFormat, 1000)

function readFormat(contentType: string): StreamFormat | undefined {
  const type = essence(contentType)
  if (type === "text/event-stream") return "events"
  if (lines.test(type)) return "lines"
  return sequence.test(type) ? "sequence" : undefined
}

/** No type for lines of JSON is registered, so servers send several. */
const lines = /^application\/(?:x-)?(?:ndjson|jsonl|jsonlines|json-lines)$/
const sequence = /^application\/(?:(?:x-)?json-seq|[^/]+\+json-seq)$/
