// The parameters of an operation, as the document declares them.

import { memoBySecond } from "@callsheet/format"
import { contentOf, type MediaType } from "./content.ts"
import type { OpenApiDocument } from "./document.ts"
import { inside, type Located, member, textMember } from "./located.ts"
import { type Operation, writtenParameters } from "./operations.ts"
import { swaggerParameterParts } from "./swagger.ts"

export interface Parameter {
  readonly name: string
  readonly in: "query" | "path" | "header" | "cookie"
  /** `querystring`, which is a place of its own in 3.2, is the style of a query parameter here: it is the whole query. */
  readonly style: string
  readonly explode: boolean
  readonly allowReserved: boolean
  readonly required: boolean
  readonly description?: string | undefined
  /** Of its value, where `schema` describes it, or the parameter itself (2.0). */
  readonly schema?: Located | undefined
  /** What its value is written as, where a media type says that instead of a style. */
  readonly content?: MediaType | undefined
}

/** Parameters of the path item and the operation; the operation's replace those of the same name and place. */
export const parametersOf = memoBySecond(
  (document: OpenApiDocument, operation: Operation): readonly Parameter[] => {
    const merged = new Map<string, Parameter>()
    for (const found of writtenParameters(document, operation)) {
      const parameter = found && readParameter(document, found)
      if (parameter !== undefined) merged.set(`${parameter.in} ${parameter.name}`, parameter)
    }
    return [...merged.values()]
  },
)

function readParameter(document: OpenApiDocument, found: Located): Parameter | undefined {
  const { value } = found
  const name = textMember(value, "name")
  const where = textMember(value, "in")
  const place = where === "querystring" ? "query" : where
  if (name === undefined || !isPlace(place)) return undefined
  const parts =
    document.version === "2.0"
      ? swaggerParameterParts(found, place)
      : partsOfParameter(document, found, place)
  return {
    name,
    in: place,
    description: textMember(value, "description"),
    allowReserved: member(value, "allowReserved") === true && mayReserve(document, place),
    required: place === "path" || member(value, "required") === true,
    ...parts,
  }
}

/** 3.2 lets paths have it too; cookies carry what is reserved as it is. */
const mayReserve = ({ version }: OpenApiDocument, place: Parameter["in"]): boolean =>
  place === "query" || (place === "path" && version === "3.2")

function partsOfParameter(
  document: OpenApiDocument,
  found: Located,
  place: Parameter["in"],
): Pick<Parameter, "style" | "explode" | "schema" | "content"> {
  const { value } = found
  const isWhole = textMember(value, "in") === "querystring"
  const style = isWhole ? "querystring" : (textMember(value, "style") ?? defaultStyle[place])
  const [content] = member(value, "content") === undefined ? [] : contentOf(document, found)
  const explode = member(value, "explode")
  return {
    style,
    explode: typeof explode === "boolean" ? explode : style === "form" || style === "cookie",
    content,
    schema: inside(found, "schema"),
  }
}

const defaultStyle = { query: "form", path: "simple", header: "simple", cookie: "form" } as const

const isPlace = (text: string | undefined): text is Parameter["in"] =>
  text !== undefined && Object.hasOwn(defaultStyle, text)
