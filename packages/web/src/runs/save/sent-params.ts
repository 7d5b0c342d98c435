// The parameters of a sent request by location and name. A value that was written without placeholders stays as
// written. Pure.

import { escapePattern, type JsonObject, type RequestView } from "@callsheet/format"
import type { ParameterPlace } from "@callsheet/server/calls"
import { objectIn } from "../../files/text/object-in.ts"
import { asLiteral, decoded, hasToken, isMasked, type Findings, type SentSource } from "./sent-source.ts"

interface Source extends SentSource {
  readonly path: string | undefined
}

type Texts = ReadonlyMap<string, string>

export function sentParams(sent: RequestView, source: Source, findings: Findings): JsonObject {
  const written = (place: ParameterPlace): Texts => writtenParams(place, source)
  const known: { readonly [P in ParameterPlace]: Texts } = {
    path: pathValues(sent.url, source.path),
    query: queryValues(sent.url, written("query")),
    header: headerValues(sent, source, written("header")),
    cookie: cookieValues(sent, source, written("cookie")),
  }
  const params: Record<string, JsonObject> = {}
  for (const place of ["path", "query", "header", "cookie"] as const) {
    const values = valuesOf({ place, sent: known[place], written: written(place) }, findings)
    if (Object.keys(values).length > 0) params[place] = values
  }
  return params
}

/** Overrides win over the saved request. The case of header names doesn't matter. */
function writtenParams(place: ParameterPlace, { instance, overrides }: SentSource): Texts {
  const texts = new Map<string, string>()
  for (const part of [instance, overrides])
    for (const [name, text] of Object.entries(objectIn(objectIn(part, "params"), place)))
      if (typeof text === "string") texts.set(place === "header" ? name.toLowerCase() : name, text)
  return texts
}

interface PlaceSource {
  readonly place: ParameterPlace
  readonly sent: Texts
  readonly written: Texts
}

function valuesOf({ place, sent, written }: PlaceSource, findings: Findings): JsonObject {
  const values = new Map<string, string>()
  for (const name of new Set([...sent.keys(), ...written.keys()])) {
    const text = sent.get(name)
    const own = written.get(name)
    const where = `${place} ${name}`
    if (isMasked(name)) findings.leftOut.push(`a ${place} parameter`)
    else if (own !== undefined && !hasToken(own) && !isMasked(text ?? own)) values.set(name, own)
    else if (text !== undefined && !isMasked(text)) values.set(name, asLiteral(text))
    else if (own !== undefined && hasToken(own) && !isMasked(own)) {
      values.set(name, own)
      findings.tokens.push(where)
    } else findings.leftOut.push(where)
  }
  return Object.fromEntries(values)
}

function pathValues(url: string, template: string | undefined): Texts {
  if (template === undefined) return new Map()
  const names: string[] = []
  const pattern = template
    .split(/(\{\{.*?\}\}|\{[^{}]+\})/)
    .map((part, index) => {
      if (index % 2 === 0) return `(?:${escapePattern(part)}|${escapePattern(encodeURI(part))})`
      if (part.startsWith("{{")) return "[^/]*"
      names.push(part.slice(1, -1))
      return "([^/]*)"
    })
    .join("")
  const [, ...values] = new RegExp(`${pattern}$`).exec(url.replace(/[?#].*$/s, "")) ?? []
  return new Map(values.map((value, index) => [names[index] ?? "", decoded(value)]))
}

/**
 * If a name repeats, the last value wins. A part of an object, such as `filter[a]`, belongs to the parameter as
 * written.
 */
function queryValues(url: string, written: Texts): Texts {
  const query = /\?([^#]*)/.exec(url)?.[1] ?? ""
  const pairs = [...new URLSearchParams(query)]
  return new Map(pairs.filter(([name]) => written.has(name) || !written.has(name.replace(/\[.*$/s, ""))))
}

/** Headers that the client, the body or the environment adds. */
const ownHeaders: ReadonlySet<string> = new Set([
  "host",
  "content-length",
  "content-type",
  "connection",
  "transfer-encoding",
  "accept-encoding",
  "cookie",
])

function headerValues({ headers = {} }: RequestView, { operation }: SentSource, written: Texts): Texts {
  const documented = new Set(
    operation?.parameters.filter((one) => one.in === "header").map(({ name }) => name.toLowerCase()),
  )
  const kept = Object.entries(headers).filter(([name, value]) => {
    if (written.has(name) || documented.has(name)) return true
    const isDefault =
      (name === "accept" && value === "*/*") ||
      (name === "user-agent" && String(value).startsWith("callsheet"))
    return !ownHeaders.has(name) && !isDefault
  })
  return new Map(kept.map(([name, value]) => [name, typeof value === "string" ? value : value.join(", ")]))
}

/** Other cookies belong to the run: an earlier response set them. */
function cookieValues({ headers = {} }: RequestView, { operation }: SentSource, written: Texts): Texts {
  const documented = operation?.parameters.filter((one) => one.in === "cookie").map(({ name }) => name) ?? []
  const names = new Set([...written.keys(), ...documented])
  const pairs = [headers["cookie"] ?? []]
    .flat()
    .join("; ")
    .split("; ")
    .map((pair) => [pair.split("=", 1)[0] ?? "", pair.slice(pair.indexOf("=") + 1)] as const)
  return new Map(pairs.filter(([name]) => names.has(name)).map(([name, value]) => [name, decoded(value)]))
}
