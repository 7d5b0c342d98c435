// Compares a response with its snapshot, and decides what is noise. Learns noise when a snapshot is updated.

import {
  areSimilar,
  compareBodies,
  isMasked,
  keyOf,
  MASKED,
  type DescribedResponse,
} from "../compare/compare-responses.ts"
import type { Sides, ValueDifference, ValuePath } from "../compare/compare-values.ts"
import { isEqual } from "../workflow/equal.ts"
import { hasPlace, isInPlace, pathOfPlace, placeOfPath } from "./places.ts"
import type { Snapshot } from "./snapshot-file.ts"

export interface SnapshotRules {
  /** What the contract says about the values of the response. */
  readonly described: DescribedResponse | undefined
  /** The places whose differences are noise in every snapshot. */
  readonly ignore: readonly string[]
}

/** The member of a snapshot that differs, and the path in it. A side without a value is undefined. */
export interface SnapshotDifference extends Sides {
  readonly what: "status" | "contentType" | "body"
  readonly path: ValuePath
}

/** Yields the differences that aren't noise. The response is masked. */
export function* compareSnapshot(
  stored: Snapshot,
  received: Snapshot,
  rules: SnapshotRules,
): Generator<SnapshotDifference, void> {
  for (const what of ["status", "contentType"] as const) {
    const [left, right] = [stored[what], received[what]]
    if (left !== right && !isHidden({ left, right })) yield { what, path: [], left, right }
  }
  for (const found of bodyDifferences(stored, received, rules)) yield { what: "body", ...found }
}

/** Returns the snapshot to store. Values that changed since the stored one, but not their type, are noise from now on. */
export function updateSnapshot(
  stored: Snapshot | undefined,
  received: Snapshot,
  rules: SnapshotRules,
): { readonly snapshot: Snapshot; readonly added: readonly string[] } {
  if (stored === undefined) return { snapshot: received, added: [] }
  const known = (stored.noise ?? []).filter((place) => hasPlace(received.body, pathOfPlace(place)))
  const added = new Set<string>()
  for (const { path, left, right } of bodyDifferences(stored, received, rules))
    if (left !== undefined && right !== undefined && path.length > 0 && areSimilar(left, right))
      added.add(placeOfPath(path))
  const noise = [...new Set([...known, ...added])].sort()
  const snapshot = { ...received, ...(noise.length === 0 ? {} : { noise }) }
  return { snapshot: keepValues(stored, snapshot, rules), added: [...added] }
}

/** Returns the stored snapshot if only noise differs, so that an update changes no file without a reason. */
function keepValues(stored: Snapshot, updated: Snapshot, rules: SnapshotRules): Snapshot {
  const isSame = isEqual([...(stored.noise ?? [])].sort(), updated.noise ?? [])
  const [difference] = compareSnapshot(stored, updated, rules)
  return isSame && difference === undefined ? stored : updated
}

function* bodyDifferences(
  { body: left, noise = [] }: Snapshot,
  { body: right }: Snapshot,
  { described, ignore }: SnapshotRules,
): Generator<ValueDifference, void> {
  const learned = new Set(noise.map((place) => keyOf("body", pathOfPlace(place))))
  const ignored = ignore.map(pathOfPlace)
  for (const { reason, ...found } of compareBodies({ left, right }, { described, learned })) {
    if (reason !== undefined || isHidden(found)) continue
    if (ignored.some((place) => isInPlace(found.path, place)) && mayVary(found)) continue
    yield found
  }
}

/** Returns whether a difference can be noise. A changed type and a vanished field never are. */
function mayVary({ path, left, right }: ValueDifference): boolean {
  if (left === undefined) return true
  if (right === undefined) return typeof path.at(-1) === "number"
  return areSimilar(left, right)
}

/**
 * Returns whether a value may be the masked one. It may turn out to be secret only later in the run, so it isn't masked
 * yet.
 */
function isHidden({ left, right }: Sides): boolean {
  if (left === undefined || right === undefined || !isMasked(left)) return false
  if (typeof right === "object") return false
  const [start = "", ...parts] = left.split(MASKED)
  const text = String(right)
  if (!text.startsWith(start)) return false
  let at = start.length
  for (const [index, part] of parts.entries()) {
    const found = index === parts.length - 1 ? text.length - part.length : text.indexOf(part, at)
    if (found < at || !text.startsWith(part, found)) return false
    at = found + part.length
  }
  return true
}
