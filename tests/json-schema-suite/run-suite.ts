// Runs all groups of a draft against callsheet. Returns which tests pass, fail, or are skipped and why.

import { judgeOf, type Judge, type Version } from "./judge.ts"
import { skipOf, skips, type Skip } from "./skips.ts"
import type { Draft, SuiteGroup, SuiteTest } from "./suite.ts"

export interface SuiteOutcome {
  passed: number
  readonly skipped: Map<Skip, Skipped>
  /** The failures in words, for the person who fixes them. */
  readonly failures: string[]
}

interface Skipped {
  tests: number
  /** The number of skipped tests that fail. If it is 0, the skip isn't needed. */
  needed: number
}

export async function runSuite(
  draft: Draft,
  version: Version,
  groups: readonly SuiteGroup[],
): Promise<SuiteOutcome> {
  const outcome: SuiteOutcome = { passed: 0, skipped: new Map(), failures: [] }
  for (const group of groups) {
    const judge = await judgeOf(version, group.schema)
    for (const test of group.tests) {
      const failure = await runTest(judge, group, test)
      const skip = skipOf(draft, group, test)
      if (skip !== undefined) noteSkip(outcome, skip, failure !== undefined)
      else if (failure === undefined) outcome.passed++
      else outcome.failures.push(failure)
    }
  }
  return outcome
}

async function runTest(judge: Judge, group: SuiteGroup, test: SuiteTest): Promise<string | undefined> {
  const problems = await judge(test.data)
  if ((problems.length === 0) === test.valid) return undefined
  const name = `${group.file} | ${group.description} | ${test.description}`
  return test.valid ? `${name}: rejected: ${problems.join("; ")}` : `${name}: accepted`
}

function noteSkip({ skipped }: SuiteOutcome, skip: Skip, isNeeded: boolean): void {
  const sum = skipped.get(skip) ?? { tests: 0, needed: 0 }
  skipped.set(skip, sum)
  sum.tests++
  if (isNeeded) sum.needed++
}

/** Reasons to skip that match no test. */
export const needlessSkips = (draft: Draft, { skipped }: SuiteOutcome): readonly string[] =>
  skips
    .filter((skip) => skip.draft === draft && (skipped.get(skip)?.needed ?? 0) === 0)
    .map(
      ({ file, group, because }) => `${String(file)} ${group === undefined ? "" : String(group)}: ${because}`,
    )

export function formatOutcome(name: string, { passed, skipped, failures }: SuiteOutcome): string {
  const byReason = new Map<string, number>()
  for (const [{ because }, { tests }] of skipped) byReason.set(because, (byReason.get(because) ?? 0) + tests)
  const sum = [...byReason.values()].reduce((left, right) => left + right, 0)
  const reasons = [...byReason].map(([because, tests]) => `    ${String(tests).padStart(4)} ${because}`)
  return [`  ${name}: ${passed} passed, ${sum} skipped, ${failures.length} failed`, ...reasons].join("\n")
}
