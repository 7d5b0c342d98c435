// Where in a YAML text the value at a pointer stands. Walked only when there is a problem to point at.

import type { JsonPointer } from "@callsheet/format"
import type { Event, EventId } from "js-yaml"

interface Parsed {
  readonly events: readonly Event[]
  readonly source: string
}

/** The offset in UTF-16 code units; for a pointer to what is not there, of the nearest container. */
export function locateInYaml(
  yaml: typeof import("js-yaml"),
  { events, source }: Parsed,
  pointer: JsonPointer,
): number {
  const { EVENT_ID, getScalarValue } = yaml
  // The event before a document's first node says that a document starts.
  let at = 1
  for (const step of pointer) {
    const next = childAt(step)
    if (next === undefined) break
    at = next
  }
  // Where nothing is written (`paths:`), the key in front of it is what can be pointed at.
  while (at > 0 && startOf(events[at]) < 0) at--
  return Math.max(0, startOf(events[at]))

  function childAt(step: string | number): number | undefined {
    const isMapping = events[at]?.type === EVENT_ID.MAPPING
    if (!isMapping && events[at]?.type !== EVENT_ID.SEQUENCE) return undefined
    let index = 0
    for (let child = at + 1; ; index++) {
      const key = events[child]
      if (key === undefined || key.type === EVENT_ID.POP) return undefined
      const value = isMapping ? endOfNode(events, child, EVENT_ID) : child
      const name = !isMapping ? index : key.type === EVENT_ID.SCALAR ? getScalarValue(source, key) : undefined
      if (name === step) return value
      child = endOfNode(events, value, EVENT_ID)
    }
  }
}

/** Negative where the event stands at no place in the text. */
function startOf(event: Event | undefined): number {
  if (event === undefined) return -1
  return "valueStart" in event ? event.valueStart : "start" in event ? event.start : -1
}

/** The index after a node and all that it holds. */
function endOfNode(
  events: readonly Event[],
  start: number,
  ids: { readonly MAPPING: EventId; readonly SEQUENCE: EventId; readonly POP: EventId },
): number {
  let depth = 0
  for (let at = start; at < events.length; at++) {
    const type = events[at]?.type
    if (type === ids.MAPPING || type === ids.SEQUENCE) depth++
    else if (type === ids.POP) depth--
    if (depth === 0) return at + 1
  }
  return events.length
}
