// Finds which branches of two unions describe the same kind of value.

import { getOrCreate, once, stringifyJson } from "@callsheet/format"
import { lastKey } from "../document/located.ts"
import type { Part } from "../document/part.ts"
import type { Sameness } from "./sameness.ts"
import { type Branch, readSchema, type SchemaView } from "./schema-view.ts"

interface MatchedBranches {
  readonly matched: readonly (readonly [Branch, Branch])[]
  readonly removed: readonly Branch[]
  readonly added: readonly Branch[]
}

/** A branch with what it says, read once for all rules. A list is known by its items. */
interface Candidate {
  readonly branch: Branch
  readonly named: Part
  readonly view: () => SchemaView
}

/** Above this number of branches, only their names are compared. */
const MAX_COMPARED = 100

export function matchBranches(
  before: readonly Branch[],
  after: readonly Branch[],
  isSame: Sameness["isSame"],
): MatchedBranches {
  const matching = createMatching(before, after)
  matching.byKey(({ branch }) => branch.selectedBy)
  matching.byKey(({ named }) => refName(named))
  matching.byPair((one, other) => isSame(one.branch.part, other.branch.part, "schema"))
  matching.byKey(({ view }) => tagOf(view()))
  matching.byKey(({ named }) => titleOf(named))
  matching.byPair((one, other) => overlap(one.view(), other.view()) >= 0.5)
  // Objects that have nothing in common are different branches.
  const repeated = matching.repeatedTypes()
  matching.byKey((candidate) => {
    const key = typeKey(candidate)
    return candidate.view().properties.size > 0 || repeated.has(key) ? undefined : key
  })
  return matching.result()
}

function createMatching(before: readonly Branch[], after: readonly Branch[]) {
  let left = before.map(candidateOf)
  let right = after.map(candidateOf)
  const matched: (readonly [Branch, Branch])[] = []
  const apply = (find: (one: Candidate, open: ReadonlySet<Candidate>) => Candidate | undefined): void => {
    const open = new Set(right)
    left = left.filter((one) => {
      const other = find(one, open)
      if (other === undefined) return true
      open.delete(other)
      matched.push([one.branch, other.branch])
      return false
    })
    right = [...open]
  }
  return {
    byKey: (keyOf: (candidate: Candidate) => string | undefined): void => {
      const byKey = new Map<string, Candidate[]>()
      for (const candidate of right) {
        const key = keyOf(candidate)
        if (key !== undefined) getOrCreate(byKey, key, () => []).push(candidate)
      }
      apply((one) => byKey.get(keyOf(one) ?? "")?.shift())
    },
    byPair: (isMatch: (one: Candidate, other: Candidate) => boolean): void => {
      if (left.length > MAX_COMPARED || right.length > MAX_COMPARED) return
      apply((one, open) => [...open].find((other) => isMatch(one, other)))
    },
    /** Returns the types of which one side has several branches left. */
    repeatedTypes: (): ReadonlySet<string> => {
      const sides = [left, right].map((side) => side.map(typeKey))
      return new Set(sides.flatMap((keys) => repeatedIn(keys)))
    },
    result: (): MatchedBranches => ({
      matched,
      removed: left.map(({ branch }) => branch),
      added: right.map(({ branch }) => branch),
    }),
  }
}

function repeatedIn(keys: readonly string[]): readonly string[] {
  const seen = new Set<string>()
  return keys.filter((key) => seen.has(key) || !seen.add(key))
}

function candidateOf(branch: Branch): Candidate {
  const own = readSchema([branch.part], "response")
  const [items, ...others] = own.types?.size === 1 && own.types.has("array") ? own.items : []
  const named = items === undefined || others.length > 0 ? branch.part : items
  return {
    branch,
    named,
    view: once(() =>
      named === branch.part ? own : { ...readSchema([named], "response"), types: own.types },
    ),
  }
}

const refName = (part: Part): string | undefined => {
  const reference = part.text("$ref")
  return reference === undefined ? undefined : lastKey(reference)
}

const titleOf = (part: Part): string | undefined => part.dereference()?.text("title")

export function nameOfBranch(branch: Branch): string {
  const { named, view } = candidateOf(branch)
  const types = [...(view().types ?? [])].join(" or ")
  const name = branch.selectedBy ?? refName(branch.part) ?? titleOf(branch.part) ?? types
  const inner = named === branch.part ? undefined : (refName(named) ?? titleOf(named))
  return inner === undefined ? name : `${name} of ${inner}`
}

/** Returns the property that tells a branch apart, with its only value: `type=card`. */
function tagOf({ properties }: SchemaView): string | undefined {
  for (const [name, { parts, required }] of properties) {
    const values = parts.length === 0 || !required ? undefined : readSchema(parts, "response").values
    if (values?.length === 1) return `${name}=${stringifyJson(values[0] ?? null, {})}`
  }
  return undefined
}

/** Returns the share of properties that two schemas have in common. */
function overlap(before: SchemaView, after: SchemaView): number {
  if (before.properties.size === 0 || after.properties.size === 0) return 0
  const [tag, other] = [tagOf(before), tagOf(after)]
  if (tag !== undefined && other !== undefined && tag.split("=")[0] === other.split("=")[0]) return 0
  const common = [...before.properties.keys()].filter((name) => after.properties.has(name)).length
  return common / Math.max(before.properties.size, after.properties.size)
}

const typeKey = ({ view }: Candidate): string => [...(view().types ?? [])].toSorted().join(" ")
