import { describe, expect, it } from "vitest"
import { checkDocument } from "./check-document.ts"
import { readDocument } from "../document/read-document.ts"
import { componentsOf as components, problemsIn, readerOf as reader } from "../testing/problems-in.ts"

describe("references of a document", () => {
  it("are reported at the $ref if the target doesn't exist", async () => {
    const text = [
      "openapi: 3.0.0",
      "paths:",
      "  /a:",
      "    get:",
      "      responses:",
      "        default:",
      "          $ref: '#/components/responses/Gone'",
    ].join("\n")
    expect(await problemsIn(text)).toEqual([
      'apis/shop/openapi.yaml:7:18: #/paths/~1a/get/responses/default/$ref: the reference "#/components/responses/Gone" does not resolve: the document has nothing at "#/components/responses/Gone" (document-invalid)',
    ])
  })

  it("are reported by the file that contains them, however many files away", async () => {
    const files = {
      "apis/shop/paths/orders.yaml":
        "get:\n  responses:\n    200:\n      content:\n        application/json:\n          schema:\n            $ref: ../schemas/order.json#/Order\n",
      "apis/shop/schemas/order.json": `{"Order": {"properties": {\n"customer": {"$ref": "../../shared/customer.yaml"},\n"gone": {"$ref": "#/Gone"}}}}`,
    }
    const text = "openapi: 3.1.0\npaths:\n  /orders:\n    $ref: paths/orders.yaml\n"
    expect(await problemsIn(text, files)).toEqual(
      [
        'apis/shop/schemas/order.json:3:18: #/Order/properties/gone/$ref: the reference "#/Gone" does not resolve: apis/shop/schemas/order.json has nothing at "#/Gone" (document-invalid)',
        `apis/shop/schemas/order.json:2:22: #/Order/properties/customer/$ref: the reference "../../shared/customer.yaml" does not resolve: apis/shared/customer.yaml: can't read the file: it does not exist (file-unreadable)`,
      ]
        .sort()
        .reverse(),
    )
  })

  it("are reported by their positions in lists", async () => {
    const parameters = [{ name: "a", in: "query" }, { $ref: "#/gone" }]
    const text = JSON.stringify({ openapi: "3.1.0", paths: { "/a": { parameters } } }, undefined, 1)
    for (const file of ["a.json", "a.yaml"])
      expect(await problemsIn(text, {}, file)).toEqual([
        expect.stringMatching(`^${file}:11:1[45]: #/paths/~1a/parameters/1`),
      ])
  })

  it.each([
    ["http://127.0.0.1/x.json", "references to URLs"],
    ["https://example.com/x.json#/A", "references to URLs"],
    ["file:///etc/passwd", "references to URLs"],
    ["/etc/passwd", "stay inside the project"],
    ["//host/share/x.json", "stay inside the project"],
    ["\\\\\\\\host\\\\share\\\\x.json", "stay inside the project"],
    ["C:/x.json", "stay inside the project"],
  ])("that lead to %s are rejected, and nothing is requested", async (reference, why) => {
    const asked: string[] = []
    const text = `{"openapi": "3.1.0", "components": {"schemas": {"A": {"$ref": "${reference}"}}}}`
    const source = { file: "apis/shop/openapi.json", text }
    const { document } = await readDocument(source, { readFile: reader({}, asked) })
    const [problem, ...others] = await checkDocument(document!)
    expect(problem).toMatchObject({ code: "link-outside", severity: "error", line: 1, column: 63 })
    expect(problem?.message).toContain(why)
    expect(others).toEqual([])
    expect(asked).toEqual([])
  })

  it.each(["../../../etc/passwd", "%2e%2e/%2e%2e/%2e%2e/etc/passwd", "a/..%2f..%2f..%2f..%2fetc/passwd"])(
    "that lead to %s are rejected by the reader of the project, which knows what it may read",
    async (reference) => {
      const asked: string[] = []
      const text = `{"openapi": "3.1.0", "components": {"schemas": {"A": {"$ref": "${reference}"}}}}`
      const source = { file: "apis/shop/openapi.json", text }
      const { document } = await readDocument(source, { readFile: reader({}, asked) })
      const [problem] = await checkDocument(document!)
      expect(problem).toMatchObject({ severity: "error", line: 1, column: 63 })
      expect(new Set(asked)).toEqual(new Set(["../etc/passwd"]))
    },
  )

  it("resolve by a schema's $id, and fail if that schema has no such pointer", async () => {
    const schemas = {
      A: { $id: "https://example.com/a", $defs: { x: {} } },
      B: { $ref: "https://example.com/a#/$defs/x" },
      C: { $ref: "https://example.com/a#/$defs/y" },
      D: { $ref: "https://example.com/b" },
    }
    const [d, c, ...others] = await problemsIn(components(schemas))
    expect(c).toContain(`has nothing at "#/$defs/y"`)
    expect(d).toContain(
      `"https://example.com/b" does not resolve: callsheet doesn't follow references to URLs`,
    )
    expect(others).toEqual([])
  })

  it("that lead only to each other form a cycle", async () => {
    const A = { $ref: "#/components/schemas/B" }
    const B = { $ref: "#/components/schemas/A" }
    const problems = await problemsIn(components({ A, B }))
    expect(problems).toHaveLength(2)
    for (const problem of problems) expect(problem).toContain("the references form a cycle")
  })

  it("may form a cycle through schemas, across files", async () => {
    const files = {
      "apis/shop/node.yaml": "properties:\n  next: { $ref: openapi.json#/components/schemas/Node }\n",
    }
    const text = components({ Node: { properties: { child: { $ref: "node.yaml" } } } })
    expect(await problemsIn(text, files, "apis/shop/openapi.json")).toEqual([])
  })

  it("are not references in data, in extensions and as property names", async () => {
    const $ref = "gone.yaml"
    const data = { $ref, inner: { $ref } }
    const schema = {
      properties: { $ref: { type: "string" }, example: { type: "string" }, "x-y": {}, default: {} },
      example: data,
      examples: [data],
      enum: [data],
      const: data,
      default: data,
      "x-extension": data,
    }
    const content = {
      "application/json": { schema, example: data, examples: { one: { value: data } } },
    }
    const paths = {
      "/a": { get: { responses: { 200: { content }, "x-r": { $ref } }, "x-o": { $ref } } },
      "x-p": { $ref },
    }
    expect(await problemsIn(JSON.stringify({ openapi: "3.1.0", paths }))).toEqual([])
  })

  it("are found below properties named like keywords", async () => {
    const gone = { $ref: "#/gone" }
    const properties = { example: gone, default: gone, enum: gone, "x-y": gone, properties: gone }
    expect(await problemsIn(components({ A: { properties } }))).toHaveLength(5)
  })

  it("ignore their siblings before 3.1", async () => {
    const A = { $ref: "#/components/schemas/B", properties: { x: { $ref: "#/gone" } } }
    const [ignored, ...others] = await problemsIn(components({ A, B: {} }, "3.0.0"))
    expect(ignored).toContain(`OpenAPI 3.0 ignores "properties" beside "$ref"`)
    expect(others).toEqual([])
    expect(await problemsIn(components({ A, B: {} }, "3.1.0"))).toHaveLength(1)
  })

  it("to a malformed file are reported once, with what is wrong in that file", async () => {
    const text = components({ A: { $ref: "b.yaml#/A" }, B: { $ref: "b.yaml#/B" } })
    expect(await problemsIn(text, { "apis/shop/b.yaml": "a: 1\na: 2" })).toEqual([
      "apis/shop/b.yaml:2:1: duplicate key (yaml-syntax)",
    ])
  })

  it("in a discriminator mapping are warnings, and schema names are not references", async () => {
    const mapping = { a: "#/components/schemas/Gone", b: "Gone", c: "gone.yaml" }
    const problems = await problemsIn(components({ A: { discriminator: { propertyName: "k", mapping } } }))
    expect(problems).toHaveLength(2)
    for (const problem of problems) expect(problem).toMatch(/^warning: /)
  })

  it("are only counted beyond a hundred", async () => {
    const schemas = Object.fromEntries(
      Array.from({ length: 130 }, (_, index) => [`S${index}`, { $ref: "#/gone" }]),
    )
    const problems = await problemsIn(components(schemas))
    expect(problems).toHaveLength(101)
    expect(problems.join("\n")).toContain("30 more problems")
  })

  it("are followed to at most two thousand files", async () => {
    const files = new Proxy<Record<string, string>>(
      {},
      {
        get: (_, path) => {
          const index = Number(/(\d+)\.json$/.exec(String(path))?.[1] ?? 0)
          return `{"properties": {"next": {"$ref": "${index + 1}.json"}}}`
        },
      },
    )
    const problems = await problemsIn(components({ A: { $ref: "0.json" } }), files)
    expect(problems).toHaveLength(1)
    expect(problems[0]).toContain("the document refers to more than 2000 files")
  })

  it("are followed to at most 256 MiB of files", async () => {
    // The maximum size of a file.
    const bytes = new Uint8Array(64 * 1024 * 1024)
    const readFile = (file: string) => {
      const next = Number(/(\d+)\.json$/.exec(file)?.[1] ?? 0) + 1
      const text = `{"properties": {"next": {"$ref": "${next}.json"}}}`
      return { ok: true, value: { file, text, bytes } } as const
    }
    const source = { file: "a.json", text: components({ A: { $ref: "0.json" } }) }
    const { document } = await readDocument(source, { readFile })
    const problems = await checkDocument(document!)
    expect(problems.map(({ file, message }) => [file, message])).toEqual([
      ["3.json", expect.stringContaining("the document refers to more than 256 MiB of files")],
    ])
  })

  it("nest as deep as a file may, without a stack overflow", async () => {
    const depth = 100_000
    const text = `{"openapi": "3.1.0", "components": {"schemas": {"A": ${'{"not":'.repeat(depth)}{"$ref": "#/gone"}${"}".repeat(depth)}}}}`
    expect(await problemsIn(text, {}, "a.json").catch((error: unknown) => String(error))).toHaveLength(1)
  })
})

describe("patterns of a document", () => {
  it("that are not valid regular expressions are warnings, and those without the u flag are fine", async () => {
    const A = { pattern: "(", patternProperties: { "[": { pattern: "^\\-\\_$" } } }
    expect(await problemsIn(components({ A }), {}, "a.json")).toEqual([
      'warning: a.json:7:16: #/components/schemas/A/pattern: the pattern "(" is not a valid regular expression, so callsheet accepts any string (document-invalid)',
      'warning: a.json:9:11: #/components/schemas/A/patternProperties/[: the pattern "[" is not a valid regular expression, so callsheet accepts any string (document-invalid)',
    ])
  })
})
