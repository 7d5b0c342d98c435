import { describe, expect, it } from "vitest"
import { problemsIn, saidOf } from "../testing/problems-in.ts"

type Row = readonly [schema: object, words: readonly string[], version?: string]

const inVersions = <T extends object>(only: string | undefined, row: T) =>
  (only === undefined ? ["2.0", "3.0.3", "3.1.0", "3.2.0"] : [only]).map((version) => ({ ...row, version }))

describe("a schema that can never have the effect that its author wants", () => {
  const rows: readonly Row[] = [
    [
      { type: "string", enum: ["07", 8, 9] },
      ["/enum/1: ", `8 and 9 in "enum" never match the type "string"`, "quotes"],
    ],
    [{ type: "string", enum: [true, false] }, ["/enum/0: ", "true and false", "quotes"]],
    [{ type: "string", enum: [1.5] }, [`1.5 in "enum" never matches`]],
    [{ type: "string", const: 8 }, ["/const: ", "quotes"], "3.1.0"],
    [{ type: "string", default: 5 }, ["/default: "]],
    [{ type: "integer", enum: ["1", "2"] }, ["remove the quotes"]],
    [{ type: "integer", enum: [1, 2.5] }, ["/enum/1: "]],
    [{ type: "boolean", enum: ["yes", "no"] }, [`"yes" and "no"`]],
    [{ type: "array", items: { type: "string" }, enum: ["a"] }, [`move it to "items"`]],
    [{ type: "string", enum: ["a", null] }, [`"nullable": true`], "3.0.3"],
    [{ type: "string", enum: ["a", null] }, [`"x-nullable": true`], "2.0"],
    [{ type: "string", enum: ["a", null] }, [`add "null" to "type"`], "3.1.0"],
    [{ type: ["string", "boolean"], enum: ["a", 1] }, [`the type "string" or "boolean"`], "3.1.0"],
    [{ minimum: 5, maximum: 3 }, ["/minimum: ", `"minimum" is 5, and "maximum" is 3`]],
    [{ minLength: 5, maxLength: 3 }, ["/minLength: "]],
    [{ minItems: 2, maxItems: 1 }, ["/minItems: "]],
    [{ minProperties: 2, maxProperties: 1 }, ["/minProperties: "]],
    [{ minimum: 5, maximum: 5, exclusiveMinimum: true }, ["no value can match"], "3.0.3"],
    [{ exclusiveMinimum: 5, maximum: 5 }, ["no value can match"], "3.1.0"],
    [{ contains: {}, minContains: 3, maxContains: 2 }, ["no value can match"], "3.1.0"],
    [{ exclusiveMaximum: true }, [`"exclusiveMaximum" has no effect without "maximum"`], "3.0.3"],
    [{ then: {} }, [`no effect without "if"`], "3.1.0"],
    [{ minContains: 2 }, [`no effect without "contains"`], "3.2.0"],
    [{ type: "string", minimum: 3 }, ["/minimum: ", "has no effect"]],
    [{ type: "integer", pattern: "^1" }, ["/pattern: ", "has no effect"]],
    [{ type: "array", properties: { a: {} } }, ["/properties: ", "has no effect"]],
    [{ type: "object", minLength: 1 }, ["/minLength: ", "has no effect"]],
    [{ type: "object", items: { type: "string" } }, ["/items: ", "has no effect"]],
    [
      { required: ["id"], properties: { idd: {} }, additionalProperties: false },
      ["/required/0: ", "no object can match", `did you mean "idd"?`],
    ],
    [{ type: "string", nullable: true }, [`has no "nullable"`, `"type": ["string", "null"]`], "3.1.0"],
    [{ type: ["string", "integer"], nullable: true }, [`add "null" to "type"`], "3.2.0"],
    [{ oneOf: [{ type: "string" }], nullable: true }, [`"anyOf"`], "3.1.0"],
    [
      { $ref: "#/components/schemas/B", required: ["id"] },
      [`ignores "required" beside "$ref"`, "allOf"],
      "3.0.3",
    ],
    [{ $ref: "#/components/schemas/B", minLength: 1 }, [`ignores "minLength" beside "$ref"`], "2.0"],
  ]
  it.each(rows.flatMap(([schema, words, only]) => inVersions(only, { schema, words })))(
    "is one warning about $schema in $version",
    async ({ schema, words, version }) => {
      const said = await saidOf(schema, version)
      expect(said).toHaveLength(1)
      expect(said[0]).toMatch(/^warning: .*\(document-standard\)/)
      for (const word of words) expect(said[0]).toContain(word)
    },
  )

  const fine: readonly (readonly [schema: object, version?: string])[] = [
    [{ type: "string", enum: ["08", "09"] }],
    [{ type: "number", enum: [1, 1.5] }],
    [{ type: "integer", enum: [1.0, 2] }],
    [{ enum: ["a", 1, null] }],
    [{ type: "string", nullable: true, enum: ["a", null] }, "3.0.3"],
    [{ type: ["string", "null"], enum: ["a", null] }, "3.1.0"],
    [{ type: ["string", "null"], nullable: true }, "3.1.0"],
    [{ type: "string", nullable: false }, "3.1.0"],
    [{ minimum: 5, maximum: 5 }],
    [{ minimum: 0, exclusiveMinimum: true }, "3.0.3"],
    [{ type: "integer", minimum: 1, format: "int64" }],
    [{ type: ["string", "integer"], minimum: 1, pattern: "a" }, "3.1.0"],
    [{ minLength: 1, minimum: 1 }],
    [{ required: ["id"], properties: { idd: {} } }],
    [{ required: ["id"], patternProperties: { "^i": {} }, additionalProperties: false }, "3.1.0"],
    [{ $ref: "#/components/schemas/B", description: "d", nullable: true }, "3.0.3"],
    [{ $ref: "#/components/schemas/B", required: ["id"] }, "3.1.0"],
  ]
  it.each(fine.flatMap(([schema, only]) => inVersions(only, { schema })))(
    "is not one like $schema in $version",
    async ({ schema, version }) => {
      expect(await saidOf(schema, version)).toEqual([])
    },
  )

  it("is found in YAML, where numbers need quotes to be text", async () => {
    const text = [
      "openapi: 3.0.3",
      "info: { title: t, version: '1' }",
      "paths: {}",
      "components:",
      "  schemas:",
      "    Month: { type: string, enum: ['07', 08, 09] }",
      "    Version: { type: string, enum: [1.0, 1.1] }",
      "    Flag: { type: string, enum: [true, 'false'] }",
      "    Day: { type: string, enum: [2024-01-01, on, no] }",
      "    Empty: { type: string, enum: [~, a] }",
    ].join("\n")
    const said = await problemsIn(text)
    expect(said.map((line) => line.slice(0, line.indexOf(": #"))).sort()).toEqual([
      "warning: apis/shop/openapi.yaml:10:35",
      "warning: apis/shop/openapi.yaml:6:41",
      "warning: apis/shop/openapi.yaml:7:37",
      "warning: apis/shop/openapi.yaml:8:34",
    ])
  })

  it("is found in the parameters, headers and items of 2.0, which are schemas too", async () => {
    const parameter = { name: "a", in: "query", type: "string", pattern: "\\A1" }
    const list = { name: "b", in: "query", type: "array", items: { type: "string", enum: [1] } }
    const headers = { "X-A": { type: "string", minLength: 3, maxLength: 2 } }
    const get = { parameters: [parameter, list], responses: { 200: { description: "d", headers } } }
    const said = await problemsIn(JSON.stringify({ swagger: "2.0", paths: { "/x": { get } } }, undefined, 1))
    expect(said).toHaveLength(3)
  })
})

describe("a pattern of another language", () => {
  it.each<readonly [pattern: string, part: string, words: string]>([
    ["\\A[a-z]+\\z", "\\A", `write "^"`],
    ["^[a-z]+\\Z", "\\Z", `write "$"`],
    ["^\\h*$", "\\h", "[ \\t]"],
    ["a\\R", "\\R", "\\n"],
    ["\\Q1.5\\E", "\\Q", "escape each character"],
    ["\\e\\[", "\\e", "\\x1b"],
    ["\\G\\d", "\\G", "the letter G"],
    ["\\i\\c*", "\\i", "the letter i"],
    ["\\x{41}", "\\x{41}", "four digits"],
    ["\\p{IsGreek}+", "\\p{IsGreek}", "\\p{L}"],
    ["\\p{L}+\\-\\p{L}+", "\\p{L}", "the letter p"],
    ["^[[:alpha:]]+$", "[[:alpha:]]", `write "[a-zA-Z]"`],
    ["^[[:digit:]_]+$", "[[:digit:]]", `write "[0-9]"`],
    ["[a-z&&[^aeiou]]", "&&[^aeiou]", "(?!"],
    ["[a-z-[aeiou]]", "-[aeiou]", "(?!"],
    ["/^[a-z]+$/", "/…/", "remove the delimiters"],
    ["/[a-z]+/i", "/…/i", `the flag "i"`],
    ["#^a$#ui", "#…#ui", `the flags "ui"`],
    ["a{,3}\\-", "{,3}", `write "{0,3}"`],
    ["^\\\\d{4}$", "\\\\d", "one backslash"],
    ["^[\\\\w.]+$", "\\\\w", "one backslash"],
  ])("%s is a warning that names %s", async (pattern, part, words) => {
    for (const schema of [{ pattern }, { patternProperties: { [pattern]: {} } }]) {
      const said = await saidOf(schema, "3.1.0")
      expect(said).toHaveLength(1)
      expect(said[0]).toContain(`the pattern has "${part}", which JavaScript reads as `)
      expect(said[0]).toContain(words)
    }
  })

  it.each<readonly [pattern: string, part: string, words: string]>([
    ["(?i)yes", "(?i)", "[aA]"],
    ["^(?x) a b", "(?x)", "flags"],
    ["(?P<year>\\d+)", "(?P<year>", "(?<name>…)"],
    ["(?P<y>a)(?P=y)", "(?P<y>", "(?<name>…)"],
    ["(?>a+)b", "(?>", "(?:…)"],
    ["a++", "++", "second plus"],
    ["[a-z]*+x", "*+", "second plus"],
    ["(?#note)a", "(?#note)", "comment"],
    ["(a)?(?(1)b|c)", "(?(", "conditions"],
    ["(?R)", "(?R", "recursion"],
  ])("%s is not valid, and the hint names %s", async (pattern, part, words) => {
    const said = await saidOf({ pattern }, "3.0.3")
    expect(said).toHaveLength(1)
    expect(said[0]).toContain("is not a valid regular expression, so callsheet accepts any string")
    expect(said[0]).toContain(`hint: "${part}" is from another language`)
    expect(said[0]).toContain(words)
  })

  it.each([
    "^\\d{4}-\\d{2}$",
    "^[\\w.+-]+@[\\w-]+\\.[\\w.]+$",
    "^\\/api\\/[^/]+\\/$",
    "/api/v1/",
    "^\\p{L}[\\p{L}\\d]*$",
    "^\\_\\-\\@\\#$",
    "\\bword\\b",
    "^(?<year>\\d+)\\k<year>(?=x)(?<!y)$",
    "^C:\\\\Windows\\\\",
    "[^\\\\/]+",
    "\\u0041\\x41\\0\\cA",
    "^[:a-z]+$",
    "^a{3,}b{1,2}$",
    "[[\\]-]",
    "#tag#",
    "",
  ])("is not %s", async (pattern) => {
    expect(await saidOf({ pattern }, "3.0.3")).toEqual([])
  })
})
