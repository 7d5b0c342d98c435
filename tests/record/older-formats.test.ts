// Records that earlier versions of callsheet wrote are still read. `older` has one of each format, and their project.

import { cp, rm } from "node:fs/promises"
import { fileURLToPath } from "node:url"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { callsheet, createFolder } from "../harness/callsheet.ts"

const older = fileURLToPath(new URL("older", import.meta.url))

let folder: string
beforeAll(async () => {
  folder = await createFolder({})
  await cp(older, folder, { recursive: true })
})
afterAll(() => rm(folder, { recursive: true }))

const call = (...words: string[]) => callsheet(words, { folder, timeoutMs: 60_000 })

describe.each(["1.0", "1.1", "1.2"])("a record of format %s", (format) => {
  const record = `${format}.callsheet`

  it("has reports", async () => {
    const { exitCode, report } = await call("report", record, "--json")
    expect(exitCode).toBe(0)
    expect(report?.runs.map(({ workflow, status }) => [workflow, status])).toEqual([
      ["ledger", "passed"],
      ["orders", "passed"],
    ])
  })

  it("can be compared with a newer one", async () => {
    const { exitCode, stdout } = await call("diff", record, "1.2.callsheet")
    expect(exitCode).toBe(0)
    expect(stdout).toContain("no differences (4 blocks compared)")
  })

  it("replays", async () => {
    // Format 1.0 doesn't say which texts are integers beyond 2^53, as in the workflow ledger.
    const workflows = format === "1.0" ? ["orders"] : ["orders", "ledger"]
    const { exitCode, report } = await call("replay", record, ...workflows, "--json")
    expect(exitCode).toBe(0)
    expect(report?.runs.map(({ counts }) => counts?.passed)).toEqual(workflows.map(() => 2))
  })
})
