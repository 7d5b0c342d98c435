// Reads `Prefer` (RFC 7240) and `Accept` (RFC 9110 section 12.5.1).

import { bodyKindOf, usualMember, type MediaType } from "@callsheet/openapi"
import { essence } from "@callsheet/format"
import { headerList, type Incoming } from "./incoming.ts"

export interface Preferences {
  readonly code: string | undefined
  readonly example: string | undefined
}

/** Returns the preferences that a mock knows. The first one of a name wins. Ignores all others. */
export function readPreferences(incoming: Incoming): Preferences {
  const found = new Map<string, string>()
  for (const written of splitList(headerList(incoming, "prefer") ?? "", ",")) {
    const [preference = ""] = splitList(written, ";")
    const at = preference.indexOf("=")
    const name = (at === -1 ? preference : preference.slice(0, at)).trim().toLowerCase()
    const value = at === -1 ? "" : unquote(preference.slice(at + 1).trim())
    if (!found.has(name)) found.set(name, value)
  }
  return { code: found.get("code"), example: found.get("example") }
}

/** Splits at a separator that isn't in a quoted string. */
function splitList(text: string, separator: string): readonly string[] {
  const parts: string[] = []
  let start = 0
  let isQuoted = false
  for (let at = 0; at < text.length; at++) {
    const character = text[at]
    if (character === '"') isQuoted = !isQuoted
    else if (character === "\\" && isQuoted) at++
    else if (character === separator && !isQuoted) {
      parts.push(text.slice(start, at))
      start = at + 1
    }
  }
  return [...parts, text.slice(start)].map((part) => part.trim()).filter((part) => part !== "")
}

const unquote = (text: string): string =>
  /^".*"$/s.test(text) ? text.slice(1, -1).replaceAll(/\\(.)/gs, "$1") : text

interface Range {
  readonly type: string
  readonly quality: number
}

function readAccept(accept: string): readonly Range[] {
  return splitList(accept, ",").map((written) => {
    const [type = "", ...parameters] = splitList(written, ";")
    const quality = parameters.flatMap((one) => /^q\s*=\s*([\d.]+)$/i.exec(one)?.[1] ?? [])[0]
    return { type: type.toLowerCase(), quality: quality === undefined ? 1 : Number(quality) || 0 }
  })
}

/** A documented media type, and the type to send for it. */
export interface SentMedia {
  readonly media: MediaType
  readonly contentType: string
}

/** Returns the types that a response can have, JSON first. */
export const sentMedia = (content: readonly MediaType[]): readonly SentMedia[] =>
  content
    .map((media) => ({ media, contentType: usualMember(media.name) ?? "application/octet-stream" }))
    .toSorted((a, b) => Number(isJson(b)) - Number(isJson(a)))

const isJson = ({ contentType }: SentMedia): boolean => bodyKindOf(contentType) === "json"

/** Returns the type that a client wants most. Undefined if it accepts none. */
export function negotiate(
  candidates: readonly SentMedia[],
  accept: string | undefined,
): SentMedia | undefined {
  if (accept === undefined) return candidates[0]
  const ranges = readAccept(accept)
  let best: { readonly candidate: SentMedia; readonly quality: number } | undefined
  for (const candidate of candidates) {
    const quality = qualityOf(essence(candidate.contentType), ranges)
    if (quality > 0 && (best === undefined || quality > best.quality)) best = { candidate, quality }
  }
  return best?.candidate
}

/** Returns the quality by the most specific range. */
function qualityOf(type: string, ranges: readonly Range[]): number {
  const [main = ""] = type.split("/", 1)
  for (const wanted of [type, `${main}/*`, "*/*"]) {
    const range = ranges.find((one) => one.type === wanted)
    if (range !== undefined) return range.quality
  }
  return 0
}
