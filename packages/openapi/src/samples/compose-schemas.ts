// Joins the schemas that apply to one value: references, `allOf`, and one branch of each choice.

import { isJsonObject, type JsonValue } from "@callsheet/format"
import { textMember } from "../document/located.ts"
import type { Part } from "../document/part.ts"
import { discriminatorOf, mappingOf, namedSchema, namesOf } from "../schema/discriminator.ts"

/** The schemas of one value, each without its references and choices. */
export interface Composition {
  readonly parts: readonly Part[]
  /** The values of discriminators, by property. */
  readonly pins: ReadonlyMap<string, JsonValue>
  readonly choices: readonly Choice[]
  /** The reason why no value fits, such as a broken reference. */
  readonly fault?: string | undefined
}

/** A place where the schema allows several branches. */
interface Choice {
  readonly key: string
  readonly count: number
  readonly picked: number
}

export interface Picking {
  /** The branches to take, by the keys of choices. */
  readonly picks: ReadonlyMap<string, number>
  /** Returns the branch to try first if `picks` has none. */
  readonly prefer: (branches: readonly Part[]) => number
}

/** The maximum number of schemas that are joined for one value. */
const MAX_PARTS = 500

interface Composing extends Picking {
  readonly parts: Part[]
  readonly pins: Map<string, JsonValue>
  readonly choices: Choice[]
  readonly seen: Set<string>
  readonly work: Part[]
}

export function composeSchemas(schemas: readonly Part[], picking: Picking): Composition {
  const composing: Composing = {
    ...picking,
    parts: [],
    pins: new Map(),
    choices: [],
    seen: new Set(),
    work: [...schemas].reverse(),
  }
  const { parts, pins, choices, seen, work } = composing
  for (let part = work.pop(); part !== undefined; part = work.pop()) {
    if (seen.has(part.pointer) || part.value === true) continue
    if (seen.size === MAX_PARTS) return { parts, pins, choices, fault: "it joins too many schemas" }
    seen.add(part.pointer)
    if (part.value === false) return { parts, pins, choices, fault: "the schema allows no value" }
    if (!isJsonObject(part.value)) continue
    const fault = addPart(composing, part)
    if (fault !== undefined) return { parts, pins, choices, fault }
  }
  return { parts, pins, choices }
}

function addPart(composing: Composing, part: Part): string | undefined {
  const { parts, work } = composing
  for (const keyword of ["$ref", "$dynamicRef"] as const) {
    const target = part.reference(keyword)
    if (target === "broken") return `nothing is at ${part.text(keyword)}`
    if (target === undefined) continue
    work.push(target)
    // Before 3.1, the keywords beside a reference have no effect.
    if (part.isOld) return undefined
  }
  parts.push(part)
  work.push(...[...part.items("allOf")].reverse())
  for (const keyword of ["oneOf", "anyOf"] as const) addBranch(composing, part, keyword)
  addCondition(composing, part)
  addExtension(composing, part)
  return undefined
}

function choose({ choices, picks, prefer }: Composing, key: string, branches: readonly Part[]): number {
  const picked = picks.get(key) ?? prefer(branches)
  choices.push({ key, count: branches.length, picked })
  return picked
}

function addBranch(composing: Composing, part: Part, keyword: "oneOf" | "anyOf"): void {
  const all = part.items(keyword)
  const branches = all.filter((branch) => branch.text("type") !== "null")
  if (branches.length === 0) {
    composing.work.push(...all)
    return
  }
  const branch = branches[choose(composing, `${part.pointer} ${keyword}`, branches)]
  if (branch === undefined) return
  composing.work.push(branch)
  const property = textMember(part.member("discriminator"), "propertyName")
  const reference = branch.text("$ref")
  if (property === undefined || reference === undefined) return
  const mapped = Object.entries(mappingOf(part)).find(([, target]) => isSameSchema(target, reference))
  composing.pins.set(property, mapped?.[0] ?? lastName(reference))
}

const lastName = (reference: string): string => reference.slice(reference.lastIndexOf("/") + 1)

/** Returns whether a mapping's target, which is a reference or a name, is a branch. */
const isSameSchema = (target: JsonValue, reference: string): boolean =>
  target === reference || (typeof target === "string" && lastName(target) === lastName(reference))

function addCondition(composing: Composing, part: Part): void {
  const condition = part.inside("if")
  if (condition === undefined) return
  const followed = part.inside("then")
  const picked = choose(composing, `${part.pointer} if`, [condition, part])
  const otherwise = part.inside("else")
  composing.work.push(
    ...(picked === 0 ? [condition, followed] : [otherwise]).filter((one) => one !== undefined),
  )
}

/** Takes one of the schemas that extend a base with a discriminator, unless one of them has been joined. */
function addExtension(composing: Composing, part: Part): void {
  const discriminator = discriminatorOf(part)
  if (discriminator === undefined || composing.pins.has(discriminator.property)) return
  const named = namesOf(part).flatMap((name) => {
    const schema = namedSchema(part, name)
    return schema === undefined ? [] : [{ name, schema }]
  })
  const joined = named.find(
    ({ schema }) => composing.seen.has(schema.pointer) && schema.pointer !== part.pointer,
  )
  const schemas = named.map(({ schema }) => schema)
  const taken = joined ?? named[named.length === 0 ? 0 : choose(composing, `${part.pointer} name`, schemas)]
  if (taken === undefined) return
  composing.pins.set(discriminator.property, taken.name)
  composing.work.push(taken.schema)
}
