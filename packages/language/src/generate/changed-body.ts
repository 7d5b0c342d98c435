// The body of an update: what is required, and a value that differs from the one before.

import { isEqual, isJsonObject, kindOf, type JsonObject, type JsonValue } from "@callsheet/format"
import {
  isForeignIdentifier,
  referringField,
  requestMedia,
  schemaType,
  successBody,
  typeAt,
  type MediaType,
  type Operation,
} from "@callsheet/openapi"
import { fieldsOf, type SentField } from "./draft-parts.ts"
import { fullSampler, sampler } from "./ground.ts"

interface Changing {
  /** The values that the item has. */
  readonly before: readonly SentField[]
  /** The member that identifies the item, which must not change. */
  readonly identifier: string | undefined
}

/** Returns the body, or undefined if the usual sample is good enough. */
export function changedBody(operation: Operation, changing: Changing): JsonValue | undefined {
  const media = requestMedia(operation)
  if (media === undefined || (media.kind !== "json" && media.kind !== "form")) return undefined
  const own = sampler.sampleMedia(media)
  if (!own.isDecided || !isJsonObject(own.value)) return undefined
  const { value } = own
  const isEmpty = Object.keys(value).length === 0
  if (!isEmpty && !isSame(value, changing)) return value
  const change = changeOf(operation, media, changing)
  if (change !== undefined) return { ...value, ...change }
  return isEmpty ? undefined : value
}

/** Returns a field with another value, preferably a text that the response has, too. */
function changeOf(
  operation: Operation,
  media: MediaType,
  { before, identifier }: Changing,
): JsonObject | undefined {
  const full = fullSampler.sampleMedia(media, [])
  if (!full.isDecided || !isJsonObject(full.value)) return undefined
  const shown = new Set(successBody(operation)?.names())
  const rank = (name: string, value: JsonValue): number =>
    Number(shown.has(name)) * 2 + Number(typeof value === "string")
  const entries = Object.entries(full.value)
    .filter(([name, value]) => value !== null && typeof value !== "object" && name !== identifier)
    .filter(([name]) => !isForeignIdentifier(name))
    .toSorted(([a, one], [b, other]) => rank(b, other) - rank(a, one))
  for (const [name, sample] of entries) {
    const old = before.find(({ steps }) => steps.length === 1 && steps[0] === name)?.value
    const value = otherValues(media, name, sample).find((one) => !isEqual(one, old ?? null))
    if (value !== undefined) return { [name]: value }
  }
  return undefined
}

const textRules = ["format", "pattern", "enum", "const", "maxLength"]

/** Returns values of the same kind for a field, the sample first. */
function otherValues({ schema }: MediaType, name: string, sample: JsonValue): readonly JsonValue[] {
  if (schema === undefined) return [sample]
  const allowed = typeAt(schemaType(schema, "request"), [name])?.values ?? []
  const { schemas } = referringField(schema, [name])
  const isFree = schemas.every((one) => textRules.every((rule) => one.member(rule) === undefined))
  const texts = typeof sample === "string" && isFree ? [`${sample} (changed)`] : []
  return [sample, ...allowed.filter((one) => kindOf(one) === kindOf(sample)), ...texts]
}

/** Returns whether a body changes nothing. The identifier stays the same in any case. */
const isSame = (value: JsonObject, { before, identifier }: Changing): boolean =>
  fieldsOf(value)
    .filter(({ steps }) => steps.length > 1 || steps[0] !== identifier)
    .every(({ steps, value: own }) =>
      before.some((one) => isEqual([...one.steps], [...steps]) && isEqual(one.value, own)),
    )
