// The body of a sent request, and its parts that can't be saved as sent. Pure.

import {
  formatPath,
  isJsonArray,
  isJsonObject,
  parsePath,
  type BodyType,
  type JsonPointer,
  type JsonValue,
  type RequestView,
  valueAt,
} from "@callsheet/format"
import type { FieldView } from "@callsheet/server/calls"
import { guessedBodyType } from "./curl-line.ts"
import { stepOf } from "../../scripts/meaning-of.ts"
import { largeInteger } from "../../kinds/values/value-edits.ts"
import { bodyTypes } from "../../forms/request/body-types.ts"
import { objectIn } from "../../files/text/object-in.ts"
import { asLiteral, hasToken, isMasked, type Findings, type SentSource } from "./sent-source.ts"

interface SentBody {
  readonly value?: JsonValue
  readonly type?: BodyType
  /** The edits in the order in which they apply. An edit without a value removes the field. */
  readonly edits: readonly BodyEdit[]
}

interface BodyEdit {
  readonly pointer: JsonPointer
  readonly value: JsonValue | undefined
}

/** The maximum number of edits. Nobody could review more. */
const MAX_EDITS = 500

export function sentBody(sent: RequestView, source: SentSource, findings: Findings): SentBody {
  const { body, headers = {} } = sent
  if (body === undefined || body === "") return { edits: [] }
  const written = bodyTypes.find(([known]) => known === source.instance?.["bodyType"])?.[0]
  const contentType = headers["content-type"]
  const type = written ?? guessedBodyType(body, typeof contentType === "string" ? contentType : undefined)
  if (typeof body === "string")
    return textBody(type === "file" ? withoutSize(body) : body, type, { source, findings })
  const edits = editsOf(body, { source, findings, isJson: type === "json" })
  if (edits.length <= MAX_EDITS) return { value: body, type, edits }
  findings.leftOut.push("the body")
  return { edits: [] }
}

const withoutSize = (body: string): string => /^([\s\S]*) \(\d+ bytes\)$/.exec(body)?.[1] ?? body

interface Known {
  readonly source: SentSource
  readonly findings: Findings
}

interface KnownBody extends Known {
  /** False for a form, in which all values are text. */
  readonly isJson: boolean
}

function textBody(text: string, type: BodyType, { source, findings }: Known): SentBody {
  if (!isMasked(text)) return { value: asLiteral(text), type, edits: [] }
  const written = source.instance?.["body"]
  if (hasToken(written) && !isMasked(written)) {
    findings.tokens.push("the body")
    return { value: written, type, edits: [] }
  }
  findings.leftOut.push("the body")
  return { edits: [] }
}

/** Edits from last to first, because removing an item of an array moves the items after it. */
function editsOf(body: JsonValue, known: KnownBody): readonly BodyEdit[] {
  const edits: BodyEdit[] = []
  const work: { readonly pointer: JsonPointer; readonly value: JsonValue }[] = [{ pointer: [], value: body }]
  for (let item = work.pop(); item !== undefined && edits.length <= MAX_EDITS; item = work.pop()) {
    const { pointer, value } = item
    if (typeof value === "string" || isMasked(String(pointer.at(-1) ?? ""))) {
      const edit = editOf(pointer, value, known)
      if (edit !== undefined) edits.push(edit)
    } else if (isJsonArray(value))
      for (const [at, inner] of value.entries()) work.push({ pointer: [...pointer, at], value: inner })
    else if (isJsonObject(value))
      for (const [key, inner] of Object.entries(value))
        work.push({ pointer: [...pointer, key], value: inner })
  }
  return edits
}

function editOf(pointer: JsonPointer, value: JsonValue, known: KnownBody): BodyEdit | undefined {
  const { source, findings, isJson } = known
  const name = pointer.map(String)
  if (isMasked(name.join("."))) {
    findings.leftOut.push("a field of the body")
    return { pointer, value: undefined }
  }
  if (typeof value !== "string") return undefined
  const where = `body ${formatPath(name)}`
  const integer = isJson ? largeInteger(value) : undefined
  if (integer !== undefined) {
    const is = wasInteger(pointer, source)
    if (is === undefined) findings.integers.push(where)
    return is === true ? { pointer, value: integer } : undefined
  }
  if (!isMasked(value)) return value.includes("{{") ? { pointer, value: asLiteral(value) } : undefined
  const written = writtenAt(pointer, source)
  const isToken = hasToken(written) && !isMasked(written)
  findings[isToken ? "tokens" : "leftOut"].push(where)
  return { pointer, value: isToken ? written : undefined }
}

/**
 * Returns whether a string of digits was sent as an integer: a report shows an integer as a string if a double would
 * round it. The block or saved request decides. If it has a placeholder there, the document decides.
 */
function wasInteger(pointer: JsonPointer, source: SentSource): boolean | undefined {
  const written = writtenAt(pointer, source)
  if (written !== undefined && !hasToken(written)) return typeof written !== "string"
  const view = pointer.reduce<FieldView | undefined>(
    (here, step) => (here === undefined ? undefined : stepOf(here, String(step))),
    source.operation?.body?.type,
  )
  const [kind, ...more] = view?.kinds?.filter((each) => each !== "null") ?? []
  return more.length > 0 || (kind !== "number" && kind !== "string") ? undefined : kind === "number"
}

/** Returns the last override on the path. Without one, returns the value of the saved request. */
function writtenAt(pointer: JsonPointer, { instance, overrides }: SentSource): JsonValue | undefined {
  const way = pointer.map(String)
  for (const [key, value] of Object.entries(objectIn(overrides, "body")).reverse()) {
    const path = parsePath(key)
    if (path.ok && path.segments.every((segment, at) => segment === way[at]))
      return valueAt(value, pointer.slice(path.segments.length))
  }
  return valueAt(instance?.["body"], pointer)
}
