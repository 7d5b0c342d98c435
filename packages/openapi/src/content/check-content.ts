// Checks the content of a body against its media type, for requests and responses. Says why it couldn't, if it couldn't.

import {
  type ContractProblem,
  essence,
  isJsonObject,
  isXmlType,
  type JsonValue,
  memo,
  type ValueType,
} from "@callsheet/format"
import { bodyKindOf, type MediaType } from "../document/content.ts"
import { escapePointer } from "../document/located.ts"
import type { Part } from "../document/part.ts"
import { schemaType } from "../schema/types/schema-type.ts"
import type { Direction } from "../schema/types/answers.ts"
import { hideSecrets, hideValues, notJson } from "../schema/validate/contract-problems.ts"
import type { CheckSchema } from "../schema/validate/schema-checker.ts"
import { hasScalars, scalarReadings } from "../schema/validate/text-readings.ts"
import type { StreamBody } from "./check-stream.ts"
import { type Fields, formFields, readFields } from "./fields.ts"
import type { ReadMultipart } from "./multipart.ts"
import { streamSchemasOf } from "./stream-schemas.ts"

/** A body with its documented media type. */
export interface Content {
  readonly media: MediaType
  readonly contentType: string
  /** The JSON pointer of the problems that no schema has. */
  readonly place: string
  /** Reads the body. Each way to read it is used only if its content type asks for it. */
  readonly read: {
    readonly json: () => ReadJson
    readonly text: () => string
    readonly multipart: () => ReadMultipart
    /** Undefined if the body isn't a stream. Absent for a request. */
    readonly stream?: () => StreamBody | undefined
  }
}

/** Contains the text if it isn't JSON. */
type ReadJson =
  | { readonly ok: true; readonly value: JsonValue }
  | { readonly ok: false; readonly text: JsonValue }

export interface ContentVerdict {
  readonly problems: readonly ContractProblem[]
  /** The reason why the body, or a part of it, wasn't checked against its schema. */
  readonly unchecked?: string | undefined
}

export interface ContentCheck {
  readonly checkSchema: CheckSchema
  /** Checks an item of a stream. Absent for a request. */
  readonly checkItem?: CheckSchema
  readonly direction: Direction
  readonly isSecret: (text: string) => boolean
}

const path = "/body"
const nothing: ContentVerdict = { problems: [] }

export async function checkContent(content: Content, check: ContentCheck): Promise<ContentVerdict> {
  const { media, contentType, read, place } = content
  const { schema } = media
  const type = essence(contentType)
  const broken = (message: string): ContentVerdict => ({
    problems: [{ path, message, schema: schema?.pointer ?? place }],
  })
  const stream = read.stream?.()
  if (stream !== undefined) {
    const { checkItem = check.checkSchema, isSecret } = check
    const { checkStream } = await import("./check-stream.ts")
    return {
      problems: checkStream(stream, streamSchemasOf(media, contentType), { checkItem, isSecret }),
    }
  }
  if (isXmlType(type)) {
    const { findXmlFault } = await import("./xml-fault.ts")
    const fault = findXmlFault(read.text())
    if (fault !== undefined) return broken(`invalid XML at line ${fault.line}, column ${fault.column}`)
    return unlessAnyText(media, "XML is only checked to be well-formed")
  }
  switch (bodyKindOf(contentType)) {
    case "json": {
      const body = read.json()
      if (!body.ok) return broken(notJson(body.text))
      return schema === undefined ? nothing : { problems: checkValue(check, schema, [body.value]) }
    }
    case "form":
      return schema === undefined ? nothing : checkFields(check, schema, formFields(read.text()))
    case "multipart": {
      const body = read.multipart()
      if (!body.ok) return broken(`invalid multipart body: ${body.fault}`)
      return schema === undefined ? nothing : checkFields(check, schema, body.fields)
    }
    default: {
      const readings = schema && isPlain(type) ? plainReadings(check, schema, read.text()) : []
      if (schema !== undefined && readings.length > 0)
        return { problems: checkValue(check, schema, readings) }
      return unlessAnyText(media, `${type} can't be checked against a schema`)
    }
  }
}

/** Returns whether text of the type may stand for a scalar value. An event stream, for example, is a list of events. */
const isPlain = (type: string): boolean => /^text\/(?!event-stream$)/.test(type)

/** Lists and objects have no standard notation as text. */
function plainReadings({ direction }: ContentCheck, schema: Part, text: string): readonly JsonValue[] {
  const type = schemaType(schema, direction)
  return type.kinds === undefined || hasScalars(type.kinds) ? scalarReadings(text, type) : []
}

function unlessAnyText({ schema, itemSchema }: MediaType, unchecked: string): ContentVerdict {
  const described = schema ?? itemSchema
  return described === undefined || acceptsAnyText(described) ? nothing : { problems: [], unchecked }
}

/** Returns whether a schema certainly accepts any text, so that a body that can't be read leaves nothing unchecked. */
const acceptsAnyText = memo((schema: Part): boolean => {
  const { value } = schema.dereference() ?? schema
  if (!isJsonObject(value)) return value === true
  return Object.entries(value).every(([keyword, given]) => {
    if (keyword === "type") return [given].flat().some((type) => type === "string" || type === "file")
    if (keyword === "format") return given === "binary" || given === "byte"
    return annotations.has(keyword) || keyword.startsWith("x-")
  })
})

const annotations: ReadonlySet<string> = new Set(
  "title description default example examples deprecated readOnly writeOnly nullable $comment externalDocs xml contentEncoding contentMediaType".split(
    " ",
  ),
)

function checkValue({ checkSchema, isSecret }: ContentCheck, schema: Part, readings: readonly JsonValue[]) {
  const problems = checkSchema(schema, readings, path)
  const [value] = readings
  return problems.length === 0 || value === undefined
    ? problems
    : hideSecrets(problems, { value, path }, isSecret)
}

const isOf = (problem: ContractProblem, name: string): boolean =>
  `${problem.path}/`.startsWith(`${path}/${escapePointer(name)}/`)

function checkFields(check: ContentCheck, schema: Part, fields: Fields): ContentVerdict {
  const type: ValueType = schemaType(schema, check.direction)
  const { readings, unread, unchecked } = readFields(fields, type)
  const reason = unchecked.size === 0 ? undefined : whyUnread([...unchecked])
  let first: readonly ContractProblem[] | undefined
  for (const reading of readings) {
    const problems = check
      .checkSchema(schema, [reading], path)
      .filter((problem) => ![...unread].some((name) => isOf(problem, name)))
    if (problems.length === 0) return { problems, unchecked: reason }
    first ??= hideSecrets(problems, { value: reading, path }, check.isSecret)
  }
  const secret = [...fields].filter(([, values]) =>
    values.some((value) => value.is === "text" && check.isSecret(value.text)),
  )
  const problems = (first ?? []).flatMap((problem) => {
    const own = secret.find(([name]) => isOf(problem, name))
    return own === undefined ? [problem] : hideValues([problem], `${path}/${escapePointer(own[0])}`)
  })
  return { problems, unchecked: reason }
}

const MAX_NAMED = 5

function whyUnread(names: readonly string[]): string {
  const named = names.slice(0, MAX_NAMED).map((name) => JSON.stringify(name))
  const more = names.length > MAX_NAMED ? ", …" : ""
  return `only the server knows how it reads the ${names.length === 1 ? "field" : "fields"} ${named.join(", ")}${more}`
}
