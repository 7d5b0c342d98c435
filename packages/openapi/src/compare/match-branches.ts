// Finds which branches of two unions describe the same kind of value.

import { lastKey } from "../document/located.ts"
import type { Part } from "../document/part.ts"
import type { Sameness } from "./sameness.ts"
import { type Branch, readSchema, type SchemaView } from "./schema-view.ts"

interface MatchedBranches {
  readonly matched: readonly (readonly [Branch, Branch])[]
  readonly removed: readonly Branch[]
  readonly added: readonly Branch[]
}

/** A branch with what it says, read once for all rules. */
interface Candidate {
  readonly branch: Branch
  readonly view: () => SchemaView
}

type Rule = (before: Candidate, after: Candidate) => boolean

export function matchBranches(
  before: readonly Branch[],
  after: readonly Branch[],
  isSame: Sameness["isSame"],
): MatchedBranches {
  let left = before.map(candidateOf)
  let right = after.map(candidateOf)
  const matched: (readonly [Branch, Branch])[] = []
  const rules: readonly Rule[] = [
    (one, other) => isEqual(one.branch.selectedBy, other.branch.selectedBy),
    (one, other) => isEqual(refName(one.branch.part), refName(other.branch.part)),
    (one, other) => isSame(one.branch.part, other.branch.part, "schema"),
    (one, other) => isEqual(tagOf(one.view()), tagOf(other.view())),
    (one, other) => isEqual(titleOf(one.branch.part), titleOf(other.branch.part)),
    (one, other) => overlap(one.view(), other.view()) >= 0.5,
  ]
  const apply = (rule: Rule): void => {
    const open: Candidate[] = []
    for (const one of left) {
      const other = right.find((candidate) => rule(one, candidate))
      if (other === undefined) open.push(one)
      else {
        matched.push([one.branch, other.branch])
        right = right.filter((candidate) => candidate !== other)
      }
    }
    left = open
  }
  for (const rule of rules) apply(rule)
  // Of one type, one branch is left on each side.
  const others = left.filter((one) => right.some((other) => isOnlyPair(one, other, { left, right })))
  for (const one of others) {
    const other = right.find((candidate) => typeKey(candidate) === typeKey(one))
    if (other === undefined) continue
    matched.push([one.branch, other.branch])
    left = left.filter((candidate) => candidate !== one)
    right = right.filter((candidate) => candidate !== other)
  }
  return {
    matched,
    removed: left.map(({ branch }) => branch),
    added: right.map(({ branch }) => branch),
  }
}

function candidateOf(branch: Branch): Candidate {
  let view: SchemaView | undefined
  return { branch, view: () => (view ??= readSchema([branch.part], "response")) }
}

const isEqual = (one: string | undefined, other: string | undefined): boolean =>
  one !== undefined && one === other

const refName = (part: Part): string | undefined => {
  const reference = part.text("$ref")
  return reference === undefined ? undefined : lastKey(reference)
}

const titleOf = (part: Part): string | undefined => part.dereference()?.text("title")

export const nameOfBranch = ({ part, selectedBy }: Branch): string =>
  selectedBy ??
  refName(part) ??
  titleOf(part) ??
  [...(readSchema([part], "response").types ?? [])].join(" or ")

/** Returns the property that tells a branch apart, with its only value: `type=card`. */
function tagOf({ properties }: SchemaView): string | undefined {
  for (const [name, { parts, required }] of properties) {
    const values = parts.length === 0 || !required ? undefined : readSchema(parts, "response").values
    if (values?.length === 1) return `${name}=${String(values[0])}`
  }
  return undefined
}

/** Returns the share of properties that two schemas have in common. */
function overlap(before: SchemaView, after: SchemaView): number {
  if (before.properties.size === 0 || after.properties.size === 0) return 0
  const tags = [tagOf(before), tagOf(after)]
  if (tags[0] !== undefined && tags[1] !== undefined && tags[0].split("=")[0] === tags[1].split("=")[0])
    return 0
  const common = [...before.properties.keys()].filter((name) => after.properties.has(name)).length
  return common / Math.max(before.properties.size, after.properties.size)
}

const typeKey = ({ view }: Candidate): string => [...(view().types ?? [])].toSorted().join(" ")

function isOnlyPair(
  one: Candidate,
  other: Candidate,
  { left, right }: { readonly left: readonly Candidate[]; readonly right: readonly Candidate[] },
): boolean {
  const key = typeKey(one)
  // Objects that have nothing in common are different branches.
  return (
    key !== "object" &&
    key !== "" &&
    key === typeKey(other) &&
    left.filter((candidate) => typeKey(candidate) === key).length === 1 &&
    right.filter((candidate) => typeKey(candidate) === key).length === 1
  )
}
