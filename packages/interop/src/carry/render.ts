// Writes texts of a source as templates of callsheet.

import { ownOf } from "@callsheet/format"
import { reasons } from "../messages.ts"
import { mapText, type Text } from "../text.ts"

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
  readonly reason?: string
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
export const dynamicValue = (name: string): Dynamic =>
  ownOf(exact, name) ?? {
    text: uuid,
    reason: reasons.dynamic("a UUID"),
  }

export const isDynamic = (name: string): boolean => name.startsWith("$")
