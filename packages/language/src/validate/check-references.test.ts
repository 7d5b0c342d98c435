import { describe, expect, it } from "vitest"
import { findingsOf } from "../testing/project-of.ts"
import { create, expects, findings, get, list, shop } from "../testing/shop.ts"

const loop = (more: object, ...blocks: readonly unknown[]) => ({ id: "loop", type: "loop", blocks, ...more })
const times = (count: number, ...blocks: readonly unknown[]) =>
  loop({ mode: "times", count, iteratorVar: "i" }, ...blocks)
const when = (then: readonly unknown[], otherwise?: readonly unknown[]) => ({
  id: "when",
  type: "condition",
  if: { source: "list.response.status", operator: "equals", value: 200 },
  then,
  ...(otherwise === undefined ? {} : { else: otherwise }),
})

describe("paths through the contract", () => {
  it.each([
    "create.response.status",
    "create.response.durationMs",
    "create.response.headers.x-request-id",
    'create.response.headers["set-cookie"][0]',
    "create.response.body.lines.0.sku",
    "create.response.body.extra.gift",
    "create.response.body.extra.unheard",
    "create.response.body.payment.iban",
    "create.response.body.payment.bic",
    "create.response.body.anything.at.all",
    "list.response.body.0.lines[1].quantity",
  ])("%s is possible", async (source) => {
    expect(await findings(create, list, expects(source, "exists"))).toEqual([])
  })

  it.each([
    ["create.response.body.extra.gfit", 'did you mean "gift"?'],
    ["create.response.body.payment.crad", 'did you mean "card"?'],
  ])("%s is a warning if the schema is open and the name is a near miss", async (source, hint) => {
    expect(await findings(create, expects(source, "exists"))).toEqual([
      expect.stringMatching(
        new RegExp(`^warning source-unresolved: .*${hint.replace("?", String.raw`\?`)}$`),
      ),
    ])
  })

  it("don't have to resolve if nothing is expected, except for near misses", async () => {
    expect(await findings(create, expects("create.response.body.password", "notExists"))).toEqual([])
    expect(await findings(create, expects("create.response.body.totl", "notExists"))).toEqual([
      expect.stringMatching(/^warning source-unresolved.*did you mean "total"\?$/),
    ])
  })

  it("may use properties of other responses if the workflow checks for their status", async () => {
    const fault = expects("get.response.body.code", "equals", "x", "fault")
    expect(await findings(get("get", "1"), fault)).toEqual([
      expect.stringMatching(
        /^warning source-unresolved: .*it exists only in responses with a status that this workflow doesn't check/,
      ),
    ])
    const refused = expects("get.response.status", "equals", 404)
    expect(await findings(get("get", "1"), refused, fault)).toEqual([])
    const isUp = expects("get.response.status", "greaterThan", 399)
    expect(await findings(get("get", "1"), isUp, fault)).toEqual([])
  })

  const closed = { type: "object", properties: { id: { type: "string" } }, additionalProperties: false }
  const ofOthers: readonly (readonly [what: string, other: unknown, path: string])[] = [
    ["an open object", { type: "object", properties: { code: {} } }, "body.idd"],
    ["an object without properties", { type: "object" }, "body.totl"],
    ["no schema", undefined, "body.totl"],
    ["an empty schema", {}, "body.totl"],
    ["an open object, deeper", { type: "object", properties: { id: { type: "object" } } }, "body.id.name"],
    ["open branches", { anyOf: [{ type: "object" }, { type: "object", properties: { a: {} } }] }, "body.b"],
    ["a property without a schema", { type: "object", properties: { meta: {} } }, "body.meta.x"],
  ]
  it.each(ofOthers)("never exist in other responses if those only allow them: %s", async (_, other, path) => {
    const media = (schema: unknown) => ({ content: { "application/json": { schema } } })
    const responses = {
      200: { description: "", ...media(closed) },
      404: { description: "", ...(other === undefined ? {} : media(other)) },
      default: { description: "", ...media(other ?? {}) },
    }
    const document = {
      ...(shop.document as object),
      paths: { "/orders/{id}": { get: { operationId: "getOrder", responses } } },
    }
    const blocks = [get("get", "1"), expects(`get.response.${path}`, "exists")]
    const found = await findingsOf({
      workflows: { w: { version: 1, blocks } },
      apis: { shop: { ...shop, document } },
    })
    expect(found).toEqual([expect.stringMatching(/^warning source-unresolved: .*has no property/)])
    expect(found[0]).not.toContain("only in responses")
  })

  it("are an issue in the body of a response that documents none", async () => {
    const remove = {
      id: "remove",
      type: "request",
      request: { api: "shop", operation: "deleteOrder", overrides: { params: { path: { id: "1" } } } },
    }
    expect(await findings(remove, expects("remove.response.body.id", "exists"))).toEqual([
      expect.stringMatching(/^warning source-unresolved/),
    ])
    expect(await findings(remove, expects("remove.response.body", "notExists"))).toEqual([])
    expect(await findings(remove, expects("remove.response.body.data.id", "equals", 1))).toEqual([
      expect.stringMatching(/^warning source-unresolved/),
    ])
  })

  it("accept a token as an index", async () => {
    expect(
      await findings(
        list,
        times(
          2,
          expects("list.response.body.{{i}}.totl", "exists"),
          expects("list.response.body.{{i}}.total", "exists", undefined, "b"),
        ),
      ),
    ).toEqual([
      expect.stringMatching(
        /list\.response\.body\.\{\{…\}\} has no property "totl" \| did you mean "total"\?$/,
      ),
    ])
  })
})

describe("first names", () => {
  it("may be variables: unprefixed in requests of their API, prefixed everywhere", async () => {
    expect(await findings(get("get", "{{size}}"), expects("env.shop.size", "equals", 1))).toEqual([])
    expect(
      await findings(
        get("get", "{{siz}}"),
        expects("size", "equals", 1),
        expects("env.shop.siz", "equals", 1, "b"),
        expects("env.shpo.size", "equals", 1, "c"),
      ),
    ).toEqual([
      expect.stringMatching(/^error token-unresolved.*nothing is named "siz" here \| did you mean "size"\?$/),
      expect.stringMatching(
        /^warning source-unresolved.*"shop" has a variable with that name \| write env\.shop\.size$/,
      ),
      expect.stringMatching(
        /^warning source-unresolved.*doesn't declare a variable "siz" \| did you mean "size"\?$/,
      ),
      expect.stringMatching(
        /^warning source-unresolved.*sends no request to an API named "shpo" \| did you mean "shop"\?$/,
      ),
    ])
  })

  it("with tokens match ids with tokens", async () => {
    expect(
      await findings(
        list,
        times(
          2,
          get("get-{{i}}", "1"),
          expects("get-{{ i }}.response.body.totl", "exists"),
          get("next-{{i}}", "{{gte-{{i}}.response.body.id}}"),
        ),
        get("after", "{{get-1.response.body.id}}"),
        get("beyond", "{{get-2.response.body.id}}"),
      ),
    ).toEqual([
      expect.stringMatching(/has no property "totl" \| did you mean "total"\?$/),
      expect.stringContaining('nothing is named "gte-{{…}}" here'),
      expect.stringContaining('nothing is named "get-2" here'),
    ])
  })
})

describe("order", () => {
  it("lets a sequential loop read its previous iteration, but not a parallel one", async () => {
    const blocks = [get("a", "{{b.response.body.id}}"), get("b", "1")]
    expect(await findings(times(2, ...blocks))).toEqual([])
    expect(await findings(loop({ mode: "times", count: 2, execution: "parallel" }, ...blocks))).toEqual([
      expect.stringContaining('the block "b" runs later'),
    ])
  })

  it("finds a reference into the other branch, or to a block that may have been skipped", async () => {
    const reader = get("reader", "{{a.response.body.id}}")
    expect(await findings(list, when([get("a", "1")], [reader]))).toEqual([
      expect.stringMatching(/^error token-unresolved.*is in the other branch/),
    ])
    expect(await findings(list, when([get("a", "1")]), reader)).toEqual([
      expect.stringMatching(/^warning result-skipped.*a branch that may be skipped/),
    ])
    expect(await findings(list, when([get("a", "1"), reader]))).toEqual([])
    expect(await findings(list, when([get("a", "1")]), expects("a.response.status", "hasNoValue"))).toEqual(
      [],
    )
  })

  it("reads the check of a polling loop after its blocks, and a condition before them", async () => {
    const until = { source: "get.response.body.status", operator: "equals", value: "paid" }
    expect(await findings(loop({ mode: "until", until }, get("get", "1")))).toEqual([])
    const early = {
      ...when([get("get", "1")]),
      if: { source: "get.response.status", operator: "equals", value: 200 },
    }
    expect(await findings(early)).toEqual([expect.stringContaining('the block "get" runs later')])
  })
})

describe("operators", () => {
  it.each([
    ["create.response.status", "notEquals", 500],
    ["create.response.body.total", "greaterThan", "{{create.response.body.total}}"],
    ["create.response.body.labels", "contains", "{{create.response.body.id}}"],
    ["create.response.body.anything", "greaterThan", 1],
    ["create.response.body.lines", "equals", []],
    ["create.response.body.lines.0", "equals", { sku: "{{create.response.body.id}}" }],
    ["create.response.body.note", "notExists", undefined],
  ])("%s %s %j is possible", async (source, operator, value) => {
    expect(await findings(create, expects(source, operator, value))).toEqual([])
  })
})

describe("broken files", () => {
  it("report wrong names along with wrong shapes, and nothing that a broken block may cause", async () => {
    expect(
      await findings(
        { id: "a", type: "request", request: { api: "shop" } },
        get("b", "{{a.response.body.x}}"),
        get("c", "{{nobody.x}}"),
      ),
    ).toEqual([
      expect.stringContaining("field-missing"),
      expect.stringContaining('nothing is named "nobody" here'),
    ])
    expect(await findings({ type: "group" }, get("c", "{{nobody.x}}"))).not.toContainEqual(
      expect.stringContaining("nobody"),
    )
  })

  it("handle transforms in a cycle and in a long chain", async () => {
    const chain = Array.from({ length: 2_000 }, (_, at) => ({
      id: `t${at}`,
      type: "transform",
      transforms: { x: at === 0 ? "t1.x" : `t${at - 1}.x.y` },
    }))
    const found = await findings(times(2, ...chain))
    expect(found.filter((line) => line.startsWith("error"))).toEqual([])
  })
})
