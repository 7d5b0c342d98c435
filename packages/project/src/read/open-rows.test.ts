import { execFileSync } from "node:child_process"
import { appendFileSync, mkdirSync, renameSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import type { RowOrProblem } from "@callsheet/format"
import { openRows } from "./open-rows.ts"
import { temporaryProject } from "../testing/temporary-project.ts"

const inputs = { declarations: { sku: { type: "string" } }, given: new Set<string>() } as const

const projectWith = (content: string) => {
  const root = temporaryProject({ "data/rows.csv": content, "apis/shop/openapi.json": "{}" })
  return { root, file: join(root, "data/rows.csv") }
}

async function listOf(rows: AsyncIterable<RowOrProblem>): Promise<RowOrProblem[]> {
  const list: RowOrProblem[] = []
  for await (const item of rows) list.push(item)
  return list
}

const changed = [{ ok: false, problem: { code: "file-changed", file: "data/rows.csv" } }]

describe("openRows", () => {
  it("counts the rows, and then yields them, as often as asked", async () => {
    const { root } = projectWith("sku\nA\nB\n")
    const rows = openRows(root, { path: "data/rows.csv" })
    expect(await rows.check(inputs)).toEqual({ problems: [], count: 2 })
    for (const _ of [1, 2])
      expect(await listOf(rows.rows(inputs))).toMatchObject([
        { ok: true, row: { row: 1, inputs: { sku: "A" } } },
        { ok: true, row: { row: 2, inputs: { sku: "B" } } },
      ])
  })

  it("reports at most 100 problems", async () => {
    const { root } = projectWith(`sku\n${"A,B\n".repeat(1_000)}`)
    const { problems } = await openRows(root, { path: "data/rows.csv" }).check(inputs)
    expect(problems).toHaveLength(101)
    expect(problems[0]).toMatchObject({ file: "data/rows.csv", line: 2, column: 3 })
    expect(problems[100]?.message).toContain("more than 100 problems")
  })

  it("reads a file anywhere only if it gets a directory, and names it as given", async () => {
    const { root, file } = projectWith("sku\n")
    const outside = temporaryProject({ "apis/x": "", "rows.csv": "sku\nA\n" })
    symlinkSync(join(outside, "rows.csv"), join(root, "data/link.csv"))
    for (const path of ["data/link.csv", join(outside, "rows.csv"), "../rows.csv"])
      expect(await openRows(root, { path }).check(inputs)).toMatchObject({
        problems: [{ code: "link-outside", file: path }],
      })
    for (const [cwd, path] of [
      [root, "data/link.csv"] as const,
      [outside, "rows.csv"] as const,
      [root, file] as const,
    ])
      expect((await openRows(root, { path, cwd }).check(inputs)).problems).toMatchObject(
        path === file ? [{ code: "rows-invalid", file }] : [],
      )
  })

  it("says why a file can't be read", async () => {
    const { root } = projectWith("sku\nA\n")
    mkdirSync(join(root, "data/folder.csv"))
    execFileSync("mkfifo", [join(root, "data/pipe.csv")])
    for (const [path, reason] of [
      ["data/none.csv", "it does not exist"],
      ["data/folder.csv", "found a directory"],
      ["data/pipe.csv", "found a pipe, socket or device"],
      ["data/rows.csv/x.csv", "part of its path is a file"],
    ] as const)
      expect(await openRows(root, { path }).check(inputs)).toMatchObject({
        count: 0,
        problems: [
          { code: "file-unreadable", file: path, message: expect.stringContaining(reason) as string },
        ],
      })
  })

  it("yields no row of a file that changed after the check", async () => {
    for (const change of [
      (file: string) => writeFileSync(file, "sku\nA\nC\n"),
      (file: string) => writeFileSync(file, "sku\nA,B\n"),
      (file: string) => {
        writeFileSync(`${file}.new`, "sku\nA\nB\n")
        renameSync(`${file}.new`, file)
      },
    ]) {
      const { root, file } = projectWith("sku\nA\nB\n")
      const rows = openRows(root, { path: "data/rows.csv" })
      await rows.check(inputs)
      change(file)
      expect(await listOf(rows.rows(inputs))).toMatchObject(changed)
    }
  })

  it("stops if the file changes while its rows run", async () => {
    const { root, file } = projectWith(`sku\n${"A\n".repeat(100_000)}`)
    const rows = openRows(root, { path: "data/rows.csv" })
    await rows.check(inputs)
    let last: RowOrProblem | undefined
    let count = 0
    for await (const item of rows.rows(inputs)) {
      if (count++ === 10) appendFileSync(file, "A\n")
      last = item
    }
    expect(count).toBeLessThan(100_000)
    expect([last]).toMatchObject(changed)
  })
})
