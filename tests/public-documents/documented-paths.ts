// Random paths into a response's body that its schema documents, at several depths.

import type { Chance } from "./chance.ts"
import { isObject, type Raw } from "./raw-document.ts"
import {
  allows,
  branchesOf,
  isBranched,
  isClosed,
  isOpen,
  itemsOf,
  partsOf,
  propertiesOf,
} from "./schema-parts.ts"

export interface DocumentedPath {
  readonly steps: readonly (string | number)[]
  /** The schema at the end. */
  readonly parts: readonly Raw[]
  /** A `oneOf` or `anyOf` decides if the path exists. */
  readonly throughBranch: boolean
  /** The objects along the path list all of their properties, so the misspelled last step doesn't exist. */
  readonly last: "closed" | "listed" | "open"
  readonly siblings: readonly string[]
}

const deepest = 6

/** A walk from `schema` down to a leaf or a random depth, or undefined if it has no children. */
export function pickPath(root: Raw, schema: unknown, chance: Chance): DocumentedPath | undefined {
  let at: DocumentedPath | undefined = startOf(root, schema)
  const depth = 1 + chance.upTo(deepest)
  for (let step = 0; step < depth && at !== undefined; step++) {
    const next: DocumentedPath | undefined = stepDown(root, at, chance)
    if (next === undefined) break
    at = next
  }
  return at === undefined || at.steps.length === 0 ? undefined : at
}

function startOf(root: Raw, schema: unknown): DocumentedPath | undefined {
  const { parts, broken } = partsOf(root, schema)
  return broken ? undefined : { steps: [], parts, throughBranch: false, last: "open", siblings: [] }
}

function stepDown(root: Raw, at: DocumentedPath, chance: Chance): DocumentedPath | undefined {
  const options: (() => DocumentedPath | undefined)[] = []
  const properties = propertiesOf(at.parts)
  const names = [...properties.keys()].filter((name) => isAnswered(root, name, properties))
  if (names.length > 0 && allows(at.parts, "object")) {
    options.push(() => into(root, at, { step: chance.pick(names)!, schemas: properties, siblings: names }))
  }
  const items = itemsOf(at.parts)
  if (items !== undefined && allows(at.parts, "array"))
    options.push(() => below(root, at, { step: chance.upTo(2), schema: items }))
  const open = at.parts
    .map((part) => part["additionalProperties"])
    .find((one) => one === true || isObject(one))
  if (open !== undefined && allows(at.parts, "object") && !isClosed(at.parts))
    options.push(() => below(root, at, { step: "any-key", schema: open === true ? {} : open }))
  const branches = branchesOf(at.parts)
  if (branches.length > 0) {
    options.push(() => {
      const { parts, broken } = partsOf(root, chance.pick(branches))
      const inBranch = { ...at, parts: [...at.parts.map(withoutBranches), ...parts], throughBranch: true }
      return broken ? undefined : stepDown(root, inBranch, chance)
    })
  }
  return chance.pick(options)?.()
}

/** Responses omit `writeOnly` properties. */
const isAnswered = (root: Raw, name: string, schemas: ReadonlyMap<string, readonly unknown[]>): boolean =>
  name !== "" && !partsOf(root, { allOf: schemas.get(name) }).parts.some((part) => part["writeOnly"] === true)

const withoutBranches = (part: Raw): Raw => ({ ...part, oneOf: [], anyOf: [] })

interface Into {
  readonly step: string
  readonly schemas: ReadonlyMap<string, readonly unknown[]>
  readonly siblings: readonly string[]
}

function into(root: Raw, at: DocumentedPath, { step, schemas, siblings }: Into): DocumentedPath | undefined {
  const { parts, broken } = partsOf(root, { allOf: schemas.get(step) })
  if (broken) return undefined
  const says = isClosed(at.parts) ? "closed" : isOpen(at.parts) || isBranched(at.parts) ? "open" : "listed"
  return { ...at, steps: [...at.steps, step], parts, last: at.throughBranch ? "open" : says, siblings }
}

function below(
  root: Raw,
  at: DocumentedPath,
  { step, schema }: { readonly step: string | number; readonly schema: unknown },
): DocumentedPath | undefined {
  const { parts, broken } = partsOf(root, schema)
  return broken ? undefined : { ...at, steps: [...at.steps, step], parts, last: "open", siblings: [] }
}

/** The first array within two steps of the body, or the body itself if it is one. */
export function findArray(root: Raw, schema: unknown): DocumentedPath | undefined {
  const start = startOf(root, schema)
  if (start === undefined) return undefined
  if (isArray(start)) return start
  const properties = propertiesOf(start.parts)
  for (const step of properties.keys()) {
    if (step === "" || !allows(start.parts, "object")) continue
    const child = into(root, start, { step, schemas: properties, siblings: [] })
    if (child !== undefined && isArray(child)) return child
  }
  return undefined
}

const isArray = ({ parts }: DocumentedPath): boolean =>
  parts.some((part) => part["type"] === "array") && itemsOf(parts) !== undefined && allows(parts, "array")

/** The steps as a path is written. */
export const formatSteps = (steps: readonly (string | number)[]): string =>
  steps
    .map((step) => (typeof step === "number" || isPlain(step) ? `.${step}` : `[${JSON.stringify(step)}]`))
    .join("")

const isPlain = (step: string): boolean => /^[A-Za-z_$@][A-Za-z0-9_$@:/-]*$/.test(step)
