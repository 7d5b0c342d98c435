// Checks that `callsheet validate` reports the faults that a run rejects, together with everything else, in one call.

import { rm } from "node:fs/promises"
import { describe, expect, it, onTestFinished } from "vitest"
import { callsheet, createFolder, type Files } from "../harness/callsheet.ts"
import { allOf, dataKinds, eachOf, everyKind, kinds, formatKind } from "./every-kind.ts"

interface Row {
  readonly file?: string
  readonly line?: number
  readonly code: string
  readonly severity: string
}

async function validate(files: Files) {
  const result = await callsheet(["validate", "--json"], { files: { ...everyKind, ...files } })
  const rows = (JSON.parse(result.stdout) as { problems: readonly Row[] }).problems
  const errors = rows.filter(({ severity }) => severity === "error")
  return { ...result, rows, codes: [...new Set(errors.map(({ file, code }) => `${file} ${code}`))].sort() }
}

describe("callsheet validate", () => {
  it("reports a conflict in every kind of file", async () => {
    const { codes, exitCode } = await validate(
      eachOf(dataKinds, () => "<<<<<<< HEAD\na=1\n=======\na=2\n>>>>>>> b\n"),
    )
    expect([codes, exitCode]).toEqual([allOf(dataKinds, " file-conflict"), 1])
  })

  it("reports the encoding of every kind of file", async () => {
    const { codes, exitCode } = await validate(
      eachOf(dataKinds, (kind) => Buffer.from(formatKind(kind), "utf16le")),
    )
    expect([codes, exitCode]).toEqual([allOf(dataKinds, " file-encoding"), 1])
  })

  it("reports the problems of 200 files at once, by file and line, and exits with 1", async () => {
    const folder = await createFolder({
      ...everyKind,
      ...Object.fromEntries(
        Array.from({ length: 100 }, (_, at) => [`apis/shop/environments/e${at}.json`, `{"baseUrl": ${at},}`]),
      ),
      ...Object.fromEntries(
        Array.from({ length: 100 }, (_, at) => [`apis/workflow/f${at}.json`, '{"version": 2}']),
      ),
      [kinds.request]: "{",
      [kinds.json]: "{",
    })
    onTestFinished(() => rm(folder, { recursive: true }))
    const first = await callsheet(["validate", "--json"], { folder })
    const second = await callsheet(["validate", "--json"], { folder })
    expect([first.exitCode, second.stdout]).toEqual([1, first.stdout])
    const files = (JSON.parse(first.stdout) as { problems: readonly Row[] }).problems.map(
      ({ file }) => file ?? "",
    )
    expect(new Set(files).size).toBe(202)
    expect(files).toEqual([...files].sort())
  })
})
