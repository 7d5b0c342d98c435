// Row 7: running up to a block, and running one block with the results of the last run.

import { readdir, readFile } from "node:fs/promises"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { stringifyJson, type BlockReport, type Report } from "@callsheet/format"
import { putAll, type Files } from "../app-project/open-project.ts"
import { shopFiles } from "../run/shop-project.ts"
import { openRuns, type OpenRuns, type OpenRunsOptions } from "./open-runs.ts"

const get = (id: string, item = id) => ({
  id,
  type: "request",
  request: { api: "shop", operation: "getItem", overrides: { params: { path: { id: item } } } },
})
const check = (id: string, source: string, value: unknown) => ({
  id,
  type: "assert",
  assertions: [{ source, operator: "equals", value }],
})
const loop = (id: string, more: object, blocks: readonly unknown[]) => ({ id, type: "loop", ...more, blocks })

const routes = { "*": ({ path }: { readonly path: string }) => ({ body: { path, list: ["a", "b", "c"] } }) }
const inputs = { word: { type: "string", default: "a" } }

const open = (blocks: readonly unknown[], options: Partial<OpenRunsOptions> = {}) =>
  openRuns({ routes, files: (url): Files => shopFiles(url, blocks, { inputs }), ...options })

type Order = Parameters<OpenRuns["start"]>[0]

async function run(of: OpenRuns, order: Order = {}): Promise<Report> {
  const started = await of.start(order)
  await of.done(started)
  return (await of.read(started)).report
}

/** Ids with their nested blocks, and statuses of those that did not pass. */
const outline = (blocks: readonly BlockReport[]): string =>
  blocks
    .map(({ id, status, blocks: inner, iterations }) => {
      const rounds = iterations
        ?.map((iteration) => `#${iteration.index}${outline(iteration.blocks)}`)
        .join("")
      const own = status === "passed" ? id : `${id}:${status}`
      return `${own}${inner === undefined ? "" : outline(inner)}${rounds ?? ""}`
    })
    .join(" ")
    .replace(/^(.*)$/, "($1)")

const blocksOf = ({ runs }: Report): string => outline(runs[0]?.blocks ?? [])

describe("a run up to a block", () => {
  const cases: readonly (readonly [
    what: string,
    until: string,
    blocks: readonly unknown[],
    outline: string,
  ])[] = [
    ["at the top", "b", [get("a"), get("b"), get("c")], "(a b)"],
    [
      "in a group, skipping what follows in and after it",
      "b",
      [{ id: "g", type: "group", blocks: [get("a"), get("b"), get("c")] }, get("d")],
      "(g(a b))",
    ],
    [
      "that is a container, with all of its blocks",
      "g",
      [get("a"), { id: "g", type: "group", blocks: [get("b"), get("c")] }, get("d")],
      "(a g(b c))",
    ],
    [
      "in the branch that runs",
      "b",
      [
        {
          id: "if",
          type: "condition",
          if: { source: "word", operator: "equals", value: "a" },
          then: [get("a"), get("b"), get("c")],
          else: [get("d")],
        },
        get("e"),
      ],
      "(if(a b d:skipped))",
    ],
    [
      "in the other branch: after the condition",
      "d",
      [
        {
          id: "if",
          type: "condition",
          if: { source: "word", operator: "equals", value: "a" },
          then: [get("a")],
          else: [get("d"), get("e")],
        },
        get("f"),
      ],
      "(if(a d:skipped))",
    ],
    [
      "in a loop, after its first iteration",
      "b-{{$index}}",
      [loop("l", { mode: "times", count: 3 }, [get("a"), get("b-{{$index}}"), get("c")]), get("d")],
      "(l#0(a b-0))",
    ],
    [
      "in a parallel loop",
      "b",
      [loop("l", { mode: "times", count: 9, execution: "parallel" }, [get("b"), get("c")]), get("d")],
      "(l#0(b))",
    ],
    [
      "in nested loops over lists",
      "b",
      [
        get("a"),
        loop("l", { mode: "forEach", source: "a.response.body.list", iteratorVar: "x" }, [
          loop("m", { mode: "forEach", source: "a.response.body.list", iteratorVar: "y" }, [
            get("b"),
            get("c"),
          ]),
        ]),
      ],
      "(a l#0(m#0(b)))",
    ],
    [
      "in a polling loop, whatever its check returns",
      "b",
      [
        loop(
          "l",
          {
            mode: "until",
            maxIterations: 5,
            until: { source: "b.response.status", operator: "equals", value: 1 },
          },
          [get("b"), get("c")],
        ),
        get("d"),
      ],
      "(l#0(b))",
    ],
    [
      "in a loop of no iterations",
      "b",
      [loop("l", { mode: "times", count: 0 }, [get("b")]), get("d")],
      "(l)",
    ],
    [
      "that is a loop, to its end",
      "l",
      [loop("l", { mode: "times", count: 2 }, [get("b")]), get("d")],
      "(l#0(b)#1(b))",
    ],
    [
      "after a failed one, if the run halts",
      "c",
      [get("a"), check("b", "a.response.status", 1), get("c"), get("d")],
      "(a b:failed c:skipped)",
    ],
  ]

  it.each(cases)("ends after one %s", async (_, until, blocks, expected) => {
    const of = await open(blocks)
    const report = await run(of, { until })
    expect(blocksOf(report)).toBe(expected)
    expect(report.status).toBe(expected.includes("failed") ? "failed" : "passed")
  })

  it("is marked as such, and is not the outcome of the workflow", async () => {
    const of = await open([get("a"), get("b")])
    await run(of)
    const id = await of.start({ until: "a" })
    await of.done(id)
    expect((await of.read(id)).part).toEqual({ until: "a" })
    const [latest, whole] = await of.list()
    expect([latest?.part, whole?.part]).toEqual([{ until: "a" }, undefined])
    expect((await of.handlers["runs.latest"]({})).runs).toEqual([whole])
    await of.close()
    const later = await openRuns({ root: of.root, state: of.state, files: () => ({}) })
    expect((await later.list())[0]?.part).toEqual({ until: "a" })
  })

  it("counts only what it sends for production, and is bound to its block", async () => {
    const blocks = [
      loop("l", { mode: "times", count: 5 }, [get("a"), check("b", "word", "a")]),
      { id: "c", type: "request", request: { api: "shop", operation: "create", resource: "orders" } },
    ]
    const live = { "apis/shop/environments/live.json": { extends: "local", level: "production" } }
    const of = await open(blocks, { files: (url) => ({ ...shopFiles(url, blocks, { inputs }), ...live }) })
    const order = { environments: { shop: "live" }, until: "a" }
    const asked = await of.order(order)
    if (!("ask" in asked)) throw new Error("the run did not ask")
    expect(asked.ask.production).toMatchObject([
      { api: "shop", environment: "live", atLeast: 1, methods: [{ method: "GET", atLeast: 1 }] },
    ])
    const { confirmation } = asked.ask
    expect(await of.order({ ...order, until: "b", confirmation })).toHaveProperty("ask")
    expect(await of.order({ ...order, confirmation })).toHaveProperty("ask")
    expect(of.api.requests).toEqual([])
  })

  it("is rejected for an unknown block", async () => {
    const of = await open([get("first")])
    await expect(of.order({ until: "frist" })).rejects.toMatchObject({
      code: "block-unknown",
      hint: expect.stringContaining("first") as unknown,
    })
    await expect(of.order({ until: "first", only: "first" })).rejects.toMatchObject({ code: "field-value" })
    expect([of.api.requests, of.events]).toEqual([[], []])
  })
})

describe("a run of a single block", () => {
  it("uses the results of the last run, and sends nothing else", async () => {
    const blocks = [
      get("a"),
      { id: "t", type: "transform", transforms: { path: "a.response.body.path" } },
      check("c", "t.path", "/items/a"),
    ]
    const of = await open(blocks)
    await run(of)
    const report = await run(of, { only: "c" })
    expect([blocksOf(report), report.status]).toEqual(["(c)", "passed"])
    expect(of.api.requests).toHaveLength(1)
    // New references can use results that nothing read during the run.
    await putAll(of.root, {
      "apis/workflow/w.json": {
        version: 1,
        inputs,
        blocks: [...blocks, check("d", "a.response.body.list[2]", "c")],
      },
    })
    expect((await run(of, { only: "d" })).status).toBe("passed")
  })

  it("leaves its own results for the next one", async () => {
    let count = 0
    const of = await open([get("a"), check("c", "a.response.body.count", 2)], {
      routes: { "*": () => ({ body: { count: ++count } }) },
    })
    expect((await run(of)).status).toBe("failed")
    await run(of, { only: "a" })
    expect((await run(of, { only: "c" })).status).toBe("passed")
    expect(count).toBe(2)
  })

  it("continues with the cookies of the last run", async () => {
    const of = await open([get("a"), get("b")], {
      routes: { "GET /items/a": { headers: { "set-cookie": "sid=1; Path=/" }, body: {} }, "*": { body: {} } },
    })
    await run(of)
    await run(of, { only: "b" })
    expect(of.api.requests.map(({ headers }) => headers.cookie)).toEqual([undefined, "sid=1", "sid=1"])
    await run(of)
    expect(of.api.requests.at(-2)?.headers.cookie).toBeUndefined()
  })

  it("runs its nested blocks, without their previous results", async () => {
    const group = {
      id: "g",
      type: "group",
      blocks: [check("c", "b.response.status", 200), get("b")],
    }
    const of = await open([get("a"), group])
    const first = await run(of)
    expect(blocksOf(first)).toBe("(a g:failed(c:failed b:skipped))")
    await putAll(of.root, {
      "apis/workflow/w.json": { version: 1, inputs, onFailure: "continue", blocks: [get("a"), group] },
    })
    await run(of)
    expect(blocksOf(await run(of, { only: "g" }))).toBe("(g:failed(c:failed b))")
  })

  it("runs in the last iteration of the enclosing loops", async () => {
    const inner = [
      get("b-{{$index}}", "{{x}}-{{$index}}"),
      check("c", "b-{{$index}}.response.body.path", "/items/{{x}}-{{$index}}"),
    ]
    const of = await open([
      get("a"),
      loop(
        "l",
        { mode: "forEach", source: "a.response.body.list", iteratorVar: "x", execution: "parallel" },
        inner,
      ),
      check("after", "c", ""),
    ])
    await run(of)
    const before = of.api.requests.length
    expect(blocksOf(await run(of, { only: "c" }))).toBe("(c)")
    await run(of, { only: "b-{{$index}}" })
    expect(of.api.requests.slice(before).map(({ path }) => path)).toEqual(["/items/c-2"])
  })

  interface Refusal {
    readonly why: string
    readonly order?: Order
    readonly before: "none" | "run" | "restart"
    readonly max?: number
  }
  const refusals: readonly Refusal[] = [
    { why: "there was no previous run", before: "none" },
    { why: "the inputs have changed", order: { inputs: { word: "b" } }, before: "run" },
    { why: "the environment has changed", order: { environments: { shop: "other" } }, before: "run" },
    { why: "the enclosing loop has not run", order: { only: "in" }, before: "run" },
    { why: "the results were too large to be kept", before: "run", max: 100 },
    { why: "the app was restarted", before: "restart" },
  ]

  it.each(refusals)("is rejected where $why", async ({ order, before: first, max }) => {
    const blocks = [get("a"), loop("l", { mode: "times", count: 0 }, [get("in")])]
    const other = { "apis/shop/environments/other.json": { extends: "local" } }
    const of = await open(blocks, {
      files: (url) => ({ ...shopFiles(url, blocks, { inputs }), ...other }),
      ...(max === undefined ? {} : { maxResultBytes: max }),
    })
    if (first !== "none") await run(of)
    const now =
      first === "restart" ? await openRuns({ root: of.root, state: of.state, files: () => ({}) }) : of
    const before = [of.api.requests.length, now.events.length]
    await expect(now.order({ only: "a", ...order })).rejects.toMatchObject({
      code: "results-missing",
      hint: expect.stringContaining("run the whole workflow first") as unknown,
    })
    expect([of.api.requests.length, now.events.length]).toEqual(before)
  })

  it("asks for production if it sends something or calls a script, but not if it only reads", async () => {
    const blocks = [get("a"), check("c", "a.response.status", 200)]
    const live = { "apis/shop/environments/live.json": { extends: "local", level: "production" } }
    const of = await open(blocks, { files: (url) => ({ ...shopFiles(url, blocks), ...live }) })
    const order = { environments: { shop: "live" } }
    const asked = await of.order(order)
    if (!("ask" in asked)) throw new Error("the run did not ask")
    await run(of, { ...order, confirmation: asked.ask.confirmation })
    const again = await of.order({ ...order, only: "a" })
    expect(again).toMatchObject({
      ask: { production: [{ atLeast: 1, methods: [{ method: "GET", atLeast: 1 }] }] },
    })
    expect(await of.order({ ...order, only: "c" })).toHaveProperty("run")
  })

  it("shows no secret that the previous run found, and stores none outside memory", async () => {
    const canary = "canary-of-the-run-before-4c1d"
    const own = "canary-of-the-environment-8e2f"
    const blocks = [
      { id: "sign-in", type: "request", request: { api: "shop", operation: "postEcho" } },
      {
        id: "use",
        type: "request",
        request: {
          api: "shop",
          operation: "echo",
          overrides: { params: { header: { authorization: "Bearer {{sign-in.response.body.token}}" } } },
        },
      },
      check("look", "sign-in.response.body", "x"),
    ]
    const of = await open(blocks, {
      routes: { "POST /echo": { body: { token: canary, own } }, "*": { body: {} } },
      processEnvironment: { CALLSHEET_VAR__SHOP__TOKEN: own },
    })
    await run(of)
    const report = await run(of, { only: "look" })
    const text = stringifyJson(report)
    expect(text).toContain('"token":"***"')
    const files = await readdir(of.state, { recursive: true, withFileTypes: true })
    const kept = await Promise.all(
      files.filter((file) => file.isFile()).map((file) => readFile(join(file.parentPath, file.name), "utf8")),
    )
    for (const said of [text, JSON.stringify(of.events), ...kept])
      for (const secret of [canary, own]) expect(said).not.toContain(secret)
  })
})
