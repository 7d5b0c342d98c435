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
    ["create.response.body.ordr.id", 'create.response.body has no property "ordr"', undefined],
    ["create.response.body.totl", 'create.response.body has no property "totl"', 'did you mean "total"?'],
    ["create.response.bdy.total", 'create.response has no property "bdy"', 'did you mean "body"?'],
    ["create.respnse.body.total", 'create has no property "respnse"', 'did you mean "response"?'],
    [
      "create.response.body.id.length",
      'create.response.body.id is a string, which has no property "length"',
      undefined,
    ],
    [
      "create.response.body.lines.sku",
      'create.response.body.lines is an array, which has no property "sku"',
      "read the items of an array by index, starting at 0",
    ],
    [
      "create.response.body.lines.0.sqku",
      'create.response.body.lines.0 has no property "sqku"',
      'did you mean "sku"?',
    ],
    [
      "create.response.headers.X-Request-Id",
      'create.response.headers has no property "X-Request-Id"',
      'did you mean "x-request-id"?',
    ],
  ])("%s is not possible", async (source, message, hint) => {
    const [finding, ...others] = await findings(create, expects(source, "equals", 1))
    expect(others).toEqual([])
    const severity = source.startsWith("create.response.body") ? "warning" : "error"
    expect(finding).toContain(`${severity} source-unresolved: assertions[0].source: ${message}`)
    if (hint !== undefined) expect(finding).toContain(`| ${hint}`)
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

  it("are reported in tokens, transforms and loops too", async () => {
    expect(
      await findings(
        create,
        get("a", "{{create.response.body.idd}}"),
        { id: "names", type: "transform", transforms: { total: "create.response.body.totl" } },
        { id: "each", type: "loop", mode: "forEach", source: "create.response.body.line", blocks: [] },
      ),
    ).toEqual([
      expect.stringMatching(/^warning token-unresolved: .*"idd" \| did you mean "id"\?$/),
      expect.stringMatching(/^warning source-unresolved: transforms.total: .* \| did you mean "total"\?$/),
      expect.stringMatching(/^warning source-unresolved: source: .* \| did you mean "lines"\?$/),
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

  it("follow the outputs of transforms and the items of loops", async () => {
    expect(
      await findings(
        list,
        {
          id: "names",
          type: "transform",
          transforms: { first: "list.response.body.0", all: "list.response.body" },
        },
        expects("names.first.totl", "exists", undefined, "a"),
        expects("names.frist", "exists", undefined, "b"),
        {
          id: "each",
          type: "loop",
          mode: "forEach",
          source: "names.all",
          iteratorVar: "order",
          blocks: [
            expects("order.statsu", "exists", undefined, "c"),
            expects("order.lines.0.sku", "exists", undefined, "d"),
          ],
        },
      ),
    ).toEqual([
      expect.stringMatching(/"totl" \| did you mean "total"\?$/),
      expect.stringMatching(/names has no property "frist" \| did you mean "first"\?$/),
      expect.stringMatching(/"statsu" \| did you mean "status"\?$/),
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
  it("are errors in tokens and warnings in paths if nothing has that name", async () => {
    expect(
      await findings(
        list,
        get("get", "{{lst.response.body.0.id}}"),
        expects("lits.response.status", "equals", 200),
      ),
    ).toEqual([
      'error token-unresolved: request.overrides.params.path.id: {{lst.response.body.0.id}}: nothing is named "lst" here | did you mean "list"?',
      'warning source-unresolved: assertions[0].source: nothing is named "lits" here | did you mean "list"?',
    ])
  })

  it("may be inputs, and iterators only inside their loop", async () => {
    const files = (blocks: readonly unknown[]) => ({
      workflows: { w: { version: 1, inputs: { id: { type: "string" } }, blocks } },
      apis: { shop },
    })
    expect(await findingsOf(files([get("get", "{{id}}"), times(1, get("inner", "{{i}}"))]))).toEqual([])
    expect(
      await findingsOf(files([get("a", "{{idd}}"), times(1), get("b", "{{i}}"), get("c", "{{id.x}}")])),
    ).toEqual([
      expect.stringMatching(/nothing is named "idd" here \| did you mean "id"\?$/),
      expect.stringMatching(/"i" is the iterator of the loop "loop" and exists only inside that loop/),
      expect.stringMatching(/id is a string, which has no property "x"/),
    ])
  })

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

  it("are warnings in descriptions, because tokens there fail no block", async () => {
    expect(await findings({ ...list, description: "for {{nobody}}" })).toEqual([
      expect.stringMatching(/^warning token-unresolved: description: \{\{nobody\}\}/),
    ])
  })

  it("of blocks without a result are reported as such", async () => {
    expect(
      await findings(list, expects("list.response.status", "equals", 200), get("get", "{{check.x}}")),
    ).toEqual([expect.stringContaining('the block "check" has no result, because its type is "assert"')])
  })

  it("that start with $ are dynamic values, and $index needs a loop", async () => {
    expect(
      await findings(
        get("get", "{{$uid}}"),
        get("other", "{{$index}}"),
        times(1, get("inner", "{{$index}}")),
      ),
    ).toEqual([
      expect.stringMatching(/"\$uid" is not a dynamic value \| did you mean "\$uuid"\?$/),
      expect.stringContaining('{{$index}}: "$index" exists only inside a loop'),
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
  it("finds a reference to a later block and to the block itself", async () => {
    expect(await findings(get("a", "{{b.response.body.id}}"), get("b", "{{b.response.body.id}}"))).toEqual([
      expect.stringContaining('the block "b" runs later and has no result yet'),
      expect.stringContaining('the block "b" reads its own result'),
    ])
  })

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
    ["create.response.body.id", "greaterThan", 1, "warning", "this operator compares only numbers"],
    ["create.response.body.total", "lessThan", "5", "warning", "the value is a string"],
    ["create.response.status", "equals", "201", "error", "is a number and never equals a string"],
    ["create.response.body.anything", "lessThan", "5", "error", "the value is a string"],
    ["create.response.body.total", "contains", 1, "warning", "only strings and arrays can contain a value"],
    [
      "create.response.body.id",
      "contains",
      1,
      "warning",
      'so "contains" expects a string; received a number',
    ],
    ["create.response.body.labels", "contains", 1, "warning", "its items are a string"],
    [
      "create.response.body.status",
      "equals",
      "paied",
      "warning",
      'it is compared with "paied", but the contract documents only "open" and "paid"',
    ],
    ["create.response.body.id", "notEquals", 1, "warning", "this always passes"],
    ["create.response.body.status", "notEquals", "opne", "warning", "this always passes"],
    [
      "create.response.status",
      "equals",
      200,
      "warning",
      "it is compared with 200, but the contract documents only 201 and 400",
    ],
    [
      "create.response.body.total",
      "equals",
      "{{create.response.body.id}}",
      "warning",
      "never equals a string",
    ],
    [
      "create.response.body.total",
      "equals",
      "{{create.response.body.total}}.",
      "warning",
      "never equals a string",
    ],
  ])("%s %s %j is reported as impossible", async (source, operator, value, severity, message) => {
    const [finding, ...others] = await findings(create, expects(source, operator, value))
    expect(others).toEqual([])
    expect(finding).toContain(`${severity} operator-type: `)
    expect(finding).toContain(message)
  })

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

  it("finds loops over a value that is not an array", async () => {
    const over = (source: string) => ({ id: "each", type: "loop", mode: "forEach", source, blocks: [] })
    expect(await findings(create, over("create.response.body"))).toEqual([
      'warning loop-source: source: create.response.body is an object; "forEach" expects an array | did you mean "create.response.body.lines"?',
    ])
    expect(await findings(create, over("create.response.body.anything"))).toEqual([])
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
