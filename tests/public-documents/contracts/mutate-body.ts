// Bodies with one error each, of a kind that the schema seems to forbid. ajv decides whether it does.

import { isObject, objectAt, type Raw } from "../raw-document.ts"
import { readPattern } from "../make-text.ts"
import { highest } from "../make-value.ts"
import {
  branchesOf,
  enumOf,
  isClosed,
  itemsOf,
  partsOf,
  propertiesOf,
  requiredOf,
  typesOf,
} from "../schema-parts.ts"
import type { SecondOpinion } from "./second-opinion.ts"

export interface BodyMutant {
  readonly kind: string
  /** JSON pointer of the error. For a missing property, where it should be. */
  readonly at: string
  readonly body: unknown
}

interface Site {
  readonly steps: readonly (string | number)[]
  readonly value: unknown
  readonly parts: readonly Raw[]
  readonly isItem: boolean
}

export interface Mutating {
  readonly root: Raw
  readonly opinion: SecondOpinion
}

const deepest = 6
const MAX_SITES = 150

/** Every mutant that the suite can generate. */
export function mutateBody(mutating: Mutating, schema: unknown, body: unknown): readonly BodyMutant[] {
  const sites: Site[] = [
    { steps: [], value: body, parts: acceptingParts(mutating, schema, body), isItem: false },
  ]
  // A list that grows during iteration is iterated to its end.
  for (const site of sites) {
    if (sites.length > MAX_SITES) break
    if (site.steps.length < deepest) sites.push(...childrenOf(mutating, site))
  }
  return sites.flatMap((site) => mutantsOf(mutating, site, body))
}

/** The parts of a schema, and those of the branches that accept the value. */
function acceptingParts({ root, opinion }: Mutating, schema: unknown, value: unknown): readonly Raw[] {
  const { parts, broken } = partsOf(root, schema)
  if (broken) return []
  const holding = branchesOf(parts)
    .filter((branch) => opinion.finding(branch, value) === undefined)
    .flatMap((branch) => partsOf(root, branch).parts)
  return [...parts, ...holding]
}

function childrenOf(mutating: Mutating, { steps, value, parts }: Site): readonly Site[] {
  if (Array.isArray(value)) {
    const [first] = value as readonly unknown[]
    const items = itemsOf(parts)
    if (items === undefined || value.length === 0) return []
    return [
      { steps: [...steps, 0], value: first, parts: acceptingParts(mutating, items, first), isItem: true },
    ]
  }
  if (!isObject(value)) return []
  const properties = propertiesOf(parts)
  return Object.entries(value).flatMap(([name, member]) => {
    const schemas = properties.get(name)
    if (schemas === undefined) return []
    const inner = schemas.flatMap((schema) => acceptingParts(mutating, schema, member))
    return [{ steps: [...steps, name], value: member, parts: inner, isItem: false }]
  })
}

/** A value to put at the site, or below it. */
interface Change {
  readonly kind: string
  readonly value: unknown
  readonly below?: string
}

function mutantsOf(mutating: Mutating, site: Site, body: unknown): readonly BodyMutant[] {
  const changes = [
    ...typeChanges(site),
    ...textChanges(site),
    ...numberChanges(site),
    ...objectChanges(mutating, site),
    ...arrayChanges(site),
  ]
  return changes.map(({ kind, value, below }) => ({
    kind,
    at: pointerOf(below === undefined ? site.steps : [...site.steps, below]),
    body: replaced(body, site.steps, value),
  }))
}

const typeName = (value: unknown): string => {
  if (value === null) return "null"
  if (Array.isArray(value)) return "array"
  return typeof value === "number" && Number.isInteger(value) ? "integer" : typeof value
}

const otherValues: readonly unknown[] = ["callsheet", 1.5, true, [], {}, ["callsheet"], { callsheet: 1.5 }]

function typeChanges({ parts, isItem }: Site): readonly Change[] {
  const changes: Change[] = []
  const types = typesOf(parts)
  const wrong = otherValues.filter((value) => types !== undefined && !types.has(typeName(value)))
  for (const value of wrong.slice(0, 2))
    changes.push({ kind: isItem ? "item of another type" : "type", value })
  if (types !== undefined && !types.has("null")) changes.push({ kind: "null", value: null })
  if (types?.has("integer") === true && !types.has("number")) changes.push({ kind: "fraction", value: 7.5 })
  const values = enumOf(parts)
  if (values.length > 0) {
    const isText = values.every((value) => typeof value === "string" || value === null)
    changes.push({ kind: "enum", value: isText ? "callsheet-other" : 987_654 })
  }
  if (branchesOf(parts).length > 0)
    for (const value of otherValues) changes.push({ kind: "no branch", value })
  return changes
}

const badFormats: Readonly<Record<string, unknown>> = {
  "date-time": "2026-02-30T03:04:05Z",
  date: "2026-13-01",
  email: "ada at example.com",
  uuid: "6f1d1b9e-2f0b-4b57-9d6e",
  uri: "not a uri",
  ipv4: "192.0.2.256",
  ipv6: "2001:db8::1::2",
  int32: 2_147_483_648,
}

const unlikely = ["", "\u0000", "~ ~", "ß", "callsheet", "0", "A".repeat(200)]

function textChanges({ value, parts }: Site): readonly Change[] {
  const changes: Change[] = []
  for (const part of parts) {
    const bad = badFormats[String(part["format"])]
    if (bad !== undefined) changes.push({ kind: "format", value: bad })
    const pattern = typeof part["pattern"] === "string" ? readPattern(part["pattern"]) : undefined
    const broken = unlikely.find((text) => pattern?.test(text) === false)
    if (broken !== undefined) changes.push({ kind: "pattern", value: broken })
  }
  const [least, most] = [highest(parts, "minLength"), highest(parts, "maxLength")]
  if (typeof value !== "string") return changes
  if (least !== undefined && least > 0) changes.push({ kind: "minLength", value: value.slice(0, least - 1) })
  if (most !== undefined && most < 10_000)
    changes.push({ kind: "maxLength", value: value.padEnd(most + 1, "x") })
  return changes
}

function numberChanges({ value, parts }: Site): readonly Change[] {
  if (typeof value !== "number") return []
  const changes: Change[] = []
  for (const part of parts) {
    const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = part
    if (typeof minimum === "number")
      changes.push({ kind: "minimum", value: exclusiveMinimum === true ? minimum : minimum - 1 })
    if (typeof maximum === "number")
      changes.push({ kind: "maximum", value: exclusiveMaximum === true ? maximum : maximum + 1 })
    if (typeof exclusiveMinimum === "number") changes.push({ kind: "minimum", value: exclusiveMinimum })
    if (typeof exclusiveMaximum === "number") changes.push({ kind: "maximum", value: exclusiveMaximum })
    if (typeof multipleOf === "number") changes.push({ kind: "multipleOf", value: value + multipleOf / 2 })
  }
  return changes
}

const unknownName = "callsheet-unknown"

function objectChanges({ root }: Mutating, { value, parts }: Site): readonly Change[] {
  if (!isObject(value)) return []
  const changes: Change[] = []
  for (const name of requiredOf(parts))
    if (Object.hasOwn(value, name) && !isWriteOnly(root, parts, name))
      changes.push({ kind: "required", value: without(value, name), below: name })
  if (isClosed(parts))
    changes.push({
      kind: "additional property",
      value: { ...value, [unknownName]: true },
      below: unknownName,
    })
  if (parts.some((part) => isObject(part["additionalProperties"])))
    for (const other of otherValues)
      changes.push({
        kind: "additional property's type",
        value: { ...value, [unknownName]: other },
        below: unknownName,
      })
  const least = highest(parts, "minProperties")
  if (least !== undefined && least > 0) changes.push({ kind: "minProperties", value: {} })
  return changes
}

const isWriteOnly = (root: Raw, parts: readonly Raw[], name: string): boolean =>
  parts.some((part) =>
    partsOf(root, objectAt(part, "properties")[name] ?? {}).parts.some(
      (inner) => inner["writeOnly"] === true,
    ),
  )

const without = (value: Raw, name: string): Raw =>
  Object.fromEntries(Object.entries(value).filter(([key]) => key !== name))

function arrayChanges({ value, parts }: Site): readonly Change[] {
  if (!Array.isArray(value)) return []
  const changes: Change[] = []
  const items = value as readonly unknown[]
  const [least, most] = [highest(parts, "minItems"), highest(parts, "maxItems")]
  if (least !== undefined && least > 0) changes.push({ kind: "minItems", value: items.slice(0, least - 1) })
  if (items.length === 0) return changes
  if (most !== undefined && most < 1000)
    changes.push({ kind: "maxItems", value: Array.from({ length: most + 1 }, () => items[0]) })
  if (parts.some((part) => part["uniqueItems"] === true))
    changes.push({ kind: "uniqueItems", value: [...items, items[0]] })
  return changes
}

const pointerOf = (steps: readonly (string | number)[]): string =>
  steps.map((step) => `/${String(step).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("")

function replaced(body: unknown, [step, ...rest]: readonly (string | number)[], value: unknown): unknown {
  if (step === undefined) return value
  if (Array.isArray(body))
    return body.map((item, index) => (index === step ? replaced(item, rest, value) : item))
  if (!isObject(body)) return body
  return Object.fromEntries(
    Object.entries(body).map(([key, member]) => [key, key === step ? replaced(member, rest, value) : member]),
  )
}
