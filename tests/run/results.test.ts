import { describe, expect, it } from "vitest"
import { assert, echo, request, runBlocks } from "./shop-project.ts"

type Fields = Readonly<Record<string, unknown>>
const loop = (id: string, fields: Fields, ...blocks: readonly unknown[]) => ({
  id,
  type: "loop",
  mode: "times",
  ...fields,
  blocks,
})
const transform = (id: string, transforms: Fields) => ({ id, type: "transform", transforms })

describe("a result", () => {
  it.each(["post", "{{names.which}}"])("is available to tokens of the saved request %s", async (instance) => {
    const { requests } = await runBlocks(
      [
        echo("get", { n: "5", kind: "post" }),
        transform("names", { which: "get.response.body.query.kind" }),
        request("send", { instance }),
      ],
      {
        files: () => ({
          "apis/shop/requests/tools/post.json": {
            version: 1,
            operation: "postEcho",
            params: { header: { "x-n": "{{get.response.body.query.n}}" } },
            body: { n: "{{get.response.body.query.n}}" },
          },
        }),
      },
    )
    expect(requests.at(-1)).toMatchObject({ json: { n: "5" }, headers: { "x-n": "5" } })
  })

  it("is found however its name is written", async () => {
    const { exitCode, block } = await runBlocks([
      echo("text", { name: "get", dotted: ".response.status", step: "get-1.response", one: "1" }),
      transform("t", {
        name: "text.response.body.query.name",
        dotted: "text.response.body.query.dotted",
        step: "text.response.body.query.step",
        one: "text.response.body.query.one",
      }),
      loop("loop", { count: 3, iteratorVar: "i" }, echo("get-{{i}}", { n: "{{i}}" })),
      loop("other", { count: 2, iteratorVar: "i" }, echo("mine-{{ i }}", { n: "{{i}}" })),
      assert(
        "after",
        ['["get-0"].response.body.query.n', "equals", "0"],
        ["{{t.name}}-1.response.body.query.n", "equals", "1"],
        ["get-{{t.one}}{{t.dotted}}", "equals", 200],
        ["{{t.step}}.status", "equals", 200],
        ["t.one", "equals", "{{get-{{t.one}}.response.body.query.n}}"],
        ["mine-1.response.body.query.n", "equals", "1"],
      ),
    ])
    expect(block("after").assertions?.filter(({ status }) => status === "failed")).toEqual([])
    expect(exitCode).toBe(0)
  })

  it("of a previous iteration is found by its expanded id", async () => {
    const items = [{ sku: "tea" }, { sku: "tea" }, { sku: "mug" }, { sku: "tea" }]
    const { requests, outline } = await runBlocks(
      [
        request("list", { operation: "list", resource: "orders" }),
        loop(
          "loop",
          { mode: "forEach", source: "list.response.body", iteratorVar: "item" },
          {
            id: "once-{{$index}}",
            type: "condition",
            if: { source: "get-{{item.sku}}.response", operator: "notExists" },
            then: [echo("get-{{item.sku}}")],
          },
          assert("look-{{$index}}", ["get-{{item.sku}}.response.status", "equals", 200]),
        ),
      ],
      { routes: { "GET /orders": { body: items } } },
    )
    expect(requests).toHaveLength(3)
    expect(outline.filter((line) => line.startsWith("get-"))).toEqual([
      "get-tea passed",
      "get-tea skipped branch",
      "get-mug passed",
      "get-tea skipped branch",
    ])
  })

  it("of a previous iteration does not replace that of a failed block", async () => {
    const { block, requests } = await runBlocks(
      [
        transform("ok-0", { id: "env.shop.tier" }),
        loop(
          "loop",
          { count: 2, iteratorVar: "i" },
          request("get", {
            operation: "getItem",
            overrides: { params: { path: { id: "{{ok-{{i}}.id}}" } } },
          }),
          assert("look-{{i}}", ["get.response.status", "equals", 200]),
        ),
        echo("later", { n: "{{get.response.status}}" }),
      ],
      { workflow: { onFailure: "continue" } },
    )
    const reason = '"get" failed before it had a result'
    expect(requests).toHaveLength(1)
    expect(block("look-0").status).toBe("passed")
    expect(block("look-1").assertions).toMatchObject([
      { status: "failed", message: `the source does not resolve: ${reason}` },
    ])
    expect(block("later").error?.message).toContain(reason)
  })
})

it.each(["sequential", "parallel"])(
  "a name that two blocks share refers to neither: %s",
  async (execution) => {
    const { block, exitCode } = await runBlocks([
      echo("get-1", { n: "mine" }),
      assert("before", ["get-1.response.body.query.n", "equals", "mine"]),
      loop(
        "loop",
        { count: 3, iteratorVar: "i", execution },
        echo("get-{{i}}", { n: "{{i}}" }),
        assert("own-{{i}}", [
          "get-{{i}}.response.body.query.n",
          "equals",
          "{{get-{{i}}.response.body.query.n}}",
        ]),
      ),
      assert("after", ["get-2.response.status", "equals", 200], ["get-1.response.status", "notExists"]),
    ])
    expect(exitCode).toBe(0)
    expect(block("after").assertions?.[1]?.message).toBe(
      'the source does not resolve: several blocks have the id "get-1"',
    )
  },
)

describe("nested loops", () => {
  const inner = [
    assert("first-{{i}}-{{j}}", ["get.response.body.query.at", "notExists"]),
    assert("own-{{i}}-{{j}}", ["mine-{{i}}-{{j}}.response", "notExists"]),
    echo("get", { at: "{{i}}/{{j}}" }),
    echo("mine-{{i}}-{{j}}", { at: "{{i}}/{{j}}", index: "#{{$index}}" }),
    assert(
      "same-{{i}}-{{j}}",
      ["get.response.body.query.at", "equals", "{{i}}/{{j}}"],
      ["mine-{{i}}-{{j}}.response.body.query.index", "equals", "#{{j}}"],
    ),
  ]

  it.each([
    // The last column lists the iterations that find no `get` before they send one.
    ["parallel", "parallel", ["0-0", "0-1", "1-0", "1-1"]],
    ["sequential", "parallel", ["0-0", "0-1", "1-0", "1-1"]],
    ["parallel", "sequential", ["0-0", "1-0"]],
    ["sequential", "sequential", ["0-0"]],
  ])("%s around %s: each sees its own and earlier iterations", async (outside, inside, fresh) => {
    const { block } = await runBlocks(
      [
        loop(
          "outer",
          { count: 2, iteratorVar: "i", execution: outside },
          loop("inner-{{i}}", { count: 2, iteratorVar: "j", execution: inside }, ...inner),
          assert("between-{{i}}", ["get.response.body.query.at", "equals", "{{i}}/1"]),
        ),
        assert(
          "after",
          ["get.response.body.query.at", "equals", "1/1"],
          ["mine-0-1.response.body.query.at", "equals", "0/1"],
          ["mine-1-0.response.body.query.at", "equals", "1/0"],
        ),
      ],
      { workflow: { onFailure: "continue" } },
    )
    const all = ["0-0", "0-1", "1-0", "1-1"]
    expect(all.filter((at) => block(`first-${at}`).status === "passed")).toEqual(fresh)
    for (const id of [...all.map((at) => `own-${at}`), ...all.map((at) => `same-${at}`), "after"]) {
      expect(block(id).status, id).toBe("passed")
    }
    expect([block("between-0").status, block("between-1").status]).toEqual(["passed", "passed"])
  })
})

describe("an unknown name", () => {
  it.each<[string, unknown, string]>([
    ["a skipped block", "{{no.response.status}}", 'the block "no" has not run, so it has no result'],
    ["a later block", "{{late.response.status}}", 'the block "late" has not run'],
    [
      "a block without a result",
      "{{check.x}}",
      'the block "check" has no result, because its type is "assert"',
    ],
    ["an input without a value", "{{given}}", 'the input "given" has no value and no default'],
    ["an input that shadows a variable", "{{tier}}", 'the input "tier" has no value and no default'],
    ["a misspelled name", "{{ttoken}}", 'nothing is named "ttoken" here; did you mean "token"?'],
    ["a failed block", "{{bad.response.status}}", '"bad" failed before it had a result'],
  ])("is explained: %s", async (_, token, message) => {
    const { block } = await runBlocks(
      [
        assert("check", ["x", "notExists"]),
        { id: "if", type: "condition", if: { source: "x", operator: "exists" }, then: [echo("no")] },
        echo("bad", { x: "{{nope}}" }),
        echo("out", { x: token as string }),
        echo("late"),
      ],
      {
        workflow: {
          onFailure: "continue",
          inputs: { given: { type: "string" }, tier: { type: "number" } },
        },
      },
    )
    expect(block("out").error?.code).toBe("token-unresolved")
    expect(block("out").error?.message).toContain(message)
  })

  it("is explained for variables that are not available", async () => {
    const { block } = await runBlocks([echo("get"), assert("check", ["tier", "equals", 3])])
    expect(block("check").assertions?.[0]?.message).toContain(
      'to read the variable of "shop", write env.shop.tier',
    )
  })
})
