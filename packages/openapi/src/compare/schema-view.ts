// What a schema says about a value in one direction, however the document spells it.

import { isJsonObject, type JsonObject, memo } from "@callsheet/format"
import { textMember } from "../document/located.ts"
import type { Part } from "../document/part.ts"
import {
  type Discriminator,
  discriminatorOf,
  mappingOf,
  namedSchema,
  namesOf,
} from "../schema/discriminator.ts"
import { isMarked, itemKeywords, type Mark } from "../schema/schema-graph.ts"
import type { Direction } from "../schema/types/answers.ts"
import { type Conjunct, flattenSchemas, readBranches, unionKeywords } from "./flatten-schema.ts"
import { type Limits, readLimits } from "./limits.ts"
import { plainBranchesOf, readPlainUnion } from "./plain-union.ts"
import { readTypes, type TypesView } from "./types-view.ts"

export interface SchemaView extends TypesView {
  readonly format: string | undefined
  readonly limits: Limits
  readonly properties: ReadonlyMap<string, PropertyView>
  /** The properties that only the other direction has. */
  readonly hidden: ReadonlySet<string>
  readonly patterns: ReadonlyMap<string, readonly Part[]>
  /** Whether properties that the schema doesn't list are allowed, and the schemas that they match. */
  readonly isOpen: boolean
  readonly rest: readonly Part[]
  readonly items: readonly Part[]
  readonly firstItems: readonly Part[]
  readonly unions: readonly UnionView[]
  /** The schemas that a discriminator selects by its value, if they aren't listed as branches. */
  readonly variants: ReadonlyMap<string, Part>
  /** The property by which a discriminator selects. */
  readonly selector: string | undefined
  /** The keywords that are only compared as a whole. */
  readonly others: ReadonlyMap<string, readonly Part[]>
}

export interface PropertyView {
  /** The schemas that all apply. Empty for a property that is only required. */
  readonly parts: readonly Part[]
  readonly required: boolean
}

export interface UnionView {
  readonly keyword: string
  readonly pointer: string
  readonly branches: readonly Branch[]
}

export interface Branch {
  readonly part: Part
  /** The value of the discriminator that selects the branch. */
  readonly selectedBy: string | undefined
}

/** Reads the schemas that all apply to a value. Without any, every value is allowed. */
export function readSchema(parts: readonly Part[], direction: Direction): SchemaView {
  const { conjuncts, isNever } = flattenSchemas(parts)
  const { properties, hidden } = readProperties(conjuncts, direction)
  const unions = conjuncts.flatMap(unionsOf)
  const types = readTypes(conjuncts, isNever)
  const schemas = conjuncts.flatMap(({ part, schema }) => [schema, ...plainBranchesOf(part)])
  return {
    ...types,
    format: formatOf(schemas),
    limits: readLimits(schemas, types.types),
    properties,
    hidden,
    patterns: mapsOf(conjuncts, "patternProperties"),
    ...readRest(conjuncts),
    items: itemsOf(conjuncts, "other"),
    firstItems: firstItemsOf(conjuncts),
    unions,
    variants: variantsOf(conjuncts),
    selector: selectorOf(conjuncts),
    others: othersOf(conjuncts),
  }
}

/** Returns the format. A `file` of 2.0 is a binary string. */
const formatOf = (schemas: readonly JsonObject[]): string | undefined =>
  schemas.map((schema) => textMember(schema, "format")).find((format) => format !== undefined) ??
  (schemas.some(({ type }) => type === "file") ? "binary" : undefined)

const marks: { readonly [D in Direction]: Mark } = { request: "readOnly", response: "writeOnly" }

function readProperties(conjuncts: readonly Conjunct[], direction: Direction) {
  const found = new Map<string, Part[]>()
  for (const { part } of conjuncts)
    for (const [name, property] of part.entries("properties")) {
      const parts = found.get(name)
      if (parts === undefined) found.set(name, [property])
      else if (!parts.some(({ value }) => value === property.value)) parts.push(property)
    }
  const required = new Set(
    conjuncts.flatMap(({ part }) => part.list("required").filter((name) => typeof name === "string")),
  )
  for (const name of required) if (!found.has(name)) found.set(name, [])
  const hidden = new Set<string>()
  const properties = new Map<string, PropertyView>()
  for (const [name, parts] of found) {
    if (parts.some((one) => isMarked(one, marks[direction]))) hidden.add(name)
    else if (!parts.some(({ value }) => value === false))
      properties.set(name, { parts, required: required.has(name) })
  }
  return { properties, hidden }
}

const restKeywords = ["additionalProperties", "unevaluatedProperties"] as const

function readRest(conjuncts: readonly Conjunct[]): Pick<SchemaView, "isOpen" | "rest"> {
  const written = conjuncts.flatMap(({ part }) =>
    restKeywords.flatMap((keyword) => part.inside(keyword) ?? []),
  )
  return {
    isOpen: !written.some(({ value }) => value === false),
    rest: written.filter(isRestriction),
  }
}

/** Returns whether a schema restricts its value, unlike `{}` and `true`. */
const isRestriction = ({ value }: Part): boolean => isJsonObject(value) && Object.keys(value).length > 0

const itemsOf = (conjuncts: readonly Conjunct[], which: "other"): readonly Part[] =>
  conjuncts.flatMap(({ part }) => part.inside(itemKeywords(part.value)[which]) ?? []).filter(isRestriction)

const firstItemsOf = (conjuncts: readonly Conjunct[]): readonly Part[] =>
  conjuncts.flatMap(({ part }) => part.items(itemKeywords(part.value).first))

function mapsOf(conjuncts: readonly Conjunct[], keyword: string): ReadonlyMap<string, readonly Part[]> {
  const found = new Map<string, Part[]>()
  for (const { part } of conjuncts)
    for (const [name, inner] of part.entries(keyword)) found.set(name, [...(found.get(name) ?? []), inner])
  return found
}

/** Returns the unions of a conjunct. `flattenSchemas` has resolved those with one branch, `readTypes` plain ones. */
const unionsOf = ({ part }: Conjunct): readonly UnionView[] =>
  unionKeywords.flatMap((keyword) => {
    const { branches } = readBranches(part, keyword)
    if (branches.length < 2 || readPlainUnion(branches) !== undefined) return []
    const names = mappedNames(part)
    return [
      {
        keyword,
        pointer: `${part.pointer}/${keyword}`,
        branches: branches.map((branch) => ({
          part: branch,
          selectedBy: names?.get(branch.dereference()?.pointer ?? ""),
        })),
      },
    ]
  })

/** Returns the discriminator's value for each target that its mapping names, by the target's pointer. */
function mappedNames(schema: Part): ReadonlyMap<string, string> | undefined {
  if (schema.member("discriminator") === undefined) return undefined
  return new Map(
    Object.keys(mappingOf(schema)).flatMap((name) => {
      const target = namedSchema(schema, name)
      return target === undefined ? [] : [[target.pointer, name] as const]
    }),
  )
}

/** The discriminators that select schemas which aren't listed as branches. */
const selecting = (conjuncts: readonly Conjunct[]): readonly Discriminator[] =>
  conjuncts.flatMap(({ part, isBase }) => (isBase ? [] : (discriminatorOf(part) ?? [])))

const namedVariants = memo(
  (_: JsonObject, holder: Part): ReadonlyMap<string, Part> =>
    new Map(
      namesOf(holder).flatMap((name) => {
        const target = namedSchema(holder, name)
        return target === undefined || target.value === holder.value ? [] : [[name, target] as const]
      }),
    ),
)

const variantsOf = (conjuncts: readonly Conjunct[]): ReadonlyMap<string, Part> =>
  new Map(
    selecting(conjuncts).flatMap(({ holder }) =>
      isJsonObject(holder.value) ? [...namedVariants(holder.value, holder)] : [],
    ),
  )

const selectorOf = (conjuncts: readonly Conjunct[]): string | undefined =>
  conjuncts
    .filter(({ isBase }) => !isBase)
    .map(({ part }) => part.text("discriminator") ?? part.inside("discriminator")?.text("propertyName"))
    .find((name) => name !== undefined)

const wholeKeywords = [
  "not",
  "if",
  "then",
  "else",
  "contains",
  "minContains",
  "maxContains",
  "dependentSchemas",
  "dependentRequired",
  "propertyNames",
  "unevaluatedItems",
  "contentEncoding",
  "contentMediaType",
  "contentSchema",
] as const

const othersOf = (conjuncts: readonly Conjunct[]): ReadonlyMap<string, readonly Part[]> =>
  new Map(
    wholeKeywords.flatMap((keyword) => {
      const parts = conjuncts.flatMap(({ part }) => part.inside(keyword) ?? [])
      return parts.length === 0 ? [] : [[keyword, parts] as const]
    }),
  )
