import { describe, expect, it } from "vitest"
import { formatProblem } from "@callsheet/format"
import { readDocument } from "./read-document.ts"

const read = (text: string, file = "openapi.json") => readDocument({ file, text })
const problems = async (text: string, file?: string): Promise<readonly string[]> =>
  (await read(text, file)).problems.map(formatProblem)

describe("a document in JSON", () => {
  it("is read with its version, at any patch level", async () => {
    for (const [written, version] of [
      ["3.0.0", "3.0"],
      ["3.0.4", "3.0"],
      ["3.1.1", "3.1"],
      ["3.2.0", "3.2"],
      ["3.1.0-rc1", "3.1"],
    ]) {
      const { document } = await read(`{"openapi": "${written}", "paths": {}}`)
      expect(document?.version).toBe(version)
    }
  })

  it.each([
    ["{", "openapi.json:1:2: expected a key in double quotes, received the end of the file (json-syntax)"],
    ["", "openapi.json:1:1: the file is empty; expected a JSON value (json-syntax)"],
    [
      `{"openapi": "3.0.0",\n "paths": {"/a": {}, "/a": {}}}`,
      `openapi.json:2:22: duplicate key "/a" (json-syntax)`,
    ],
    ["[]", "openapi.json:1:1: an OpenAPI document must be an object (document-invalid)"],
    ["{}", `openapi.json:1:1: "openapi", the version of the document, is missing (document-invalid)`],
    [`{"openapi": 3.1}`, `openapi.json:1:13: "openapi" must be a string (document-invalid)`],
    [`{\n"openapi": "4.0.0"}`, `openapi.json:2:12: unknown OpenAPI version "4.0.0" (document-invalid)`],
    [`{"openapi": "3.0"}`, `openapi.json:1:1: "paths" is missing (document-invalid)`],
    [`{"openapi": "3.1.0", "paths": []}`, `openapi.json:1:31: "paths" must be an object (document-invalid)`],
    [`{"swagger": "2.0"}`, `openapi.json:1:1: "paths" is missing (document-invalid)`],
    [`{"swagger": "1.2"}`, `openapi.json:1:13: unknown OpenAPI version "1.2" (document-invalid)`],
  ])("%j is rejected with a position", async (text, problem) => {
    expect(await problems(text)).toEqual([problem])
    expect((await read(text)).document).toBeUndefined()
  })

  it("may be Swagger 2.0", async () => {
    expect((await read(`{"swagger": "2.0", "paths": {}}`)).document?.version).toBe("2.0")
  })

  it("needs no paths from 3.1 on", async () => {
    expect(await problems(`{"openapi": "3.1.0"}`)).toEqual([])
  })
})

describe("a document in YAML", () => {
  const yaml = (text: string) => problems(text, "openapi.yaml")

  it("is read by YAML 1.2: `no`, `on` and dates are text", async () => {
    const { document } = await read("openapi: 3.1.0\nx: [no, on, 2024-01-01, 0x10, ~, 1.0]", "openapi.yml")
    expect(document?.root["x"]).toEqual(["no", "on", "2024-01-01", 16, null, 1])
  })

  it("keeps every digit of big integers, and accepts numbers as keys", async () => {
    const { document } = await read("openapi: 3.1.0\nx: {200: -9223372036854775808}", "openapi.yaml")
    expect(document?.root["x"]).toEqual({ "200": -9223372036854775808n })
  })

  it("merges with <<", async () => {
    const { document } = await read("openapi: 3.1.0\na: &a {b: 1, c: 2}\nx: {<<: *a, b: 3}", "openapi.yaml")
    expect(document?.root["x"]).toEqual({ b: 3, c: 2 })
  })

  it("keeps keys of any name as own keys", async () => {
    const { document } = await read("openapi: 3.1.0\n__proto__: {polluted: 1}", "openapi.yaml")
    expect(Object.keys(document!.root)).toContain("__proto__")
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined()
  })

  it.each([
    ["openapi: 3.1.0\na: 1\na: 2", "openapi.yaml:3:1: duplicate key (yaml-syntax)"],
    [
      "openapi: 3.1.0\na: !!js/function x",
      "openapi.yaml:2:4: unknown scalar tag !<tag:yaml.org,2002:js/function> (yaml-syntax)",
    ],
    ["openapi: 3.1.0\na: *gone", `openapi.yaml:2:5: unidentified alias "gone" (yaml-syntax)`],
    ["a: &a [*a]", "openapi.yaml:1:8: an alias is inside the anchor that it refers to (yaml-syntax)"],
    ["a: 1\n---\nb: 2", "openapi.yaml:1:1: the file contains more than one YAML document (yaml-syntax)"],
    [
      "a: 1\n<<<<<<< HEAD\nb: [\n",
      "openapi.yaml:2:1: the file has conflict markers from an unfinished merge (file-conflict)",
    ],
    ["", "openapi.yaml:1:1: an OpenAPI document must be an object (document-invalid)"],
    ["openapi: 3.1", `openapi.yaml:1:10: "openapi" must be a string (document-invalid)`],
    [
      "info: {openapi: x}\n\nopenapi: 3.0.0\npaths:\n  - a",
      `openapi.yaml:5:3: "paths" must be an object (document-invalid)`,
    ],
    ["openapi: 3.0.0\npaths:", `openapi.yaml:2:1: "paths" must be an object (document-invalid)`],
    [`swagger: 2.0`, `openapi.yaml:1:10: "swagger" must be a string (document-invalid)`],
  ])("%j is rejected with a position", async (text, problem) => {
    expect(await yaml(text)).toEqual([problem])
  })

  it("rejects excessive nesting at once", async () => {
    const [problem] = await yaml(`a: ${"[".repeat(100_000)}`)
    expect(problem).toMatch(/^openapi\.yaml:1:\d+: nesting exceeded/)
  })

  it("accepts aliases that repeat a few values, and rejects a few lines that expand to many", async () => {
    const few = `a: &a [${"x, ".repeat(100)}x]`
    const operations = Array.from({ length: 400 }, (_, index) => `o${index}: [*a]`).join("\n")
    expect(await yaml(`openapi: 3.1.0\n${few}\n${operations}`)).toEqual([])
    const lines = [`openapi: 3.1.0\n${few}`]
    for (const [from, to] of ["ab", "bc", "cd"])
      lines.push(`${to}: &${to} [${Array(10).fill(`*${from}`).join(", ")}]`)
    expect(await yaml(lines.join("\n"))).toEqual([
      "openapi.yaml:3:8: the aliases expand to too much data (yaml-syntax)",
    ])
  })

  it("rejects an exponential expansion of aliases at once", async () => {
    const lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    for (let level = 1; level < 10; level++)
      lines.push(
        `a${level}: &a${level} [${Array(10)
          .fill(`*a${level - 1}`)
          .join(", ")}]`,
      )
    const started = performance.now()
    expect(await yaml(lines.join("\n"))).toEqual([
      "openapi.yaml:2:10: the aliases expand to too much data (yaml-syntax)",
    ])
    expect(performance.now() - started).toBeLessThan(1000)
  })
})
