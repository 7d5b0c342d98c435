// Describes what the standard forbids in an object: the keyword's value, the expected value, and what to write instead.

import { type Finding, type JsonValue, suggest, ownOf } from "@callsheet/format"
import { isOldDialect, type OpenApiDocument } from "../document/document.ts"
import { pointerKeys, lastKey, textMember, valueAt } from "../document/located.ts"
import { messages } from "../document/messages.ts"
import { innerOf } from "../document/object-kinds.ts"
import type { Visit } from "../document/walk-document.ts"
import { describeViolation } from "../schema/validate/describe-violation.ts"
import type { Explained } from "../schema/validate/narrow-violations.ts"

const standard = messages["document-standard"]

/** Returns the finding of a violation and its location. Undefined if another check reports it, or if it is harmless. */
export function describeForbidden(
  document: OpenApiDocument,
  visit: Visit,
  violation: Explained,
): { readonly at: string; readonly finding: Finding } | undefined {
  const { path, message } = describeViolation(violation, "")
  const at = `${visit.pointer}${path}`
  const { version } = document
  if (violation.keyword === "required") {
    const isMisspelled = Object.keys(visit.value).some((name) => suggest(name, [lastKey(path)]) !== undefined)
    return isMisspelled ? undefined : { at, finding: standard.missingField(version, lastKey(path)) }
  }
  const { value } = violation
  if (isMisplacedReference(visit, path) || isHarmless(document, visit, { path, value })) return undefined
  if (textMember(value, "$ref") !== undefined)
    return { at, finding: standard.unreadReference(version, lastKey(path)) }
  const hint = adviceFor({ document, visit, path, value }) ?? suggestListed(violation)
  return { at, finding: standard.forbiddenValue(version, message, hint) }
}

/** Returns whether the check of references has reported the place. */
function isMisplacedReference({ kind, value }: Visit, path: string): boolean {
  const [field = "", inside] = pointerKeys(path)
  const reference = textMember(valueAt(value, `/${field}`), "$ref")
  return (
    reference !== undefined &&
    (inside === undefined || inside === "$ref") &&
    innerOf(kind, field) !== undefined
  )
}

interface Place {
  readonly path: string
  readonly value: JsonValue
}

/** Returns whether a value only informs readers, or has a clear meaning although the standard forbids it. */
function isHarmless({ version }: OpenApiDocument, { kind }: Visit, { path, value }: Place): boolean {
  if (kind === "document") return /^\/(?:info|tags|externalDocs)(?:\/|$)/.test(path)
  if (kind !== "schema") return false
  // Draft 4, the base of 2.0 and 3.0, forbids the empty list.
  if (path === "/required") return Array.isArray(value) && value.length === 0
  if (path === "/enum" || path === "/allOf" || path === "/anyOf" || path === "/oneOf")
    return isEmptyList(value)
  return version === "2.0" && path === "/type" && value === "file"
}

/** A rule reports these in every version. */
const isEmptyList = (value: JsonValue): boolean => Array.isArray(value) && value.length === 0

interface Asked extends Place {
  readonly document: OpenApiDocument
  readonly visit: Visit
}

/** Suggests the closest of the listed values. */
const suggestListed = ({ keyword, expected, value }: Explained): string | undefined =>
  keyword === "enum" && typeof value === "string"
    ? suggest(
        value,
        (expected as readonly JsonValue[]).filter((one) => typeof one === "string"),
      )
    : undefined

/** Returns what to write instead. */
function adviceFor(asked: Asked): string | undefined {
  const { path, value, visit } = asked
  const keyword = lastKey(path.replace(/\/\d+$/, ""))
  if (hasTypes.has(visit.kind) && keyword === "type") return adviceForType(asked)
  if (visit.kind === "schema" && keyword === "required") return adviceForRequired(visit, value)
  if (keyword === "items" && Array.isArray(value))
    return isOldDialect(asked.document)
      ? 'write one schema for all items: "items": { … }'
      : 'write one schema for all items, or a list of schemas in "prefixItems"'
  if (keyword === "exclusiveMinimum" || keyword === "exclusiveMaximum") return adviceForBound(asked, keyword)
  if (visit.kind === "parameter" && keyword === "in" && (value === "body" || value === "formData"))
    return 'write the body in "requestBody"'
  const scheme = visit.kind === "securityScheme" && keyword === "type" ? httpScheme(value) : undefined
  if (scheme !== undefined) return `write "type": "http" and "scheme": "${scheme}"`
  if (keyword === "discriminator")
    return asked.document.version === "2.0"
      ? 'write the name of a property: "discriminator": "kind"'
      : 'write "discriminator": { "propertyName": "…" }'
  return typeof value === "string" ? adviceForText(value, keyword) : undefined
}

/** Returns the scheme of a type that is part of the type `http`. */
function httpScheme(type: JsonValue): string | undefined {
  if (typeof type !== "string") return undefined
  const name = type.toLowerCase()
  return name === "jwt" ? "bearer" : name === "basic" || name === "bearer" ? name : undefined
}

function adviceForRequired({ pointer }: Visit, value: JsonValue): string | undefined {
  if (typeof value === "boolean" || value === "true" || value === "false")
    return `list the property's name in "required" of the object: "required": [${quoteName(pointer)}]`
  return `write a list of names: "required": [${typeof value === "string" ? JSON.stringify(value) : '"…"'}]`
}

/** Returns advice for text in place of another value. */
function adviceForText(value: string, keyword: string): string | undefined {
  const text = value.trim()
  if (/^(?:true|false|null|-?\d+(?:\.\d+)?)$/.test(text)) return `remove the quotes: "${keyword}": ${text}`
  if (/^(?:yes|y|on|no|n|off)$/i.test(text)) return `write ${/^(?:y|on)/i.test(text) ? "true" : "false"}`
  if (typeNames.includes(text)) return `write { "type": "${text}" }`
  return keyword === "enum" ? `write a list: "enum": [${JSON.stringify(value)}]` : undefined
}

const hasTypes: ReadonlySet<string> = new Set(["schema", "parameter", "header", "item"])

/** The type and format of names that other languages use. */
const typeAliases: Readonly<Record<string, string>> = {
  int: '"integer"',
  int32: '"integer", with "format": "int32"',
  int64: '"integer", with "format": "int64"',
  long: '"integer", with "format": "int64"',
  short: '"integer"',
  float: '"number", with "format": "float"',
  double: '"number", with "format": "double"',
  decimal: '"number"',
  numeric: '"number"',
  bool: '"boolean"',
  str: '"string"',
  text: '"string"',
  date: '"string", with "format": "date"',
  datetime: '"string", with "format": "date-time"',
  "date-time": '"string", with "format": "date-time"',
  timestamp: '"string", with "format": "date-time"',
  uuid: '"string", with "format": "uuid"',
  guid: '"string", with "format": "uuid"',
  uri: '"string", with "format": "uri"',
  url: '"string", with "format": "uri"',
  email: '"string", with "format": "email"',
  file: '"string", with "format": "binary"',
  binary: '"string", with "format": "binary"',
  enum: '"string" beside "enum"',
  list: '"array"',
  map: '"object"',
  dict: '"object"',
  hash: '"object"',
  struct: '"object"',
}

const typeNames = ["array", "boolean", "integer", "number", "object", "string"]

function adviceForType({ document, path, value }: Asked): string | undefined {
  if (Array.isArray(value)) return adviceForTypes(document, value as readonly JsonValue[])
  if (value === null) return isOldDialect(document) ? adviceForNull(document) : 'write "null" in quotes'
  if (typeof value !== "string") return undefined
  const name = value.trim().toLowerCase()
  if (name === "null" && isOldDialect(document)) return adviceForNull(document)
  if (/^(?:any|mixed|unknown|\*)$/.test(name)) return 'leave out "type" to allow any value'
  const alias = ownOf(typeAliases, name)
  if (alias !== undefined) return `write ${alias}`
  if (/[|,]/.test(name) && path === "/type") return adviceForTypes(document, name.split(/\s*[|,]\s*/))
  return suggest(name, isOldDialect(document) ? typeNames : [...typeNames, "null"])
}

const adviceForNull = ({ version }: OpenApiDocument): string =>
  version === "2.0" ? 'write "x-nullable": true beside the type' : 'write "nullable": true beside the type'

function adviceForTypes(document: OpenApiDocument, types: readonly JsonValue[]): string {
  if (!isOldDialect(document)) return 'write a list of types: "type": ["string", "null"]'
  if (types.length === 2 && types.some((type) => type === "null" || type === null))
    return adviceForNull(document)
  return `${document.version} allows one type: use "anyOf", or version 3.1 of OpenAPI`
}

function adviceForBound({ document, visit, value }: Asked, keyword: string): string | undefined {
  const bound = keyword === "exclusiveMinimum" ? "minimum" : "maximum"
  if (typeof value === "number") return `write "${bound}": ${value} and "${keyword}": true`
  if (typeof value !== "boolean" || isOldDialect(document)) return undefined
  const limit = visit.value[bound]
  return value
    ? `write "${keyword}": ${typeof limit === "number" ? limit : "…"} instead of "${bound}"`
    : `remove it`
}

/** Quotes the name of a property for an example. */
const quoteName = (pointer: string): string =>
  /\/properties\/[^/]+$/.test(pointer) ? JSON.stringify(lastKey(pointer)) : '"…"'
