// Compares a request with the recorded one. Both are masked.

import {
  areAlike,
  isEqual,
  type JsonValue,
  type RequestDifference,
  type RequestView,
  ownOf,
} from "@callsheet/format"
import type { Masker } from "@callsheet/engine"
import { differences } from "../reporters/differences.ts"

/** The maximum number of differences in a body. */
const MAX_DIFFERENCES = 100
/** Ignored because it depends on the body, and a masked body has another length. */
const DERIVED = "content-length"
/** The headers of tokens and signatures. */
const signed = /^(?:authorization$|x-amz-)/

/** Returns how a request differs. `isAuthorized` is true if a run adds a token or a signature. `knowsCookies` is false if a cookie may come from a redirect, which records don't keep. */
export function compareRequests(
  recorded: RequestView,
  now: RequestView,
  { knowsCookies, isAuthorized }: { readonly knowsCookies: boolean; readonly isAuthorized: boolean },
): readonly RequestDifference[] {
  const found: RequestDifference[] = []
  if (recorded.method !== now.method)
    found.push({ what: "method", recorded: recorded.method, now: now.method })
  if (recorded.url !== now.url) found.push({ what: "url", recorded: recorded.url, now: now.url })
  const [before, after] = [recorded.headers ?? {}, now.headers ?? {}]
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    if (name === DERIVED || (name === "cookie" && !knowsCookies)) continue
    if (isAuthorized && signed.test(name)) continue
    const [old, own] = [headerText(name, ownOf(before, name)), headerText(name, ownOf(after, name))]
    if (old !== own) found.push({ what: "header", path: name, recorded: old, now: own })
  }
  return [...found, ...compareBodies(recorded.body ?? null, now.body ?? null)]
}

/** Returns whether two sides differ in more than their masks. This machine may know other secrets than the one that recorded the run. */
export const differsUnmasked = ({ recorded, now }: RequestDifference, secrets: Masker): boolean =>
  typeof recorded === "string"
    ? [secrets.text, secrets.url, secrets.header].every((mask) => mask(recorded) !== now)
    : !isEqual(secrets.value(recorded), now)

function compareBodies(recorded: JsonValue, now: JsonValue): readonly RequestDifference[] {
  if (areAlike(recorded, now))
    return differences(recorded, now, MAX_DIFFERENCES).found.map(
      ({ path, expected = null, actual = null }) => ({
        what: "body",
        path,
        recorded: expected,
        now: actual,
      }),
    )
  return isEqual(recorded, now) ? [] : [{ what: "body", recorded, now }]
}

function headerText(name: string, value: string | readonly string[] | undefined): string | null {
  if (value === undefined) return null
  const text = typeof value === "string" ? value : value.join(", ")
  // Records of version 1.0 don't have the seed of a boundary.
  return name === "content-type" ? text.replace(/;\s*boundary=[^;]*/i, "") : text
}
