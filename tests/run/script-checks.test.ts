import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { startApi } from "../harness/api-server.ts"
import { callsheet, createFolder } from "../harness/callsheet.ts"
import { echo, runBlocks, shopFiles, type ShopOptions } from "./shop-project.ts"

const body = {
  id: 3,
  status: "shipped",
  event: "order.created",
  empty: null,
  lines: [{ sku: "a" }, { sku: "b" }],
  at: "2026-01-02T03:04:05Z",
}
const routes = { "GET /echo": { body } }
const schemas = {
  Order: { type: "object", required: ["id"], properties: { id: { type: "integer" } } },
  Refund: { type: "object", required: ["refundId"], properties: { id: { type: "string" } } },
}
const fn = (code: string) => `export const fn = (ctx: any) => {\n  ${code}\n}`

interface Options extends ShopOptions {
  readonly before?: readonly unknown[]
  readonly type?: string
}

const check = (code: string, { before = [], type = "assert", ...options }: Options = {}) =>
  runBlocks(
    [
      echo("get"),
      { id: "totals", type: "transform", transforms: { sum: "get.response.body.id" } },
      ...before,
      {
        id: "check",
        type,
        script: { name: "s", exportName: "fn" },
        ...(type === "condition" ? { then: [] } : {}),
      },
    ],
    {
      routes,
      ...options,
      files: (url) => ({ "apis/workflow/scripts/w/s.ts": fn(code), ...options.files?.(url) }),
    },
  )

/** Returns the last block of a run, and its assertions as `source operator: status`. */
async function checked(code: string, options?: Options) {
  const { report, stderr } = await check(code, options)
  const block = report?.runs[0]?.blocks.at(-1)
  if (block === undefined) throw new Error(stderr)
  const assertions = block.assertions ?? []
  return { block, assertions, list: assertions.map((one) => `${one.source} ${one.operator}: ${one.status}`) }
}

/** Runs an assert block for each code. */
async function checkedEach(codes: readonly string[]) {
  const blocks = codes.map((_, index) => ({
    id: `check-${index}`,
    type: "assert",
    script: { name: `s${index}`, exportName: "fn" },
  }))
  const { run } = await runBlocks([echo("get"), ...blocks], {
    routes,
    workflow: { onFailure: "continue" },
    files: () =>
      Object.fromEntries(codes.map((code, index) => [`apis/workflow/scripts/w/s${index}.ts`, fn(code)])),
  })
  return run.blocks.slice(1)
}

const at = "get.response.body"

describe("ctx.expect in an assert block", () => {
  it("runs every check and reports each like an assertion, with path, check, expected and received", async () => {
    const { block, assertions, list } = await checked(`
      ctx.expect("${at}.lines").toHaveLength(3)
      ctx.expect("${at}.lines").toHaveLength(2)
      ctx.expect("${at}.status").not.toMatch(/^SHIP/i)
      ctx.expect("${at}.id").toBeBetween(10, 20)`)
    expect(list).toEqual([
      `${at}.lines toHaveLength: failed`,
      `${at}.lines toHaveLength: passed`,
      `${at}.status not.toMatch: failed`,
      `${at}.id toBeBetween: failed`,
    ])
    expect(assertions[0]).toEqual({
      source: `${at}.lines`,
      operator: "toHaveLength",
      expected: 3,
      actual: body.lines,
      status: "failed",
      message: "the length is 2",
      file: "apis/workflow/scripts/w/s.ts",
      line: 3,
      column: 11,
    })
    expect(assertions[2]).toMatchObject({ expected: "/^SHIP/i", actual: "shipped" })
    expect(block).toMatchObject({
      status: "failed",
      error: { code: "assertion-failed", message: "3 of 4 assertions failed" },
    })
  })

  it("passes, and shows what it checked", async () => {
    const { block, list } = await checked(
      `ctx.expect("${at}.id").toEqual(3); ctx.expect("${at}.at").toBeBefore(new Date())`,
    )
    expect(block.status).toBe("passed")
    expect(list).toEqual([`${at}.id toEqual: passed`, `${at}.at toBeBefore: passed`])
  })

  it("reads paths, and other values by their code", async () => {
    const sources = [
      [`"${at}.status"`, `${at}.status`],
      [`"${at}.lines[0].sku"`, `${at}.lines[0].sku`],
      [`"totals.sum"`, "totals.sum"],
      [`"env.shop.tier"`, "env.shop.tier"],
      [`ctx.get("${at}.lines").length`],
      [`ctx.get("${at}.status")`],
      [`ctx.get("${at}.event")`],
      [`"get"`],
      [`["a.example"][0]`],
      [`["get", "response.body.id"].join(".")`, `${at}.id`],
      [`"No. It isn't [yet]"`],
    ] as const
    const { list } = await checked(
      sources.map(([argument]) => `ctx.expect(${argument}).toBeType("null")`).join("\n"),
    )
    expect(list).toEqual(sources.map(([argument, source = argument]) => `${source} toBeType: failed`))
  })

  it("fails for a path that leads nowhere, with not too", async () => {
    const paths = [
      "gte.response.body.id",
      `${at}.idd`,
      "totals.smu",
      "total.sum",
      "a.example",
      `${at}.lines[7]`,
      "env.shop.tire",
      `${at}.empty.id`,
    ]
    const { list } = await checked(
      paths
        .map(
          (path) =>
            `ctx.expect("${path}").toBeType("string"); ctx.expect("${path}").not.toEqual(5); ctx.expect("${path}").not.toBeOneOf([5])`,
        )
        .join("\n"),
    )
    expect(list).toEqual(
      paths.flatMap((path) => [
        `${path} toBeType: failed`,
        `${path} not.toEqual: failed`,
        `${path} not.toBeOneOf: failed`,
      ]),
    )
  })

  it("fails for a value of the wrong kind, with not too", async () => {
    const checks = [
      "undefined).not.toEqual(1)",
      "3).not.toContain(1)",
      "3).not.toMatch(/a/)",
      "null).not.toHaveLength(1)",
      `"5").not.toBeAtLeast(9)`,
      "{}).not.toBeBetween(1, 2)",
      `"soon").not.toBeBefore('2026-01-01')`,
    ]
    const { assertions } = await checked(checks.map((check) => `ctx.expect(${check}`).join("\n"))
    const message: unknown = expect.stringMatching(/^the value is /)
    expect(assertions).toMatchObject(checks.map(() => ({ status: "failed", message })))
  })

  it("stops at an argument that can't be meant", async () => {
    const calls = [
      ["toHaveLength('2')", "toHaveLength expects a number, received '2'"],
      ["toBeBetween(5)", "toBeBetween expects a lower and an upper number, received 5"],
      ["toBeBetween(9, 1)", "toBeBetween expects a lower and an upper number, received 9, 1"],
      ["toBeType('int')", "toBeType expects one of string, number, integer"],
      ["toBeOneOf('a', 'b')", "toBeOneOf expects a list of values, received 'a', 'b'"],
      ["toBeOneOf([])", "toBeOneOf expects a list of values"],
      ["toMatch(3)", "toMatch expects a string or a regular expression, received 3"],
      ["toBeAfter('tomorrow')", "toBeAfter expects a Date, a date in ISO 8601"],
      ["toBeAtLeast(NaN)", "toBeAtLeast expects a number, received NaN"],
      ["toEqual()", "toEqual expects a JSON value, received nothing"],
      ["toEqual(new Map())", "toEqual expects JSON values, received an instance of Map"],
      ["toMatchSchema('Ordr')", 'no schema is named "Ordr" in the OpenAPI document of "shop"'],
    ] as const
    const blocks = await checkedEach(
      calls.map(([call]) => `ctx.expect("${at}.id").toEqual(3); ctx.expect("${at}.status").${call}`),
    )
    expect(blocks).toMatchObject(
      calls.map(() => ({
        status: "failed",
        error: { code: "script-error" },
        assertions: [{ status: "passed" }],
      })),
    )
    for (const [index, [, message]] of calls.entries()) {
      expect(blocks[index]?.error?.message).toContain(message)
      expect(blocks[index]?.error?.message).toContain(`s${index}.ts:2:`)
    }
  })

  it("fails if no check follows", async () => {
    const codes = [
      "ctx.expect(1)",
      "ctx.expect(1).not",
      "ctx.expect(1).toEqual",
      "ctx.expect(1).toEqual(1); ctx.expect(1)",
    ]
    const message: unknown = expect.stringMatching(
      /^ctx\.expect\(1\) is not followed by a check.*\n {4}at .*s\d\.ts:2:/,
    )
    expect(await checkedEach(codes)).toMatchObject(
      codes.map(() => ({ error: { code: "script-error", message } })),
    )
  })

  it("asks to await a promise, and keeps its checks if the script fails later", async () => {
    const { block } = await checked(`ctx.expect(1).toEqual(2); ctx.expect(Promise.resolve(1)).toEqual(1)`)
    expect(block).toMatchObject({
      assertions: [{ operator: "toEqual", status: "failed" }],
      error: { message: expect.stringContaining("ctx.expect received a promise; await it first") as string },
    })
  })

  it("stops a pattern that backtracks for ever at the script's timeout", async () => {
    const { report } = await runBlocks(
      [{ id: "check", type: "assert", timeoutMs: 300, script: { name: "s", exportName: "fn" } }],
      {
        files: () => ({
          "apis/workflow/scripts/w/s.ts": fn(`ctx.expect("a".repeat(40)).toMatch(/^(a+)+$b/)`),
        }),
      },
    )
    expect(report?.runs[0]?.blocks[0]?.error?.code).toBe("script-timeout")
  })

  it("masks secrets in what it expects and receives", async () => {
    const { report, stdout, stderr } = await check(
      `ctx.expect(ctx.env("shop").token).toEqual("x"); ctx.expect("env.shop.token").toMatch("s3cr3t-t0k3n!")
       ctx.expect({ a: [ctx.env("shop").token] }).toEqual(ctx.env("shop").token + "?")`,
    )
    expect(report?.runs[0]?.blocks.at(-1)?.assertions).toHaveLength(3)
    expect(`${JSON.stringify(report)}${stdout}${stderr}`).not.toContain("s3cr3t")
  })

  it("checks against a schema of the document by name", async () => {
    const document = { components: { schemas } }
    const { list, assertions } = await checked(
      `ctx.expect("${at}").toMatchSchema("Order"); ctx.expect("${at}").toMatchSchema("Refund"); ctx.expect("${at}").not.toMatchSchema("Refund"); ctx.expect({ id: "x" }).toMatchSchema("Order", "shop")`,
      {
        files: () => ({
          "apis/shop/openapi.json": {
            openapi: "3.1.0",
            info: { title: "S", version: "1" },
            paths: {
              "/echo": {
                get: { operationId: "echo", tags: ["tools"], responses: { default: { description: "" } } },
              },
            },
            ...document,
          },
        }),
      },
    )
    expect(list.map((one) => one.split(" ").at(-1))).toEqual(["passed", "failed", "passed", "failed"])
    expect(assertions[1]?.message).toBe(
      "/refundId: missing required property; /id: expected a string, received a number: 3",
    )
  })
})

describe("ctx.expect in other blocks", () => {
  it.each(["condition", "script"])("throws if a check of a value fails, in a %s block", async (type) => {
    const { block } = await checked(
      `ctx.expect(ctx.get("${at}.id")).toBeAtLeast(5); return ${type === "condition"}`,
      {
        type,
      },
    )
    expect(block.error).toMatchObject({ code: "script-error" })
    expect(block.error?.message).toMatch(
      /^expected that ctx\.get\(.*\) is at least 5; received 3\n {4}at .*s\.ts:2:/,
    )
    expect(block.assertions).toBeUndefined()
  })

  it("reads every text as a value", async () => {
    const { block } = await checked(`ctx.expect("${at}.id").toEqual("${at}.id")`, { type: "script" })
    expect(block.status).toBe("passed")
  })
})

describe("the checks of a record", () => {
  it("are in each kind of report of the record", async () => {
    const folder = await mkdtemp(join(tmpdir(), "callsheet-checks-"))
    const record = join(folder, "r.ndjson")
    await check(`ctx.expect("${at}.id").toEqual(4); ctx.expect("${at}.lines").toHaveLength(2)`, {
      words: ["--record", record],
    })
    for (const reporter of ["pretty", "junit", "github", "html", "allure", "ctrf", "json", "ndjson"]) {
      const place = join(folder, reporter)
      await callsheet(
        ["report", record, "--reporter", reporter === "pretty" ? reporter : `${reporter}=${place}`],
        {
          folder,
        },
      )
    }
    const { stdout } = await callsheet(["report", record], { folder })
    expect(stdout).toContain(`${at}.id equals`)
    for (const [reporter, words] of Object.entries({
      junit: "equals",
      html: "equals",
      json: "toEqual",
      ndjson: "toEqual",
    }))
      expect(await readFile(join(folder, reporter), "utf8"), reporter).toContain(words)
    await rm(folder, { recursive: true })
  })

  it("are decided again by a replay, and undecidable where they depend on a masked value", async () => {
    const api = await startApi({ "GET /echo": { body: { id: 3, token: "s3cr3t-t0k3n" } } })
    const script = { id: "check", type: "assert", script: { name: "s", exportName: "fn" } }
    const folder = await createFolder({
      ...shopFiles(api.url, [echo("get"), script]),
      "apis/workflow/scripts/w/s.ts": fn(`ctx.expect("${at}.id").toEqual(3)`),
    })
    await callsheet(["run", "w", "--record", "r.ndjson"], { folder })
    await api.close()
    const replay = async (code: string) => {
      await writeFile(join(folder, "apis/workflow/scripts/w/s.ts"), fn(code))
      const { report } = await callsheet(["replay", "r.ndjson", "--json"], { folder })
      const [{ status, assertions } = {}] = report?.runs[0]?.blocks.slice(-1) ?? []
      return [status, ...(assertions ?? []).map((one) => one.status)]
    }
    expect(await replay(`ctx.expect("${at}.id").toEqual(3)`)).toEqual(["passed", "passed"])
    expect(await replay(`ctx.expect("${at}.id").toEqual(4)`)).toEqual(["failed", "failed"])
    expect(await replay(`ctx.expect("${at}.token").toEqual("other")`)).toEqual(["passed", "undecidable"])
    await rm(folder, { recursive: true })
  })
})
