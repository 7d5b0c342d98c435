// Explains why a path into a response doesn't resolve: what the response is instead.

import {
  createLineFinder,
  essence,
  isJsonObject,
  isJsonType,
  isTextType,
  ownOf,
  parseJson,
  resolveSegments,
  toText,
  type JsonObject,
  type PathSegments,
  member,
} from "@callsheet/format"
import { reasons } from "../messages.ts"

/** The result of a request block. */
interface Answer {
  readonly value: JsonObject
  readonly isBodyBroken?: boolean
}

type HoldsSecret = (text: string) => boolean

/** Describes a path that doesn't resolve. Undefined if it doesn't lead into a response, or stops deeper inside. */
export function describeGap(
  from: Answer,
  segments: PathSegments,
  holdsSecret: HoldsSecret,
): string | undefined {
  const [id = "", first, part, name] = segments
  const response = ownOf(from.value, "response")
  if (first !== "response" || part === undefined || !isJsonObject(response)) return undefined
  const status = toText(ownOf(response, "status") ?? "")
  if (part === "body" && !Object.hasOwn(response, "body")) return reasons.emptyBody(id, status)
  if (name === undefined) return undefined
  if (part === "headers") return describeHeader(response, id, name)
  const body = ownOf(response, "body")
  if (part !== "body" || typeof body !== "string") return undefined
  const place = `"${id}.response.body"`
  const start = startOf(body, holdsSecret)
  const broken = describeBrokenBody(from)
  if (broken !== undefined) return reasons.startsWith(`${place} ${broken}`, start)
  const type = essence(toText(headerOf(response, "content-type") ?? ""))
  if (isJsonType(type)) return undefined
  const isText = type === "" || isTextType(type)
  const message = reasons.otherBody(place, { type: holdsSecret(type) ? "" : type, status, isText, name })
  return isText ? reasons.startsWith(message, start) : message
}

const headerOf = (response: JsonObject, name: string) => {
  const headers = ownOf(response, "headers")
  return member(headers, name)
}

function describeHeader(response: JsonObject, id: string, name: string): string | undefined {
  const lower = name.toLowerCase()
  return lower === name
    ? undefined
    : reasons.headerCase(`"${id}.response.headers"`, name, headerOf(response, lower) !== undefined)
}

const MAX_SEARCHED = 64 * 1024
const MAX_SHOWN = 120

/** Returns the first line of a body. Undefined if it may show a part of a secret. */
function startOf(body: string, holdsSecret: HoldsSecret): string | undefined {
  const start = body.slice(0, MAX_SEARCHED)
  if (holdsSecret(start)) return undefined
  const line =
    start
      .trimStart()
      .split(/[\r\n]/, 1)[0]
      ?.trimEnd() ?? ""
  return line.length > MAX_SHOWN ? `${line.slice(0, MAX_SHOWN)}…` : line
}

/** Describes the position where a response body stops being JSON. Undefined unless it should be JSON and isn't. */
export function describeBrokenBody(from: Answer | undefined): string | undefined {
  if (from?.isBodyBroken !== true) return undefined
  const body = resolveSegments(from.value, ["response", "body"])
  if (!body.found || typeof body.value !== "string") return undefined
  const parsed = parseJson(body.value, { allowDuplicateKeys: true })
  if (parsed.ok) return undefined
  const { line, column } = createLineFinder(body.value)(parsed.findings[0]?.offset ?? 0)
  return reasons.brokenJson(line, column)
}
