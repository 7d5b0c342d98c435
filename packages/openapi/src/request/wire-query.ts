// The query and the path of a URL that goes out, taken apart again: names as they are meant, values as they are written.

import { decodePercent, escapePattern, getOrCreate } from "@callsheet/format"
import { parsePathTemplate } from "./build-url.ts"

/** Values are still percent-encoded: what is encoded in them may separate nothing. */
export type RawQuery = ReadonlyMap<string, readonly string[]>

export function readQuery(url: string): RawQuery {
  const query = new Map<string, string[]>()
  const from = url.indexOf("?")
  if (from === -1) return query
  for (const pair of url.slice(from + 1).split("&")) {
    if (pair === "") continue
    const cut = pair.indexOf("=")
    const name = decode(cut === -1 ? pair : pair.slice(0, cut))
    const value = cut === -1 ? "" : pair.slice(cut + 1)
    getOrCreate(query, name, () => []).push(value)
  }
  return query
}

/** The text as it stands where it is no percent-encoded UTF-8. */
export const decode = (text: string): string => (text.includes("%") ? (decodePercent(text) ?? text) : text)

/** Finds the raw values of a template's parameters in the path of a URL; undefined where the path is none of the template. */
export type PathReader = (url: string) => ReadonlyMap<string, string> | undefined

export function createPathReader(template: string): PathReader {
  const path = template.replace(/\?.*/s, "").replace(/^\/+/, "")
  const segments = parsePathTemplate(path).segments.map(readSegment)
  return (url) => {
    const path = /^[a-z]+:\/\/[^/?#]*([^?#]*)/i.exec(url)?.[1] ?? ""
    const came = path.split("/")
    if (came.length <= segments.length) return undefined
    const values = new Map<string, string>()
    for (const [index, { names, pattern }] of segments.entries()) {
      const match = pattern.exec(came[came.length - segments.length + index] ?? "")
      if (match === null) return undefined
      names.forEach((name, at) => values.set(name, match[at + 1] ?? ""))
    }
    return values
  }
}

/** More parameters in one segment are not told apart: a pattern would take long, and they would mean little. */
const MAX_OF_SEGMENT = 3

/** `parts`: literal ones at the even places, names at the odd ones. */
function readSegment(parts: readonly string[]) {
  const names = parts.filter((_, index) => index % 2 === 1)
  if (names.length > MAX_OF_SEGMENT) return { names: [], pattern: /^/ }
  const source = parts.map((part, index) => (index % 2 === 1 ? "(.*)" : escapePattern(part)))
  return { names, pattern: new RegExp(`^${source.join("")}$`) }
}
