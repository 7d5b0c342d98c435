// Splits the query and the path of a sent URL again, with names decoded and values as written.

import { decodePercent, escapePattern, getOrCreate } from "@callsheet/format"
import { parsePathTemplate } from "./build-url.ts"

/** Values are still percent-encoded, because an encoded delimiter may not separate anything. */
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

/** Returns the text unchanged if it is not percent-encoded UTF-8. */
export const decode = (text: string): string => (text.includes("%") ? (decodePercent(text) ?? text) : text)

/** Finds the raw values of a template's parameters in a URL's path; undefined if the path doesn't match the template. */
export type PathReader = (url: string) => ReadonlyMap<string, string> | undefined

export function createPathReader(template: string): PathReader {
  const path = template.replace(/\?.*/s, "").replace(/^\/+/, "")
  const segments = parsePathTemplate(path).segments.map(readSegment)
  return (url) => {
    const path = /^[a-z]+:\/\/[^/?#]*([^?#]*)/i.exec(url)?.[1] ?? ""
    const received = path.split("/")
    if (received.length <= segments.length) return undefined
    const values = new Map<string, string>()
    for (const [index, { names, pattern }] of segments.entries()) {
      const match = pattern.exec(received[received.length - segments.length + index] ?? "")
      if (match === null) return undefined
      names.forEach((name, at) => values.set(name, match[at + 1] ?? ""))
    }
    return values
  }
}

/** More parameters in one segment are not distinguished: the pattern would be slow, and the result ambiguous. */
const MAX_OF_SEGMENT = 3

/** `parts` has literals at even indexes and names at odd ones. */
function readSegment(parts: readonly string[]) {
  const names = parts.filter((_, index) => index % 2 === 1)
  if (names.length > MAX_OF_SEGMENT) return { names: [], pattern: /^/ }
  const source = parts.map((part, index) => (index % 2 === 1 ? "(.*)" : escapePattern(part)))
  return { names, pattern: new RegExp(`^${source.join("")}$`) }
}
