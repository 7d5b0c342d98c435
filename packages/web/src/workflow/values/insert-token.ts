// Inserts a placeholder for a received value into a field of a later block. Pure.

import { isJsonObject, valueAt, type JsonValue } from "@callsheet/format"
import { WorkflowNames } from "@callsheet/language"
import type { LastField } from "../../forms/tokens/open-field.ts"
import { blockLength } from "../block-problems.ts"
import type { SeenValue } from "./value-edits.ts"

interface Inserted {
  readonly value: string
  /** The id of the block with the field. */
  readonly block: string
}

/** Replaces the field's selection. Undefined if the field has changed since, or if its block can't read the value. */
export function withToken(
  workflow: JsonValue | undefined,
  { pointer, text, from, to, reads }: Pick<LastField, "pointer" | "text" | "from" | "to" | "reads">,
  token: string,
  seen: Pick<SeenValue, "block">,
): Inserted | undefined {
  const length = blockLength(pointer)
  const block = valueAt(workflow, pointer.slice(0, length))
  if ((valueAt(workflow, pointer) ?? "") !== text || length === 0 || !isJsonObject(block)) return undefined
  const { result } = new WorkflowNames(workflow).visibleTo(block, pointer[length] === "until")
  const { id } = block
  if (typeof id !== "string" || !result.some(({ name }) => name === seen.block)) return undefined
  return { value: reads === "path" ? token : text.slice(0, from) + token + text.slice(to), block: id }
}
