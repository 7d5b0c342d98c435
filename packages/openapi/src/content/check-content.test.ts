import { describe, expect, it } from "vitest"
import type { JsonObject, JsonValue } from "@callsheet/format"
import { createContractChecker } from "../create-contract-checker.ts"
import { operationOf } from "../testing/document-of.ts"
import { judge } from "../testing/judge.ts"

const order: JsonObject = {
  type: "object",
  required: ["id"],
  properties: { id: { type: "integer" }, name: { type: "string" } },
}

/** Judges a response body that a document describes by a schema. */
async function verdictOn(type: string, body: JsonValue, media: JsonObject = { schema: order }) {
  const [documented = ""] = type.split(";")
  const { status, problems, unchecked } = await judge(
    { version: "3.1", responses: { 200: { description: "", content: { [documented]: media } } } },
    { body, headers: { "content-type": type } },
  )
  return { status, problems: problems.map(({ path, message }) => `${path}: ${message}`), unchecked }
}

const passed = { status: "passed", problems: [], unchecked: undefined }
const unchecked = (reason: unknown) => ({ status: "unchecked", problems: [], unchecked: reason })
const failed = (...problems: unknown[]) => ({ status: "failed", problems, unchecked: undefined })

describe("a body that can't be checked against its schema", () => {
  it.each([
    ["application/xml", "<order><id>x</id></order>"],
    ["text/xml; charset=utf-8", `<?xml version="1.0"?><order/>`],
    ["application/soap+xml", `<s:Envelope xmlns:s="urn:s"/>`],
    ["application/atom+xml", "<feed><entry/></feed>"],
    ["image/svg+xml", `<svg xmlns="http://www.w3.org/2000/svg"/>`],
  ])("is unchecked, but has to be well-formed: %s", async (type, body) => {
    expect(await verdictOn(type, body)).toEqual(unchecked("XML is only checked to be well-formed"))
  })

  it.each([
    ["application/yaml", "id: x"],
    ["application/vnd.shop+yaml", "id: x"],
    ["text/yaml", "id: x"],
    ["application/octet-stream", "AA=="],
    ["application/msgpack", "AA=="],
    ["image/png", "AA=="],
    ["text/csv", "id\nx"],
    ["text/plain", "id=x"],
    ["multipart/mixed; boundary=x", "AA=="],
    ["application/graphql", "{ id }"],
  ])("is unchecked: %s", async (type, body) => {
    expect(await verdictOn(type, body)).toEqual(
      unchecked(`${type.split(";")[0]} can't be checked against a schema`),
    )
  })

  it.each([
    ["an array", { schema: { type: "array", items: order } }],
    ["a reference", { schema: { $ref: "#/components/schemas/Order" } }],
    ["properties without a type", { schema: { properties: { id: { type: "integer" } } } }],
    ["a limit", { schema: { type: "string", maxLength: 1 } }],
    ["a schema that nothing matches", { schema: false }],
    ["the items of a stream", { itemSchema: order }],
  ])("is unchecked if the schema is %s", async (_, media) => {
    const { status } = await verdictOn("application/yaml", "{}\n", media)
    expect(status).toBe("unchecked")
  })

  it.each([
    ["no schema", {}],
    ["an empty schema", { schema: {} }],
    ["a schema that everything matches", { schema: true }],
    ["a file", { schema: { type: "string", format: "binary" } }],
    ["text", { schema: { type: ["string", "null"], description: "An image.", "x-kind": 1 } }],
    ["encoded bytes", { schema: { type: "string", contentEncoding: "base64" } }],
  ])("passes if the document has %s for it", async (_, media) => {
    expect(await verdictOn("application/pdf", "AA==", media)).toEqual(passed)
    expect(await verdictOn("application/xml", "<a/>", media)).toEqual(passed)
  })

  it("names its reason beside a violation of a header", async () => {
    const headers = { "X-Total": { required: true, schema: { type: "integer" } } }
    const content = { "application/yaml": { schema: order } }
    const view = await judge(
      { responses: { 200: { description: "", headers, content } } },
      { body: "id: x", headers: { "content-type": "application/yaml" } },
    )
    expect(view).toMatchObject({
      status: "failed",
      problems: [{ path: "/headers/x-total" }],
      unchecked: "application/yaml can't be checked against a schema",
    })
  })
})

describe("XML that is not well-formed", () => {
  it.each([
    ["<order><id>", 1, 12],
    ["<a>\n  <b>\n</a>", 3, 5],
    ["<a/><b/>", 1, 7],
    ["<a b=c/>", 1, 7],
    [`<a b="1" b="2"/>`, 1, 17],
    ["<a>&nbsp;</a>", 1, 10],
    ["<a>\u0001</a>", 1, 5],
    [`{"id": 1}`, 1, 10],
    ["order 7", 1, 8],
    [` <?xml version="1.0"?><a/>`, 1, 9],
  ])("is a violation: %s", async (body, line, column) => {
    const { status, problems } = await verdictOn("application/xml", body, {})
    expect(status).toBe("failed")
    expect(problems).toEqual([expect.stringMatching(/^\/body: invalid XML at line \d+, column \d+$/)])
    const at = /line (\d+), column (\d+)$/.exec(problems[0]!)!
    expect(Number(at[1])).toBe(line)
    expect(Math.abs(Number(at[2]) - column)).toBeLessThan(3)
  })

  it.each([
    `<?xml version="1.1" encoding="ISO-8859-1" standalone="yes"?>\n<a/>\n<!-- end -->`,
    "<a><![CDATA[<b>]]>&#xe9;&amp;</a>",
    `<!DOCTYPE a [<!ENTITY e "x">]><a>&e;</a>`,
    `<!DOCTYPE a SYSTEM "a.dtd"><a>&external;</a>`,
    "<x:a y:b='1'/>",
    `<${"a".repeat(10_000)}/>`,
    "<a>".repeat(50_000) + "</a>".repeat(50_000),
  ])("is not this: %.40s", async (body) => {
    expect(await verdictOn("application/xml", body, {})).toEqual(passed)
  })
})

describe("a form", () => {
  const form = "application/x-www-form-urlencoded"

  it("is checked field by field, typed by its schema", async () => {
    expect(await verdictOn(form, "id=7&name=12")).toEqual(passed)
    expect(await verdictOn(form, "id=x&name=a")).toEqual(
      failed(`/body/id: expected an integer, received a string: "x"`),
    )
    expect(await verdictOn(form, "name=a")).toEqual(failed("/body/id: missing required property"))
    expect(await verdictOn(form, "")).toMatchObject({ status: "failed" })
  })

  it.each([
    ["tags[]=a&id=7", "tags"],
    ["address[street]=x&id=7", "address"],
    ["address=street,x&id=7", "address"],
  ])("says which field only the server can read: %s", async (body, name) => {
    const properties = {
      id: { type: "integer" },
      tags: { type: "array", items: { type: "string" } },
      address: { type: "object", required: ["city"] },
    }
    expect(await verdictOn(form, body, { schema: { type: "object", properties } })).toEqual(
      unchecked(`only the server knows how it reads the field "${name}"`),
    )
  })

  it("shows no secret", async () => {
    const view = await judge(
      { responses: { 200: { description: "", content: { [form]: { schema: order } } } } },
      {
        body: "id=s3cr3t",
        headers: { "content-type": form },
        isSecret: (text) => text.includes("s3cr3t"),
      },
    )
    expect(view.problems[0]?.path).toBe("/body/id")
    expect(JSON.stringify(view)).not.toContain("s3cr3t")
  })
})

const multipart = (...parts: readonly (readonly [headers: string, content: string])[]): string =>
  `${parts.map(([headers, content]) => `--x-1\r\n${headers}\r\n\r\n${content}\r\n`).join("")}--x-1--\r\n`
const field = (name: string) => `Content-Disposition: form-data; name="${name}"`
const type = "multipart/form-data; boundary=x-1"
const media = {
  schema: {
    type: "object",
    required: ["id"],
    properties: {
      id: { type: "integer" },
      meta: { type: "object", properties: { size: { type: "integer" } } },
      photo: { type: "string", format: "binary" },
      "a b": { type: "boolean" },
    },
  },
}
const multipartVerdict = (text: string, contentType = type) =>
  verdictOn(contentType, Buffer.from(text).toString("base64"), media)

describe("a multipart body", () => {
  it.each([
    ["a field", multipart([field("id"), "7"])],
    ["a preamble and an epilogue", `before\r\n${multipart([field("id"), "7"])}after`],
    ["an unquoted name", multipart(["content-disposition: form-data ; name=id", "7"])],
    ["a folded header", multipart(['Content-Disposition: form-data;\r\n name="id"', "7"])],
    ["lines that end with LF", multipart([field("id"), "7"]).replaceAll("\r\n", "\n")],
    ["a file", multipart([field("id"), "7"], [`${field("photo")}; filename="a; name=b.png"`, "\u0000"])],
    [
      "JSON",
      multipart([field("id"), "7"], [`${field("meta")}\r\nContent-Type: application/json`, `{"size": 1}`]),
    ],
    ["another name", multipart([field("id"), "7"], [field("a b"), "true"])],
  ])("is checked part by part: %s", async (_, text) => {
    expect(await multipartVerdict(text)).toEqual(passed)
  })

  it.each([
    ["a wrong type", multipart([field("id"), "x"]), "/body/id: expected an integer"],
    ["a missing part", multipart([field("name"), "7"]), "/body/id: missing required property"],
    [
      "a wrong member",
      multipart([field("id"), "7"], [`${field("meta")}\r\nContent-Type: application/json`, `{"size": "1"}`]),
      "/body/meta/size: expected an integer",
    ],
    [
      "another boundary",
      multipart([field("id"), "7"]).replaceAll("x-1", "x-2"),
      "its boundary doesn't occur",
    ],
    ["no end", multipart([field("id"), "7"]).replace("--x-1--", ""), "its last boundary is missing"],
    ["a part without a name", multipart(["Content-Type: text/plain", "7"]), "part 1 has no name"],
    ["no boundary", multipart([field("id"), "7"]), "the content type has no boundary", "multipart/form-data"],
  ])("is a violation with %s", async (_, text, message, contentType?: string) => {
    const { status, problems } = await multipartVerdict(text, contentType)
    expect([status, problems]).toEqual(["failed", [expect.stringContaining(message)]])
  })

  it("says which part can't be checked", async () => {
    const file = `${field("meta")}; filename="meta.bin"`
    expect(await multipartVerdict(multipart([field("id"), "7"], [file, "\u0000"]))).toEqual(
      unchecked(`only the server knows how it reads the field "meta"`),
    )
  })

  it("is read in linear time", async () => {
    const start = performance.now()
    for (const part of [
      `--x-1\r\n${" ".repeat(300_000)}`,
      "\r\n--x-1 ".repeat(100_000),
      `;a="`.repeat(100_000),
    ])
      await multipartVerdict(
        multipart([field("id"), "7"]) + part + multipart([`${field("id")}${part}`, part]),
      )
    expect(performance.now() - start).toBeLessThan(5_000)
  })
})

describe("the body of a request", () => {
  async function verdictOnRequest(contentType: string, text: string, bodyType?: "text") {
    const content = { [contentType.split(";")[0]!]: { schema: order } }
    const { document, operation } = await operationOf({ requestBody: { content } }, { version: "3.1" })
    const verdict = await createContractChecker(document).checkRequest({
      operation,
      url: "https://shop.test/a",
      headers: [["Content-Type", contentType]],
      cookies: {},
      queryNames: [],
      body: { bytes: new TextEncoder().encode(text), value: text, bodyType },
      isSecret: () => false,
    })
    const problems = verdict?.problems({}).map(({ path, message }) => `${path}: ${message}`) ?? []
    return { problems, unchecked: verdict?.unchecked }
  }

  it.each([
    ["application/xml", "<a/>", "XML is only checked to be well-formed"],
    ["application/yaml", "id: 1", "application/yaml can't be checked against a schema"],
    ["application/octet-stream", "x", "application/octet-stream can't be checked against a schema"],
    ["text/csv", "id\n1", "text/csv can't be checked against a schema"],
  ])("says why it was not checked: %s", async (type, text, reason) => {
    expect(await verdictOnRequest(type, text, "text")).toEqual({ problems: [], unchecked: reason })
  })

  it("has to be well-formed XML", async () => {
    const { problems } = await verdictOnRequest("application/xml", "<a>", "text")
    expect(problems).toEqual([expect.stringContaining("/body: invalid XML at line 1")])
  })

  it("is read as multipart even if it was written as text", async () => {
    const verdict = await verdictOnRequest(type, multipart([field("id"), "x"]), "text")
    expect(verdict.problems).toEqual([expect.stringContaining("/body/id: expected an integer")])
  })
})
