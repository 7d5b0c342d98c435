// Compares two schemas of the same value, for one direction. Parts of the value become edges to other pairs.

import { escapeKey, isJsonObject, ownOf, type JsonValue } from "@callsheet/format"
import type { Part } from "../document/part.ts"
import type { Breaks, FactsByKind, PropertyFacts } from "./change.ts"
import { compareLimits } from "./limits.ts"
import { matchBranches, nameOfBranch } from "./match-branches.ts"
import { isSameData } from "./sameness.ts"
import type { ComparedPair, Edge, LocalChange, SchemaPair, SchemaPairs } from "./schema-pairs.ts"
import { type Branch, type PropertyView, readSchema, type SchemaView, type UnionView } from "./schema-view.ts"
import { isWithin } from "./types-view.ts"

type Effect = "narrows" | "widens" | "shifts"

/** Collects what differs in one pair. */
interface Comparison {
  readonly pair: SchemaPair
  readonly pairs: SchemaPairs
  readonly before: SchemaView
  readonly after: SchemaView
  readonly changes: LocalChange[]
  readonly edges: Edge[]
}

export function compareSchemas(pairs: SchemaPairs, pair: SchemaPair): ComparedPair {
  const before = readSchema(pair.before, pair.direction)
  const after = readSchema(pair.after, pair.direction)
  const changes: LocalChange[] = []
  const edges: Edge[] = []
  const comparison = { pair, pairs, before, after, changes, edges }
  if (before.unions.length !== after.unions.length && compareToUnion(comparison)) return { changes, edges }
  if (compareTypes(comparison) === "disjoint") return { changes, edges }
  compareNull(comparison)
  compareValues(comparison)
  compareFormats(comparison)
  for (const facts of compareLimits(before.limits, after.limits))
    report(comparison, { kind: "limit-changed", facts, breaks: breaksBy(pair, facts.effect) })
  compareProperties(comparison)
  compareRest(comparison)
  compareItems(comparison)
  compareUnions(comparison)
  compareVariants(comparison)
  compareOthers(comparison)
  return { changes, edges }
}

/** Returns who a change may break: a client that sends a value no longer allowed, or reads one that is new. */
const breaksBy = ({ direction }: SchemaPair, effect: Effect): Breaks | undefined => {
  if (direction === "request") return effect === "widens" ? undefined : "sends"
  return effect === "narrows" ? undefined : "reads"
}

type Reported = {
  [K in keyof FactsByKind]: {
    readonly kind: K
    readonly facts: FactsByKind[K]
    readonly breaks: Breaks | undefined
    readonly segment?: string
    readonly before?: string | undefined
    readonly after?: string | undefined
  }
}[keyof FactsByKind]

/** Adds a change. Its places are those of the schemas, unless it says others. */
function report({ pair, changes }: Comparison, reported: Reported): void {
  const { segment, ...change } = reported
  const places = { before: placeOf(pair.before), after: placeOf(pair.after) }
  changes.push({ change: { ...places, ...change }, segment })
}

const placeOf = ([first]: readonly Part[]): string | undefined => {
  const target = first?.dereference() ?? first
  return target?.pointer
}

function lead(comparison: Comparison, { segment, before, after }: Led): void {
  const { pair, pairs, edges } = comparison
  const target = pairs.pairOf(before, after, pair.direction)
  if (target === "endless") {
    const breaks = breaksBy(pair, "shifts")
    report(comparison, {
      kind: "schema-changed",
      facts: { keyword: "allOf" },
      breaks,
      ...(segment === undefined ? {} : { segment }),
    })
  } else if (target !== undefined && (target !== pair || segment !== undefined))
    edges.push({ segment, pair: target })
}

interface Led {
  readonly segment: string | undefined
  readonly before: readonly Part[]
  readonly after: readonly Part[]
}

/** Compares the types. Nothing else is comparable if no type is allowed by both schemas. */
function compareTypes(comparison: Comparison): "comparable" | "disjoint" {
  const from = comparison.before.types
  const to = comparison.after.types
  // The branches of unions say their own types.
  if (comparison.before.unions.length + comparison.after.unions.length > 0 && (!from || !to))
    return "comparable"
  const isNarrower = from === undefined || (to !== undefined && [...to].every((type) => isWithin(type, from)))
  const isWider = to === undefined || (from !== undefined && [...from].every((type) => isWithin(type, to)))
  if (isNarrower && isWider) return "comparable"
  const effect = isNarrower ? "narrows" : isWider ? "widens" : "shifts"
  const facts = { from: namesOf(from), to: namesOf(to) }
  report(comparison, { kind: "type-changed", facts, breaks: breaksBy(comparison.pair, effect) })
  if (from === undefined || to === undefined) return "disjoint"
  const isShared =
    [...to].some((type) => isWithin(type, from)) || [...from].some((type) => isWithin(type, to))
  return isShared ? "comparable" : "disjoint"
}

const namesOf = (types: ReadonlySet<string> | undefined): readonly string[] => [...(types ?? [])].toSorted()

function compareNull(comparison: Comparison): void {
  const { before, after, pair } = comparison
  if (before.nullable === after.nullable) return
  const effect = after.nullable ? "widens" : "narrows"
  const facts = { nullable: after.nullable }
  report(comparison, { kind: "nullable-changed", facts, breaks: breaksBy(pair, effect) })
}

function compareValues(comparison: Comparison): void {
  const from = comparison.before.values
  const to = comparison.after.values
  if (from === undefined && to === undefined) return
  const removed = (from ?? []).filter((value) => !includesValue(to ?? [], value))
  const added = (to ?? []).filter((value) => !includesValue(from ?? [], value))
  if (from !== undefined && to !== undefined && removed.length + added.length === 0) return
  const facts = { removed, added, wasOpen: from === undefined, isOpen: to === undefined }
  const effect = enumEffect(facts)
  report(comparison, { kind: "enum-changed", facts, breaks: breaksBy(comparison.pair, effect) })
}

const includesValue = (values: readonly JsonValue[], value: JsonValue): boolean =>
  values.some((other) => isSameData(value, other))

function enumEffect({ removed, added, wasOpen, isOpen }: FactsByKind["enum-changed"]): Effect {
  if (wasOpen) return "narrows"
  if (isOpen) return "widens"
  if (removed.length > 0 && added.length > 0) return "shifts"
  return added.length > 0 ? "widens" : "narrows"
}

/** The formats that include another one. */
const widerFormats: Readonly<Record<string, readonly string[]>> = {
  int32: ["int64"],
  float: ["double"],
}

/** The formats that say nothing about the values, or only what every reader of numbers assumes. */
const displayFormats: ReadonlySet<string> = new Set(["password", "int64", "double"])

function compareFormats(comparison: Comparison): void {
  const [from, to] = [comparison.before.format, comparison.after.format]
  if (from === to) return
  const breaks = breaksBy(comparison.pair, formatEffect(from, to))
  const isDisplay = [from, to].every((format) => format === undefined || displayFormats.has(format))
  report(comparison, { kind: "format-changed", facts: { from, to }, breaks: isDisplay ? undefined : breaks })
}

function formatEffect(from: string | undefined, to: string | undefined): Effect {
  if (from === undefined) return "narrows"
  if (to === undefined || ownOf(widerFormats, from)?.includes(to)) return "widens"
  return ownOf(widerFormats, to)?.includes(from) ? "narrows" : "shifts"
}

function compareProperties(comparison: Comparison): void {
  const { before, after } = comparison
  for (const [name, property] of before.properties) {
    const other = after.properties.get(name)
    if (other === undefined) reportRemoved(comparison, name, property)
    else compareProperty(comparison, name, [property, other])
  }
  for (const [name, property] of after.properties)
    if (!before.properties.has(name)) reportAdded(comparison, name, property)
}

function compareProperty(
  comparison: Comparison,
  name: string,
  both: readonly [PropertyView, PropertyView],
): void {
  const [before, after] = both
  const { direction } = comparison.pair
  if (before.required !== after.required) {
    const isRequest = direction === "request"
    const places = {
      segment: escapeKey(name),
      before: placeIn(comparison.pair.before, before.parts, name),
      after: placeIn(comparison.pair.after, after.parts, name),
    }
    const facts = factsOf(comparison, name, after)
    if (after.required)
      report(comparison, {
        kind: "property-required",
        facts,
        breaks: isRequest ? "omits" : undefined,
        ...places,
      })
    else
      report(comparison, {
        kind: "property-optional",
        facts,
        breaks: isRequest ? undefined : "reads",
        ...places,
      })
  }
  lead(comparison, { segment: escapeKey(name), before: before.parts, after: after.parts })
}

/** Returns a property's place, or that of its object if the property is only listed as required. */
const placeIn = (holder: readonly Part[], parts: readonly Part[], _name: string): string | undefined =>
  parts[0]?.pointer ?? placeOf(holder)

function factsOf({ after }: Comparison, name: string, { parts, required }: PropertyView): PropertyFacts {
  return { name, required, isOpen: after.isOpen, ...suggestedValues(parts) }
}

/** Returns the default and the example that schemas or their targets give. */
export function suggestedValues(parts: readonly Part[]): Pick<PropertyFacts, "default" | "example"> {
  const all = parts.flatMap((part) => [part, part.dereference() ?? part])
  const find = (key: string): JsonValue | undefined =>
    all.map((part) => part.member(key)).find((value) => value !== undefined)
  return {
    default: find("default"),
    example: find("example") ?? all.flatMap((part) => part.list("examples"))[0],
  }
}

function reportRemoved(comparison: Comparison, name: string, property: PropertyView): void {
  const { pair, after } = comparison
  const isOtherDirection = after.hidden.has(name)
  if (!isOtherDirection && isInBranches(after, name)) return
  const breaks =
    pair.direction === "response" ? "reads" : !after.isOpen || isOtherDirection ? "sends" : undefined
  report(comparison, {
    kind: "property-removed",
    facts: { ...factsOf(comparison, name, property), ...(isOtherDirection ? { isOtherDirection } : {}) },
    breaks,
    segment: escapeKey(name),
    before: placeIn(pair.before, property.parts, name),
  })
}

function reportAdded(comparison: Comparison, name: string, property: PropertyView): void {
  const { pair, before } = comparison
  if (!before.hidden.has(name) && isInBranches(before, name)) return
  report(comparison, {
    kind: "property-added",
    facts: factsOf(comparison, name, property),
    breaks: pair.direction === "request" && property.required ? "omits" : undefined,
    segment: escapeKey(name),
    after: placeIn(pair.after, property.parts, name),
  })
}

/** Returns whether a branch of a union declares a property, so that it has only moved. */
const isInBranches = ({ unions }: SchemaView, name: string): boolean =>
  unions.some(({ branches }) =>
    branches.some(({ part }) => readSchema([part], "response").properties.has(name)),
  )

function compareRest(comparison: Comparison): void {
  const { before, after, pair } = comparison
  if (before.isOpen !== after.isOpen) {
    // A response that may have more properties is like a response with a new property.
    const breaks = pair.direction === "request" && !after.isOpen ? "sends" : undefined
    report(comparison, { kind: "additional-properties-changed", facts: { allowed: after.isOpen }, breaks })
  } else if (before.isOpen) lead(comparison, { segment: "*", before: before.rest, after: after.rest })
  for (const [pattern, parts] of before.patterns) {
    const others = after.patterns.get(pattern)
    if (others !== undefined) lead(comparison, { segment: "*", before: parts, after: others })
  }
  const isSameSet =
    before.patterns.size === after.patterns.size &&
    [...before.patterns.keys()].every((pattern) => after.patterns.has(pattern))
  if (!isSameSet) reportWhole(comparison, "patternProperties", "shifts")
}

function compareItems(comparison: Comparison): void {
  const { before, after } = comparison
  lead(comparison, { segment: "*", before: before.items, after: after.items })
  if (before.firstItems.length !== after.firstItems.length)
    return reportWhole(comparison, "prefixItems", "shifts")
  for (const [index, item] of before.firstItems.entries())
    lead(comparison, { segment: "*", before: [item], after: after.firstItems.slice(index, index + 1) })
}

function reportWhole(comparison: Comparison, keyword: string, effect: Effect): void {
  const breaks = breaksBy(comparison.pair, effect)
  report(comparison, { kind: "schema-changed", facts: { keyword }, breaks })
}

function compareUnions(comparison: Comparison): void {
  const { before, after, pair, pairs } = comparison
  if (before.unions.length === 0 || before.unions.length !== after.unions.length) return
  if (before.selector !== after.selector && before.unions.length > 0) {
    const facts = { from: before.selector, to: after.selector }
    report(comparison, { kind: "discriminator-changed", facts, breaks: breaksBy(pair, "shifts") })
  }
  for (const [index, union] of before.unions.entries()) {
    const other = after.unions[index]
    if (other === undefined) continue
    reportBranches(comparison, matchBranches(union.branches, other.branches, pairs.isSame))
  }
}

type Matched = ReturnType<typeof matchBranches>

function reportBranches(comparison: Comparison, { matched, removed, added }: Matched): void {
  for (const [one, other] of matched)
    lead(comparison, { segment: undefined, before: [one.part], after: [other.part] })
  for (const branch of removed)
    report(comparison, {
      kind: "variant-removed",
      facts: { name: nameOfBranch(branch) },
      breaks: breaksBy(comparison.pair, "narrows"),
      before: branch.part.pointer,
    })
  for (const branch of added)
    report(comparison, {
      kind: "variant-added",
      facts: { name: nameOfBranch(branch) },
      breaks: breaksBy(comparison.pair, "widens"),
      after: branch.part.pointer,
    })
}

/**
 * Compares a schema without a union to one with a union. The plain schema is one branch. Returns false if the union
 * stands beside other keywords.
 */
function compareToUnion(comparison: Comparison): boolean {
  const { before, after, pair, pairs } = comparison
  const isBefore = before.unions.length > 0
  const [plain, united] = isBefore ? [after, before] : [before, after]
  const [union, ...others] = united.unions
  const parts = isBefore ? pair.after : pair.before
  if (union === undefined || plain.unions.length > 0 || others.length > 0) return reportUnions(comparison)
  if (united.properties.size > 0 || parts.length !== 1 || isAnything(plain))
    return reportUnions(comparison, union)
  const own: Branch[] = parts.map((part) => ({ part, selectedBy: undefined }))
  const [left, right] = isBefore ? [union.branches, own] : [own, union.branches]
  const found = matchBranches(left, right, pairs.isSame)
  if (found.matched.length === 0) return reportUnions(comparison, union)
  compareNull(comparison)
  reportBranches(comparison, found)
  return true
}

const isAnything = ({ types, values }: SchemaView): boolean => types === undefined && values === undefined

/** Reports unions that can't be compared branch by branch. Always returns false. */
function reportUnions(comparison: Comparison, union?: UnionView): false {
  const { before, after } = comparison
  const difference = after.unions.length - before.unions.length
  const [first] = [...before.unions, ...after.unions]
  const keyword = (union ?? first)?.keyword ?? "oneOf"
  reportWhole(comparison, keyword, difference > 0 ? "narrows" : "widens")
  return false
}

/** Compares the schemas that a discriminator selects. */
function compareVariants(comparison: Comparison): void {
  const { before, after, pair } = comparison
  for (const [name, part] of before.variants) {
    const other = after.variants.get(name)
    if (other !== undefined) lead(comparison, { segment: undefined, before: [part], after: [other] })
    else if (after.variants.size > 0)
      report(comparison, {
        kind: "variant-removed",
        facts: { name },
        breaks: breaksBy(pair, "narrows"),
        before: part.pointer,
      })
  }
  for (const [name, part] of after.variants)
    if (!before.variants.has(name) && before.selector !== undefined)
      report(comparison, {
        kind: "variant-added",
        facts: { name },
        breaks: breaksBy(pair, "widens"),
        after: part.pointer,
      })
}

function compareOthers(comparison: Comparison): void {
  const { before, after, pairs } = comparison
  const keywords = new Set([...before.others.keys(), ...after.others.keys()])
  for (const keyword of keywords) {
    const one = before.others.get(keyword) ?? []
    const other = after.others.get(keyword) ?? []
    if (isSameList(pairs, one, other)) continue
    const isReversed = keyword === "not"
    const effect = one.length === 0 ? "narrows" : other.length === 0 ? "widens" : "shifts"
    reportWhole(comparison, keyword, isReversed && one.length > 0 && other.length > 0 ? "shifts" : effect)
  }
}

const isSameList = (pairs: SchemaPairs, before: readonly Part[], after: readonly Part[]): boolean =>
  before.length === after.length &&
  before.every((part, index) => {
    const other = after[index]
    if (other === undefined) return false
    return isJsonObject(part.value) && isJsonObject(other.value)
      ? pairs.isSame(part, other, "schema")
      : isSameData(part.value, other.value)
  })
