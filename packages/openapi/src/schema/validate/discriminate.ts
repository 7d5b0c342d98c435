// The discriminator beside `oneOf` or `anyOf`: each value is held against the alternative that it names.

import { isJsonArray, type JsonObject, type JsonValue } from "@callsheet/format"
import { member, objectMember, textMember } from "../../document/located.ts"
import { addPart, placeSchema, type PlainSchema, TELLS_APART } from "./plain-schema.ts"

/**
 * A value that names its branch is held against that branch alone, so that the verdict is about what was meant; every
 * other value goes the plain way of `oneOf` or `anyOf`.
 */
export function discriminate(result: Record<string, unknown>, schema: JsonObject, pointer: string): void {
  const property = textMember(member(schema, "discriminator"), "propertyName")
  if (property === undefined) return
  for (const keyword of ["oneOf", "anyOf"] as const) {
    const branches = member(schema, keyword)
    const normal = result[keyword]
    if (!isJsonArray(branches) || !Array.isArray(normal)) continue
    const named = namesOfBranches(branches, objectMember(member(schema, "discriminator"), "mapping") ?? {})
    if (named.size === 0) continue
    const says = (values: readonly string[]): PlainSchema => ({
      type: "object",
      required: [property],
      properties: { [property]: { enum: values } },
    })
    const choices = normal.flatMap((branch: unknown, index) => {
      const values = [...named].filter(([, at]) => at === index).map(([value]) => value)
      return values.length === 0 ? [] : [{ if: says(values), then: branch }]
    })
    const names = [...named.keys()]
    const rest = indexOf(branches, textMember(member(schema, "discriminator"), "defaultMapping"))
    const plainWay = placeSchema({ [keyword]: normal, [TELLS_APART]: { property, names } }, pointer)
    delete result[keyword]
    addPart(result, ...choices, { if: says(names), else: rest === -1 ? plainWay : normal[rest] })
  }
}

const nameOf = (reference: string): string => reference.slice(reference.lastIndexOf("/") + 1)

/** Values of the discriminator -> index of the branch: the names of the schemas, and what `mapping` says over them. */
function namesOfBranches(branches: readonly JsonValue[], mapping: JsonObject): ReadonlyMap<string, number> {
  const references = branches.map((branch) => textMember(branch, "$ref"))
  const named = new Map<string, number>()
  for (const [index, reference] of references.entries()) {
    if (reference !== undefined) named.set(nameOf(reference), index)
  }
  for (const [value, target] of Object.entries(mapping)) {
    const index = indexOf(branches, target)
    if (index !== -1) named.set(value, index)
  }
  return named
}

/** The place of the branch that a target of `mapping` means, by its reference or its name; -1 where it means none. */
const indexOf = (branches: readonly JsonValue[], target: JsonValue | undefined): number =>
  branches.findIndex((branch) => {
    const reference = textMember(branch, "$ref")
    return reference !== undefined && (reference === target || nameOf(reference) === target)
  })
