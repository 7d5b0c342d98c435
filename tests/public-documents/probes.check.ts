// Probes mocks of public documents, which refuse what their document forbids: a probe must not say otherwise.

import { readFileSync } from "node:fs"
import { rm } from "node:fs/promises"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "vitest"
import { callsheet, createFolder } from "../harness/callsheet.ts"
import { tell } from "../harness/tell.ts"
import { startMock } from "../mock/mock-process.ts"
import { publicDocuments } from "./documents.ts"

/** Documents that take longer than the rest together. */
const LARGEST_BYTES = 1_500_000

const MAX_DOCUMENTS = 12

interface Probed {
  readonly requests: number
  readonly findings: readonly {
    readonly operation: string
    readonly parameter: string
    readonly kind: string
  }[]
}

describe("probes of public documents", () => {
  const all = { requests: 0, findings: 0 }
  const documents = publicDocuments.filter(({ text }) => text().length < LARGEST_BYTES)

  for (const document of documents.slice(0, MAX_DOCUMENTS))
    it(`find that a mock of ${document.name} refuses every invalid value`, async () => {
      const folder = await createFolder({ [`apis/api/openapi.${document.extension}`]: document.text() })
      try {
        await callsheet(["generate"], { folder, timeoutMs: 120_000 })
        const { urls, stop } = await startMock(["--state"], { folder })
        const values = [`baseUrl=${urls["api"]}`, ...credentialsIn(folder)]
        await callsheet(["env", "write", "api", "local", ...values], { folder })
        const probe = ["probe", "--api=api", "--max=1000", "--json"]
        const { stdout, stderr } = await callsheet(probe, { folder, timeoutMs: 280_000 })
        await stop()
        const { requests, findings } = JSON.parse(stdout) as Probed
        all.requests += requests
        all.findings += findings.length
        const skipped = stderr.split("\n").filter((line) => line.startsWith("not probed: ")).length
        const wrong = findings.filter(({ kind }) => kind !== "undocumented-status")
        const counts = `${requests} requests, ${skipped} operations not probed, ${findings.length} findings`
        tell(`${document.name}: ${counts}, ${wrong.length} of them wrong`)
        expect(wrong).toEqual([])
      } finally {
        await rm(folder, { recursive: true, force: true })
      }
    })

  afterAll(() => tell(`${all.requests} requests, ${all.findings} findings`))
})

/** Gives every secret variable a value, because a mock accepts any. */
function credentialsIn(folder: string): readonly string[] {
  const schema = JSON.parse(readFileSync(join(folder, "apis/api/environments/schema.json"), "utf8")) as {
    readonly variables: Readonly<Record<string, { readonly secret?: boolean }>>
  }
  return Object.entries(schema.variables).flatMap(([name, { secret }]) =>
    secret === true ? [`${name}=user:pass`] : [],
  )
}
