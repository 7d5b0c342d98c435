// Adds an assertion on the status of a response after its request, as the app does for a response that it shows.

import {
  checkId,
  formatPath,
  insertJsonItem,
  isJsonArray,
  member,
  parseJson,
  valueAt,
  type EditedJson,
  type JsonPointer,
} from "@callsheet/format"
import { freeName, takenNames } from "../names/free-name.ts"

interface StatusCheck {
  /** The path to the request block. */
  readonly pointer: JsonPointer
  readonly status: number
}

/**
 * Returns the workflow's text with the assertion: in the assert block that follows the request, else in a new one.
 * Undefined if the block has no id, or the text can't be read.
 */
export function assertStatus(text: string, { pointer, status }: StatusCheck): string | undefined {
  const parsed = parseJson(text)
  const block = parsed.ok ? valueAt(parsed.value, pointer) : undefined
  const [index, id] = [pointer.at(-1), member(block, "id")]
  if (!parsed.ok || typeof index !== "number" || typeof id !== "string") return undefined
  if (id.includes("{{") || checkId(id) !== undefined) return undefined
  const list = pointer.slice(0, -1)
  const assertion = { source: formatPath([id, "response", "status"]), operator: "equals", value: status }
  const next = valueAt(parsed.value, [...list, index + 1])
  if (isJsonArray(member(next, "assertions")))
    return textOf(insertJsonItem(text, [...list, index + 1, "assertions"], 0, assertion))
  const name = freeName(`check-${id}`, takenNames(parsed.value))
  return textOf(insertJsonItem(text, list, index + 1, { id: name, type: "assert", assertions: [assertion] }))
}

const textOf = (edited: EditedJson): string | undefined => (edited.ok ? edited.text : undefined)
