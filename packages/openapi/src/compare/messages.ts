// The messages about changes: facts in, text out.

import { isNumber, type JsonValue, ownOf, pointerKeys, quote, stringifyJson } from "@callsheet/format"
import type { ChangeKind, FactsByKind, ParameterFacts, PropertyFacts } from "./change.ts"

const MAX_LISTED = 5

/** Joins words: `1, 2 and 3`. Counts those beyond the first five. */
function listWords(words: readonly string[]): string {
  const more = words.length - MAX_LISTED
  if (more > 0) return `${words.slice(0, MAX_LISTED).join(", ")} and ${more} more`
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`
}

const MAX_VALUE = 60

function formatValue(value: JsonValue | undefined): string {
  if (value === undefined) return "none"
  const text = isNumber(value) ? String(value) : stringifyJson(value, {})
  return text.length > MAX_VALUE ? `${text.slice(0, MAX_VALUE)}…` : text
}

const formatTypes = (types: readonly string[]): string =>
  types.length === 0 ? "any type" : types.join(" or ")

const formatName = (name: string | undefined): string => (name === undefined ? "none" : quote(name))

const requirement = (required: boolean): string => (required ? "required" : "optional")

const places: Readonly<Record<string, string>> = {
  query: "query parameter",
  path: "path parameter",
  headers: "header",
  header: "header",
  cookies: "cookie",
  cookie: "cookie",
}

const formatParameter = ({ in: place, name }: Pick<ParameterFacts, "in" | "name">): string =>
  `the ${ownOf(places, place) ?? place} ${quote(name)}`

const formatProperty = ({ name }: Pick<PropertyFacts, "name">): string => `the property ${quote(name)}`

export interface Subject {
  readonly side: "request" | "response" | "document"
  readonly path: string
  readonly status?: string | undefined
}

/** Describes a place: `the query parameter "page"`, `"/items/*" in the 200 response body`. */
function describePlace({ side, path, status }: Subject): string {
  const [root = "", name] = pointerKeys(path)
  const holder = status === undefined ? `the ${side}` : `the ${status} response`
  if (root === "body") {
    const inner = path.slice("/body".length)
    return inner === "" ? `${holder} body` : `${quote(inner)} in ${holder} body`
  }
  const kind = ownOf(places, root)
  if (kind === undefined || name === undefined) return holder
  const inner = path.split("/").slice(3).join("/")
  const whole = `the ${kind} ${quote(name)}${status === undefined ? "" : ` of ${holder}`}`
  return inner === "" ? whole : `${quote(`/${inner}`)} in ${whole}`
}

/** Returns the place that contains a property: its path without the last part. */
const holderOf = (subject: Subject): string =>
  describePlace({ ...subject, path: subject.path.slice(0, subject.path.lastIndexOf("/")) })

type Describe<K extends ChangeKind> = (facts: FactsByKind[K], subject: Subject) => string

/** The text of each kind of change. */
export const changeDescriptions: { readonly [K in ChangeKind]: Describe<K> } = {
  "operation-removed": ({ sameId }) =>
    sameId === undefined ? "the operation was removed" : `the operation moved to ${sameId}`,
  "operation-added": ({ sameId }) =>
    sameId === undefined ? "the operation was added" : `the operation moved here from ${sameId}`,
  "operation-renamed": ({ from, to }) =>
    from === undefined
      ? `the operationId ${formatName(to)} was added`
      : `the operationId changed from ${quote(from)} to ${formatName(to)}`,
  "resource-changed": ({ from, to }) =>
    `the tags changed from ${listWords(from.map(quote)) || "none"} to ${listWords(to.map(quote)) || "none"}`,
  "parameter-added": (facts) => `${formatParameter(facts)} was added as ${requirement(facts.required)}`,
  "parameter-removed": (facts) => `${formatParameter(facts)} was removed`,
  "parameter-required": (facts) => `${formatParameter(facts)} became required`,
  "parameter-optional": (facts) => `${formatParameter(facts)} became optional`,
  "parameter-renamed": ({ from, to }) => `the path parameter ${quote(from)} was renamed to ${quote(to)}`,
  "serialization-changed": ({ from, to }, subject) =>
    `${describePlace(subject)} is written in another style: ${to} instead of ${from}`,
  "body-added": ({ required }) => `a request body was added as ${requirement(required)}`,
  "body-removed": () => "the request body was removed",
  "body-required": () => "the request body became required",
  "body-optional": () => "the request body became optional",
  "property-added": (facts, subject) =>
    `${formatProperty(facts)} was added to ${holderOf(subject)} as ${requirement(facts.required)}`,
  "property-removed": (facts, subject) =>
    facts.isOtherDirection === true
      ? `${formatProperty(facts)} is no longer part of ${holderOf(subject)}: it became ${subject.side === "request" ? "read-only" : "write-only"}`
      : `${formatProperty(facts)} was removed from ${holderOf(subject)}`,
  "property-required": (facts, subject) => `${formatProperty(facts)} of ${holderOf(subject)} became required`,
  "property-optional": (facts, subject) => `${formatProperty(facts)} of ${holderOf(subject)} became optional`,
  "type-changed": ({ from, to }, subject) =>
    `the type of ${describePlace(subject)} changed from ${formatTypes(from)} to ${formatTypes(to)}`,
  "enum-changed": ({ removed, added, wasOpen, isOpen }, subject) => {
    const place = describePlace(subject)
    if (wasOpen) return `${place} now allows only ${listWords(added.map(formatValue))}`
    if (isOpen) return `${place} is no longer limited to ${listWords(removed.map(formatValue))}`
    const gone = removed.length === 0 ? [] : [`no longer allows ${listWords(removed.map(formatValue))}`]
    const more = added.length === 0 ? [] : [`also allows ${listWords(added.map(formatValue))}`]
    return `${place} ${[...gone, ...more].join(", and ")}`
  },
  "format-changed": ({ from, to }, subject) =>
    `the format of ${describePlace(subject)} changed from ${from ?? "none"} to ${to ?? "none"}`,
  "limit-changed": ({ keyword, from, to }, subject) =>
    `${quote(keyword)} of ${describePlace(subject)} changed from ${formatValue(from)} to ${formatValue(to)}`,
  "nullable-changed": ({ nullable }, subject) =>
    `${describePlace(subject)} ${nullable ? "may now be null" : "can no longer be null"}`,
  "additional-properties-changed": ({ allowed }, subject) =>
    `${describePlace(subject)} ${allowed ? "now allows" : "no longer allows"} additional properties`,
  "variant-added": ({ name }, subject) => `${describePlace(subject)} has another variant: ${name}`,
  "variant-removed": ({ name }, subject) => `${describePlace(subject)} no longer has the variant ${name}`,
  "discriminator-changed": ({ from, to }, subject) =>
    `the discriminator of ${describePlace(subject)} changed from ${formatName(from)} to ${formatName(to)}`,
  "schema-changed": ({ keyword }, subject) => `${quote(keyword)} of ${describePlace(subject)} changed`,
  "status-added": ({ status }) => `the ${status} response was added`,
  "status-removed": ({ status }) => `the ${status} response was removed`,
  "media-type-added": ({ mediaType }, { side, status }) =>
    `${side === "request" ? "the request" : `the ${status} response`} may also have the media type ${mediaType}`,
  "media-type-removed": ({ mediaType }, { side, status }) =>
    `${side === "request" ? "the request" : `the ${status} response`} no longer has the media type ${mediaType}`,
  "header-changed": ({ name, what, required }, { status }) => {
    const header = `the header ${quote(name)} of the ${status} response`
    if (what === "added") return `${header} was added as ${requirement(required)}`
    return what === "removed" ? `${header} was removed` : `${header} became ${what}`
  },
  "security-changed": ({ removed, added }) => {
    const gone = removed.length === 0 ? [] : [`${listWords(removed)} no longer suffices`]
    const more = added.length === 0 ? [] : [`${listWords(added)} now suffices`]
    return `authentication changed: ${[...gone, ...more].join(", and ")}`
  },
  "server-changed": ({ removed, added }) => {
    const gone = removed.length === 0 ? [] : [`${listWords(removed.map(quote))} removed`]
    const more = added.length === 0 ? [] : [`${listWords(added.map(quote))} added`]
    return `the servers changed: ${[...gone, ...more].join(", ")}`
  },
}

/** Says what changed, without the operation. */
export const describeChange = <K extends ChangeKind>(
  kind: K,
  facts: FactsByKind[K],
  subject: Subject,
): string => (changeDescriptions[kind] as Describe<K>)(facts, subject)
