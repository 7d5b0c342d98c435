// Accepts differences between a snapshot and a response: all of them, or some.

import { isJsonArray, isJsonObject, ownOf, setOwn, type JsonValue } from "../json/value.ts"
import { escapePointer } from "../json/pointer-text.ts"
import { areSimilar } from "../compare/compare-responses.ts"
import {
  compareSnapshot,
  updateSnapshot,
  type SnapshotDifference,
  type SnapshotRules,
} from "./compare-snapshot.ts"
import { hasPlace, pathOfPlace, placeOfPath } from "./places.ts"
import type { Snapshot } from "./snapshot-file.ts"

interface Acceptance {
  readonly rules: SnapshotRules
  /** Receives the `differenceKey` of each difference. By default, all are accepted. */
  readonly accepts?: ((key: string) => boolean) | undefined
  /** True to store accepted values as noise if only the value differs, as `--snapshots update` does. */
  readonly asNoise: boolean
}

/** Names a difference, as long as neither side changes. An added item may have the index of another one. */
export const differenceKey = ({ what, path, left }: SnapshotDifference): string =>
  [left === undefined ? "+" : "", what, ...path.map((step) => escapePointer(String(step)))].join("/")

/** Returns whether a difference can become noise: the value differs, but not its type. */
export const mayBecomeNoise = ({ what, path, left, right }: SnapshotDifference): boolean =>
  what === "body" && path.length > 0 && left !== undefined && right !== undefined && areSimilar(left, right)

/** Returns the snapshot to store. */
export function acceptChanges(stored: Snapshot, received: Snapshot, acceptance: Acceptance): Snapshot {
  const { rules, accepts = () => true, asNoise } = acceptance
  const all = [...compareSnapshot(stored, received, rules)]
  const accepted = all.filter((one) => accepts(differenceKey(one)))
  const isAll = accepted.length === all.length
  if (isAll && asNoise) return updateSnapshot(stored, received, rules).snapshot
  const { noise: known = [], ...before } = stored
  const changed = isAll ? received : withChanges(before, received, accepted)
  const learned = asNoise ? accepted.filter(mayBecomeNoise).map(({ path }) => placeOfPath(path)) : []
  const kept = known.filter((place) => hasPlace(changed.body, pathOfPlace(place)))
  const noise = [...new Set([...kept, ...learned])].sort()
  return { ...changed, ...(noise.length === 0 ? {} : { noise }) }
}

function withChanges(
  stored: Snapshot,
  received: Snapshot,
  accepted: readonly SnapshotDifference[],
): Snapshot {
  const has = (what: SnapshotDifference["what"]) => accepted.some((one) => one.what === what)
  const { contentType } = has("contentType") ? received : stored
  const body = withValues(
    stored.body,
    accepted.filter(({ what }) => what === "body"),
  )
  return {
    version: 1,
    status: has("status") ? received.status : stored.status,
    ...(contentType === undefined ? {} : { contentType }),
    ...(body === undefined ? {} : { body }),
  }
}

/** Changes and removals have indexes of the snapshot, so removals go from the end. Additions have those of the response. */
function withValues(
  body: JsonValue | undefined,
  differences: readonly SnapshotDifference[],
): JsonValue | undefined {
  const of = (is: (one: SnapshotDifference) => boolean) => differences.filter(is)
  const added = of(({ left }) => left === undefined)
  const removed = of(({ left, right }) => left !== undefined && right === undefined)
  const changed = of(({ left, right }) => left !== undefined && right !== undefined)
  return [...changed, ...removed.toReversed(), ...added].reduce(withValue, body)
}

/** Returns the body with the value of the right side, or without it. A new item moves those after it. */
function withValue(
  root: JsonValue | undefined,
  { path, left, right }: SnapshotDifference,
): JsonValue | undefined {
  const containers: (JsonValue | undefined)[] = [root]
  for (const step of path.slice(0, -1)) containers.push(memberOf(containers.at(-1), step))
  return path.reduceRight<JsonValue | undefined>((inner, step, at) => {
    const container = containers[at]
    const isNew = left === undefined && at === path.length - 1
    if (isNew && isJsonArray(container) && inner !== undefined)
      return container.toSpliced(Number(step), 0, inner)
    return withMember(container, step, inner)
  }, right)
}

function memberOf(container: JsonValue | undefined, step: string | number): JsonValue | undefined {
  if (isJsonArray(container)) return container[Number(step)]
  return isJsonObject(container) ? ownOf(container, String(step)) : undefined
}

function withMember(
  container: JsonValue | undefined,
  step: string | number,
  value: JsonValue | undefined,
): JsonValue | undefined {
  if (isJsonArray(container)) {
    const at = Number(step)
    if (value === undefined) return container.toSpliced(at, 1)
    return container.with(at, value)
  }
  if (!isJsonObject(container)) return container
  const copy: Record<string, JsonValue> = {}
  for (const [key, member] of Object.entries(container))
    if (key !== step || value !== undefined) setOwn(copy, key, member)
  if (value !== undefined) setOwn(copy, String(step), value)
  return copy
}
