// Reads the inputs of an Arazzo workflow. An input of callsheet is a string, a number or a boolean, so each place that steps
// read in a larger input becomes an input of its own.

import {
  isJsonArray,
  isJsonObject,
  isVariableName,
  type InputDeclaration,
  type JsonValue,
  UniqueNames,
} from "@callsheet/format"
import { variableName } from "../carry/names.ts"
import type { Reason } from "../losses.ts"
import { reasons } from "../messages.ts"
import type { ResponsePath } from "../scripts/checks.ts"
import { placeName } from "./arazzo-expressions.ts"
import { list, member, object, text } from "./json.ts"

type InputType = NonNullable<InputDeclaration["type"]>

interface Given {
  /** Returns the schema that a reference leads to, or the schema itself. */
  readonly resolve: (schema: JsonValue | undefined) => JsonValue | undefined
  readonly lose: (what: string, reason: Reason) => void
}

interface Place {
  readonly schema: JsonValue | undefined
  readonly isRequired: boolean
  readonly fallback: JsonValue | undefined
}

const MAX_SCHEMAS = 1000

export class ArazzoInputs {
  /** The paths of inputs by the name of their variable. */
  readonly values = new Map<string, string>()
  readonly #given: Given
  readonly #places = new Map<string, Place>()
  /** The declarations by the names in the source that they belong to, so that they keep its order. */
  readonly #declared = new Map<string, (readonly [string, InputDeclaration])[]>()
  readonly #names = new UniqueNames({ separator: "_" })

  constructor(schema: JsonValue | undefined, given: Given) {
    this.#given = given
    const required = this.#required(schema)
    for (const [name, property] of this.#properties(schema)) {
      const own = given.resolve(property)
      this.#places.set(name, {
        schema: own,
        isRequired: required.has(name),
        fallback: member(own, "default"),
      })
      this.#declared.set(name, [])
      if (this.#types(own).every(isScalar)) this.nameOf(name, [])
    }
  }

  /** Returns the variable that an expression reads. Declares its input. */
  nameOf(name: string, path: ResponsePath): string {
    const [own, rest] = this.#places.has([name, ...path].join("."))
      ? [[name, ...path].join("."), []]
      : [name, path]
    const variable = placeName(`inputs.${own}`, rest)
    if (!this.values.has(variable)) this.values.set(variable, this.#declare(own, rest))
    return variable
  }

  /** Returns all inputs in the order of the source, also those that no step reads. */
  all(): Readonly<Record<string, InputDeclaration>> {
    for (const [name, found] of this.#declared) if (found.length === 0) this.nameOf(name, [])
    return Object.fromEntries([...this.#declared.values()].flat())
  }

  #declare(name: string, path: ResponsePath): string {
    const whole = [name, ...path].join("_")
    const isForeign = /\P{ASCII}/u.test(whole)
    const wanted = isForeign ? variableName(whole) : whole.replaceAll(/[^\w-]/g, "_")
    const own = this.#names.add(isVariableName(wanted) ? wanted : `_${wanted}`)
    const what = `input ${[name, ...path].join(".")}`
    if (isForeign) this.#given.lose(what, reasons.variableName(own))
    const place = this.#placeOf(name, path)
    const types = this.#types(place.schema)
    const [type = "string", ...others] = types
    if (others.length > 0 || !isScalar(type)) this.#given.lose(what, reasons.inputType(types.join(" or ")))
    const { fallback, isRequired, schema } = place
    const description = text(schema, "description")
    const declaration: InputDeclaration = {
      type: others.length === 0 && isScalar(type) ? type : "string",
      ...(isRequired ? { required: true } : {}),
      ...(fallback === undefined ? {} : { default: fallback }),
      ...(description === undefined ? {} : { description }),
    }
    this.#declared.set(name, [...(this.#declared.get(name) ?? []), [own, declaration]])
    return own
  }

  /** Returns what the schema says about a place in an input. */
  #placeOf(name: string, path: ResponsePath): Place {
    const none: Place = { schema: undefined, isRequired: false, fallback: undefined }
    return path.reduce<Place>(
      ({ schema, isRequired, fallback }, key) => {
        const own = this.#given.resolve(this.#properties(schema).get(key) ?? this.#items(schema))
        const inner = isJsonArray(fallback) ? fallback[Number(key)] : member(fallback, key)
        return {
          schema: own,
          isRequired: isRequired && this.#required(schema).has(key),
          fallback: inner ?? member(own, "default"),
        }
      },
      this.#places.get(name) ?? none,
    )
  }

  #properties(schema: JsonValue | undefined): ReadonlyMap<string, JsonValue> {
    const branches = this.#branches(schema, ["allOf", "oneOf", "anyOf"])
    return new Map(branches.toReversed().flatMap((one) => Object.entries(object(one, "properties") ?? {})))
  }

  #items = (schema: JsonValue | undefined): JsonValue | undefined =>
    this.#branches(schema, ["allOf", "oneOf", "anyOf"])
      .map((one) => member(one, "items"))
      .find((items) => items !== undefined)

  #required = (schema: JsonValue | undefined): ReadonlySet<JsonValue> =>
    new Set(this.#branches(schema, ["allOf"]).flatMap((one) => list(one, "required")))

  /** Returns the types that a schema allows, without null. Empty if it allows any. */
  #types(schema: JsonValue | undefined): readonly string[] {
    const types = this.#branches(schema, ["allOf", "oneOf", "anyOf"]).flatMap(typesIn)
    const known = types.length > 0 ? types : typesOf(member(schema, "default"))
    return [...new Set(known.map((type) => (type === "integer" ? "number" : type)))].filter(
      (type) => type !== "null",
    )
  }

  /** Returns a schema and those that it consists of. */
  #branches(schema: JsonValue | undefined, keywords: readonly string[]): readonly JsonValue[] {
    const found = new Set<JsonValue>()
    const work = [schema]
    for (const one of work) {
      const resolved = this.#given.resolve(one)
      if (resolved === undefined || found.has(resolved) || found.size > MAX_SCHEMAS) continue
      found.add(resolved)
      for (const keyword of keywords) work.push(...list(resolved, keyword))
    }
    return [...found]
  }
}

const isScalar = (type: string): type is InputType =>
  type === "string" || type === "number" || type === "boolean"

function typesIn(schema: JsonValue): readonly string[] {
  const type = member(schema, "type")
  if (typeof type === "string") return [type]
  if (isJsonArray(type)) return type.filter((one): one is string => typeof one === "string")
  if (object(schema, "properties") !== undefined) return ["object"]
  const values = [
    ...list(schema, "enum"),
    ...(member(schema, "const") === undefined ? [] : [member(schema, "const")]),
  ]
  return values.flatMap(typesOf)
}

const typesOf = (value: JsonValue | undefined): readonly string[] =>
  value === undefined
    ? []
    : [
        value === null
          ? "null"
          : isJsonArray(value)
            ? "array"
            : isJsonObject(value)
              ? "object"
              : typeof value === "bigint"
                ? "number"
                : typeof value,
      ]
