// Adds violations to the baseline, removes entries from it, and writes its text.

import type { JsonValue } from "../json/value.ts"
import { stringifyJson } from "../json/stringify.ts"
import { escapeInvisible } from "../text/escape-invisible.ts"
import type { BaselineEntry, KnownFinding } from "./baseline-shape.ts"
import type { SoundBaseline } from "./check-baseline.ts"
import { violationKey, type ViolationPlace, type ViolationSubject } from "./violation.ts"

/** A violation that a run found. */
export type FoundViolation = ViolationSubject & ViolationPlace

export interface UpdatedBaseline {
  readonly entries: readonly BaselineEntry[]
  readonly added: readonly BaselineEntry[]
}

/**
 * Adds the violations that no entry lists. Keeps the reasons and days of all entries, and those that weren't found. Refreshes the
 * pointers of those that were.
 */
export function updateBaseline(
  entries: readonly BaselineEntry[],
  found: Iterable<FoundViolation>,
): UpdatedBaseline {
  const kept = new Map<string, BaselineEntry>()
  for (const entry of entries) {
    const key = violationKey(entry, entry)
    if (!kept.has(key)) kept.set(key, entry)
  }
  const added: BaselineEntry[] = []
  for (const { api, operation, status, path, schema } of found) {
    const key = violationKey({ api, operation, status }, { path, schema })
    const known = kept.get(key)
    if (known !== undefined) {
      kept.set(key, { ...known, schema })
      continue
    }
    const entry: BaselineEntry = { api, operation, status, path, schema, reason: "" }
    added.push(entry)
    kept.set(key, entry)
  }
  return { entries: [...kept.values()].sort(byPlace), added }
}

/** Sorted, so that two branches rarely add an entry in the same place. */
const byPlace = (a: BaselineEntry, b: BaselineEntry): number =>
  compare(a.api, b.api) ||
  compare(pathOf(a), pathOf(b)) ||
  compare(a.operation, b.operation) ||
  a.status - b.status ||
  compare(a.path, b.path) ||
  compare(a.schema, b.schema)

const pathOf = ({ operation }: BaselineEntry): string => operation.slice(operation.indexOf(" ") + 1)

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** Returns the text of the file. Invisible characters in names from a response are escaped, so that a reviewer sees them. */
export function baselineText({ entries, findings, $schema }: SoundBaseline): string {
  const violations = entries.map(({ api, operation, status, path, schema, reason, expires }): JsonValue => {
    const entry = { api, operation, status, path, schema, reason: reason ?? "" }
    return expires === undefined ? entry : { ...entry, expires }
  })
  const file = {
    ...($schema === undefined ? {} : { $schema }),
    version: 1,
    violations,
    ...(findings === undefined ? {} : { findings: findings.map(textOfFinding) }),
  }
  return `${escapeInvisible(stringifyJson(file, { indent: 2 }), "lines")}\n`
}

const textOfFinding = ({ api, operation, parameter, kind, reason }: KnownFinding): JsonValue => ({
  ...(api === undefined ? {} : { api }),
  operation,
  parameter,
  kind,
  ...(reason === undefined ? {} : { reason }),
})
