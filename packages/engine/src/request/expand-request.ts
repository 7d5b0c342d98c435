// Expands a saved request and its overrides to parameters and a body. Marks the parts built from a secret.

import {
  attempt,
  formatPath,
  isJsonObject,
  parsePathOnce,
  setPath,
  type BodyType,
  type JsonValue,
  type Overrides,
  type Params,
  type SavedRequest,
} from "@callsheet/format"
import { languageMessages, type Withheld } from "@callsheet/language"
import { structureOf, type ParameterWriter } from "@callsheet/openapi"
import { expandJson, expandText, type Expansion, type Reader } from "../run/expand.ts"
import { MAX_REPEATED, repeatsTooMuch } from "../run/expansion.ts"
import { failed, type BlockOutcome } from "../run/failure.ts"
import type { Masker } from "../outlet/mask.ts"
import { messages } from "../messages.ts"
import { scalarsOf } from "../run/scalars-of.ts"

export type ParamLocation = keyof Params
type ParamValues = Readonly<Record<ParamLocation, ReadonlyMap<string, ParamValue>>>

export interface ParamValue {
  readonly text: string
  readonly isSecret: boolean
  /** Writes the parameter as documented. Undefined if the document doesn't describe it. */
  readonly writer: ParameterWriter | undefined
}

export interface ExpandedRequest {
  /** The parameters. A header's name has the case in which it was last set. */
  readonly params: ParamValues
  /** Undefined if neither the saved request nor an override sets a body. */
  readonly body: JsonValue | undefined
  readonly bodyType: BodyType | undefined
  readonly isBodySecret: boolean
}

type ExpandRequest =
  | { readonly ok: true; readonly request: ExpandedRequest }
  | { readonly ok: false; readonly outcome: BlockOutcome }

/** The parameters of a saved request with a block's overrides, before expansion. */
export type ParamTexts = Readonly<Record<ParamLocation, readonly ParamText[]>>

export interface ParamText extends ParamMeaning {
  readonly name: string
  readonly text: string
}

interface ParamMeaning extends Pick<ParamValue, "writer"> {
  /** True if the parameter is a credential. Values from the run that it contains become secrets. */
  readonly isCredential: boolean
}

type FindMeaning = (location: ParamLocation, name: string) => ParamMeaning

interface RequestSource {
  readonly instance: SavedRequest | undefined
  readonly overrides: Overrides | undefined
  readonly texts: ParamTexts
  readonly reader: Reader
  readonly secrets: Masker
  /** Called with each value that is sent as a credential and comes from the run, not from an environment. */
  readonly onCredential: (value: JsonValue, path: string) => void
}

export function joinParams(
  saved: Params | undefined,
  given: Params | undefined,
  find: FindMeaning,
): ParamTexts {
  const join = (location: ParamLocation): readonly ParamText[] =>
    joinLocation(location, saved, given).map(([name, text]) => ({ name, text, ...find(location, name) }))
  return { query: join("query"), path: join("path"), header: join("header"), cookie: join("cookie") }
}

/** Merges parameters. An override replaces the parameter of the same name. Header names ignore case. */
function joinLocation(
  location: ParamLocation,
  saved: Params | undefined,
  given: Params | undefined,
): readonly (readonly [string, string])[] {
  const joined = new Map<string, readonly [string, string]>()
  for (const texts of [saved?.[location], given?.[location]]) {
    for (const entry of Object.entries(texts ?? {})) {
      joined.set(location === "header" ? entry[0].toLowerCase() : entry[0], entry)
    }
  }
  return [...joined.values()]
}

export function expandRequest(source: RequestSource): ExpandRequest {
  const params = expandParams(source)
  if ("status" in params) return { ok: false, outcome: params }
  const body = expandBody(source)
  if ("status" in body) return { ok: false, outcome: body }
  const { value, isSecret } = body
  const { instance, reader } = source
  const { withheld } = reader.scope.run
  if (withheld !== undefined && isSecret && selectsFile(value, instance?.bodyType, withheld))
    return { ok: false, outcome: failed(messages["secret-undecidable"].selector()) }
  return {
    ok: true,
    request: { params, body: value, bodyType: instance?.bodyType, isBodySecret: isSecret },
  }
}

function expandParams(source: RequestSource): ParamValues | BlockOutcome {
  const query = expandLocation("query", source)
  if ("status" in query) return query
  const path = expandLocation("path", source)
  if ("status" in path) return path
  const header = expandLocation("header", source)
  if ("status" in header) return header
  const cookie = expandLocation("cookie", source)
  if ("status" in cookie) return cookie
  return { query, path, header, cookie }
}

const nothing: ReadonlyMap<string, ParamValue> = new Map()

// Expands only what is sent: the placeholders of an overridden parameter might not resolve.
function expandLocation(
  location: ParamLocation,
  source: RequestSource,
): ReadonlyMap<string, ParamValue> | BlockOutcome {
  const { texts, secrets } = source
  if (texts[location].length === 0) return nothing
  const values = new Map<string, ParamValue>()
  for (const { name, text, writer, isCredential } of texts[location]) {
    const expanded = isCredential ? expandCredential(text, source) : expandText(text, source.reader)
    if (!expanded.ok) return failed(expanded.finding)
    const { value } = expanded
    const isSecret = expanded.isSecret || secrets.occursIn(value)
    const isStructured = writer !== undefined && (writer.list || writer.object)
    // How such a text is written would give away whether the secret completes a list or an object.
    if (isSecret && isStructured && source.reader.scope.run.withheld !== undefined)
      return failed(messages["secret-undecidable"].parameter(location, name))
    if (isSecret && writer !== undefined && tearsSecret({ text: value, writer }, secrets))
      return failed(messages["request-failed"].tornSecret(location, name))
    values.set(name, { text: value, isSecret, writer })
  }
  return values
}

function expandCredential(text: string, { reader, onCredential }: RequestSource): Expansion<string> {
  if (!text.includes("{{")) return expandText(text, reader)
  let hasCaptured = false
  const onValue = (value: JsonValue, path: string): void => {
    hasCaptured = true
    onCredential(value, path)
  }
  const expanded = expandText(text, { ...reader, onValue })
  // Anyone can decode the password from a Basic pair (RFC 7617 section 2), so it is a secret too.
  const pair = hasCaptured && expanded.ok ? /^basic +(\S+)$/i.exec(expanded.value)?.[1] : undefined
  if (pair !== undefined) {
    const decoded = decodeBase64(pair)
    onCredential(decoded.slice(decoded.indexOf(":") + 1), "the password of a Basic pair")
  }
  return expanded
}

function decodeBase64(text: string): string {
  const bytes = attempt(() => Uint8Array.from(atob(text), (character) => character.charCodeAt(0)))
  return new TextDecoder().decode(bytes)
}

/** Returns whether writing a list or an object would split a secret into parts, which masking can't find. */
function tearsSecret({ text, writer }: Pick<ParamValue, "text" | "writer">, secrets: Masker): boolean {
  const value = structureOf({ text, writer })
  if (value === undefined) return false
  const masked = structureOf({ text: secrets.text(text), writer })
  return masked === undefined || countScalars(masked) !== countScalars(value)
}

const countScalars = (value: JsonValue): number => scalarsOf(value).length

/** Returns whether a withheld secret is part of the path of a file to send. */
function selectsFile(value: JsonValue | undefined, type: BodyType | undefined, { isIn }: Withheld): boolean {
  if (type === "file") return true
  if (type !== "multipart" || !isJsonObject(value)) return false
  return Object.values(value)
    .flat()
    .some((part) => isJsonObject(part) && isIn(part["file"] ?? null))
}

interface ExpandedBody {
  readonly value?: JsonValue
  readonly isSecret: boolean
}

function expandBody({ instance, overrides, reader, secrets }: RequestSource): ExpandedBody | BlockOutcome {
  let value: JsonValue | undefined
  let isSecret = false
  if (instance?.body !== undefined) {
    const expanded = expandJson(instance.body, reader)
    if (!expanded.ok) return failed(expanded.finding)
    value = expanded.value
    isSecret = expanded.isSecret
  }
  for (const [key, raw] of Object.entries(overrides?.body ?? {})) {
    const expanded = expandJson(raw, reader)
    if (!expanded.ok) return failed(expanded.finding)
    const path = parsePathOnce(key)
    const set = path.ok
      ? setPath(value, path.segments, expanded.value)
      : { ok: false as const, message: path.message }
    if (!set.ok) {
      const name = path.ok ? formatPath(path.segments) : key
      return failed(languageMessages["path-unresolved"].bodyPath(name, set.message))
    }
    value = set.value
    isSecret ||= expanded.isSecret
  }
  if (value === undefined) return { isSecret: false }
  if (overrides?.body !== undefined && repeatsTooMuch(value))
    return failed(messages["value-too-large"].repeats(MAX_REPEATED))
  return { value, isSecret: isSecret || holdsSecret(value, secrets) }
}

// Values of transforms and scripts aren't marked as secret, so search for known secrets.
function holdsSecret(value: JsonValue, secrets: Masker): boolean {
  for (const scalar of scalarsOf(value))
    if (typeof scalar === "string" && secrets.occursIn(scalar)) return true
  return false
}
