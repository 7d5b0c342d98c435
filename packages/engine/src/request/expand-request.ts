// Saved request + overrides -> parameters and body with every token filled in, and what of it came from a secret.

import {
  formatPath,
  parsePathOnce,
  type BodyType,
  type JsonValue,
  type Overrides,
  type Params,
  type SavedRequest,
} from "@callsheet/format"
import { describeUnresolved, expandJson, expandText, type Reader } from "../expand.ts"
import { failed, type BlockOutcome } from "../failure.ts"
import type { Masker } from "../mask.ts"
import { setPath } from "./set-path.ts"

export type ParamPlace = keyof Params
export type ParamValues = Readonly<Record<ParamPlace, ReadonlyMap<string, ParamValue>>>

export interface ParamValue {
  readonly text: string
  readonly isSecret: boolean
}

export interface ExpandedRequest {
  /** Header names keep the case of whoever wrote last. */
  readonly params: ParamValues
  /** Absent where nothing gives one. */
  readonly body?: JsonValue
  readonly bodyType?: BodyType
  readonly isBodySecret: boolean
}

export type ExpandRequest =
  | { readonly ok: true; readonly request: ExpandedRequest }
  | { readonly ok: false; readonly outcome: BlockOutcome }

export interface RequestSource {
  readonly instance: SavedRequest | undefined
  readonly overrides: Overrides | undefined
  readonly reader: Reader
  readonly mask: Masker
}

const places: readonly ParamPlace[] = ["query", "path", "header", "cookie"]

export function expandRequest(source: RequestSource): ExpandRequest {
  const params = expandParams(source)
  if ("status" in params) return { ok: false, outcome: params }
  const body = expandBody(source)
  if ("status" in body) return { ok: false, outcome: body }
  const bodyType = source.instance?.body === undefined ? undefined : (source.instance.bodyType ?? "json")
  return {
    ok: true,
    request: {
      params,
      isBodySecret: body.isSecret,
      ...(body.value === undefined ? {} : { body: body.value }),
      ...(bodyType === undefined ? {} : { bodyType }),
    },
  }
}

// Only what is sent is expanded: a token of a saved request that an override replaces may not resolve.
function expandParams({ instance, overrides, reader, mask }: RequestSource): ParamValues | BlockOutcome {
  const values = { query: new Map(), path: new Map(), header: new Map(), cookie: new Map() } as const
  for (const place of places) {
    const texts = mergeParams(place, instance?.params, overrides?.params)
    const target: Map<string, ParamValue> = values[place]
    for (const [name, text] of texts) {
      const expanded = expandText(text, reader)
      if (!expanded.ok) return unresolved(expanded.token, expanded.reason)
      target.set(name, { text: expanded.value, isSecret: expanded.isSecret || mask.occursIn(expanded.value) })
    }
  }
  return values
}

const unresolved = (token: string, reason: string): BlockOutcome =>
  failed("token-unresolved", describeUnresolved(token, reason))

/** Overrides replace by name; header names whatever their case. */
function mergeParams(
  place: ParamPlace,
  saved: Params | undefined,
  given: Params | undefined,
): ReadonlyMap<string, string> {
  const merged = new Map<string, { name: string; text: string }>()
  const keyOf = (name: string) => (place === "header" ? name.toLowerCase() : name)
  for (const texts of [saved?.[place], given?.[place]]) {
    for (const [name, text] of Object.entries(texts ?? {})) merged.set(keyOf(name), { name, text })
  }
  return new Map([...merged.values()].map(({ name, text }) => [name, text]))
}

interface ExpandedBody {
  readonly value?: JsonValue
  readonly isSecret: boolean
}

function expandBody({ instance, overrides, reader, mask }: RequestSource): ExpandedBody | BlockOutcome {
  let value: JsonValue | undefined
  let isSecret = false
  if (instance?.body !== undefined) {
    const expanded = expandJson(instance.body, reader)
    if (!expanded.ok) return unresolved(expanded.token, expanded.reason)
    value = expanded.value
    isSecret = expanded.isSecret
  }
  for (const [key, raw] of Object.entries(overrides?.body ?? {})) {
    const expanded = expandJson(raw, reader)
    if (!expanded.ok) return unresolved(expanded.token, expanded.reason)
    const path = parsePathOnce(key)
    const set = path.ok
      ? setPath(value, path.segments, expanded.value)
      : { ok: false as const, message: path.message }
    if (!set.ok) {
      const name = path.ok ? formatPath(path.segments) : key
      return failed("path-unresolved", `overrides.body: "${name}" cannot be set: ${set.message}`)
    }
    value = set.value
    isSecret ||= expanded.isSecret
  }
  if (value === undefined) return { isSecret: false }
  return { value, isSecret: isSecret || holdsSecret(value, mask) }
}

// A secret may have come by way of a transform or a script, whose values carry no mark.
function holdsSecret(value: JsonValue, mask: Masker): boolean {
  const work: JsonValue[] = [value]
  for (let here = work.pop(); here !== undefined; here = work.pop()) {
    if (typeof here === "string" && mask.occursIn(here)) return true
    if (typeof here === "object" && here !== null)
      for (const inner of Object.values(here) as JsonValue[]) work.push(inner)
  }
  return false
}
