// The documented parameters and body of the request at a place: names, types and values.

import {
  formatPath,
  isArrayIndex,
  memberType,
  parsePath,
  type JsonPointer,
  type JsonValue,
  type ValueType,
} from "@callsheet/format"
import { typeWords } from "@callsheet/language"
import { parametersOf, requestBodyType, schemaType, type Operation, type Parameter } from "@callsheet/openapi"

export interface RequestPart {
  readonly name: string
  readonly type: ValueType | undefined
  readonly isRequired: boolean
  readonly description: string | undefined
}

const typeOfParameter = ({ schema, content }: Parameter): ValueType | undefined => {
  const described = schema ?? content?.schema
  return described && schemaType(described, "request")
}

/** Returns the parameters in `path`, `query`, `header` or `cookie`, required ones first. */
export const parametersIn = (operation: Operation, where: string): readonly RequestPart[] =>
  parametersOf(operation)
    .filter((parameter) => parameter.in === where)
    .map((parameter) => ({
      name: parameter.name,
      type: typeOfParameter(parameter),
      isRequired: parameter.required,
      description: parameter.description,
    }))
    .toSorted((one, other) => Number(other.isRequired) - Number(one.isRequired))

/** Returns the type of a part of the body. `steps` is the path from the body. */
export function bodyTypeAt(operation: Operation, steps: JsonPointer): ValueType | undefined {
  let type = requestBodyType(operation)?.type
  for (const step of steps) type = type && memberType(type, typeof step === "number" ? "0" : step)
  return type
}

/** Returns the type of a part of the body by its path, such as `items.0.sku`. */
export function bodyTypeOfPath(operation: Operation, path: string): ValueType | undefined {
  const parsed = parsePath(path)
  return parsed.ok
    ? bodyTypeAt(
        operation,
        parsed.segments.map((step) => (isArrayIndex(step) ? 0 : step)),
      )
    : undefined
}

export const membersOfType = (type: ValueType): readonly RequestPart[] => {
  const required = new Set(type.required())
  return type
    .names()
    .map((name) => {
      const member = memberType(type, name)
      return {
        name,
        type: member,
        isRequired: required.has(name),
        description: member?.notes?.().description,
      }
    })
    .toSorted((one, other) => Number(other.isRequired) - Number(one.isRequired))
}

const MAX_PATHS = 500
const MAX_DEPTH = 5

/** Returns the paths of a body's parts, those near the root first. */
export function bodyPaths(operation: Operation): readonly RequestPart[] {
  const root = requestBodyType(operation)?.type
  const found: RequestPart[] = []
  let level: readonly { readonly steps: readonly string[]; readonly type: ValueType }[] =
    root === undefined ? [] : [{ steps: [], type: root }]
  for (let depth = 0; depth < MAX_DEPTH && level.length > 0 && found.length < MAX_PATHS; depth++) {
    level = level.flatMap(({ steps, type }) => {
      const isList = type.kinds?.has("array") === true
      const item = isList ? memberType(type, "0") : undefined
      const parts = type.kinds?.has("object") === false ? [] : membersOfType(type)
      found.push(...parts.map((part) => ({ ...part, name: formatPath([...steps, part.name]) })))
      return [
        ...parts.flatMap((part) =>
          part.type === undefined ? [] : [{ steps: [...steps, part.name], type: part.type }],
        ),
        ...(item === undefined ? [] : [{ steps: [...steps, "0"], type: item }]),
      ]
    })
  }
  return found.slice(0, MAX_PATHS)
}

/** Returns the values of an enum, and those of a boolean. */
export const listedValues = ({ values, kinds }: ValueType): readonly JsonValue[] =>
  values ?? (kinds?.has("boolean") === true && kinds.size === 1 ? [true, false] : [])

export const wordsOf = (part: RequestPart): string =>
  [part.isRequired ? "required" : "", part.type === undefined ? "" : typeWords(part.type)]
    .filter((word) => word !== "")
    .join(", ")
