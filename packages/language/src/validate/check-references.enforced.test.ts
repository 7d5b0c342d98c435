import { describe, expect, it } from "vitest"
import { findingsOf } from "../testing/project-of.ts"
import { create, expects, get, list, shop } from "../testing/shop.ts"

type Blocks = readonly unknown[]

const closedDocument = {
  ...(shop.document as object),
  components: {
    schemas: {
      Fault: { type: "object", properties: { code: { type: "string" } }, additionalProperties: false },
      Order: {
        type: "object",
        properties: {
          id: { type: "string" },
          lines: { type: "array", items: { type: "string" } },
          open: { type: "object", properties: { size: { type: "string" } } },
          untyped: { properties: { size: {} }, additionalProperties: false },
          combined: { allOf: [{ $ref: "#/components/schemas/Fault" }, { type: "object" }] },
          either: { oneOf: [{ $ref: "#/components/schemas/Fault" }, { type: "object" }] },
        },
        additionalProperties: false,
      },
    },
  },
}

const severities = async (
  blocks: Blocks,
  {
    document = closedDocument,
    validateContracts = true,
  }: { document?: object; validateContracts?: boolean } = {},
): Promise<readonly string[]> => {
  const found = await findingsOf({
    workflows: { w: { version: 1, validateContracts, blocks } },
    apis: { shop: { ...shop, document } },
  })
  return found.map((finding) => finding.slice(0, finding.indexOf(":")))
}

const exists = (path: string, id?: string) => expects(`create.response.body.${path}`, "exists", undefined, id)
const missing = exists("totl")
const isPaid = { source: "create.response.status", operator: "equals", value: 201 }
const condition = (more: object) => ({ id: "when", type: "condition", if: isPaid, then: [], ...more })
const loop = (more: object) => ({ id: "loop", type: "loop", blocks: [missing], ...more })

describe("a part that a closed schema excludes", () => {
  it.each<readonly [string, unknown]>([
    ["an assertion", missing],
    ["a comparison", expects("create.response.body.totl", "equals", 1)],
    ["a placeholder", get("get", "{{create.response.body.idd}}")],
    ["an assertion in a group", { id: "group", type: "group", blocks: [missing] }],
    ["an assertion in a loop that always iterates", loop({ mode: "times", count: 2 })],
    ["a member of a string", exists("id.length")],
    ["a member of an array", exists("lines.first")],
    ["a schema without a type", exists("untyped.weight")],
    ["a combination of schemas", exists("combined.detail")],
  ])("is an error in %s", async (_, block) => {
    expect(await severities([create, block])).toEqual([expect.stringMatching(/^error /)])
    expect(await severities([create, block], { validateContracts: false })).toEqual([
      expect.stringMatching(/^warning /),
    ])
  })

  it("is an error in the source of a loop", async () => {
    const each = { id: "each", type: "loop", mode: "forEach", blocks: [] }
    expect(await severities([create, { ...each, source: "create.response.body.items" }])).toEqual([
      "error source-unresolved",
    ])
    expect(await severities([create, { ...each, source: "create.response.body.id" }])).toEqual([
      "error loop-source",
    ])
  })

  it.each<readonly [string, unknown]>([
    ["notEquals", expects("create.response.body.totl", "notEquals", 1)],
    ["a condition", condition({ if: { source: "create.response.body.totl", operator: "exists" } })],
    ["a branch", condition({ then: [missing] })],
    ["a loop over a list", loop({ mode: "forEach", source: "create.response.body.lines" })],
    ["a loop without iterations", loop({ mode: "times", count: 0 })],
    ["a transform", { id: "t", type: "transform", transforms: { total: "create.response.body.totl" } }],
    [
      "the check of a polling loop",
      loop({
        mode: "until",
        until: { source: "create.response.body.totl", operator: "exists" },
        blocks: [get("get", "1")],
      }),
    ],
  ])("is a warning in %s", async (_, block) => {
    expect(await severities([create, block])).toEqual([expect.stringMatching(/^warning source-unresolved/)])
  })
})

describe("a part that the contract doesn't exclude", () => {
  it.each(["open.weight"])("is a warning if the schema of %s is open", async (path) => {
    expect(await severities([create, exists(path)])).toEqual(["warning source-unresolved"])
  })

  it("is not reported if one of several schemas may have it", async () => {
    expect(await severities([create, exists("either.weight")])).toEqual([])
  })

  it("is a warning if the workflow expects an undocumented status", async () => {
    const isGone = expects("create.response.status", "equals", 410, "gone")
    expect(await severities([create, isGone, missing])).toEqual([
      "warning operator-type",
      "warning source-unresolved",
    ])
  })

  it("is a warning if some documented response has no body", async () => {
    const document = structuredClone(closedDocument) as unknown as {
      paths: Record<string, Record<string, { responses: Record<string, unknown> }>>
    }
    document.paths["/orders"]!["post"]!.responses["202"] = { description: "" }
    expect(await severities([create, missing], { document })).toEqual(["warning source-unresolved"])
  })
})

describe("a comparison of kinds that never match", () => {
  const isLarge = expects("create.response.body.id", "greaterThan", 1)

  it("is an error if the contract is enforced", async () => {
    expect(await severities([create, isLarge])).toEqual(["error operator-type"])
    expect(await severities([create, isLarge], { validateContracts: false })).toEqual([
      "warning operator-type",
    ])
  })

  it("is a warning in a branch", async () => {
    expect(await severities([create, condition({ then: [isLarge] })])).toEqual(["warning operator-type"])
  })

  it("stays an error if no document decides", async () => {
    const status = expects("create.response.status", "equals", "201")
    expect(await severities([create, status], { validateContracts: false })).toEqual(["error operator-type"])
  })
})

describe("a schema that includes itself without end", () => {
  const circle = { allOf: [{ $ref: "#/components/schemas/Circle" }] }
  const json = (schema: object) => ({ description: "", content: { "application/json": { schema } } })
  const endless = json({ $ref: "#/components/schemas/Circle" })

  /** Returns the findings about a document whose only operation has these responses. */
  const found = (responses: object, workflow: object = {}, blocks: Blocks = [create]) =>
    findingsOf({
      workflows: { w: { version: 1, validateContracts: true, blocks, ...workflow } },
      apis: {
        shop: {
          ...shop,
          document: {
            ...closedDocument,
            paths: { "/orders": { post: { operationId: "createOrder", tags: ["orders"], responses } } },
            components: {
              schemas: { Circle: circle, Loop: { type: "object", allOf: [{ allOf: [endless] }] } },
            },
          },
        },
      },
    }).then((all) =>
      all.filter((finding) => finding.includes("includes itself") && finding.startsWith("error")),
    )

  it.each<readonly [string, object]>([
    ["the only response", { 201: endless }],
    ["every response", { 201: endless, "4XX": endless, default: json(circle) }],
    ["a default response", { default: endless }],
    [
      "every content type",
      {
        200: {
          description: "",
          content: { ...endless.content, "application/problem+json": { schema: circle } },
        },
      },
    ],
    ["a combination", { 201: json({ allOf: [{ type: "object" }, circle] }) }],
  ])("is an error if it describes %s", async (_, responses) => {
    expect(await found(responses)).toEqual([
      expect.stringContaining(
        "no response of POST /orders can pass, because its schema includes itself without end",
      ),
    ])
  })

  it.each<readonly [string, object]>([
    ["another response has none", { 201: endless, 400: json({ type: "object" }) }],
    ["another response has no body", { 201: endless, 204: { description: "" } }],
    [
      "another content type has none",
      { 201: { description: "", content: { ...endless.content, "text/plain": {} } } },
    ],
    ["only a property has it", { 201: json({ properties: { parent: circle } }) }],
    ["only an alternative has it", { 201: json({ anyOf: [{ type: "object" }, circle] }) }],
  ])("is not an error if %s", async (_, responses) => {
    expect(await found(responses)).toEqual([])
  })

  it("is not an error if the run can pass without it", async () => {
    expect(await found({ 201: endless }, { validateContracts: false })).toEqual([])
    const blocks = [
      { id: "when", type: "condition", if: { source: "inputs.a", operator: "exists" }, then: [create] },
    ]
    expect(await found({ 201: endless }, {}, blocks)).toEqual([])
  })
})

it("keeps errors for names that the project owns", async () => {
  const blocks = [
    list,
    get("get", "{{nobody}}"),
    { id: "t", type: "transform", transforms: { a: "list.response" } },
  ]
  expect(await severities([...blocks, expects("t.b", "exists")], { validateContracts: false })).toEqual([
    "error token-unresolved",
    "error source-unresolved",
  ])
})
