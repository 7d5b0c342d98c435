// The parameters of an operation, as the document declares them.

import type { JsonObject } from "@callsheet/format"
import {
  dereference,
  listMember,
  member,
  textMember,
  type Located,
  type OpenApiDocument,
} from "./document.ts"
import type { Operation } from "./operations.ts"
import { swaggerParameterParts } from "./swagger/parameter.ts"

export interface Parameter {
  readonly name: string
  readonly in: "query" | "path" | "header" | "cookie"
  readonly style: string
  readonly explode: boolean
  readonly allowReserved: boolean
  readonly required: boolean
  /** Of its value, where `schema` describes it, or the parameter itself (2.0). */
  readonly schema?: Located
}

const parameterLists = new WeakMap<Operation, readonly Parameter[]>()

/** Parameters of the path item and the operation; the operation's replace those of the same name and place. */
export function parametersOf(document: OpenApiDocument, operation: Operation): readonly Parameter[] {
  let list = parameterLists.get(operation)
  if (list === undefined) {
    const merged = new Map<string, Parameter>()
    for (const [holder, pointer] of [
      [operation.pathItem, operation.pathPointer],
      [operation.value, operation.pointer],
    ] as const) {
      for (const parameter of readParameters(document, holder, pointer)) {
        merged.set(`${parameter.in} ${parameter.name}`, parameter)
      }
    }
    list = [...merged.values()]
    parameterLists.set(operation, list)
  }
  return list
}

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
    const place = textMember(value, "in")
    if (name === undefined || !isPlace(place)) return []
    const parts =
      document.version === "2.0" ? swaggerParameterParts(found, place) : partsOfParameter(found, place)
    return [
      {
        name,
        in: place,
        allowReserved: member(value, "allowReserved") === true,
        required: place === "path" || member(value, "required") === true,
        ...parts,
      },
    ]
  })
}

function partsOfParameter(
  { value, pointer }: Located,
  place: Parameter["in"],
): Pick<Parameter, "style" | "explode" | "schema"> {
  const style = textMember(value, "style") ?? defaultStyle[place]
  const explode = member(value, "explode")
  const schema = member(value, "schema")
  return {
    style,
    explode: typeof explode === "boolean" ? explode : style === "form",
    ...(schema === undefined ? {} : { schema: { value: schema, pointer: `${pointer}/schema` } }),
  }
}

const defaultStyle = { query: "form", path: "simple", header: "simple", cookie: "form" } as const

const isPlace = (text: string | undefined): text is Parameter["in"] =>
  text !== undefined && Object.hasOwn(defaultStyle, text)
