import { describe, expect, it } from "vitest"
import { assert, echo, runBlocks } from "./shop-project.ts"

const loop = (fields: Readonly<Record<string, unknown>>, ...blocks: readonly unknown[]) => ({
  id: "loop",
  type: "loop",
  mode: "times",
  blocks,
  ...fields,
})

describe("times", () => {
  it("counts from 0 and expands the ids of each iteration", async () => {
    const { exitCode, run, block } = await runBlocks([
      loop({ count: 3, iteratorVar: "i" }, echo("get-{{i}}", { n: "{{i}}" })),
    ])
    expect(exitCode).toBe(0)
    expect(block("loop").iterations?.map(({ index, value, status }) => [index, value, status])).toEqual([
      [0, 0, "passed"],
      [1, 1, "passed"],
      [2, 2, "passed"],
    ])
    expect(block("get-2").response?.body).toMatchObject({ query: { n: "2" } })
    expect(run.counts).toEqual({ passed: 4, failed: 0, skipped: 0 })
  })

  it("passes with zero iterations", async () => {
    const { block } = await runBlocks([loop({ count: 0 }, echo("get"))])
    expect(block("loop")).toMatchObject({ status: "passed", iterations: [] })
  })
})

describe("forEach", () => {
  const items = { id: "items", type: "transform", transforms: { all: "list.response.body.items" } }
  const routes = {
    "GET /orders": {
      body: {
        items: [
          { sku: "tea", n: 1 },
          { sku: "a.b", n: 2 },
          { sku: null, n: 3 },
        ],
      },
    },
  }
  const list = {
    id: "list",
    type: "request",
    request: { api: "shop", operation: "list", resource: "orders" },
  }

  it("iterates over an array, with the index for items that are not valid ids", async () => {
    const { outline } = await runBlocks(
      [
        list,
        items,
        loop(
          { mode: "forEach", source: "items.all", iteratorVar: "item" },
          echo("get-{{item.sku}}", { n: "{{item.n}}" }),
        ),
      ],
      { routes },
    )
    expect(outline.slice(3)).toEqual(["get-tea passed", "get-1 passed", "get-2 passed"])
  })

  it.each([
    ["list.response.body", "expected an array"],
    ["list.response.body.nothing", "does not resolve"],
  ])("fails on the source %s", async (source, message) => {
    const { exitCode, block } = await runBlocks([list, loop({ mode: "forEach", source }, echo("get"))], {
      routes,
    })
    expect(exitCode).toBe(1)
    expect(block("loop").error).toMatchObject({
      code: "loop-source",
      message: expect.stringContaining(message) as string,
    })
  })
})

describe("until", () => {
  const counting = () => {
    let count = 0
    return { "GET /echo": () => ({ body: { count: ++count } }) }
  }

  it("stops after the iteration in which the check passes", async () => {
    const until = { source: "get.response.body.count", operator: "equals", value: 3 }
    const { exitCode, block } = await runBlocks([loop({ mode: "until", until, delayMs: 1 }, echo("get"))], {
      routes: counting(),
    })
    expect(exitCode).toBe(0)
    expect(block("loop").iterations).toHaveLength(3)
  })

  it("fails if the check never passes, and reports the last value", async () => {
    const until = { source: "get.response.body.count", operator: "equals", value: 9 }
    const { exitCode, block } = await runBlocks(
      [loop({ mode: "until", until, maxIterations: 2 }, echo("get"))],
      { routes: counting() },
    )
    expect(exitCode).toBe(1)
    expect(block("loop").error).toMatchObject({
      code: "until-exhausted",
      message: "the check (get.response.body.count equals 9) did not pass in 2 iterations; received 2",
    })
  })

  it("stops at 100 without maxIterations, and counts an unresolved path as not passing", async () => {
    const until = { source: "get.response.body.nothing", operator: "equals", value: 1 }
    const { requests, block } = await runBlocks([loop({ mode: "until", until }, echo("get"))])
    expect(block("loop").error?.code).toBe("until-exhausted")
    expect(requests).toHaveLength(100)
  })

  it("keeps polling with continue, and fails at the end", async () => {
    const until = { source: "get.response.body.count", operator: "equals", value: 3 }
    const { block, requests } = await runBlocks(
      [
        loop(
          { mode: "until", until },
          echo("get"),
          assert("odd", ["get.response.body.count", "notEquals", 2]),
        ),
      ],
      { routes: counting(), workflow: { onFailure: "continue" } },
    )
    expect(requests).toHaveLength(3)
    expect(block("loop")).toMatchObject({ status: "failed", error: { code: "child-failed" } })
  })
})

describe("parallel", () => {
  it("keeps the report in order, and runs no more than --concurrency at once", async () => {
    const slow = {
      "GET /echo": async (request: { query: URLSearchParams }) => {
        await new Promise((resolve) => setTimeout(resolve, 5))
        return { body: { n: request.query.get("n") } }
      },
    }
    const { block, exitCode, requests } = await runBlocks(
      [
        loop({ count: 12, iteratorVar: "i", execution: "parallel" }, echo("get-{{i}}", { n: "{{i}}" })),
        assert("after", ["get-7.response.body.n", "equals", "7"]),
      ],
      { routes: slow, words: ["--concurrency", "4"] },
    )
    expect(exitCode).toBe(0)
    expect(requests).toHaveLength(12)
    expect(block("loop").iterations?.map(({ index }) => index)).toEqual(
      Array.from({ length: 12 }, (_, at) => at),
    )
  })

  it("with halt, cancels running iterations when one fails, and doesn't start the rest", async () => {
    const routes = {
      "GET /echo": async (request: { query: URLSearchParams }) => {
        if (request.query.get("n") !== "0") await new Promise((resolve) => setTimeout(resolve, 2000).unref())
        return { body: {} }
      },
    }
    const { block, outline } = await runBlocks(
      [
        loop(
          { count: 6, iteratorVar: "i", execution: "parallel" },
          echo("get-{{i}}", { n: "{{i}}" }),
          assert("no-{{i}}", ["get-{{i}}.response.body.x", "exists"]),
        ),
        echo("later"),
      ],
      { routes, words: ["--concurrency", "2"] },
    )
    expect(block("loop")).toMatchObject({ status: "failed", error: { code: "child-failed" } })
    expect(outline).toEqual([
      "loop failed",
      "get-0 passed",
      "no-0 failed",
      "get-1 skipped cancelled",
      "no-1 skipped cancelled",
      "later skipped halted",
    ])
  })
})

describe("scopes of a loop", () => {
  const get = echo("get", { n: "{{i}}" })

  it("shows the previous iteration by plain id, in sequence", async () => {
    const { block } = await runBlocks(
      [
        loop(
          { count: 3, iteratorVar: "i" },
          assert("before-{{i}}", ["get.response.body.query.n", "exists"]),
          get,
        ),
      ],
      { workflow: { onFailure: "continue" } },
    )
    expect(["before-0", "before-1", "before-2"].map((id) => block(id).assertions?.[0]?.actual)).toEqual([
      undefined,
      "0",
      "1",
    ])
  })

  it("shows no other iteration, in parallel", async () => {
    const { block } = await runBlocks([
      loop(
        { count: 3, iteratorVar: "i", execution: "parallel" },
        assert("before-{{i}}", ["get.response.body.query.n", "notExists"]),
        get,
      ),
      assert("after", ["get.response.body.query.n", "equals", "2"]),
    ])
    expect(block("after").status).toBe("passed")
  })

  it("keeps every expanded id after the loop, and the highest index wins among equal ones", async () => {
    const { exitCode } = await runBlocks([
      loop(
        { count: 3, iteratorVar: "i", execution: "parallel" },
        echo("get-{{i}}", { n: "{{i}}" }),
        echo("same", { n: "{{$index}}" }),
      ),
      assert(
        "after",
        ["get-0.response.body.query.n", "equals", "0"],
        ["get-2.response.body.query.n", "equals", "2"],
        ["same.response.body.query.n", "equals", "2"],
      ),
    ])
    expect(exitCode).toBe(0)
  })

  it("resolves an iterator before an input or a block, innermost first", async () => {
    const inner = {
      id: "inner-{{i}}",
      type: "loop",
      mode: "times",
      count: 1,
      iteratorVar: "i",
      blocks: [echo("deep-{{$index}}", { n: "{{i}}" })],
    }
    const { requests } = await runBlocks([{ ...loop({ count: 3, iteratorVar: "i" }), blocks: [inner] }])
    expect(requests.map((one) => one.query.get("n"))).toEqual(["0", "0", "0"])
  })
})
