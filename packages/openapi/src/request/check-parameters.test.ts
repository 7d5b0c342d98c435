import { describe, expect, it } from "vitest"
import type { JsonValue } from "@callsheet/format"
import { describeVersions } from "../testing/document-of.ts"
import { warnings, warningTexts, type SentRequest } from "../testing/check-request.ts"

const integers = { type: "array", items: { type: "integer" } }
const page = { type: "object", properties: { size: { type: "integer" }, sort: { enum: ["up", "down"] } } }

const spaces = { style: "spaceDelimited", explode: false }
const pipes = { style: "pipeDelimited", explode: false }
const label = { in: "path", style: "label" }
const matrix = { in: "path", style: "matrix" }

interface Written {
  readonly in?: string
  readonly style?: string
  readonly explode?: boolean
  readonly schema?: JsonValue
  readonly required?: boolean
}

/** Returns the problems of a parameter `p` with this declaration. */
const ofParameter = (parameter: Written, request: SentRequest) =>
  warningTexts(
    {
      path: parameter.in === "path" ? "/items/{p}/end" : "/items",
      parameters: [{ name: "p", in: "query", ...parameter }],
    },
    request,
  )

describeVersions("parameters of a request", (version) => {
  const integer = { type: "integer", minimum: 1 }
  const parameters = [
    { name: "limit", in: "query", schema: integer },
    { name: "id", in: "path", required: true, schema: { type: "string", format: "uuid" } },
    { name: "X-Tenant", in: "header", required: true, schema: { type: "string", enum: ["a", "b"] } },
    { name: "q", in: "query", required: true, schema: { type: "string" } },
  ]
  const asked = { version, path: "/items/{id}", parameters }
  const id = "5fb6b2c6-0f3c-4a2b-9a52-0d5a3f6ac1f7"
  const tenant: SentRequest["headers"] = [["x-tenant", "a"]]

  it("finds nothing if all match the document", async () => {
    expect(await warningTexts(asked, { to: `/items/${id}?limit=10&q=`, headers: tenant })).toEqual([])
  })

  it("checks texts against the types of their schemas", async () => {
    expect(
      await warningTexts(asked, { to: "/items/a%2Fb?limit=0&q=1", headers: [["X-TENANT", "c"]] }),
    ).toEqual([
      "/query/limit: expected 1 or more, received 0",
      `/path/id: expected a UUID, received "a/b"`,
      `/headers/X-Tenant: expected one of "a", "b", received "c"`,
    ])
    expect(await warningTexts(asked, { to: `/items/${id}?limit=ten&q=1`, headers: tenant })).toEqual([
      `/query/limit: expected an integer, received a string: "ten"`,
    ])
  })

  it("lists required ones that are not sent and where they are documented", async () => {
    const problems = await warnings(asked, { to: `/items/${id}` })
    expect(problems.map(({ path, message }) => [path, message])).toEqual([
      ["/headers/X-Tenant", 'POST /items/{id} requires the header "X-Tenant"'],
      ["/query/q", 'POST /items/{id} requires the query parameter "q"'],
    ])
    expect(problems.map(({ schema, file }) => [schema, file])).toEqual([
      ["/paths/~1items~1{id}/post/parameters/2", expect.stringMatching(/^apis\/t\/openapi\./)],
      ["/paths/~1items~1{id}/post/parameters/3", expect.stringMatching(/^apis\/t\/openapi\./)],
    ])
  })

  it("lists undocumented query parameters with suggestions", async () => {
    expect(await warningTexts(asked, { to: `/items/${id}?q=1&limt=1&zzz=1`, headers: tenant })).toEqual([
      `/query/limt: POST /items/{id} doesn't document a query parameter "limt"; did you mean "limit"?`,
      `/query/zzz: POST /items/{id} doesn't document a query parameter "zzz"`,
    ])
  })

  it("accepts what the base URL contains, and undocumented headers", async () => {
    const headers = [...tenant, ["x-own", "1"]] as const
    expect(await warningTexts(asked, { to: `/items/${id}?q=1&key=1`, queryNames: ["q"], headers })).toEqual(
      [],
    )
  })

  it("includes those of the path item, which an operation may override", async () => {
    const pathItem = { parameters: [{ name: "p", in: "query", schema: integer }] }
    const problems = await warningTexts(
      { version, operation: { "x-a": 1 }, parameters: pathItem.parameters },
      { to: "/items?p=0" },
    )
    expect(problems).toEqual(["/query/p: expected 1 or more, received 0"])
  })

  it("accepts an empty value if the document allows one", async () => {
    const parameter = { name: "p", in: "query", schema: integer }
    const ask = (more: object) =>
      warningTexts({ version, parameters: [{ ...parameter, ...more }] }, { to: "/items?p=" })
    expect(await ask({ allowEmptyValue: true })).toEqual([])
    expect(await ask({})).toEqual([`/query/p: expected an integer, received a string: ""`])
  })

  it("follows references to parameters", async () => {
    const components = { parameters: { Page: { name: "p", in: "query", required: true, schema: integer } } }
    const parameters = [{ $ref: "#/components/parameters/Page" }]
    expect(await warningTexts({ version, parameters, components }, { to: "/items?p=0" })).toEqual([
      "/query/p: expected 1 or more, received 0",
    ])
    expect(await warningTexts({ version, parameters, components }, {})).toEqual([
      `/query/p: POST /items requires the query parameter "p"`,
    ])
  })
})

describe("a parameter that something else may add", () => {
  const parameters = [
    { name: "sid", in: "cookie", required: true, schema: { type: "string", minLength: 3 } },
    { name: "User-Agent", in: "header", required: true, schema: { type: "string" } },
    { name: "Authorization", in: "header", required: true, schema: { type: "string" } },
  ]

  it("is missing only if it was not sent in the end", async () => {
    expect(
      await warningTexts({ parameters }, { sent: { "user-agent": "callsheet", cookie: "a=b; sid=abc" } }),
    ).toEqual([])
    expect(
      await warningTexts({ parameters }, { sent: { "user-agent": "callsheet", cookie: "asid=abc" } }),
    ).toEqual([`/cookies/sid: POST /items requires the cookie "sid"`])
    expect(await warningTexts({ parameters }, { sent: { cookie: "sid=abc" } })).toEqual([
      `/headers/User-Agent: POST /items requires the header "User-Agent"`,
    ])
  })

  it("is not sent if the request removes it", async () => {
    const sent = { "user-agent": "callsheet" }
    expect(await warningTexts({ parameters }, { cookies: { sid: "" }, sent })).toEqual([
      `/cookies/sid: POST /items requires the cookie "sid"`,
    ])
  })

  it("checks a cookie that the request sets against its schema", async () => {
    const sent = { "user-agent": "callsheet", cookie: "sid=a" }
    expect(await warningTexts({ parameters }, { cookies: { sid: "a" }, sent })).toEqual([
      `/cookies/sid: expected 3 characters or more, received "a"`,
    ])
  })
})

describe("styles of parameters", () => {
  // `@` is a number, or else a text that isn't one.
  it.each<[what: string, parameter: Written, sent: string, path: string]>([
    ["form, exploded", { schema: integers }, "?p=1&p=@", "/query/p/1"],
    ["form", { schema: integers, explode: false }, "?p=1,@", "/query/p/1"],
    ["form, encoded", { schema: integers, explode: false }, "?p=1%2C@", "/query/p/1"],
    ["spaceDelimited", { schema: integers, ...spaces }, "?p=1%20@", "/query/p/1"],
    ["pipeDelimited", { schema: integers, ...pipes }, "?p=1%7C@", "/query/p/1"],
    ["pipeDelimited, not encoded", { schema: integers, ...pipes }, "?p=1|@", "/query/p/1"],
    ["deepObject", { schema: page, style: "deepObject" }, "?p[size]=@&p%5Bsort%5D=up", "/query/p/size"],
    ["form object, exploded", { schema: page }, "?size=@&sort=up", "/query/p/size"],
    ["form object", { schema: page, explode: false }, "?p=size,@,sort,up", "/query/p/size"],
    ["simple", { in: "path", schema: integers }, "/1,@/end", "/path/p/1"],
    ["simple object", { in: "path", schema: page }, "/size,@/end", "/path/p/size"],
    [
      "simple object, exploded",
      { in: "path", schema: page, explode: true },
      "/size=@,sort=up/end",
      "/path/p/size",
    ],
    ["label", { ...label, schema: integers }, "/.1,@/end", "/path/p/1"],
    ["label, exploded", { ...label, explode: true, schema: integers }, "/.1.@/end", "/path/p/1"],
    ["label of one", { ...label, schema: { type: "number" } }, "/.@.5/end", "/path/p"],
    ["matrix", { ...matrix, schema: integers }, "/;p=1,@/end", "/path/p/1"],
    ["matrix, exploded", { ...matrix, explode: true, schema: integers }, "/;p=1;p=@/end", "/path/p/1"],
    ["matrix of one", { ...matrix, schema: { type: "integer" } }, "/;p=@/end", "/path/p"],
  ])("reads %s", async (_, parameter, sent, path) => {
    const [first, ...others] = await ofParameter(parameter, { to: `/items${sent.replace("@", "x")}` })
    expect(await ofParameter(parameter, { to: `/items${sent.replace("@", "2")}` })).toEqual([])
    expect([first?.split(": ")[0], others]).toEqual([path, []])
  })

  it("reports a text if no type is stated", async () => {
    expect(await ofParameter({ schema: { minLength: 5, minimum: 10 } }, { to: "/items?p=7" })).toEqual([
      `/query/p: expected 5 characters or more, received "7"`,
    ])
  })

  it("reads lists and objects of headers", async () => {
    const tell = (schema: JsonValue, value: string) =>
      ofParameter({ in: "header", schema }, { headers: [["P", value]] })
    expect(await tell(integers, "1, 2")).toEqual([])
    expect(await tell(integers, "1, x")).toEqual([
      `/headers/p/1: expected an integer, received a string: "x"`,
    ])
    expect(await tell(page, "size,x")).toEqual([
      `/headers/p/size: expected an integer, received a string: "x"`,
    ])
  })

  it("reads Swagger's tab-separated lists", async () => {
    const operation = {
      parameters: [
        { name: "p", in: "query", type: "array", items: { type: "integer" }, collectionFormat: "tsv" },
      ],
    }
    expect(await warningTexts({ version: "2.0", operation }, { to: "/items?p=1%092" })).toEqual([])
    expect(await warningTexts({ version: "2.0", operation }, { to: "/items?p=1%09x" })).toEqual([
      `/query/p/1: expected an integer, received a string: "x"`,
    ])
  })

  it.each<[what: string, schema: JsonValue, texts: readonly string[]]>([
    ["any value of several types", { type: ["integer", "string"], maximum: 5 }, ["3", "x"]],
    ["numbers known only by an enum", { enum: [1, 2] }, ["2"]],
    ["texts that look like numbers", { type: "string", pattern: "^[0-9]+$" }, ["007"]],
    ["integers beyond 2^53", { const: 9007199254740993n }, ["9007199254740993"]],
    ["null as an omitted value", { type: ["boolean", "null"] }, ["", "true"]],
    ["texts without a stated type", { maxLength: 3 }, ["12", "abc"]],
    ["a comma inside an item", { type: "array", items: { enum: ["a,b", "c"] } }, ["a%2Cb,c", "c,c"]],
    [
      "items of several types",
      { type: "array", items: { type: ["integer", "string"], maximum: 5 } },
      ["3,x", "9"],
    ],
  ])("accepts %s", async (_, schema, texts) => {
    for (const text of texts)
      expect(await ofParameter({ schema, explode: false }, { to: `/items?p=${text}` }), text).toEqual([])
  })

  it("reads JSON if the parameter's media type is JSON", async () => {
    const content = { "application/json": { schema: page } }
    const asked = { parameters: [{ name: "p", in: "query", content }] }
    expect(await warningTexts(asked, { to: "/items?p=%7B%22size%22:1%7D" })).toEqual([])
    expect(await warningTexts(asked, { to: "/items?p=%7B%22size%22:%22x%22%7D" })).toEqual([
      `/query/p/size: expected an integer, received a string: "x"`,
    ])
    expect(await warningTexts(asked, { to: "/items?p=x" })).toEqual(["/query/p: invalid JSON at character 1"])
    const text = { parameters: [{ name: "p", in: "query", content: { "text/plain": { schema: integers } } }] }
    expect(await warningTexts(text, { to: "/items?p=x" })).toEqual([])
  })

  it.each(["application/x-www-form-urlencoded", "application/json"])(
    "skips a parameter that is the whole query, as %s",
    async (type) => {
      const q = { name: "q", in: "querystring", required: true, content: { [type]: { schema: page } } }
      const asked = { version: "3.2", parameters: [q] } as const
      expect(await warningTexts(asked, { to: "/items?size=x" })).toEqual([])
      expect(await warningTexts(asked, { to: "/items?q=x" })).toEqual([])
    },
  )

  it("skips what it cannot read", async () => {
    const lists = { type: "array", items: { type: "array", items: { type: "integer" } } }
    expect(await ofParameter({ schema: lists }, { to: "/items?p=x" })).toEqual([])
    const nested = { type: "object", properties: { a: { type: "array", items: { type: "integer" } } } }
    const deep = { style: "deepObject", required: true, schema: nested }
    expect(await ofParameter(deep, { to: "/items?p[a][0]=x" })).toEqual([])
    expect(await ofParameter(deep, { to: "/items?p[a]=1&p[a]=x" })).toEqual([
      `/query/p/a/1: expected an integer, received a string: "x"`,
    ])
  })

  it("reads an object in brackets next to other names, but not if a name repeats", async () => {
    const deep = { style: "deepObject", schema: { type: "object", properties: { a: { type: "integer" } } } }
    const wrong = [`/query/p/a: expected an integer, received a string: "x"`]
    expect(await ofParameter(deep, { to: "/items?p[a]=x&price=1", queryNames: [] })).toEqual(wrong)
    expect(await ofParameter(deep, { to: "/items?p[a][b]=1&p[a]=x" })).toEqual([])
    expect(await ofParameter(deep, { to: "/items?p[a]=x&p[a][b]=1" })).toEqual([])
  })

  it("reads brackets up to a sensible depth, and survives more", async () => {
    const tree = {
      type: "object",
      properties: { a: { $ref: "#/components/schemas/Tree" } },
      maxProperties: 0,
    }
    const asked = {
      parameters: [{ name: "p", in: "query", style: "deepObject", schema: tree }],
      components: { schemas: { Tree: tree } },
    }
    expect(await warningTexts(asked, { to: `/items?p${"[a]".repeat(20_000)}=1`, queryNames: [] })).toEqual([])
    const [first] = await warningTexts(asked, { to: "/items?p[a][b]=1", queryNames: [] })
    expect(first).toMatch(/^\/query\/p: expected 0 properties or less/)
  })

  it("separates up to three parameters of a segment", async () => {
    const parameters = ["p", "q", "r", "s"].map((name) => ({ name, in: "path", schema: { type: "integer" } }))
    expect(await warningTexts({ path: "/{p}-{q}.{r}", parameters }, { to: "/1-x.3" })).toEqual([
      `/path/q: expected an integer, received a string: "x"`,
    ])
    expect(await warningTexts({ path: "/{p}-{q}.{r}.{s}", parameters }, { to: "/1-x.3.4" })).toEqual([])
  })

  it("accepts a list in brackets as sent", async () => {
    expect(await ofParameter({ schema: integers, required: true }, { to: "/items?p[]=x" })).toEqual([])
  })

  it("reads a path below any base, but not another path", async () => {
    const parameters = [{ name: "p", in: "path", schema: { type: "integer" } }]
    const asked = { path: "/items/v-{p}.json", parameters }
    expect(await warningTexts(asked, { to: "/deep/items/v-x.json?p=1", queryNames: [] })).toEqual([
      `/path/p: expected an integer, received a string: "x"`,
    ])
    expect(await warningTexts(asked, { to: "/others/v-x.json" })).toEqual([])
  })
})

describe("secret values", () => {
  const isSecret = (text: string): boolean => text === "x,1,s3" || text === "abc"

  it("are in no message, nor are their parts", async () => {
    const schema = { type: "array", items: { type: "integer" } }
    const asked = { parameters: [{ name: "p", in: "query", explode: false, schema }] }
    const [problem, ...others] = await warnings(asked, { to: "/items?p=x,1,s3", isSecret })
    expect([problem?.path, problem?.message, others]).toEqual([
      "/query/p",
      "expected an integer, received ***",
      [],
    ])
    const short = { parameters: [{ name: "p", in: "header", schema: { enum: ["x"] } }] }
    expect(await warningTexts(short, { headers: [["p", "abc"]], isSecret })).toEqual([
      `/headers/p: expected "x", received ***`,
    ])
  })
})
