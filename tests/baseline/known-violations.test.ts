// What a run says about violations that the baseline lists.

import { readdir } from "node:fs/promises"
import { join } from "node:path"
import { readFile } from "node:fs/promises"
import type { BlockReport, Report } from "@callsheet/format"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { openProject, price, total, type TestProject } from "./baseline-project.ts"

let project: TestProject
beforeEach(async () => {
  project = await openProject()
})
afterEach(() => project.close())

const orders = ({ runs }: Report): BlockReport => runs[0]!.blocks[0]!
const known = (report: Report) =>
  orders(report).contract?.problems.map(({ path, known: is }) => [path, is ?? false])

describe("a run with a baseline", () => {
  it("passes with known violations, shows and counts them", async () => {
    await project.baseline(total, price)
    const { exitCode, report } = await project.run()
    expect(exitCode).toBe(0)
    expect(orders(report)).toMatchObject({ status: "passed", contract: { status: "known" } })
    expect(known(report)).toEqual([
      ["/body/total", true],
      ["/body/items/0/price", true],
      ["/body/items/1/price", true],
    ])
    expect(report.runs[0]?.counts).toEqual({ passed: 2, failed: 0, skipped: 0, known: 3 })
  })

  it("fails on a new violation, says that it is not in the baseline, and tells known ones apart", async () => {
    await project.baseline(price)
    const { exitCode, report } = await project.run()
    expect(exitCode).toBe(1)
    expect(orders(report)).toMatchObject({
      status: "failed",
      contract: { status: "failed" },
      error: {
        code: "contract-broken",
        message: expect.stringMatching(/GET \/orders: \/body\/total: .*\(not in the baseline\)/),
      },
    })
    expect(known(report)).toEqual([
      ["/body/total", false],
      ["/body/items/0/price", true],
      ["/body/items/1/price", true],
    ])
    expect(report.runs[0]?.counts).toMatchObject({ failed: 1, known: 2 })
  })

  it("says nothing of a baseline if the project has none, and counts nothing", async () => {
    const { report } = await project.run()
    expect(orders(report).error?.message).not.toContain("baseline")
    expect(report.runs[0]?.counts).not.toHaveProperty("known")
  })

  it("fails with baseline-expired from the day after the last one", async () => {
    const day = (offset: number): string =>
      new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10)
    await project.baseline({ ...total, expires: day(-1) }, { ...price, expires: day(0) })
    const { exitCode, report } = await project.run()
    expect(exitCode).toBe(1)
    expect(orders(report).error).toMatchObject({
      code: "baseline-expired",
      message: expect.stringContaining(`expired on ${day(-1)}: /body/total`),
    })
    expect(known(report)).toContainEqual(["/body/items/0/price", true])
    await project.baseline({ ...total, expires: day(0) }, { ...price, expires: day(1) })
    expect((await project.run()).exitCode).toBe(0)
  })

  it("warns of a stale entry whose operation was reached, and only of that", async () => {
    const other = { ...total, operation: "GET /never", path: "/body/x" }
    const otherStatus = { ...total, status: 404 }
    await project.baseline(total, price, other, otherStatus)
    project.answer({ total: 3, items: [] })
    const { exitCode, report } = await project.run()
    expect(exitCode).toBe(0)
    expect(report.warnings).toEqual([
      {
        code: "baseline-stale",
        file: "callsheet.baseline.json",
        message: expect.stringContaining('"/body/total"'),
      },
    ])
    expect((await project.run("--strict")).exitCode).toBe(1)
  })

  it("warns that an undocumented status is gone as soon as its operation answers otherwise", async () => {
    const entry = {
      ...total,
      operation: "GET /ping",
      status: 503,
      path: "/status",
      schema: "openapi.json#/paths/~1ping/get/responses",
    }
    await project.baseline(total, price, entry)
    project.ping({ status: 503 })
    expect((await project.run()).report.warnings?.map(({ code }) => code)).toEqual(["status-unread"])
    project.ping({ status: 200 })
    expect((await project.run()).report.warnings).toMatchObject([{ code: "baseline-stale" }])
  })

  it("matches by the keyword, so that a renamed component makes nothing new or stale", async () => {
    await project.baseline(total, price)
    await project.document("Renamed")
    const { exitCode, report } = await project.run()
    expect(exitCode).toBe(0)
    expect(report.warnings).toBeUndefined()
    await project.baseline({ ...total, schema: total.schema.replace(/type$/, "enum") }, price)
    expect((await project.run()).exitCode).toBe(1)
  })

  it("doesn't confuse an array's index with a property, or any index with a property named *", async () => {
    await project.baseline({ ...total, path: "/body/*" })
    project.answer({ "*": 5 })
    expect((await project.run()).exitCode).toBe(1)
    await project.baseline({ ...total, path: "/body/~2" })
    expect((await project.run()).exitCode).toBe(0)
  })

  it("lists a new violation even if hundreds of known ones come before it", async () => {
    await project.baseline(price)
    project.answer({ items: Array.from({ length: 300 }, () => ({ price: "1" })), total: "x" })
    const { report } = await project.run()
    expect(known(report)?.[0]).toEqual(["/body/total", false])
    expect(orders(report).contract?.problems.at(-1)?.message).toBe("and 299 more problems")
    expect(orders(report).error?.message).toContain("/body/total")
  })
})

describe("reporters", () => {
  const report = async (name: string): Promise<string> => {
    await project.baseline(price)
    const { stdout } = await project.call(
      ["run", "--all", "--on-failure=continue", `--reporter=${name}`, "--reporter=pretty=out.txt"],
      {
        env: { GITHUB_STEP_SUMMARY: join(project.folder, "summary.md") },
      },
    )
    return stdout
  }

  it("show known violations apart in the terminal", async () => {
    await project.baseline(total, price)
    const passed = (await project.call(["run", "--all"])).stdout
    expect(passed).toContain("3 known violations")
    expect(passed).toContain(
      '~ known violation: /body/items/0/price: expected a number, received a string: "2"',
    )
    await project.baseline(price)
    const failed = (await project.call(["run", "--all"])).stdout
    expect(failed).toMatch(/✗ \/body\/total/)
    expect(failed).not.toMatch(/✗ \/body\/items/)
    expect(failed).toContain("~ known violation: /body/items/0/price")
  })

  it("show them apart in JUnit", async () => {
    const text = await report("junit")
    expect(text).toContain('<property name="known" value="2"/>')
    expect(text).toMatch(/<system-out>known violation: \/body\/items\/0\/price/)
    project.answer({ total: 3, items: [{ price: 1 }] })
    expect(await report("junit")).toMatch(/<system-err>[^<]*baseline-stale/)
  })

  it("show them apart in HTML", async () => {
    const text = await report("html")
    expect(text).toContain("Known violations of the response, in the baseline")
    expect(text).toMatch(/Contract violations of the response.*?\/body\/total.*?<\/table>/s)
    expect(text).toContain("2 known violations")
  })

  it("annotate only new ones on GitHub, and list known ones in a notice and in the Markdown summary", async () => {
    const text = await report("github")
    const errors = text.split("\n").filter((line) => line.startsWith("::error"))
    expect(errors.join("\n")).toContain("/body/total")
    expect(errors.join("\n")).not.toContain("/body/items")
    expect(text).toMatch(/::notice .*2 known contract violations.*\/body\/items\/0\/price/)
    expect(await readFile(join(project.folder, "summary.md"), "utf8")).toContain("### Known violations")
  })

  it("keep them in a record, which report, diff and replay read", async () => {
    await project.baseline(total, price)
    await project.call(["run", "--all", "--record=a"])
    const reported = await project.call(["report", "a", "--json"])
    expect(reported.exitCode).toBe(0)
    expect(known(JSON.parse(reported.stdout) as Report)).toContainEqual(["/body/total", true])
    const replayed = await project.call(["replay", "a", "--json"])
    expect(replayed.exitCode).toBe(0)
    expect(orders(JSON.parse(replayed.stdout) as Report).contract?.status).toBe("known")
    await project.baseline(price)
    const stricter = await project.call(["replay", "a", "--json"])
    expect(stricter.exitCode).toBe(1)
    expect(orders(JSON.parse(stricter.stdout) as Report).error?.message).toContain("not in the baseline")
    project.answer({ total: 3, items: [] })
    await project.baseline()
    await project.call(["run", "--all", "--record=b"])
    const compared = await project.call(["diff", "a", "b", "--json"])
    expect(compared.stdout).toMatch(/"what": ?"contract",\s*"left": ?"known",\s*"right": ?"passed"/)
    expect(await readdir(project.folder)).not.toContain("c")
  })

  it("show a stale entry that shards disagree about only if no shard saw it", async () => {
    const send = (operation: string) => ({
      version: 1,
      validateContracts: true,
      blocks: [{ id: "orders", type: "request", request: { api: "shop", operation } }],
    })
    await project.write({ "apis/workflow/again.json": send("listOrders") })
    await project.baseline(total, price)
    await project.call(["run", "--all", "--shard=1/2", "--record=one"])
    project.answer({ total: 3, items: [{ price: 1 }] })
    await project.call(["run", "--all", "--shard=2/2", "--record=two"])
    const { stdout } = await project.call(["report", "one", "two", "--json"])
    expect((JSON.parse(stdout) as Report).warnings).toBeUndefined()
    const alone = await project.call(["report", "two", "--partial", "--json"])
    expect((JSON.parse(alone.stdout) as Report).warnings).toHaveLength(2)
  })
})
