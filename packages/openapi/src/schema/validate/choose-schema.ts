// Chooses the schema for a value by the value's discriminator.

import { getOrCreate, isJsonArray, type JsonObject, type JsonValue } from "@callsheet/format"
import { textMember } from "../../document/located.ts"
import type { Part } from "../../document/part.ts"
import {
  defaultSchema,
  type Discriminator,
  discriminatorOf,
  includes,
  inheritedDiscriminator,
  mappingOf,
  namedSchema,
  namesOf,
} from "../discriminator.ts"
import {
  addPart,
  type Chooser,
  placeSchema,
  type PlainSchema,
  REFERS_TO,
  type SchemaReference,
  TELLS_APART,
} from "./plain-schema.ts"

/** Refers to a schema as a base, so that its discriminator isn't applied again. */
type ReferToBase = (schema: Part) => SchemaReference

export const isDiscriminated = (schema: Part): boolean =>
  (discriminatorOf(schema) ?? inheritedDiscriminator(schema)) !== undefined

/** Creates a chooser if the schema has a discriminator. The target of a `$ref` has its own chooser. */
export function createChooser(schema: Part, ofBase: ReferToBase): Chooser | undefined {
  const isAlias = schema.text("$ref") !== undefined
  const discriminator = discriminatorOf(schema) ?? (isAlias ? undefined : inheritedDiscriminator(schema))
  if (discriminator === undefined) return undefined
  const choosing: Choosing = { schema, ofBase, discriminator }
  const known = new Map<string | undefined, SchemaReference>()
  return (value) => {
    const name = textMember(value, discriminator.property)
    // Values from servers contain the names, so a limit protects memory.
    if (known.size >= MAX_KNOWN) known.clear()
    return getOrCreate(known, name, () => choose(choosing, name))
  }
}

const MAX_KNOWN = 1000

interface Choosing {
  readonly schema: Part
  readonly ofBase: ReferToBase
  /** The discriminator of the schema or of one that it includes. It may name schemas that aren't extensions. */
  readonly discriminator: Discriminator
}

function choose(choosing: Choosing, name: string | undefined): SchemaReference {
  const { schema, ofBase, discriminator } = choosing
  const { holder } = discriminator
  const named = name === undefined ? defaultSchema(holder) : namedSchema(holder, name)
  if (named !== undefined && includes(named, schema)) return ofBase(named)
  const plain = ofBase(schema)
  if (holder !== schema || named?.pointer === schema.pointer) return plain
  if (named !== undefined) return madeOf({ allOf: [{ [REFERS_TO]: plain }, { [REFERS_TO]: ofBase(named) }] })
  return name === undefined || isListed(choosing, name) ? plain : withKnownName(choosing, plain)
}

const madeOf = (schema: PlainSchema): SchemaReference => ({ schema: () => schema })

/** Returns true if the schema of the property lists the name, as in many documents without a mapping. */
function isListed({ discriminator: { property, holder } }: Choosing, name: string): boolean {
  const found = holder.inside("properties", property)?.dereference()
  return found !== undefined && (found.list("enum").includes(name) || found.member("const") === name)
}

function withKnownName({ discriminator }: Choosing, plain: SchemaReference): SchemaReference {
  const { property, holder } = discriminator
  const names = namesOf(holder)
  if (names.length === 0) return plain
  const known = placeSchema({ enum: names }, `${holder.pointer}/discriminator`)
  return madeOf({ allOf: [{ [REFERS_TO]: plain }, { properties: { [property]: known } }] })
}

/** Adds conditions for a discriminator, so that a value is validated only against the branch that it names. */
export function discriminate(result: Record<string, unknown>, schema: Part): void {
  const discriminator = schema.inside("discriminator")
  const property = discriminator?.text("propertyName")
  if (property === undefined) return
  for (const keyword of ["oneOf", "anyOf"] as const) {
    const branches = schema.member(keyword)
    const normal = result[keyword]
    if (!isJsonArray(branches) || !Array.isArray(normal)) continue
    const named = namesOfBranches(branches, mappingOf(schema))
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
    const rest = indexOf(branches, discriminator?.text("defaultMapping"))
    const plainWay = placeSchema({ [keyword]: normal, [TELLS_APART]: { property, names } }, schema.pointer)
    delete result[keyword]
    addPart(result, ...choices, { if: says(names), else: rest === -1 ? plainWay : normal[rest] })
  }
}

const nameOf = (reference: string): string => reference.slice(reference.lastIndexOf("/") + 1)

function namesOfBranches(branches: readonly JsonValue[], mapping: JsonObject): ReadonlyMap<string, number> {
  const named = new Map<string, number>()
  for (const [index, branch] of branches.entries()) {
    const reference = textMember(branch, "$ref")
    if (reference !== undefined) named.set(nameOf(reference), index)
  }
  for (const [value, target] of Object.entries(mapping)) {
    const index = indexOf(branches, target)
    if (index !== -1) named.set(value, index)
  }
  return named
}

/** Returns the index of the branch for a `mapping` target, which is a reference or a name, or -1. */
const indexOf = (branches: readonly JsonValue[], target: JsonValue | undefined): number =>
  branches.findIndex((branch) => {
    const reference = textMember(branch, "$ref")
    return reference !== undefined && (reference === target || nameOf(reference) === target)
  })
