// Splits the URLs of sources.

import type { Pair, Url } from "../model.ts"
import { decodeForm, type Text } from "../text.ts"

/** A scheme may consist of variables: `{{protocol}}://`. A variable is its name between two private characters. */
const SCHEME = String.raw`(?:[A-Za-z]|\ue000[^\ue001]*\ue001)(?:[A-Za-z0-9+.-]|\ue000[^\ue001]*\ue001)*:\/\/`
const start = new RegExp(String.raw`^(${SCHEME}|\/\/)?(.*)$`, "s")
const server = new RegExp(String.raw`^(${SCHEME})?(?:([^/@]+)@)?(.*)$`, "s")

/** Splits the part of a URL before its path. */
export function splitBase(base: Text): {
  readonly scheme: Text
  readonly account: Text | undefined
  readonly host: Text
} {
  const [, scheme = "", account, host = ""] = server.exec(base) ?? []
  return { scheme, account, host }
}

/** Splits a URL. One without a scheme starts with a host or a variable, or with "/" if it has only a path. */
export function splitUrl(url: Text): Url {
  const [beforeHash = ""] = url.trim().split("#")
  const [address = "", ...queries] = beforeHash.split("?")
  const query = queries.length === 0 ? [] : pairsOf(queries.join("?"))
  const [, scheme = "", rest = address] = start.exec(address) ?? []
  const slash = rest.indexOf("/")
  const host = slash === -1 ? rest : rest.slice(0, slash)
  const path = slash === -1 ? [] : rest.slice(slash + 1).split("/")
  return { base: baseOf(scheme, host), path: path.map((text) => ({ text })), query, written: url }
}

/** Postman and curl send a URL without a scheme over http. A variable at its start may contain the scheme. */
function baseOf(scheme: string, host: Text): Text {
  if (scheme === "//") return `http://${host}`
  return scheme === "" && host !== "" && !host.startsWith("\ue000") ? `http://${host}` : `${scheme}${host}`
}

/** Reads `a=1&b=2`. */
const pairsOf = (query: Text): readonly Pair[] =>
  query
    .split("&")
    .filter((part) => part !== "")
    .map((part) => {
      const cut = part.indexOf("=")
      const [name, value] = cut === -1 ? [part, ""] : [part.slice(0, cut), part.slice(cut + 1)]
      return { name: decodeForm(name), value: decodeForm(value) }
    })

/** Names a request after its method and path, for formats without names. */
export const nameOfRequest = (method: string, { path }: Url): string =>
  `${method} /${path.map(({ text }) => text).join("/")}`

/** Returns the name of a file without its directory and ending. */
export function stemOf(file: string): string {
  const name = file.split(/[/\\]/).at(-1) ?? ""
  return name.replace(/\.[^.]*$/, "") || name
}
