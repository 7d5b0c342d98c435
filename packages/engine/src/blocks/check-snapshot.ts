// Compares the response of a request block with its snapshot. Each difference is reported like a failed assertion.

import { describeResponse } from "@callsheet/openapi"
import {
  compareSnapshot,
  createProblemMaker,
  describeType,
  formatPath,
  maskEvent,
  responseOf,
  snapshotOf,
  type AssertionView,
  type Exchange,
  type JsonPointer,
  type RequestBlock,
  type ResponseView,
  type Snapshot,
  type SnapshotDifference,
  type SnapshotFile,
} from "@callsheet/format"
import { messages } from "../messages.ts"
import type { Running } from "../run/context.ts"
import { failed, type BlockOutcome } from "../run/failure.ts"
import { warnOfExchange } from "../run/warn.ts"
import type { Sending } from "./check-request.ts"

interface Received {
  readonly sending: Sending
  /** Not masked. */
  readonly response: ResponseView
  readonly shown: () => Exchange
  /** The outcome if the response doesn't differ. */
  readonly outcome: BlockOutcome
}

/** The maximum number of reported differences of a response, and of those that the message names. */
const MAX_LISTED = { reported: 200, named: 3 }

export function checkSnapshot(
  running: Running<RequestBlock>,
  { sending, response, shown, outcome }: Received,
): BlockOutcome {
  const { id, number, frame, expected } = running
  const { run, emit, ports } = frame.context
  if (expected === undefined) return outcome
  const { file, stored } = expected
  if (stored?.snapshot === undefined) {
    warnOfExchange(running, messages["snapshot-missing"].missing(id, file))
    return outcome
  }
  const { operation } = sending.template.target
  const found: SnapshotDifference[] = []
  let count = 0
  const differences = compareSnapshot(stored.snapshot, maskedSnapshot(running, response), {
    described: operation && describeResponse(operation, responseOf(stored.snapshot)),
    ignore: ports.snapshots?.ignore ?? [],
  })
  for (const difference of differences) if (count++ < MAX_LISTED.reported) found.push(difference)
  if (count === 0) return outcome
  const assertions = viewsOf(found, id, stored)
  emit({ type: "assertions.checked", run, block: number, assertions })
  const places = found.slice(0, MAX_LISTED.named).map((difference) => formatPath(sourceOf(difference)))
  const finding = messages["snapshot-differs"].differs(file, places, count - places.length)
  return failed(finding, { exchanges: [shown()] })
}

/** Returns the response as events show it. A snapshot never has a secret, so only masked responses are compared. */
function maskedSnapshot({ frame, number }: Running, response: ResponseView): Snapshot {
  const { run, secrets } = frame.context
  const event = { type: "response.received", run, block: number, response } as const
  return snapshotOf(maskEvent(event, { ...secrets, excerpt: secrets.value, detail: secrets.value }).response)
}

/** Returns the differences as failed assertions, with their positions in the snapshot. */
function viewsOf(
  found: readonly SnapshotDifference[],
  id: string,
  stored: SnapshotFile,
): readonly AssertionView[] {
  const problemAt = createProblemMaker(stored)
  return found.map((difference) => {
    const { left, right } = difference
    const { message } = messageOf(difference)
    const { line = 1, column = 1 } = problemAt(pointerOf(difference), "value", { code: "usage", message })
    return {
      source: formatPath([id, ...sourceOf(difference)]),
      operator: left === undefined ? "notExists" : "equals",
      ...(left === undefined ? {} : { expected: left }),
      ...(right === undefined ? {} : { actual: right }),
      status: "failed",
      ...(message === "" ? {} : { message }),
      file: stored.file,
      line,
      column,
    } as const
  })
}

function sourceOf({ what, path }: SnapshotDifference): JsonPointer {
  if (what === "body") return ["response", "body", ...path]
  return what === "status" ? ["response", "status"] : ["response", "headers", "content-type"]
}

function messageOf({ left, right }: SnapshotDifference): { readonly message: string } {
  const texts = messages["snapshot-differs"]
  if (left === undefined) return texts.added()
  if (right === undefined) return texts.vanished()
  const [own, other] = [describeType(left), describeType(right)]
  return own === other ? { message: "" } : texts.type(own, other)
}

/** The snapshot has no position for an added value, so this is that of the object around it. */
function pointerOf({ what, path, left }: SnapshotDifference): JsonPointer {
  const place = [what, ...path]
  return left === undefined ? place.slice(0, -1) : place
}
