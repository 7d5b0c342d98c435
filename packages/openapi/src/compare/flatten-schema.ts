// Collects the schemas that all apply to one value: a schema, the targets of its references, and the parts of `allOf`.

import { isJsonObject, type JsonObject, type JsonValue } from "@callsheet/format"
import type { Part } from "../document/part.ts"
import { isNullable } from "../schema/schema-graph.ts"

/** A schema that applies to the value, without the schemas that it includes. */
export interface Conjunct {
  readonly part: Part
  readonly schema: JsonObject
  /** True if null is allowed whatever the schema says, by `nullable` or by a branch for null. */
  readonly orNull: boolean
  /** True if a schema that adds more to it includes it. Its discriminator then selects nothing. */
  readonly isBase: boolean
}

interface Flattened {
  readonly conjuncts: readonly Conjunct[]
  /** True if one of the schemas is `false`. */
  readonly isNever: boolean
}

interface Step {
  readonly part: Part
  readonly orNull: boolean
  readonly isBase: boolean
}

export function flattenSchemas(parts: readonly Part[]): Flattened {
  const conjuncts: Conjunct[] = []
  const seen = new Set<JsonValue>()
  let isNever = false
  const work: Step[] = parts.toReversed().map((part) => ({ part, orNull: false, isBase: false }))
  for (let step = work.pop(); step !== undefined; step = work.pop()) {
    const { value } = step.part
    if (value === false) isNever = true
    if (!isJsonObject(value) || seen.has(value)) continue
    seen.add(value)
    const orNull = step.orNull || (step.part.isOld && isNullable(value))
    const included = includedBy({ ...step, orNull })
    for (const one of included.toReversed()) work.push(one)
    if (!(step.part.isOld && step.part.text("$ref") !== undefined))
      conjuncts.push({ part: step.part, schema: value, orNull, isBase: step.isBase })
  }
  return { conjuncts, isNever }
}

function includedBy({ part, orNull, isBase }: Step): readonly Step[] {
  const targets = (part.isOld ? (["$ref"] as const) : (["$ref", "$dynamicRef"] as const)).flatMap(
    (keyword) => {
      const target = part.reference(keyword)
      return target === undefined || target === "broken" ? [] : [{ part: target, orNull, isBase }]
    },
  )
  if (part.isOld && targets.length > 0) return targets
  const all = part.items("allOf")
  const isWrapper = all.length === 1 && part.member("properties") === undefined
  return [
    ...targets,
    ...all.map((item) => ({ part: item, orNull, isBase: isBase || !isWrapper })),
    ...unionKeywords.flatMap((keyword) => {
      const union = readBranches(part, keyword)
      const [only, ...others] = union.branches
      if (only === undefined || others.length > 0) return []
      return [{ part: only, orNull: orNull || union.hasNull, isBase }]
    }),
  ]
}

export const unionKeywords = ["oneOf", "anyOf"] as const

interface Branches {
  readonly branches: readonly Part[]
  readonly hasNull: boolean
}

/** Returns the branches of a union. A branch for null only counts as a mark. */
export function readBranches(schema: Part, keyword: (typeof unionKeywords)[number]): Branches {
  const items = schema.items(keyword).filter(({ value }) => isJsonObject(value) || typeof value === "boolean")
  const branches = items.filter((item) => !isOnlyNull(item))
  return { branches, hasNull: branches.length < items.length }
}

function isOnlyNull(branch: Part): boolean {
  const value = branch.dereference()?.value
  if (!isJsonObject(value)) return false
  const [type, values] = [value["type"], value["enum"]]
  return (
    type === "null" ||
    value["const"] === null ||
    (Array.isArray(type) && type.length === 1 && type[0] === "null") ||
    (Array.isArray(values) && values.length === 1 && values[0] === null)
  )
}
