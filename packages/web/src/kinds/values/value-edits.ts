// Creates an assertion, an output or a placeholder from a received value. Pure: converts the text of a workflow to the
// new text.

import {
  formatPath,
  isJsonArray,
  isJsonObject,
  rawBlocks,
  setJsonAt,
  stringifyJson,
  type JsonObject,
  type JsonPointer,
  type JsonValue,
  valueAt,
  ownOf,
} from "@callsheet/format"
import { WorkflowNames, freeName, takenNames } from "@callsheet/language"
import { kindViewOf } from "../index.ts"
import { TextEdit } from "../../files/text/text-edit.ts"
import { addBlocks, type Document, type Done } from "../block-edits.ts"
import type { LastField } from "../../forms/context/open-field.ts"
import { blockLength } from "../../blocks/block-problems.ts"

/** A value in a result: its path, and its masked value in the last run. */
export interface SeenValue {
  /** The block's id in the file. */
  readonly block: string
  /** The steps after the block's id: `["response", "body", "items", 0]`. */
  readonly steps: readonly (string | number)[]
  readonly value: JsonValue
}

export type Assertion = Readonly<Record<string, JsonValue>>

/** Returns the path for other blocks. An id may contain placeholders, so it can't be quoted like other steps. */
export function pathOf({ block, steps }: Pick<SeenValue, "block" | "steps">): string {
  const rest = formatPath(steps.map(String))
  return rest === "" ? block : rest.startsWith("[") ? `${block}${rest}` : `${block}.${rest}`
}

export const tokenOf = (seen: SeenValue): string => `{{${pathOf(seen)}}}`

/** Returns whether the value contains a masked secret, so that it isn't the received value. */
export const isMasked = (value: JsonValue): boolean => stringifyJson(value).includes("***")

/** The maximum length of an expected value. Longer ones are unreadable. */
const longestValue = 20_000

export const isComparable = (value: JsonValue): boolean =>
  !isMasked(value) && stringifyJson(value).length <= longestValue

/**
 * Returns the integer in a text of digits. A report writes an integer as text if a double would round it, so the text
 * may be either.
 */
export const largeInteger = (value: JsonValue): bigint | undefined =>
  typeof value === "string" && /^-?[1-9][0-9]{15,}$/.test(value) && !Number.isSafeInteger(Number(value))
    ? BigInt(value)
    : undefined

/** Adds assertions after the block: to an assert block there, or to a new one. */
export function addAssertions(
  document: Document,
  block: string,
  assertions: readonly Assertion[],
): Done | undefined {
  const place = pointerOf(document, block)
  if (place === undefined) return undefined
  const found = followerOf(document, place, "assertions")
  if (found !== undefined && isJsonArray(found.value)) {
    const edit = new TextEdit(document.text, [...found.pointer, "assertions"])
    for (const [at, assertion] of assertions.entries()) edit.insert([], found.value.length + at, assertion)
    return { text: edit.text, selected: [found.pointer] }
  }
  return addAfter(document, place, {
    id: freeName(`check-${plain(block)}`, takenNames(document.value)),
    type: "assert",
    assertions,
  })
}

/** Adds a loop over a list after the block. */
export function addLoop(document: Document, seen: SeenValue): Done | undefined {
  const place = pointerOf(document, seen.block)
  if (place === undefined) return undefined
  return addAfter(document, lastFollower(document, place), {
    id: freeName(`each-${nameOf(seen)}`, takenNames(document.value)),
    type: "loop",
    mode: "forEach",
    source: pathOf(seen),
    blocks: [],
  })
}

/** Adds a condition on the value after the block, without blocks in its branches. */
export function addCondition(document: Document, seen: SeenValue): Done | undefined {
  const place = pointerOf(document, seen.block)
  if (place === undefined) return undefined
  const { value } = seen
  const check =
    typeof value === "boolean"
      ? { operator: "equals", value }
      : { operator: value === null ? "exists" : "hasValue" }
  return addAfter(document, lastFollower(document, place), {
    id: freeName(`if-${nameOf(seen)}`, takenNames(document.value)),
    type: "condition",
    if: { source: pathOf(seen), ...check },
    then: [],
  })
}

/** Adds an output after the block. Its name is the last step of the path. */
export function addOutput(document: Document, seen: SeenValue): Done | undefined {
  const place = pointerOf(document, seen.block)
  if (place === undefined) return undefined
  const path = pathOf(seen)
  const found = followerOf(document, place, "transforms")
  if (found !== undefined && isJsonObject(found.value)) {
    const name = freeName(nameOf(seen), new Set(Object.keys(found.value)))
    const edited = setJsonAt(document.text, [...found.pointer, "transforms", name], path)
    return edited.ok ? { text: edited.text, selected: [found.pointer] } : undefined
  }
  return addAfter(document, lastFollower(document, place), {
    id: freeName(`${plain(seen.block)}-values`, takenNames(document.value)),
    type: "transform",
    transforms: { [nameOf(seen)]: path },
  })
}

const nameOf = ({ steps }: SeenValue): string => {
  const name = steps.findLast((step) => typeof step === "string" && !/^\d+$/.test(step))
  return String(name ?? "value").replace(/[.[\]{}\s]+/g, "-")
}

/** Removes placeholders from an id, to name a new block after it. */
const plain = (id: string): string => id.replace(/\{\{.*?\}\}/gs, "").replace(/^-+|-+$/g, "") || "result"

function pointerOf({ value }: Document, id: string): JsonPointer | undefined {
  for (const { block, pointer } of rawBlocks(value)) if (block["id"] === id) return pointer()
  return undefined
}

/** Finds a block with this field among the blocks that directly follow and read the result. */
function followerOf(
  { value }: Document,
  place: JsonPointer,
  field: string,
): { readonly pointer: JsonPointer; readonly value: JsonValue | undefined } | undefined {
  const list = place.slice(0, -1)
  const from = Number(place.at(-1))
  for (let index = from + 1; ; index++) {
    const pointer = [...list, index]
    const block = valueAt(value, pointer)
    if (!isJsonObject(block) || kindViewOf(block["type"])?.looksBack !== true) return undefined
    const known = ownOf(block, field)
    if (known !== undefined) return { pointer, value: known }
  }
}

/** Returns the last of the blocks that directly follow and only read results. Without one, the block. */
function lastFollower({ value }: Document, place: JsonPointer): JsonPointer {
  const list = place.slice(0, -1)
  let last = place
  for (let index = Number(place.at(-1)) + 1; ; index++) {
    const block = valueAt(value, [...list, index])
    if (!isJsonObject(block) || kindViewOf(block["type"])?.looksBack !== true) return last
    last = [...list, index]
  }
}

function addAfter(document: Document, place: JsonPointer, block: JsonObject): Done {
  const index = Number(place.at(-1)) + 1
  return addBlocks(document, { list: place.slice(0, -1), index }, [block])
}

export function valueAtSteps(body: JsonValue, steps: readonly string[]): JsonValue | undefined {
  let here: JsonValue | undefined = body
  for (const step of steps) here = valueAt(here, [isJsonArray(here) ? Number(step) : step])
  return here
}

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
