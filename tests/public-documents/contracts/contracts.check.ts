// Contracts of OpenAPI documents of many vendors: no false alarm for valid responses, and a report for every invalid
// one.

import { writeSync } from "node:fs"
import { afterAll, describe, expect, it } from "vitest"
import { checkContracts, type ContractOutcome } from "./check-contracts.ts"
import { contractDocuments } from "./contract-documents.ts"
import { summarizeContracts } from "./summarize-contracts.ts"

const seed = Number(process.env["SEED"] ?? 1)
const only = process.env["ONLY"]

/** Responses that no value can satisfy, because their schemas contradict themselves. */
const contradictory: Readonly<Record<string, number>> = {
  // `additionalProperties: false` next to an `allOf` that requires properties, and an id that is a date.
  "shipengine.com": 37,
  // `type: null` next to a `oneOf` of other types.
  "vercel.com": 3,
}

describe(`contracts of public documents (SEED=${seed})`, () => {
  const outcomes: { readonly name: string; readonly origin: string; readonly outcome: ContractOutcome }[] = []
  afterAll(() => {
    writeSync(1, `${summarizeContracts(outcomes, seed)}\n`)
  })

  // One at a time, because the largest have twenty megabytes.
  for (const document of contractDocuments.filter(({ name }) => only === undefined || name === only)) {
    it(`reads ${document.name}, and distinguishes valid responses from invalid ones`, async () => {
      const outcome = await checkContracts(document, seed)
      outcomes.push({ name: document.name, origin: document.origin, outcome })
      writeSync(1, `${outcomes.length} ${document.name} ${Math.round(outcome.milliseconds)} ms\n`)
      expect(outcome.operations).toBeGreaterThan(0)
      expect([outcome.isListedRight, outcome.isListedRightByCommand]).toEqual([true, true])
      expect(outcome.good).toBeGreaterThan(0)
      expect(outcome.mutants).toBeGreaterThanOrEqual(10)
      expect(outcome.alarms.slice(0, 5)).toEqual([])
      expect(outcome.missed.slice(0, 5)).toEqual([])
      expect(outcome.misplaced.slice(0, 5)).toEqual([])
      expect(outcome.unmade.length).toBeLessThanOrEqual(contradictory[document.name] ?? 0)
    })
  }

  it.skipIf(only !== undefined)("checks responses against a document of 20 MB", () => {
    expect(outcomes.map(({ outcome }) => outcome.bytes).some((bytes) => bytes > 20_000_000)).toBe(true)
  })
})
