// Writes texts of a source as templates of callsheet.

import { ownOf, stringifyJson } from "@callsheet/format"
import type { Reason } from "../losses.ts"
import { reasons } from "../messages.ts"
import type { Loss } from "../model.ts"
import { mapText, type Text } from "../text.ts"
import { isDynamic } from "./names.ts"
import type { CarriedApi, Names } from "./read-names.ts"
import type { Secret } from "./secrets.ts"
import { BASE_URL } from "./variables.ts"

/** Converts a text to a template. `tokenOf` returns the placeholder of a variable. Escapes literal braces. */
export const renderText = (text: Text, tokenOf: (name: string) => string): string =>
  mapText(text, escapeLiteral, tokenOf)

function escapeLiteral(part: string, isBeforeVariable: boolean): string {
  const escaped = part.replaceAll(/(?<!\\)(\\*)\{\{/g, (_, slashes: string) => `${slashes}${slashes}\\{{`)
  if (!isBeforeVariable) return escaped
  // A brace right before a token would become part of it.
  const apart = part.replaceAll("{{", "").endsWith("{") ? `${escaped} ` : escaped
  return apart.replace(/(?<!\\)\\+$/, (slashes) => slashes + slashes)
}

interface Dynamic {
  readonly text: string
  /** The reason why the value differs from the source's. */
  readonly reason?: Reason
}

const uuid = "{{$uuid}}"

const exact: Readonly<Record<string, Dynamic>> = {
  $guid: { text: uuid },
  $randomUUID: { text: uuid },
  $uuid: { text: uuid },
  $timestamp: { text: "{{$timestamp}}" },
  $isoTimestamp: { text: "{{$isoTimestamp}}" },
  $randomInt: { text: "{{$randomInt}}", reason: reasons.randomInteger() },
  $randomEmail: { text: `${uuid}@example.com`, reason: reasons.dynamic("a UUID as the name") },
  $randomExampleEmail: { text: `${uuid}@example.com`, reason: reasons.dynamic("a UUID as the name") },
  $randomUrl: { text: `https://example.com/${uuid}`, reason: reasons.dynamic("a UUID as the path") },
}

/** Returns the placeholder for a dynamic value of the source, such as `$guid`. */
const dynamicValue = (name: string): Dynamic =>
  ownOf(exact, name) ?? {
    text: uuid,
    reason: reasons.dynamic("a UUID"),
  }

/** The paths of results by the name of the variable that the source sets. */
export type Results = ReadonlyMap<string, string>

export interface RenderContext {
  readonly names: Names
  readonly api: CarriedApi
  readonly where: string
  readonly results: Results
  /** Blocks other than requests read variables with a prefix. */
  readonly prefix: string
  /** Receives what the template can't express. */
  readonly losses: Loss[]
}

/** Converts a text to a template. */
export function renderValue(
  text: Text,
  { names, api, where, results, prefix, losses }: RenderContext,
): string {
  const { secrets, variables, setNames } = names
  const clean = secrets.text(text, { where, what: "value" })
  return renderText(clean, (name) => {
    const secret = secrets.marked(name)
    if (secret !== undefined) return `{{${prefix}${variableOf(secret, names, api)}}}`
    const result = results.get(name)
    if (result !== undefined) return `{{${result}}}`
    if (isDynamic(name)) {
      const dynamic = dynamicValue(name)
      if (dynamic.reason !== undefined)
        losses.push({ where, what: `dynamic value ${name}`, reason: dynamic.reason })
      return dynamic.text
    }
    if (setNames.has(name)) losses.push({ where, what: `variable ${name}`, reason: reasons.setElsewhere() })
    return `{{${prefix}${name === api.origin.variable ? BASE_URL : variables.nameOf(name)}}}`
  })
}

/** Returns the variable of a secret. An API can't read variables of others, so it gets one of its own. */
export function variableOf({ value, holders }: Secret, { variables }: Names, api: CarriedApi): string {
  const [first] = holders
  // The source's own variables come first, because a later import finds them in the project, too.
  const own =
    holders.find((one) => one.is === "source") ??
    holders.find((one) => one.is === "project" && one.api === api.name) ??
    holders.find((one) => one.is !== "project")
  switch (own?.is) {
    case "source":
      return own.name === api.origin.variable ? BASE_URL : variables.nameOf(own.name)
    case "project":
      return own.name
    case "found":
      return variables.secret(own)
    case undefined:
      return variables.secret({
        hint: first?.is === "project" ? first.name : "secret",
        value,
        cause: "content",
      })
  }
}

/** Records the variables that a value uses. */
export function addUses(value: object, api: CarriedApi): void {
  for (const [, name = ""] of stringifyJson(value).matchAll(/\{\{(?:env\.[\w-]+\.)?([A-Za-z_][\w-]*)\}\}/g))
    if (name !== BASE_URL) api.used.add(name)
}
