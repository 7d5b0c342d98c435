// The JSON Schema organization's tests, run through the check of responses: draft 4 as OpenAPI 3.0 uses it, 2020-12 as
// 3.1 and 3.2 do.

import { writeSync } from "node:fs"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { compareValidators } from "./compare-validators.ts"
import { installPackages } from "./install.ts"
import type { Version } from "./judge.ts"
import { needlessSkips, runSuite, formatOutcome } from "./run-suite.ts"
import { clone, readSuite, type Draft } from "./suite.ts"

const seed = Number(process.env["SEED"] ?? 1)
const SCHEMAS = 1000

const results: string[] = []
beforeAll(installPackages)
afterAll(() => {
  if (clone === undefined)
    results.push(
      "  the official suite of draft2020-12: not run, because npm has none. Set JSON_SCHEMA_TEST_SUITE to a clone.",
    )
  writeSync(1, `\n${results.join("\n")}\n`)
})

describe.each<[Draft, Version]>([
  ["draft4", "3.0"],
  ["draft2020-12", "3.1"],
  ["draft2020-12", "3.2"],
])("the official suite of %s, as schemas of OpenAPI %s", (draft, version) => {
  it.skipIf(draft !== "draft4" && clone === undefined)("passes, and every skip is needed", async () => {
    const outcome = await runSuite(draft, version, readSuite(draft))
    results.push(formatOutcome(`${draft} as ${version}`, outcome))
    expect(outcome.failures).toEqual([])
    expect(needlessSkips(draft, outcome)).toEqual([])
    expect(outcome.passed).toBeGreaterThan(0)
  })
})

describe.each<[Version]>([["3.1"], ["3.2"]])("random schemas of 2020-12, in OpenAPI %s", (version) => {
  it(`are judged like a second validator does (SEED=${seed})`, async () => {
    const { valid, invalid, differences } = await compareValidators(version, seed, SCHEMAS)
    results.push(
      `  ${SCHEMAS} schemas of 2020-12 as ${version}: ${valid} valid and ${invalid} invalid values with the same verdict as @hyperjump/json-schema, ${differences.length} differ`,
    )
    expect(differences.slice(0, 20)).toEqual([])
    expect(Math.min(valid, invalid)).toBeGreaterThan(SCHEMAS)
  })
})
