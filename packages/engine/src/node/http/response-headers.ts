// Reads the headers of a response, and settles headers that a response must not have twice.

import { setOwn, type Finding, type Headers } from "@callsheet/format"
import { messages } from "../../messages.ts"
import { readHeaderLines } from "./header-lines.ts"

export interface ResponseHeaders {
  readonly headers: Headers
  readonly warnings: readonly Finding[]
}

const none: readonly Finding[] = []

/** `origin` is the base of a relative `location`. */
export function readResponseHeaders(lines: readonly string[], origin: string): ResponseHeaders {
  const headers = readHeaderLines(lines)
  const types = String(headers["content-type"] ?? "").includes(",")
    ? mediaTypesIn(valuesOf(lines, "content-type").join(", "))
    : []
  const locations = String(headers["location"] ?? "").includes(", ") ? valuesOf(lines, "location") : []
  if (types.length < 2 && locations.length < 2) return { headers, warnings: none }
  const warnings: Finding[] = []
  const settled = { ...headers }
  const settle = (name: string, values: readonly string[], isValid: (value: string) => boolean): void => {
    const used = values.findLast(isValid) ?? values.at(-1)
    if (values.length < 2 || used === undefined) return
    setOwn(settled, name, used)
    // A location may contain a secret.
    warnings.push(says.repeated(name, values.length, name === "content-type" ? shown(used) : undefined))
  }
  settle("content-type", types, (value) => mediaType.test(value))
  settle("location", locations, (value) => isWebAddress(value, origin))
  return { headers: settled, warnings }
}

const says = messages["header-invalid"]

const mediaType = /^[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'+.^`|~-]+\s*(?:;|$)/

/**
 * Splits at commas outside of quotes, because a proxy may have joined the lines. A quote without an end is read once: the
 * search for each end would take quadratic time.
 */
const mediaTypesIn = (text: string): readonly string[] =>
  (text.match(/(?:"(?:\\.?|[^"\\])*(?:"|$)|[^",])+/g) ?? []).map((value) => value.trim())

function isWebAddress(location: string, base: string): boolean {
  return location !== "" && URL.canParse(location, base) && /^https?:$/.test(new URL(location, base).protocol)
}

const shown = (text: string): string | undefined => (/^[ -~]{1,60}$/.test(text) ? text : undefined)

const valuesOf = (lines: readonly string[], name: string): readonly string[] =>
  lines.filter((_, index) => index % 2 === 1 && lines[index - 1]?.toLowerCase() === name)
