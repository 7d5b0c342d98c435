// The blocks of a workflow as its file has them, whether or not they are valid yet.

import type { JsonPointer } from "../json/locate.ts"
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from "../json/value.ts"
import { childFields } from "./blocks/index.ts"

/** A block as it stands in the file, whether or not it is one. */
export interface RawBlock {
  readonly block: JsonObject
  readonly pointer: () => JsonPointer
}

interface Place {
  readonly step: string | number
  readonly outer: Place | undefined
}

/** Every block of the list at `within` and in them, in the order of the file; broken ones too, as far as they are objects. */
export function* rawBlocks(
  workflow: JsonValue,
  within: JsonPointer = ["blocks"],
): Generator<RawBlock, void, undefined> {
  const work: { readonly value: JsonValue; readonly place: Place | undefined }[] = []
  const push = (list: JsonValue | undefined, outer: Place | undefined): void => {
    if (!isJsonArray(list)) return
    for (let index = list.length - 1; index >= 0; index--)
      work.push({ value: list[index] ?? null, place: { step: index, outer } })
  }
  push(valueAt(workflow, within), undefined)
  for (let item = work.pop(); item !== undefined; item = work.pop()) {
    const { value: block, place } = item
    if (!isJsonObject(block)) continue
    yield { block, pointer: () => [...within, ...stepsOf(place)] }
    for (const field of childFields.toReversed()) push(own(block, field), { step: field, outer: place })
  }
}

function valueAt(value: JsonValue, pointer: JsonPointer): JsonValue | undefined {
  let here: JsonValue | undefined = value
  for (const step of pointer) {
    if (isJsonArray(here)) here = typeof step === "number" ? here[step] : undefined
    else here = isJsonObject(here) ? own(here, String(step)) : undefined
  }
  return here
}

const own = (object: JsonObject, key: string): JsonValue | undefined =>
  Object.hasOwn(object, key) ? object[key] : undefined

function stepsOf(place: Place | undefined): JsonPointer {
  const steps: (string | number)[] = []
  for (let here = place; here !== undefined; here = here.outer) steps.push(here.step)
  return steps.reverse()
}
