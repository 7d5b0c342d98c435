// The parameters of an operation, as the document declares them.

import type { JsonObject } from "@callsheet/format"
import { contentOf, type MediaType } from "./content.ts"
import {
  dereference,
  listMember,
  type Located,
  member,
  type OpenApiDocument,
  textMember,
} from "./document.ts"
import { memo } from "./memo.ts"
import type { Operation } from "./operations.ts"
import { swaggerParameterParts } from "./swagger-parameter.ts"

export interface Parameter {
  readonly name: string
  readonly in: "query" | "path" | "header" | "cookie"
  /** `querystring`, which is a place of its own in 3.2, is the style of a query parameter here: it is the whole query. */
  readonly style: string
  readonly explode: boolean
  readonly allowReserved: boolean
  readonly required: boolean
  readonly description?: string
  /** Of its value, where `schema` describes it, or the parameter itself (2.0). */
  readonly schema?: Located
  /** What its value is written as, where a media type says that instead of a style. */
  readonly content?: MediaType
}

/** Parameters of the path item and the operation; the operation's replace those of the same name and place. */
export const parametersOf = (document: OpenApiDocument, operation: Operation): readonly Parameter[] =>
  mergedParameters(operation, document)

const mergedParameters = memo((operation: Operation, document: OpenApiDocument): readonly Parameter[] => {
  const merged = new Map<string, Parameter>()
  for (const [holder, pointer] of [
    [operation.pathItem, operation.pathPointer],
    [operation.value, operation.pointer],
  ] as const) {
    for (const parameter of readParameters(document, holder, pointer))
      merged.set(`${parameter.in} ${parameter.name}`, parameter)
  }
  return [...merged.values()]
})

function readParameters(
  document: OpenApiDocument,
  holder: JsonObject,
  pointer: string,
): readonly Parameter[] {
  return listMember(holder, "parameters").flatMap((raw, index) => {
    const found = dereference(document, { value: raw, pointer: `${pointer}/parameters/${index}` })
    if (found === undefined) return []
    const { value } = found
    const name = textMember(value, "name")
    const where = textMember(value, "in")
    const place = where === "querystring" ? "query" : where
    if (name === undefined || !isPlace(place)) return []
    const parts =
      document.version === "2.0"
        ? swaggerParameterParts(found, place)
        : partsOfParameter(document, found, place)
    const description = textMember(value, "description")
    return [
      {
        name,
        in: place,
        ...(description === undefined ? {} : { description }),
        allowReserved: member(value, "allowReserved") === true && mayReserve(document, place),
        required: place === "path" || member(value, "required") === true,
        ...parts,
      },
    ]
  })
}

/** 3.2 lets paths have it too; cookies carry what is reserved as it is. */
const mayReserve = ({ version }: OpenApiDocument, place: Parameter["in"]): boolean =>
  place === "query" || (place === "path" && version === "3.2")

function partsOfParameter(
  document: OpenApiDocument,
  found: Located,
  place: Parameter["in"],
): Pick<Parameter, "style" | "explode" | "schema" | "content"> {
  const { value, pointer } = found
  const isWhole = textMember(value, "in") === "querystring"
  const style = isWhole ? "querystring" : (textMember(value, "style") ?? defaultStyle[place])
  const [content] = member(value, "content") === undefined ? [] : contentOf(document, found)
  const explode = member(value, "explode")
  const schema = member(value, "schema")
  return {
    style,
    explode: typeof explode === "boolean" ? explode : style === "form" || style === "cookie",
    ...(content === undefined ? {} : { content }),
    ...(schema === undefined ? {} : { schema: { value: schema, pointer: `${pointer}/schema` } }),
  }
}

const defaultStyle = { query: "form", path: "simple", header: "simple", cookie: "form" } as const

const isPlace = (text: string | undefined): text is Parameter["in"] =>
  text !== undefined && Object.hasOwn(defaultStyle, text)
