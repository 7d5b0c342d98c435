// Where assertions on a result go.

import { useMemo } from "react"
import { isJsonArray, isJsonObject, rawBlocks, type JsonValue } from "@callsheet/format"
import { useOpenFile } from "../../files/open-files.ts"
import { pathOf } from "../../kinds/values/value-edits.ts"
import type { AddedRequest } from "./add-request.ts"
import type { Steps } from "./use-ticks.ts"

/** After the block of the result, or in a workflow together with the request that was sent. */
export type TickPlace =
  | {
      readonly kind: "block"
      readonly workflow: string
      /** The block's id in the file. */
      readonly block: string
      /** False if the workflow asserts the status already, or if the page offers that in another way. */
      readonly ticksStatus: boolean
    }
  | { readonly kind: "sent"; readonly sent: AddedRequest }

/** Returns undefined if the file no longer contains the block. `isOffered`: the page offers to assert the status. */
export function usePlaceAfter(
  workflow: string,
  block: string | undefined,
  isOffered = false,
): TickPlace | undefined {
  const { value } = useOpenFile({ kind: "workflow", workflow })
  return useMemo(() => {
    if (block === undefined || value === undefined) return undefined
    const source = pathOf({ block, steps: ["response", "status"] })
    return { kind: "block", workflow, block, ticksStatus: !isOffered && !asserts(value, source) }
  }, [workflow, block, value, isOffered])
}

function asserts(workflow: JsonValue, source: string): boolean {
  for (const { block } of rawBlocks(workflow)) {
    const { assertions } = block
    if (!isJsonArray(assertions)) continue
    if (assertions.some((one) => isJsonObject(one) && one["source"] === source)) return true
  }
  return false
}

const status: readonly Steps[] = [["response", "status"]]
const none: readonly Steps[] = []

/** The values of a response that are ticked until the user changes a tick. */
export const firstTicks = (place: TickPlace | undefined): readonly Steps[] =>
  place === undefined || (place.kind === "block" && !place.ticksStatus) ? none : status
