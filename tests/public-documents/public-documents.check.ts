// validate against OpenAPI documents of many vendors: no error for valid use, and a report for a misspelled step.

import { writeSync } from "node:fs"
import { afterAll, describe, expect, it } from "vitest"
import { checkDocument, type DocumentOutcome } from "./check-document.ts"
import { publicDocuments } from "./documents.ts"
import { sum, summarize } from "./summarize.ts"

const seed = Number(process.env["SEED"] ?? 1)

describe(`validate against public documents (SEED=${seed})`, () => {
  const outcomes = new Map<string, DocumentOutcome>()
  afterAll(() => {
    writeSync(1, `${summarize(outcomes, seed)}\n`)
  })

  // One at a time, because the largest have several megabytes.
  for (const document of publicDocuments) {
    it(`finds no error in valid use of ${document.name}`, async () => {
      const outcome = await checkDocument(document, seed)
      outcomes.set(document.name, outcome)
      expect(outcome.operations).toBeGreaterThan(0)
      expect(outcome.said.filter(({ severity }) => severity === "error").slice(0, 20)).toEqual([])
    })
  }

  it("reports nearly every misspelled step", () => {
    for (const last of ["closed", "listed"] as const) {
      const { found, of } = sum([...outcomes.values()].map(({ misspelled }) => misspelled[last]))
      expect(found / of, last).toBeGreaterThan(0.95)
    }
  })
})
