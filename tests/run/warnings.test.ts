import { describe, expect, it } from "vitest"
import { callsheet } from "../harness/callsheet.ts"
import { assert, echo, runBlocks, shopFiles, type ShopOptions } from "./shop-project.ts"

const transform = (id: string, transforms: Readonly<Record<string, string>>) => ({
  id,
  type: "transform",
  transforms,
})
const condition = (source: string, operator: string, value?: unknown) => ({
  id: "when",
  type: "condition",
  if: { source, operator, value },
  then: [],
})
const until = (source: string, operator: string, value: unknown, blocks: readonly unknown[]) => ({
  id: "poll",
  type: "loop",
  mode: "until",
  maxIterations: 3,
  delayMs: 0,
  until: { source, operator, value },
  blocks,
})

const warningsOf = async (blocks: readonly unknown[], options?: ShopOptions) => {
  const { report } = await runBlocks(blocks, options)
  return report?.warnings ?? []
}
const missing = "get.response.body.nothing"
const unresolved = (field: string) =>
  expect.objectContaining({
    code: "source-unresolved",
    message: `${field}: "get.response.body" has no property "nothing"`,
  })

describe("a path that does not resolve", () => {
  it.each<readonly [string, unknown, string]>([
    ["a condition", condition(missing, "equals", 1), "if.source"],
    ["a transform", transform("names", { total: missing }), "transforms.total"],
    ["notEquals", assert("check", [missing, "notEquals", 1]), "assertions[0].source"],
    ["an until that passes", until(missing, "notEquals", 1, [echo("again")]), "until.source"],
  ])("is a warning in %s", async (_, block, field) => {
    const source = field.startsWith("until") ? [echo("get"), block] : [echo("get"), block]
    const warnings = await warningsOf(source)
    expect(warnings).toEqual([
      expect.objectContaining({ code: "source-unresolved", file: "apis/workflow/w.json" }),
    ])
    expect(warnings[0]?.message).toMatch(new RegExp(`^${field.replaceAll(/[.[\]]/g, String.raw`\$&`)}: `))
  })

  it.each<readonly [string, unknown]>([
    ["a condition on exists", condition(missing, "exists")],
    ["a condition on hasNoValue", condition(missing, "hasNoValue")],
    ["an assertion on notExists", assert("check", [missing, "notExists"])],
    ["an until that still polls", until("poll.response.body.done", "equals", 1, [echo("poll-once")])],
  ])("is not a warning in %s", async (_, block) => {
    const warnings = await warningsOf([echo("get"), block])
    expect(warnings.filter(({ message }) => message.includes("nothing"))).toEqual([])
  })

  it("is not a warning in a transform whose output the workflow asks for", async () => {
    const names = transform("names", { total: missing })
    expect(await warningsOf([echo("get"), names, assert("none", ["names.total", "notExists"])])).toEqual([])
    expect(await warningsOf([echo("get"), names, condition("names.total", "hasValue")])).toEqual([])
  })

  it("is a warning once, however often its block runs", async () => {
    const loop = {
      id: "loop",
      type: "loop",
      mode: "times",
      count: 50,
      blocks: [transform("names", { a: missing, b: missing })],
    }
    expect(await warningsOf([echo("get"), loop])).toEqual([
      unresolved("transforms.a"),
      unresolved("transforms.b"),
    ])
  })
})

describe("a name that nothing has", () => {
  it("is a warning before the first request, with its position and a hint", async () => {
    const { report, stderr, requests, block } = await runBlocks([
      echo("get"),
      assert("check", ["gte.response.status", "notEquals", 500]),
      echo("next", { x: "{{laterr.id}}" }),
    ])
    expect(report?.warnings).toEqual([
      {
        code: "source-unresolved",
        message: 'assertions[0].source: nothing is named "gte" here (did you mean "get"?)',
        file: "apis/workflow/w.json",
        line: expect.any(Number),
        column: expect.any(Number),
      },
      expect.objectContaining({ code: "token-unresolved" }),
    ])
    expect(stderr).toMatch(
      /^warning: apis\/workflow\/w\.json:\d+:\d+: assertions\[0\]\.source: nothing is named "gte"/,
    )
    expect(requests).toHaveLength(1)
    expect(block("next").status).toBe("failed")
  })

  it("may be an id that a loop expands, an input, an iterator, a variable or a block that polls", async () => {
    const loop = {
      id: "loop",
      type: "loop",
      mode: "times",
      count: 2,
      iteratorVar: "i",
      blocks: [
        echo("item-{{i}}", { n: "{{i}}", tier: "{{tier}}", other: "{{env.shop.tier}}" }),
        transform("again", { own: "item-{{i}}.response.status" }),
      ],
    }
    const poll = until("once.response.status", "equals", 200, [echo("once")])
    const after = assert("after", ["item-1.response.status", "equals", 200], ["word", "equals", "a"])
    const warnings = await warningsOf([loop, poll, after], {
      workflow: { inputs: { word: { type: "string", default: "a" } } },
    })
    expect(warnings.filter(({ message }) => message.includes("is named"))).toEqual([])
  })

  it("may be a token of a saved request", async () => {
    const warnings = await warningsOf(
      [{ id: "saved", type: "request", request: { api: "shop", instance: "one" } }],
      {
        files: () => ({
          "apis/shop/requests/tools/one.json": {
            version: 1,
            operation: "echo",
            params: { query: { q: "{{nobody.id}}" } },
          },
        }),
      },
    )
    expect(warnings).toEqual([expect.objectContaining({ code: "token-unresolved" })])
    expect(warnings[0]?.message).toContain('nothing is named "nobody" here')
  })
})

it("warns about empty lists", async () => {
  const warnings = await warningsOf([
    { id: "none", type: "assert", assertions: [] },
    { id: "group", type: "group", blocks: [] },
    until("env.shop.tier", "exists", undefined, []),
  ])
  expect(warnings.map(({ code, line }) => [code, typeof line])).toEqual([
    ["field-value", "number"],
    ["field-value", "number"],
    ["field-value", "number"],
  ])
  expect(await warningsOf([])).toEqual([
    expect.objectContaining({ message: '"blocks" is empty: the workflow does nothing' }),
  ])
})

describe("--max-warnings and --strict", () => {
  const blocks = [transform("names", { a: "env.shop.tier.b", b: "env.shop.tier.c" })]
  const run = (...words: readonly string[]) =>
    callsheet(["run", "w", "--json", ...words], { files: shopFiles("http://127.0.0.1:1", blocks) })

  it.each([
    [["--max-warnings", "2"], 0, "passed", undefined],
    [["--max-warnings", "1"], 1, "failed", "2 warnings; --max-warnings allows 1"],
    [["--strict"], 1, "failed", "2 warnings; --strict allows none"],
    [[], 0, "passed", undefined],
  ] as const)("%j ends with %i", async (words, exitCode, status, line) => {
    const ended = await run(...words)
    expect(ended.exitCode, ended.stderr).toBe(exitCode)
    expect(ended.report).toMatchObject({ status, runs: [{ status: "passed" }] })
    expect(ended.report?.warnings).toHaveLength(2)
    if (line !== undefined) expect(ended.stderr).toContain(`${line}\n`)
  })

  it("refuses other numbers, and both options", async () => {
    const negative = await run("--max-warnings", "-1")
    expect([negative.exitCode, negative.stderr]).toEqual([
      2,
      expect.stringContaining("--max-warnings must be a whole number greater than or equal to 0"),
    ])
    const both = await run("--strict", "--max-warnings", "3")
    expect([both.exitCode, both.stderr]).toEqual([2, expect.stringContaining("can't be used with")])
  })
})

it.each(["pretty", "junit", "json"])("shows a warning with its position in %s", async (reporter) => {
  const blocks = [transform("names", { a: "env.shop.tier.b" })]
  const { stdout, stderr } = await callsheet(["run", "w", "--reporter", reporter], {
    files: shopFiles("http://127.0.0.1:1", blocks),
  })
  expect(stdout + stderr).toMatch(/apis\/workflow\/w\.json(?::\d+:\d+: |","line":\d+)/)
  expect(stdout).toContain("transforms.a")
})
