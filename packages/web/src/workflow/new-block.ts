// What a new block of each kind begins as: valid at once, or with its problem at the field that has to be filled. Pure.

import {
  blockDefinitions,
  isJsonObject,
  rawBlocks,
  type BlockKind,
  type JsonObject,
  type JsonPointer,
  type JsonValue,
} from "@callsheet/format"
import { keyOf } from "./block-place.ts"

export const summaryOf = (kind: BlockKind): string => blockDefinitions[kind].summary

/** What is known where a block is made. */
export interface Surroundings {
  /** The id of the last request before it. */
  readonly request?: string | undefined
  readonly apis: readonly string[]
}

export function newBlock(kind: BlockKind, id: string, { request, apis }: Surroundings): JsonObject {
  const check = {
    source: request === undefined ? "" : `${request}.response.status`,
    operator: "equals",
    value: 200,
  }
  switch (kind) {
    case "request":
      return { id, type: kind, request: { api: apis[0] ?? "", operation: "" } }
    case "assert":
      return { id, type: kind, assertions: request === undefined ? [] : [check] }
    case "transform":
      return { id, type: kind, transforms: {} }
    case "condition":
      return { id, type: kind, if: check, then: [] }
    case "loop":
      return { id, type: kind, mode: "times", count: 2, blocks: [] }
    case "group":
      return { id, type: kind, blocks: [] }
    case "script":
      return { id, type: kind, script: { name: "", exportName: "" } }
  }
}

/** The last request block that stands before a place, nested ones included: its id, and the API that it asks. */
export function requestBefore(
  workflow: JsonValue,
  place: JsonPointer,
): { readonly request?: string; readonly api?: string } {
  const end = keyOf(place)
  let found: { readonly request?: string; readonly api?: string } = {}
  for (const { block, pointer } of rawBlocks(workflow)) {
    const here = pointer()
    if (keyOf(here) === end || startsAfter(here, place)) return found
    const { id, type, request } = block
    if (type !== "request" || typeof id !== "string" || id.includes("{{")) continue
    const api = isJsonObject(request) ? request["api"] : undefined
    found = { request: id, ...(typeof api === "string" ? { api } : {}) }
  }
  return found
}

/** Whether a block stands behind a place at which no block is yet. */
function startsAfter(block: JsonPointer, place: JsonPointer): boolean {
  const at = block.findIndex((step, index) => step !== place[index])
  const [left, right] = [block[at], place[at]]
  return typeof left === "number" && typeof right === "number" && left > right
}
