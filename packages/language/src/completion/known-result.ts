// Describes a block's result by its operation's document and the last run. Pure.

import {
  isJsonObject,
  memo,
  traitsOf,
  type BlockReport,
  type IterationReport,
  type JsonObject,
  type JsonValue,
  type RunReport,
  ownOf,
} from "@callsheet/format"
import { writtenId } from "./written-id.ts"
import { unknownValue, type KnownField, type KnownValue } from "./known-value.ts"

/** The documented responses of an operation. */
export interface KnownOperation {
  readonly responses: readonly {
    readonly status: string
    readonly headers: readonly string[]
    /** True if the body may be a stream, which has a raw text, too. */
    readonly isStream?: boolean | undefined
    readonly body?: KnownField | undefined
  }[]
}

const words = (text: string): readonly KnownField[] => [{ words: text }]

/** Describes a block's result. `detail` is the operation that a request block sends. */
export function knownResult(
  block: JsonObject,
  detail: KnownOperation | undefined,
  seen: readonly BlockReport[],
): KnownValue {
  if (traitsOf(block["type"])?.result === "outputs") return knownOutputs(block, seen)
  const response = knownResponse(detail, seen)
  return { fields: [], seen: [], own: new Map([["response", response]]) }
}

const documentedResponse = memo((detail: KnownOperation) => responseOf(detail, []))

/** Keeps what is known of a documented response, because completion searches it at each key. */
const knownResponse = (detail: KnownOperation | undefined, seen: readonly BlockReport[]): KnownValue =>
  detail !== undefined && seen.length === 0 ? documentedResponse(detail) : responseOf(detail, seen)

function responseOf(detail: KnownOperation | undefined, seen: readonly BlockReport[]): KnownValue {
  const received = seen.flatMap(({ response }) => (response === undefined ? [] : [response]))
  const responses = detail?.responses ?? []
  const isStream =
    responses.some((response) => response.isStream === true) ||
    received.some(({ items }) => items !== undefined)
  const headers = new Map<string, KnownValue>()
  for (const name of new Set(responses.flatMap(({ headers: names }) => names)))
    headers.set(name, { fields: words("string"), seen: [] })
  const sentHeaders = received.map(({ headers: sent }) => sent as JsonObject)
  for (const sent of sentHeaders)
    for (const [name, value] of Object.entries(sent))
      headers.set(name, { fields: words("string"), seen: [value] })
  // Most paths read successful responses, so list those first.
  const ordered = [...responses].sort(
    (one, other) => Number(isGood(other.status)) - Number(isGood(one.status)),
  )
  return {
    fields: [],
    seen: [],
    note: "response",
    own: new Map<string, KnownValue>([
      ["status", { fields: words("number"), seen: received.map(({ status }) => status) }],
      [
        "body",
        {
          fields: ordered.flatMap(({ body }) => (body === undefined ? [] : [body])),
          seen: received.flatMap(({ body }) => (body === undefined ? [] : [body])),
        },
      ],
      ...(isStream ? [["bodyText", { fields: words("string"), seen: [] }] as const] : []),
      ["headers", { fields: [], seen: [], own: headers }],
      ["durationMs", { fields: words("number"), seen: received.map(({ durationMs }) => durationMs) }],
    ]),
  }
}

const isGood = (status: string): boolean => status.startsWith("2")

function knownOutputs(block: JsonObject, seen: readonly BlockReport[]): KnownValue {
  const transforms = block["transforms"]
  const own = new Map<string, KnownValue>()
  const received = seen.flatMap(({ outputs }) => (outputs === undefined ? [] : [outputs]))
  if (isJsonObject(transforms)) {
    for (const [name, path] of Object.entries(transforms)) {
      const values = received.flatMap((outputs): readonly JsonValue[] =>
        Object.hasOwn(outputs, name) ? [ownOf(outputs, name) ?? null] : [],
      )
      own.set(name, { fields: [], seen: values, ...(typeof path === "string" ? { note: path } : {}) })
    }
  }
  return own.size === 0 ? { ...unknownValue, seen: received } : { fields: [], seen: [], own }
}

const MAX_PARTS = 20_000

/** Returns the reports of a block, newest first. Searches only the last iterations of a loop. */
export function reportsOf(run: RunReport | undefined, id: string): readonly BlockReport[] {
  const found: BlockReport[] = []
  const work: (BlockReport | IterationReport)[] = [...(run?.blocks ?? [])]
  for (let parts = 0; parts < MAX_PARTS; parts++) {
    const part = work.pop()
    if (part === undefined) break
    if ("id" in part && writtenId(part.id, [id]) !== undefined) found.push(part)
    if ("id" in part) work.push(...(part.iterations ?? []).slice(-3), ...(part.blocks ?? []))
    else work.push(...part.blocks)
  }
  return found.slice(0, 3)
}
