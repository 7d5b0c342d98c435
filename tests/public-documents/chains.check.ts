// Runs the generated chains of public documents against a mock of the same document, which keeps what they create.

import { readFileSync } from "node:fs"
import { rm } from "node:fs/promises"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "vitest"
import { callsheet, createFolder } from "../harness/callsheet.ts"
import { tell } from "../harness/tell.ts"
import { startMock } from "../mock/mock-process.ts"
import { publicDocuments } from "./documents.ts"

/** Documents whose chains take longer than the rest together. */
const LARGEST_BYTES = 4_000_000

const MIN_SHARE = 0.95

describe("the generated chains of public documents", () => {
  const all = { passed: 0, run: 0 }

  for (const document of publicDocuments.filter(({ text }) => text().length < LARGEST_BYTES))
    it(`run against a mock of ${document.name}`, async () => {
      const folder = await createFolder({ [`apis/api/openapi.${document.extension}`]: document.text() })
      try {
        await callsheet(["generate"], { folder, timeoutMs: 120_000 })
        const { urls, stop } = await startMock(["--state"], { folder })
        const words = ["--var", `api.baseUrl=${urls["api"]}`, ...credentialsIn(folder)]
        const { report } = await callsheet(["run", "--suite", "generated", "--reporter", "json", ...words], {
          folder,
          timeoutMs: 200_000,
        })
        await stop()
        const chains = (report?.runs ?? []).filter(
          ({ role, workflow }) => role === "main" && workflow.endsWith("-lifecycle"),
        )
        const passed = chains.filter(({ status }) => status === "passed")
        all.run += chains.length
        all.passed += passed.length
        tell(`${document.name}: ${passed.length} of ${chains.length} chains pass`)
      } finally {
        await rm(folder, { recursive: true, force: true })
      }
    })

  afterAll(() => {
    tell(`${all.passed} of ${all.run} chains pass`)
    expect(all.passed).toBeGreaterThanOrEqual(MIN_SHARE * all.run)
  })
})

/** Gives every secret variable a value, because a mock accepts any. */
function credentialsIn(folder: string): readonly string[] {
  const schema = JSON.parse(readFileSync(join(folder, "apis/api/environments/schema.json"), "utf8")) as {
    readonly variables: Readonly<Record<string, { readonly secret?: boolean }>>
  }
  return Object.entries(schema.variables).flatMap(([name, { secret }]) =>
    secret === true ? ["--var", `api.${name}=user:pass`] : [],
  )
}
