// The declared parameters of an operation.

import { memo } from "@callsheet/format"
import { contentOf, type MediaType } from "./content.ts"
import type { Operation } from "./operations.ts"
import type { Part } from "./part.ts"
import { rawParametersOf, swaggerParameterParts } from "./swagger.ts"

export interface Parameter {
  readonly name: string
  readonly in: "query" | "path" | "header" | "cookie"
  /** The style. `querystring`, a location in 3.2, counts as a style of a query parameter. */
  readonly style: string
  readonly explode: boolean
  readonly allowReserved: boolean
  readonly required: boolean
  readonly description?: string | undefined
  /** The schema of the parameter's value. In 2.0, the parameter is its own schema. */
  readonly schema?: Part | undefined
  /** The media type of the parameter's value, if the document gives one instead of a style. */
  readonly content?: MediaType | undefined
  /** The parameter object. */
  readonly value?: Part | undefined
}

/** Returns the parameters of an operation and of its path item. The operation's own win. */
export const parametersOf = memo((operation: Operation): readonly Parameter[] =>
  rawParametersOf(operation).flatMap((found) => readParameter(found) ?? []),
)

function readParameter(found: Part): Parameter | undefined {
  const name = found.text("name")
  const where = found.text("in")
  const place = where === "querystring" ? "query" : where
  if (name === undefined || !isPlace(place)) return undefined
  return {
    name,
    value: found,
    in: place,
    description: found.text("description"),
    allowReserved: found.member("allowReserved") === true && mayReserve(found, place),
    required: place === "path" || found.member("required") === true,
    ...(found.isSwagger ? swaggerParameterParts(found, place) : partsOfParameter(found, place)),
  }
}

/** Returns whether `allowReserved` applies. 3.2 allows it in paths too. Cookies carry reserved characters unencoded. */
const mayReserve = ({ document }: Part, place: Parameter["in"]): boolean =>
  place === "query" || (place === "path" && document.version === "3.2")

function partsOfParameter(
  found: Part,
  place: Parameter["in"],
): Pick<Parameter, "style" | "explode" | "schema" | "content"> {
  const isWhole = found.text("in") === "querystring"
  const style = isWhole ? "querystring" : (found.text("style") ?? defaultStyle[place])
  const [content] = contentOf(found)
  const explode = found.member("explode")
  return {
    style,
    explode: typeof explode === "boolean" ? explode : style === "form" || style === "cookie",
    content,
    schema: found.inside("schema"),
  }
}

const defaultStyle = { query: "form", path: "simple", header: "simple", cookie: "form" } as const

const isPlace = (text: string | undefined): text is Parameter["in"] =>
  text !== undefined && Object.hasOwn(defaultStyle, text)
