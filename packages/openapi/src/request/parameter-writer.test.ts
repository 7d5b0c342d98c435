import { describe, expect, it } from "vitest"
import type { JsonObject, JsonValue } from "@callsheet/format"
import type { Parameter } from "../document/parameters.ts"
import { operationOf, type Version } from "../testing/document-of.ts"
import { writeCookies, writeHeader, writePath, writeQuery, writerOf } from "./parameter-writer.ts"

interface Written {
  readonly version?: Version
  /** The parameter as written in the document. By default, it is named `color` and is in the query. */
  readonly parameter: JsonObject
  readonly components?: JsonObject
}

/** Returns the text on the wire, or `nothing` if the parameter is left out. */
async function written({ version = "3.1", parameter, components = {} }: Written, text: string) {
  const described = { name: "color", in: "query", ...parameter }
  const { operation } = await operationOf({ parameters: [described] }, { version, components })
  const place = (described.in === "querystring" ? "query" : described.in) as Parameter["in"]
  const { name } = described
  const given = { text, writer: writerOf(operation, { in: place, name }) }
  switch (place) {
    case "path":
      return writePath(name, given) ?? "nothing"
    case "header":
      return writeHeader(name, given) ?? "nothing"
    case "query":
      return join(writeQuery(name, given), "&")
    case "cookie":
      return join(writeCookies(name, given), "; ")
  }
}

const join = (pairs: readonly (readonly [string, string?])[], delimiter: string): string =>
  pairs.length === 0
    ? "nothing"
    : pairs.map(([name, value]) => (value === undefined ? name : `${name}=${value}`)).join(delimiter)

const types = {
  text: { type: "string" },
  list: { type: "array", items: { type: "string" } },
  object: { type: "object", additionalProperties: { type: "integer" } },
}

const list = `["blue","black","brown"]`
const object = `{"R":100,"G":200,"B":150}`

describe.each(["3.0", "3.1", "3.2"] as const)("the examples of OpenAPI %s", (version) => {
  // "Style Examples": style, location, explode, then the result for a string, a list and an object. `undefined` means
  // that the specification has no result.
  const examples: readonly [string, string, boolean, string, string | undefined, string | undefined][] = [
    ["matrix", "path", false, ";color=blue", ";color=blue,black,brown", ";color=R,100,G,200,B,150"],
    ["matrix", "path", true, ";color=blue", ";color=blue;color=black;color=brown", ";R=100;G=200;B=150"],
    ["label", "path", false, ".blue", ".blue,black,brown", ".R,100,G,200,B,150"],
    ["label", "path", true, ".blue", ".blue.black.brown", ".R=100.G=200.B=150"],
    ["simple", "path", false, "blue", "blue,black,brown", "R,100,G,200,B,150"],
    ["simple", "path", true, "blue", "blue,black,brown", "R=100,G=200,B=150"],
    ["simple", "header", false, "blue", "blue,black,brown", "R,100,G,200,B,150"],
    ["simple", "header", true, "blue", "blue,black,brown", "R=100,G=200,B=150"],
    ["form", "query", false, "color=blue", "color=blue,black,brown", "color=R,100,G,200,B,150"],
    ["form", "query", true, "color=blue", "color=blue&color=black&color=brown", "R=100&G=200&B=150"],
    [
      "spaceDelimited",
      "query",
      false,
      "color=blue",
      "color=blue%20black%20brown",
      "color=R%20100%20G%20200%20B%20150",
    ],
    [
      "pipeDelimited",
      "query",
      false,
      "color=blue",
      "color=blue%7Cblack%7Cbrown",
      "color=R%7C100%7CG%7C200%7CB%7C150",
    ],
    // Versions 3.0.0 to 3.0.3 give these styles the result of `form`. From 3.0.4 on, they are undefined.
    ["spaceDelimited", "query", true, "color=blue", "color=blue&color=black&color=brown", undefined],
    ["pipeDelimited", "query", true, "color=blue", "color=blue&color=black&color=brown", undefined],
    [
      "deepObject",
      "query",
      true,
      "color=blue",
      undefined,
      "color%5BR%5D=100&color%5BG%5D=200&color%5BB%5D=150",
    ],
    [
      "deepObject",
      "query",
      false,
      "color=blue",
      undefined,
      "color%5BR%5D=100&color%5BG%5D=200&color%5BB%5D=150",
    ],
    ["form", "cookie", true, "color=blue", "color=blue; color=black; color=brown", "R=100; G=200; B=150"],
    ["cookie", "cookie", true, "color=blue", "color=blue; color=black; color=brown", "R=100; G=200; B=150"],
    ["cookie", "cookie", false, "color=blue", undefined, undefined],
  ]

  it.each(examples)("are those of %s in the %s with explode %s", async (style, place, explode, ...wanted) => {
    const parameter = { in: place, style, explode }
    const cases = [
      [types.text, "blue"],
      [types.list, list],
      [types.object, object],
    ] as const
    for (const [at, [schema, text]] of cases.entries())
      if (wanted[at] !== undefined)
        expect(await written({ version, parameter: { ...parameter, schema } }, text)).toBe(wanted[at])
  })

  it.each([
    ["query", "color=blue&color=black&color=brown"],
    ["path", "blue,black,brown"],
    ["header", "blue,black,brown"],
    ["cookie", "color=blue; color=black; color=brown"],
  ])("have the style of the %s if none is stated", async (place, expected) => {
    expect(await written({ version, parameter: { in: place, schema: types.list } }, list)).toBe(expected)
  })

  it.each([
    ["query", "form", "color="],
    ["cookie", "form", "color="],
    ["header", "simple", ""],
  ])("keep an empty string in the %s", async (place, style, expected) => {
    expect(await written({ version, parameter: { in: place, style, schema: types.text } }, "")).toBe(expected)
  })

  it.each([
    ["form", "query", true],
    ["form", "query", false],
    ["pipeDelimited", "query", false],
    ["deepObject", "query", true],
    ["simple", "path", false],
    ["label", "path", true],
    ["matrix", "path", false],
    ["matrix", "path", true],
    ["simple", "header", true],
    ["form", "cookie", true],
  ])("leave out an empty %s in the %s with explode %s", async (style, place, explode) => {
    const parameter = { in: place, style, explode }
    if (style !== "deepObject")
      expect(await written({ version, parameter: { ...parameter, schema: types.list } }, "[]")).toBe(
        "nothing",
      )
    expect(await written({ version, parameter: { ...parameter, schema: types.object } }, "{}")).toBe(
      "nothing",
    )
  })
})

describe("RFC 6570", () => {
  const query = (more: JsonObject) => ({ parameter: { name: "x", ...more } })

  it("leaves out null and keeps empty values", async () => {
    expect(await written(query({ schema: types.list }), `["a",null,"","b"]`)).toBe("x=a&x=&x=b")
    expect(await written(query({ schema: types.object }), `{"a":1,"b":null,"c":""}`)).toBe("a=1&c=")
    expect(await written(query({ schema: types.list }), "[null]")).toBe("nothing")
    const matrix = { in: "path", style: "matrix", explode: true }
    expect(await written(query({ ...matrix, schema: types.list }), `["a",""]`)).toBe(";x=a;x")
    expect(await written(query({ ...matrix, schema: types.object }), `{"a":"","b":1}`)).toBe(";a;b=1")
  })

  it("encodes every reserved character of an item, and no delimiter between items", async () => {
    const items = `[":/?#[]@","!$&'()*+,;="," \\"%|~-._ü😀"]`
    const a = "%3A%2F%3F%23%5B%5D%40"
    const b = "%21%24%26%27%28%29%2A%2B%2C%3B%3D"
    const c = "%20%22%25%7C~-._%C3%BC%F0%9F%98%80"
    const schema = types.list
    expect(await written(query({ schema, explode: false }), items)).toBe(`x=${a},${b},${c}`)
    expect(await written(query({ schema }), items)).toBe(`x=${a}&x=${b}&x=${c}`)
    expect(await written(query({ schema, style: "pipeDelimited" }), items)).toBe(`x=${a}%7C${b}%7C${c}`)
    expect(await written(query({ schema, in: "path" }), items)).toBe(`${a},${b},${c}`)
    expect(await written(query({ schema, in: "path", style: "label", explode: true }), items)).toBe(
      `.${a}.${b}.${c}`,
    )
  })

  it("encodes names and keys", async () => {
    const parameter = { name: "ids[] ü&=", schema: types.list }
    expect(await written({ parameter }, `["1"]`)).toBe("ids%5B%5D%20%C3%BC%26%3D=1")
    expect(await written(query({ schema: types.object }), `{"a b":"=&","[":1}`)).toBe("a%20b=%3D%26&%5B=1")
    const deep = query({ style: "deepObject", schema: types.object })
    expect(await written(deep, `{"a b":"=&","__proto__":1}`)).toBe("x%5Ba%20b%5D=%3D%26&x%5B__proto__%5D=1")
  })

  it.each([
    ["3.0", "query", `x=:/?[]@!$&'()*+,;=%23%41%25%20%C3%BC%7C`],
    ["3.1", "query", `x=:/?[]@!$&'()*+,;=%23%41%25%20%C3%BC%7C`],
    ["3.2", "query", `x=:/?[]@!$&'()*+,;=%23%41%25%20%C3%BC%7C`],
    // A path segment ends at `/`, `?` and `#`, and can't contain brackets.
    ["3.2", "path", `:%2F%3F%5B%5D@!$&'()*+,;=%23%41%25%20%C3%BC%7C`],
    // Earlier versions have it only in queries.
    ["3.1", "path", "%3A%2F%3F%5B%5D%40%21%24%26%27%28%29%2A%2B%2C%3B%3D%23%2541%25%20%C3%BC%7C"],
  ] as const)(
    "keeps the characters that allowReserved of %s allows in the %s",
    async (version, place, expected) => {
      const parameter = { name: "x", in: place, allowReserved: true, schema: types.text }
      expect(await written({ version, parameter }, ":/?[]@!$&'()*+,;=#%41% ü|")).toBe(expected)
    },
  )

  it("encodes the name of a matrix parameter whatever allowReserved allows", async () => {
    const parameter = { name: "a:b", in: "path", style: "matrix", allowReserved: true, schema: types.list }
    expect(await written({ version: "3.2", parameter }, `["c:d"]`)).toBe(";a%3Ab=c:d")
  })

  it("keeps reserved characters of items, but not of keys", async () => {
    const more = { allowReserved: true, style: "deepObject", schema: types.object }
    expect(await written(query(more), `{"a/b":"c/d"}`)).toBe("x%5Ba%2Fb%5D=c/d")
    expect(await written(query({ allowReserved: true, schema: types.list }), `["a/b","c?d"]`)).toBe(
      "x=a/b&x=c?d",
    )
  })
})

describe("the text of a parameter", () => {
  const param = (schema: JsonValue, more: JsonObject = {}) => ({ parameter: { name: "x", schema, ...more } })

  it.each<[string, JsonValue, string, string]>([
    ["invalid JSON", types.list, "a", "x=a"],
    ["a list whose text has commas", types.list, "name,asc", "x=name%2Casc"],
    ["a list that is not valid JSON", types.list, "[a]", "x=%5Ba%5D"],
    ["a list with text after it", types.list, `["a"] b`, "x=%5B%22a%22%5D%20b"],
    ["an object for a list", types.list, `{"a":1}`, "x=%7B%22a%22%3A1%7D"],
    ["a list for an object", types.object, `[1]`, "x=%5B1%5D"],
    ["JSON where a string is documented", types.text, `["a"]`, "x=%5B%22a%22%5D"],
    ["JSON without a documented type", {}, `["a"]`, "x=%5B%22a%22%5D"],
    ["JSON with a duplicate key", types.object, `{"a":1,"a":2}`, "x=%7B%22a%22%3A1%2C%22a%22%3A2%7D"],
  ])("is unchanged: %s", async (_, schema, text, expected) => {
    expect(await written(param(schema), text)).toBe(expected)
  })

  it("stays JSON for a list that no deepObject can express", async () => {
    for (const explode of [true, false])
      expect(await written(param(types.list, { style: "deepObject", explode }), "[1,2]")).toBe(
        "x=%5B1%2C2%5D",
      )
  })

  it.each<[string, JsonValue]>([
    ["a list of types", { type: ["array", "null"] }],
    ["no type except for items", { items: {} }],
    ["a branch of anyOf", { anyOf: [{ type: "string" }, types.list] }],
    ["a branch of oneOf, through a reference", { oneOf: [{ $ref: "#/components/schemas/List" }] }],
    ["a part of allOf", { allOf: [{ $ref: "#/components/schemas/List" }, { maxItems: 3 }] }],
  ])("is a list if the schema allows one by %s", async (_, schema) => {
    const components = { schemas: { List: types.list } }
    expect(await written({ ...param(schema), components }, ` [1, true, "c"]\n`)).toBe("x=1&x=true&x=c")
  })

  it("is not a list for a schema that refers to itself", async () => {
    const components = { schemas: { A: { $ref: "#/components/schemas/A" }, B: {} } }
    const loop = { anyOf: [{ $ref: "#/components/schemas/A" }, { $ref: "#/components/schemas/Gone" }] }
    expect(await written({ ...param(loop), components }, "[1]")).toBe("x=%5B1%5D")
  })

  it.each<[string, JsonObject, string]>([
    ["form", { explode: false }, "x=a,b%2Fc"],
    ["simple", { in: "path" }, "a,b%2Fc"],
    ["label", { in: "path", style: "label" }, ".a,b%2Fc"],
    ["matrix", { in: "path", style: "matrix" }, ";x=a,b%2Fc"],
    ["pipeDelimited", { style: "pipeDelimited" }, "x=a%2Cb%2Fc"],
    ["form, exploded", {}, "x=a%2Cb%2Fc"],
  ])("keeps the commas of a list that is written with commas: %s", async (_, more, expected) => {
    expect(await written(param(types.list, more), "a,b/c")).toBe(expected)
  })

  it("keeps commas and equals signs of an object that is written with them", async () => {
    const more = { in: "path", explode: true }
    expect(await written(param(types.object, more), "R=1/2,G=2")).toBe("R=1%2F2,G=2")
  })

  it("writes every digit of numbers, and nested lists as JSON", async () => {
    expect(await written(param(types.list), `[12345678901234567890,-0.5,[1,{"a":2}],{"b":null}]`)).toBe(
      "x=12345678901234567890&x=-0.5&x=%5B1%2C%7B%22a%22%3A2%7D%5D&x=%7B%22b%22%3Anull%7D",
    )
  })

  it("nests as a deepObject, and repeats the name of a list inside it", async () => {
    const deep = param(types.object, { style: "deepObject" })
    expect(await written(deep, `{"a":{"b":{"c":1},"d":[2,null,{"e":3}]},"f":true}`)).toBe(
      "x%5Ba%5D%5Bb%5D%5Bc%5D=1&x%5Ba%5D%5Bd%5D=2&x%5Ba%5D%5Bd%5D=%7B%22e%22%3A3%7D&x%5Bf%5D=true",
    )
    const depth = 20_000
    const nested = await written(deep, `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`)
    expect(nested).toBe(`x${"%5Ba%5D".repeat(depth)}=1`)
  })

  it("throws for a lone surrogate, escaped in JSON or not", async () => {
    for (const text of ["\ud800", `["\\ud800"]`])
      await expect(written(param(types.list), text)).rejects.toThrow(URIError)
  })
})

describe("headers and cookies", () => {
  it("are not percent-encoded", async () => {
    const header = { parameter: { in: "header", schema: types.list } }
    expect(await written(header, `["a b","\\"c\\";ü"]`)).toBe(`a b,"c";ü`)
    expect(await written(header, "a, b")).toBe("a, b")
    const cookie = { parameter: { in: "cookie", style: "cookie", schema: types.text } }
    expect(await written(cookie, "a b;ü")).toBe("color=a b;ü")
    expect(await written({ parameter: { in: "cookie", schema: types.text } }, "a+b/c==%2F")).toBe(
      "color=a+b/c==%2F",
    )
  })

  it("except for characters that a form-style cookie cannot contain", async () => {
    const cookie = { parameter: { in: "cookie", schema: types.text } }
    expect(await written(cookie, "Hello, world!")).toBe("color=Hello%2C%20world%21")
    const members = { parameter: { in: "cookie", schema: types.object } }
    expect(await written(members, `{"G h":"x&y","~":"z w"}`)).toBe("G%20h=x&y; ~=z%20w")
    const flat = { parameter: { in: "cookie", explode: false, schema: types.list } }
    expect(await written(flat, list)).toBe("color=blue%2Cblack%2Cbrown")
  })

  it.each(["Accept", "content-type", "AUTHORIZATION"])(
    "named %s are not parameters: their text is unchanged",
    async (name) => {
      const parameter = { name, in: "header", schema: types.list }
      expect(await written({ parameter }, `["a","b"]`)).toBe(`["a","b"]`)
    },
  )
})

describe("a parameter with content", () => {
  const content = (media: JsonObject, more: JsonObject = {}) => ({
    parameter: { content: media, ...more },
  })
  const json = { "application/json": { schema: types.object } }
  const coordinates = `{"lat":40.6,"long":-73.9}`

  it.each([
    ["query", "color=%7B%22lat%22%3A40.6%2C%22long%22%3A-73.9%7D"],
    ["path", "%7B%22lat%22%3A40.6%2C%22long%22%3A-73.9%7D"],
    ["header", coordinates],
    ["cookie", "color=%7B%22lat%22%3A40.6%2C%22long%22%3A-73.9%7D"],
  ])("is its JSON in the %s", async (place, expected) => {
    expect(await written(content(json, { in: place }), coordinates)).toBe(expected)
  })

  it("may be a list too, and is never split", async () => {
    expect(await written(content({ "application/json": { schema: types.list } }), `["a","b"]`)).toBe(
      "color=%5B%22a%22%2C%22b%22%5D",
    )
  })
})

describe("the whole query of 3.2", () => {
  const whole = (media: JsonObject) => ({
    version: "3.2" as const,
    parameter: { in: "querystring", content: media },
  })
  const form = (more: JsonObject = {}) => whole({ "application/x-www-form-urlencoded": more })

  it.each<[string, Written, string, string]>([
    ["a form", form(), `{"foo":"a + b","bar":true}`, "foo=a+%2B+b&bar=true"],
    ["a form with a list", form(), `{"a":["x","y"],"b":[]}`, "a=x&a=y"],
    [
      "a form with encodings",
      form({ encoding: { a: { style: "pipeDelimited" }, b: { style: "deepObject" } } }),
      `{"a":["x","y"],"b":{"c":1}}`,
      "a=x%7Cy&b%5Bc%5D=1",
    ],
    ["a form sent as text", form(), "foo=a+%2B+b&bar=ü", "foo=a+%2B+b&bar=%C3%BC"],
    [
      "JSON",
      whole({ "application/json": {} }),
      `{"numbers":[1,2],"flag":null}`,
      "%7B%22numbers%22%3A%5B1%2C2%5D%2C%22flag%22%3Anull%7D",
    ],
    ["JSONPath", whole({ "application/jsonpath": {} }), "$.a.b[1:1]", "%24.a.b%5B1%3A1%5D"],
  ])("is %s", async (_, parameter, text, expected) => {
    expect(await written(parameter, text)).toBe(expected)
  })
})

describe("a collectionFormat of Swagger 2.0", () => {
  const array = (format: string | undefined, more: JsonObject = {}) => ({
    version: "2.0" as const,
    parameter: {
      type: "array",
      items: { type: "string" },
      ...(format === undefined ? {} : { collectionFormat: format }),
      ...more,
    },
  })

  it.each([
    ["query", undefined, "color=blue,black,brown"],
    ["query", "csv", "color=blue,black,brown"],
    ["query", "ssv", "color=blue%20black%20brown"],
    ["query", "tsv", "color=blue%09black%09brown"],
    ["query", "pipes", "color=blue%7Cblack%7Cbrown"],
    ["query", "multi", "color=blue&color=black&color=brown"],
    ["path", undefined, "blue,black,brown"],
    ["path", "csv", "blue,black,brown"],
    ["path", "ssv", "blue%20black%20brown"],
    ["path", "tsv", "blue%09black%09brown"],
    ["path", "pipes", "blue%7Cblack%7Cbrown"],
    ["header", undefined, "blue,black,brown"],
    ["header", "ssv", "blue black brown"],
    ["header", "tsv", "blue\tblack\tbrown"],
    ["header", "pipes", "blue|black|brown"],
  ])("in the %s: %s", async (place, format, expected) => {
    expect(await written(array(format, { in: place }), list)).toBe(expected)
  })

  it("of lists in a list applies to its items", async () => {
    const items = { type: "array", items: { type: "string" }, collectionFormat: "pipes" }
    expect(await written(array("csv", { items }), `[["a","b"],["c",1]]`)).toBe("color=a%7Cb,c%7C1")
    const plain = { type: "array", items: { type: "array", items: {}, collectionFormat: "ssv" } }
    expect(await written(array("multi", { items: plain }), `[[["a","b"],["c"]],[]]`)).toBe(
      "color=a%20b,c&color=",
    )
  })

  it("keeps the commas of a text that is written with them", async () => {
    expect(await written(array(undefined), "a,b/c")).toBe("color=a,b%2Fc")
    expect(await written(array("multi"), "a,b")).toBe("color=a%2Cb")
    expect(await written({ version: "2.0", parameter: { type: "string" } }, "a,b")).toBe("color=a%2Cb")
  })
})
