// Expands `{{placeholders}}` to values in a block's scope. Substituted text is never scanned again.

import {
  isJsonArray,
  isJsonObject,
  isSingleToken,
  parseTemplateOnce,
  setOwn,
  toText,
  type Finding,
  type JsonValue,
  type TemplatePart,
} from "@callsheet/format"
import { dynamicHint, languageReasons, lookUp, type Lookup, type Scope } from "@callsheet/language"
import { dynamicValue, type DynamicValues } from "./dynamic-values.ts"
import { isLarge, MAX_REPEATED, repeatsTooMuch } from "./expansion.ts"
import { messages } from "../messages.ts"

export interface Reader {
  readonly scope: Scope
  /** The API of the request block, whose variables placeholders can read without `env.`. */
  readonly api?: string
  readonly dynamic: DynamicValues
  /** Returns the text that stands for a value in an export. Undefined to read the value. */
  readonly standIn?: ((path: string) => string | undefined) | undefined
  /** Called with each value that is read from the run. Values from an environment don't count. */
  readonly onValue?: ((value: JsonValue, path: string) => void) | undefined
  /** Called with each path that a placeholder reads. */
  readonly onPath?: ((path: string, found: boolean) => void) | undefined
}

export type Expansion<T extends JsonValue> =
  | { readonly ok: true; readonly value: T; readonly isSecret: boolean }
  | Unresolved

export interface Unresolved {
  readonly ok: false
  readonly finding: Finding<"token-unresolved" | "secret-undecidable" | "value-too-large">
}

const unresolved = (finding: Unresolved["finding"]): Unresolved => ({ ok: false, finding })

const tooLarge = (): Unresolved => unresolved(messages["value-too-large"].repeats(MAX_REPEATED))

/** Expands a string to text. Other values than strings become JSON. */
export function expandText(text: string, reader: Reader): Expansion<string> {
  if (!text.includes("{{")) return { ok: true, value: text, isSecret: false }
  const template = parseTemplateOnce(text)
  if (!template.ok) return unresolved(messages["token-unresolved"].malformed(text, template.message))
  if (!template.hasTokens) return { ok: true, value: literalText(template.parts), isSecret: false }
  return joinParts(template.parts, reader)
}

/** Expands a string to a value. If the string is a single placeholder, keeps the value's type. */
export function expandString(text: string, reader: Reader): Expansion<JsonValue> {
  if (!text.includes("{{")) return { ok: true, value: text, isSecret: false }
  const template = parseTemplateOnce(text)
  if (!template.ok || !template.hasTokens || !isSingleToken(template.parts)) return expandText(text, reader)
  return tokenValue(template.parts[0].inner, reader)
}

function joinParts(parts: readonly TemplatePart[], reader: Reader): Expansion<string> {
  let text = ""
  let isSecret = false
  let longest = 0
  for (const part of parts) {
    if (typeof part === "string") text += part
    else {
      const expanded = tokenValue(part.inner, reader)
      if (!expanded.ok) return expanded
      const given = toText(expanded.value)
      longest = Math.max(longest, given.length)
      if (text.length + given.length - longest > MAX_REPEATED) return tooLarge()
      text += given
      isSecret ||= expanded.isSecret
    }
  }
  return { ok: true, value: text, isSecret }
}

// Joins the parts of a string without placeholders. The escape `\\{{` splits a string into parts.
export const literalText = (parts: readonly TemplatePart[]): string =>
  parts.filter((part) => typeof part === "string").join("")

function tokenValue(inner: readonly TemplatePart[], reader: Reader): Expansion<JsonValue> {
  const path = pathOf(inner, reader)
  if (!path.ok) return path
  const standIn = reader.standIn?.(path.value)
  if (standIn !== undefined) return { ok: true, value: standIn, isSecret: false }
  if (path.value.startsWith("$")) return dynamicToken(path.value, reader)
  const found = lookUp(reader.scope, path.value, reader.api)
  reader.onPath?.(path.value, found.found)
  if (!found.found) return unresolved(messages["token-unresolved"].unresolved(path.value, found.reason))
  if (!found.isVariable) reader.onValue?.(found.value, path.value)
  return { ok: true, value: found.value, isSecret: found.isSecret || path.isSecret }
}

/** Expands the placeholders in a path. Each becomes one segment. */
function pathOf(inner: readonly TemplatePart[], reader: Reader): Expansion<string> {
  const [only] = inner
  if (inner.length === 1 && typeof only === "string") return { ok: true, value: only, isSecret: false }
  const path = joinParts(inner, reader.onValue === undefined ? reader : { ...reader, onValue: undefined })
  return asSelector(path, reader)
}

/**
 * Expands a text that selects something: a path, a request, a script. What it selects would give a withheld secret away,
 * so such a text doesn't resolve.
 */
export const expandSelector = (text: string, reader: Reader): Expansion<string> =>
  asSelector(expandText(text, reader), reader)

const asSelector = (expanded: Expansion<string>, { scope }: Reader): Expansion<string> =>
  expanded.ok && expanded.isSecret && scope.run.withheld !== undefined
    ? unresolved(messages["secret-undecidable"].selector())
    : expanded

/** Expands a path and looks it up. */
export function expandPath(
  text: string,
  reader: Reader,
): { readonly ok: true; readonly path: string; readonly found: Lookup } | Unresolved {
  const path = expandSelector(text, reader)
  return path.ok ? { ok: true, path: path.value, found: lookUp(reader.scope, path.value) } : path
}

function dynamicToken(name: string, reader: Reader): Expansion<JsonValue> {
  const value = dynamicValue(name, reader.dynamic, reader.scope.iteration?.index)
  if (value !== undefined) return { ok: true, value, isSecret: false }
  const reason =
    name === "$index" ? languageReasons.noLoop() : `${languageReasons.notDynamic(name)}; ${dynamicHint(name)}`
  return unresolved(messages["token-unresolved"].unresolved(name, reason))
}

/** Expands every string in a value, at any depth. Doesn't expand keys. */
export function expandJson(value: JsonValue, reader: Reader): Expansion<JsonValue> {
  if (typeof value === "string") return expandString(value, reader)
  if (typeof value !== "object" || value === null) return { ok: true, value, isSecret: false }
  let isSecret = false
  let large = 0
  const root: { value: JsonValue } = { value: null }
  const work: { from: JsonValue; put: (value: JsonValue) => void }[] = [
    { from: value, put: (made) => (root.value = made) },
  ]
  for (let item = work.pop(); item !== undefined; item = work.pop()) {
    const { from, put } = item
    if (typeof from === "string") {
      const expanded = expandString(from, reader)
      if (!expanded.ok) return expanded
      isSecret ||= expanded.isSecret
      if (expanded.value !== from && isLarge(expanded.value)) large++
      put(expanded.value)
    } else if (isJsonArray(from)) {
      const array: JsonValue[] = Array.from({ length: from.length }, () => null)
      put(array)
      // Push in reverse, so that dynamic values are generated in the order of the file.
      const items = from.map((child, at) => ({ from: child, put: (made: JsonValue) => (array[at] = made) }))
      for (const item of items.reverse()) work.push(item)
    } else if (isJsonObject(from)) {
      const object: Record<string, JsonValue> = {}
      put(object)
      const entries = Object.entries(from)
      for (const [key] of entries) setOwn(object, key, null)
      for (const [key, child] of entries.reverse())
        work.push({ from: child, put: (made) => setOwn(object, key, made) })
    } else put(from)
  }
  // Only several values can repeat parts of one another.
  if (large > 1 && repeatsTooMuch(root.value)) return tooLarge()
  return { ok: true, value: root.value, isSecret }
}
