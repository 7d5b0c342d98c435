import fc from "fast-check"
import { readDocument } from "@callsheet/openapi"
import { parseAst } from "rolldown/parseAst"
import { describe, expect, it } from "vitest"
import { projectOf, type ProjectFiles } from "../testing/project-of.ts"
import { shop } from "../testing/shop.ts"
import { scriptTypes, type ScriptTypesRequest } from "./script-types.ts"

const script = { name: "checks", exportName: "check" }
const create = { id: "create", type: "request", request: { api: "shop", operation: "createOrder" } }
const list = { id: "list", type: "request", request: { api: "shop", operation: "listOrders" } }
const check = { id: "check", type: "assert", script }
const each = (blocks: readonly unknown[]) => ({
  id: "each",
  type: "loop",
  mode: "forEach",
  source: "list.response.body",
  iteratorVar: "item",
  blocks,
})

async function typesOf(files: ProjectFiles, more: Partial<ScriptTypesRequest> = {}): Promise<string> {
  const project = projectOf(files)
  const apis = new Map()
  for (const api of project.apis.values()) {
    const { document } = api.document === undefined ? {} : await readDocument(api.document)
    apis.set(api.name, { api, ...(document === undefined ? {} : { document }) })
  }
  const [file] = project.workflows.values()
  const scriptNames = project.scriptNames.get(file!.name) ?? []
  const way = { sdk: "./sdk.js", scriptsFolder: ".." }
  return scriptTypes({ file: file!, apis, apiNames: project.apiNames, scriptNames, ...way, ...more }) ?? ""
}

const ofBlocks = (blocks: readonly unknown[], more: object = {}): Promise<string> =>
  typesOf({
    workflows: { pay: { version: 1, blocks, ...more } },
    apis: { shop },
    scripts: { checks: ["check"], plan: ["plan"] },
  })

/** Returns the names in scope where the function `check` is called. */
function seenByCheck(text: string): string {
  const place = /^ {2}check: (\w+)$/m.exec(text)?.[1]
  const names = new RegExp(`^type ${place} = \\{ readonly names: (\\w+);`, "m").exec(text)?.[1]
  return new RegExp(`^type ${names} = [^]*?(?=^type|^$)`, "m").exec(text)?.[0] ?? ""
}

describe("what a script sees", () => {
  it.each<[string, readonly unknown[], readonly string[]]>([
    ["an earlier result", [create, check], ["  create: CreateResult", "{ body: Order }", "\n  id?: string"]],
    [
      "that a result comes from a later block",
      [check, create],
      [`  create: "the block \\"create\\" runs later and has no result yet"`],
    ],
    [
      "a branch's result as possibly missing",
      [{ id: "if", type: "condition", if: { source: "x", operator: "exists" }, then: [create] }, check],
      ["  create?: CreateResult"],
    ],
    ["the element of a loop", [list, each([check])], ["  item: Order", "readonly item: Order"]],
    [
      "the result of a loop with possibly no iterations as possibly missing",
      [list, each([create]), check],
      ["  create?: CreateResult"],
    ],
    [
      "a later result of its loop as possibly missing",
      [list, each([check, create])],
      ["  create?: CreateResult"],
    ],
    [
      "a result inside a polling loop for the check of that loop",
      [{ id: "poll", type: "loop", mode: "until", script, maxIterations: 3, blocks: [create] }],
      ["  create: CreateResult"],
    ],
    [
      "results with ids from a loop",
      [list, each([{ ...create, id: "order-{{$index}}" }]), check],
      ["  [name: `order-${string}`]: OrderIndexResult | undefined"],
    ],
    [
      "outputs with the types of their paths",
      [
        create,
        {
          id: "named",
          type: "transform",
          transforms: {
            a: "create.response.body.id",
            b: "create.response.headers.x",
            c: "create.response.body",
          },
        },
        check,
      ],
      ["type NamedResult = { a?: string; b?: string; c: Order }"],
    ],
    [
      "outputs of a script with the types of its file",
      [{ id: "planned", type: "transform", script: { name: "plan", exportName: "plan" } }, check],
      [`type PlannedResult = sdk.Outputs<(typeof import("../plan.js"))["plan"]>`],
    ],
  ])("has %s", async (_, blocks, wanted) => {
    const text = await ofBlocks(blocks)
    const seen = seenByCheck(text)
    for (const part of wanted) expect(part.startsWith("  ") ? seen : text).toContain(part)
    expect(() => parse(text)).not.toThrow()
  })

  it("has results whose ids may collide only once, typed as unknown", async () => {
    const [one, other] = ["order-{{$index}}", "order-{{item.id}}{{$index}}"].map((id) => ({ ...create, id }))
    const text = await ofBlocks([list, each([one, other]), check])
    expect(seenByCheck(text).match(/^ {2}\[name: .*$/gm)).toEqual(["  [name: `order-${string}`]: unknown"])
  })

  it("has the inputs, where those without value and default are optional", async () => {
    const inputs = {
      a: { type: "string", required: true },
      b: { type: "number", default: 3 },
      c: { type: "boolean" },
      d: { type: "number", default: "three" },
    }
    const text = await ofBlocks([check], { inputs })
    expect(text).toContain(
      "type Inputs = {\n  readonly a: string\n  readonly b: number\n  readonly c?: boolean\n  readonly d: unknown\n}",
    )
  })

  it("has the declared variables, where only required ones are non-optional", async () => {
    const schema = {
      version: 1,
      variables: { key: { type: "string", required: true }, max: { type: "number", required: false } },
    }
    const text = await typesOf({
      workflows: { pay: { version: 1, blocks: [create, check] } },
      apis: { shop: { ...shop, environments: { "schema.json": schema } } },
    })
    expect(text).toContain("readonly shop: { readonly key: string; readonly max?: number }")
  })

  it("can be queried by function name, across all calls", async () => {
    const again = { id: "again", type: "assert", script }
    const other = { id: "other", type: "script", script: { ...script, exportName: "pause" } }
    const text = await ofBlocks([check, create, again, other])
    expect(text).toMatch(/interface AssertContexts \{\n {2}check: Place\d? \| Place\d\n\}/)
    expect(text).toMatch(/interface ScriptContexts \{\n {2}pause: Place\d\n\}/)
  })
})

describe("the types of a document", () => {
  const ofSchema = (schema: unknown, schemas: object = {}, bounds?: ScriptTypesRequest["bounds"]) =>
    typesOf(
      {
        workflows: {
          pay: { version: 1, blocks: [{ ...create, request: { api: "a", operation: "get" } }, check] },
        },
        apis: {
          a: {
            document: {
              openapi: "3.1.0",
              info: { title: "A", version: "1" },
              paths: {
                "/": {
                  get: {
                    operationId: "get",
                    responses: { 200: { description: "", content: { "application/json": { schema } } } },
                  },
                },
              },
              components: { schemas },
            },
          },
        },
      },
      bounds === undefined ? {} : { bounds },
    )
  const node = {
    type: "object",
    required: ["next"],
    properties: { next: { $ref: "#/components/schemas/Node" } },
  }

  it.each<[string, unknown, string]>([
    ["values", { enum: ["a", 1, null, true] }, `{ body: "a" | 1 | null | true }`],
    ["a list", { type: "array", items: { type: ["string", "null"] } }, "{ body: (string | null)[] }"],
    [
      "a list of positions",
      { type: "array", prefixItems: [{ type: "string" }], items: { type: "number" } },
      "{ body: (string | number)[] }",
    ],
    [
      "a map",
      { type: "object", additionalProperties: { type: "number" } },
      "{ body: { [name: string]: number } }",
    ],
    ["an open object", { type: "object" }, "{ body: { [name: string]: unknown } }"],
    [
      "an object with named and additional properties",
      { type: "object", properties: { a: { type: "string" } }, additionalProperties: true },
      "  a?: string\n  [name: string]: unknown\n",
    ],
    [
      "names that match a pattern",
      { type: "object", properties: { a: {} }, patternProperties: { "^x-": { type: "string" } } },
      "  a?: unknown\n  [name: string]: unknown\n",
    ],
    ["nothing", {}, "{ body: unknown }"],
    [
      "an array of itself",
      { $id: "urn:x", type: "array", items: { $ref: "#/components/schemas/List" } },
      "unknown",
    ],
  ])("have %s", async (_, schema, wanted) => {
    const text = await ofSchema(schema, {
      List: { type: "array", items: { $ref: "#/components/schemas/List" } },
    })
    expect(text).toContain(wanted)
    expect(() => parse(text)).not.toThrow()
  })

  it("name a recursive schema once", async () => {
    const text = await ofSchema({ $ref: "#/components/schemas/Node" }, { Node: node })
    expect(text.match(/interface Node \{\n {2}next: Node\n\}/g)).toHaveLength(1)
  })

  it("are cut off in an unbounded document", async () => {
    const schemas: Record<string, unknown> = {}
    for (let at = 0; at < 500; at++) {
      const next = { $ref: `#/components/schemas/S${at + 1}` }
      schemas[`S${at}`] = { type: "object", properties: { next, text: { type: "string" } } }
    }
    schemas["S500"] = { type: "string" }
    const root = { $ref: "#/components/schemas/S0" }
    const few = await ofSchema(root, schemas, { types: 20, characters: 100_000 })
    expect(few.match(/^interface S\d/gm)).toHaveLength(20)
    expect(few).toContain("  next?: unknown\n")
    const short = await ofSchema(root, schemas, { types: 10_000, characters: 500 })
    expect(short.length).toBeLessThan(4_000)
    expect(() => parse(short)).not.toThrow()
  })
})

const parse = (text: string): unknown => parseAst(text, { lang: "ts" }, "index.d.ts")

describe("hostile names", () => {
  const hostile = fc.oneof(
    fc.constantFrom(
      "__proto__",
      "constructor",
      "*/",
      "`",
      "${a}",
      "\\",
      '"',
      "'",
      "\n",
      "\u2028",
      "\ud800",
      "日本",
      "class",
      "Inputs",
      "unknown",
      "1",
      "env",
      "callsheet: absent",
      "",
    ),
    fc.string({ unit: "binary", maxLength: 12 }),
    fc.string({ unit: "grapheme", maxLength: 12 }),
  )

  it("never break the generated code", async () => {
    const anything = fc.record({
      id: hostile,
      iterator: hostile,
      input: hostile,
      key: hostile,
      schema: hostile,
      output: hostile,
      exported: hostile,
      value: hostile,
    })
    await fc.assert(
      fc.asyncProperty(anything, async (name) => {
        const response = {
          description: "",
          headers: { [name.key]: {} },
          content: { "application/json": { schema: { $ref: "#/components/schemas/X" } } },
        }
        const X = {
          type: "object",
          required: [name.key],
          properties: {
            [name.key]: { enum: [name.value] },
            more: { type: "object", properties: { [name.schema]: {} } },
          },
        }
        const text = await typesOf({
          workflows: {
            [name.id]: {
              version: 1,
              inputs: { [name.input]: { type: "string", description: name.value } },
              blocks: [
                { id: name.id, type: "request", request: { api: "a", operation: "get" } },
                {
                  id: `loop ${name.id}`,
                  type: "loop",
                  mode: "times",
                  count: 2,
                  iteratorVar: name.iterator,
                  blocks: [
                    {
                      id: `${name.id}{{${name.iterator}}}`,
                      type: "transform",
                      transforms: { [name.output]: `${name.id}.response.body` },
                    },
                  ],
                },
                { id: "check", type: "assert", script: { name: "checks", exportName: name.exported } },
                { id: "plan", type: "transform", script: { name: "checks", exportName: name.exported } },
                { id: "later", type: "assert", script: { name: "checks", exportName: name.output } },
              ],
            },
          },
          apis: {
            a: {
              document: {
                openapi: "3.1.0",
                info: { title: "A", version: "1" },
                paths: { "/": { get: { operationId: "get", responses: { 200: response } } } },
                components: { schemas: { X } },
              },
            },
          },
          scripts: { checks: [] },
        })
        expect(text).toContain("export type AssertContext")
        parse(text)
      }),
      { numRuns: 300 },
    )
  })
})
