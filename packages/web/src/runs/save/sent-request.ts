// Converts a sent request to the text of a saved request, without masked values or secrets. Pure.

import { savedRequestShape, type JsonObject, type RequestView } from "@callsheet/format"
import { TextEdit } from "../../files/text/text-edit.ts"
import { sentBody } from "./sent-body.ts"
import { sentParams } from "./sent-params.ts"
import { newRequestText } from "@callsheet/language"
import { asLiteral, decoded, type Findings, type SentSource } from "./sent-source.ts"

interface SavedSent {
  readonly text: string
  /** Notes for the user about differences from the sent request. */
  readonly notes: readonly string[]
}

export function savedOfSent(sent: RequestView, source: SentSource): SavedSent {
  const findings: Findings = { tokens: [], leftOut: [], integers: [] }
  const { target, path, isWhole } = targetOfSent(sent, source)
  const params = sentParams(sent, { ...source, path }, findings)
  const body = sentBody(sent, source, findings)
  const content = {
    ...target,
    ...(Object.keys(params).length === 0 ? {} : { params }),
    ...(body.type === undefined || body.type === "json" ? {} : { bodyType: body.type }),
    ...(body.value === undefined ? {} : { body: body.value }),
  }
  const text = new TextEdit(newRequestText(content), [], savedRequestShape)
  for (const { pointer, value } of body.edits) {
    if (value === undefined) text.unset(["body", ...pointer])
    else text.set(["body", ...pointer], value)
  }
  return { text: text.text, notes: notesOf(findings, isWhole) }
}

interface SentTarget {
  readonly target: JsonObject
  /** The path template. Absent if only the URL is known. */
  readonly path: string | undefined
  /** True if the path comes from the URL. */
  readonly isWhole: boolean
}

function targetOfSent(sent: RequestView, { operation, instance }: SentSource): SentTarget {
  const { path, method } = instance ?? {}
  if (typeof path === "string" && typeof method === "string")
    return { target: { method, path }, path, isWhole: false }
  if (operation !== undefined)
    return { target: { operation: operation.name }, path: operation.path, isWhole: false }
  return { target: { method: sent.method, path: pathOf(sent.url) }, path: undefined, isWhole: true }
}

/** Braces would become parameters, and masked text can't be sent. */
function pathOf(url: string): string {
  const pathname = /^[^?#]*?:\/\/[^/?#]*([^?#]*)/.exec(url)?.[1] ?? "/"
  const path = decoded(pathname).replaceAll(/[^/]*\*\*\*[^/]*/g, "{secret}")
  return path === "" ? "/" : asLiteral(path)
}

/** The maximum length of a list for the user. */
const MAX_PLACES = 12

const places = (words: readonly string[]): string =>
  words.length <= MAX_PLACES
    ? words.join(", ")
    : `${words.slice(0, MAX_PLACES).join(", ")} and ${words.length - MAX_PLACES} more`

function notesOf({ tokens, leftOut, integers }: Findings, isWhole: boolean): readonly string[] {
  return [
    ...(tokens.length === 0 ? [] : [`A placeholder replaces each secret that was sent: ${places(tokens)}.`]),
    ...(leftOut.length === 0 ? [] : [`Left out because they contained secrets: ${places(leftOut)}.`]),
    ...(integers.length === 0
      ? []
      : [
          `Saved as text, as in the report, but possibly sent as integers: ${places(integers)}. If so, remove the quotes.`,
        ]),
    ...(isWhole
      ? ["The path is from the URL. Remove the part that the environment's base URL already has."]
      : []),
  ]
}
