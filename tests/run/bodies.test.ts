// Bodies as a server receives them, according to the document's media types and encodings.

import { describe, expect, it } from "vitest"
import { request, runBlocks } from "./shop-project.ts"

type Fields = Readonly<Record<string, unknown>>

const form = "application/x-www-form-urlencoded"
const multipart = "multipart/form-data"

const operationOf = (content: Fields | undefined) => ({
  operationId: "send",
  ...(content === undefined ? {} : { requestBody: { content } }),
  responses: { default: { description: "Any." } },
})

const documentOf = (content: Fields | undefined, version = "3.1.0") => ({
  openapi: version,
  info: { title: "Shop", version: "1" },
  paths: { "/a": { post: operationOf(content) } },
})

interface Sent {
  readonly document?: Fields
  readonly content?: Fields
  readonly version?: string
  readonly body?: Fields
  /** A saved request instead of the bare operation. */
  readonly saved?: Fields
  readonly headers?: Fields
}

/** Sends one body and returns the received request and the block. */
async function send({ document, content, version, body, saved, headers = {} }: Sent) {
  const overrides = { params: { header: headers }, ...(body === undefined ? {} : { body }) }
  const target = saved === undefined ? { operation: "send" } : { instance: "saved" }
  const result = await runBlocks([request("send", { ...target, overrides })], {
    files: () => ({
      "apis/shop/openapi.json": document ?? documentOf(content, version),
      ...(saved === undefined
        ? {}
        : { "apis/shop/requests/a/saved.json": { version: 1, operation: "send", ...saved } }),
      "files/photo.png": "PNG",
      "files/photo.jpg": "JPG",
      "files/empty": "",
    }),
  })
  const [got] = result.requests
  const type = got?.headers["content-type"]
  const boundary = /boundary=(.+)$/.exec(type ?? "")?.[1]
  return { ...result, got, type, parts: boundary === undefined ? [] : partsOf(got?.text ?? "", boundary) }
}

/** Headers and content of each part. */
const partsOf = (text: string, boundary: string): readonly (readonly [string, string])[] =>
  text
    .split(`--${boundary}`)
    .slice(1, -1)
    .map((part) => {
      const end = part.indexOf("\r\n\r\n")
      return [part.slice(2, end), part.slice(end + 4, -2)]
    })

const field = (name: string, ...more: readonly string[]) =>
  [`content-disposition: form-data; name="${name}"`, ...more].join("\r\n")

describe("the media type of an operation", () => {
  it.each<[string, Fields | undefined, Fields, string, string]>([
    [
      "the first JSON type",
      { "text/plain": {}, [form]: {}, "application/vnd.a+json": {}, "application/json": {} },
      { a: 1 },
      "application/vnd.a+json",
      `{"a":1}`,
    ],
    [
      "a form before multipart",
      { [multipart]: {}, "text/plain": {}, [form]: {} },
      { a: "x y" },
      form,
      "a=x+y",
    ],
    [
      "a range that includes JSON",
      { "image/*": {}, "application/*": {} },
      { a: 1 },
      "application/json",
      `{"a":1}`,
    ],
    ["JSON if only bytes are documented", { "image/png": {} }, { a: 1 }, "application/json", `{"a":1}`],
    ["JSON if none is documented", undefined, { a: 1 }, "application/json", `{"a":1}`],
  ])("is %s", async (_, content, body, type, text) => {
    const sent = await send({ ...(content === undefined ? {} : { content }), body })
    expect([sent.type, sent.got?.text]).toEqual([type, text])
  })

  it("follows a header of the request", async () => {
    const content = { "application/json": {}, [form]: {} }
    const sent = await send({ content, body: { a: "b c" }, headers: { "Content-Type": form } })
    expect([sent.type, sent.got?.text]).toEqual([form, "a=b+c"])
  })

  it("is the first documented one for a file", async () => {
    const sent = await send({
      content: { "image/*": {}, "image/png": {} },
      saved: { bodyType: "file", body: "files/photo.png" },
    })
    expect([sent.type, sent.got?.text, sent.got?.headers["content-length"]]).toEqual([
      "image/png",
      "PNG",
      "3",
    ])
  })

  it("accepts a text for JSON lines", async () => {
    const sent = await send({
      content: { "application/x-ndjson": {} },
      saved: { bodyType: "text", body: "{}\n{}\n" },
      headers: { "content-type": "application/x-ndjson" },
    })
    expect([sent.type, sent.got?.text]).toEqual(["application/x-ndjson", "{}\n{}\n"])
  })
})

describe("the length of a body", () => {
  it.each<[string, Sent, string | undefined, string | undefined]>([
    ["is 0 without a body", {}, "0", undefined],
    ["is 0 for an empty text", { saved: { bodyType: "text", body: "" } }, "0", "text/plain; charset=utf-8"],
    [
      "is 0 for an empty file",
      { saved: { bodyType: "file", body: "files/empty" } },
      "0",
      "application/octet-stream",
    ],
    ["is 0 for an empty form", { saved: { bodyType: "form", body: {} } }, "0", form],
    ["counts bytes", { saved: { bodyType: "text", body: "ü😀" } }, "6", "text/plain; charset=utf-8"],
    ["counts the bytes of JSON null", { saved: { body: null } }, "4", "application/json"],
  ])("%s", async (_, asked, length, type) => {
    const { got } = await send(asked)
    expect([got?.headers["content-length"], got?.headers["content-type"]]).toEqual([length, type])
    expect(got?.headers["transfer-encoding"]).toBeUndefined()
  })
})

describe("a form", () => {
  const urlencoded = (encoding?: Fields, schema: Fields = {}) => ({
    [form]: encoding === undefined ? { schema } : { schema, encoding },
  })

  it.each<[string, Fields | undefined, Fields, string]>([
    ["repeats the name of a list", undefined, { a: ["x y", 1, true], b: [] }, "a=x+y&a=1&a=true"],
    [
      "sends an object as JSON",
      undefined,
      { address: { street: "123 Example Dr.", zip: "99999+1234" } },
      "address=%7B%22street%22%3A%22123+Example+Dr.%22%2C%22zip%22%3A%2299999%2B1234%22%7D",
    ],
    [
      "encodes as in the URL Standard",
      undefined,
      { "a b": "*-._~!'()\r\nü&=" },
      "a+b=*-._%7E%21%27%28%29%0D%0A%C3%BC%26%3D",
    ],
    [
      "sends a text as JSON if that is its type",
      { id: { contentType: "application/json" } },
      { id: "f8" },
      "id=%22f8%22",
    ],
    [
      "sends a text unchanged if its type is text",
      { id: { contentType: "text/plain, application/json" } },
      { id: "f8" },
      "id=f8",
    ],
    [
      "writes a list in its style",
      { a: { style: "form", explode: false } },
      { a: ["x y", "z,"] },
      "a=x%20y,z%2C",
    ],
    ["treats explode by itself as a style", { a: { explode: false } }, { a: ["x", "y"] }, "a=x,y"],
    [
      "treats allowReserved by itself as a style",
      { a: { allowReserved: true } },
      { a: ["x/y", "z"] },
      "a=x/y&a=z",
    ],
    ["joins with spaces", { a: { style: "spaceDelimited" } }, { a: ["x", "y"] }, "a=x%20y"],
    ["joins with pipes", { a: { style: "pipeDelimited" } }, { a: ["x", "y"] }, "a=x%7Cy"],
    ["writes an object in its style", { a: { style: "form" } }, { a: { R: 1, G: 2 } }, "R=1&G=2"],
    [
      "writes a deep object",
      { a: { style: "deepObject" } },
      { a: { R: 1, G: { B: 2 } } },
      "a%5BR%5D=1&a%5BG%5D%5BB%5D=2",
    ],
    [
      "keeps a list that no deepObject can express",
      { a: { style: "deepObject" } },
      { a: ["x", "y"] },
      "a=x&a=y",
    ],
    [
      "ignores the content type next to a style",
      { a: { style: "form", contentType: "application/json" } },
      { a: ["x", "y"] },
      "a=x&a=y",
    ],
  ])("%s", async (_, encoding, body, text) => {
    const { got, type } = await send({ content: urlencoded(encoding), body })
    expect([type, got?.text]).toEqual([form, text])
  })

  it("is also written for a header with its type, with or without parameters", async () => {
    const content = { "application/json": {}, ...urlencoded({ a: { explode: false } }) }
    const headers = { "content-type": `${form}; charset=utf-8` }
    const { got } = await send({ content, body: { a: ["x", "y"] }, headers })
    expect([got?.text, got?.headers["content-type"]]).toEqual(["a=x,y", `${form}; charset=utf-8`])
  })

  it("with a lone surrogate is rejected", async () => {
    const { got, block } = await send({ content: urlencoded(), body: { a: ["\ud800"] } })
    expect(got).toBeUndefined()
    expect(block("send").error?.message).toBe(
      "the form contains an unpaired surrogate, which UTF-8 can't encode",
    )
  })
})

describe("a multipart body", () => {
  const parted = (encoding?: Fields) => ({ [multipart]: encoding === undefined ? {} : { encoding } })

  it("has a part for each value, and JSON for objects", async () => {
    const body = { id: "x", tags: ["a", 2], address: { zip: "1" }, empty: "", none: [] }
    const { parts, type } = await send({ content: parted(), body })
    expect(type).toMatch(/^multipart\/form-data; boundary=/)
    expect(parts).toEqual([
      [field("id"), "x"],
      [field("tags"), "a"],
      [field("tags"), "2"],
      [field("address", "content-type: application/json"), `{"zip":"1"}`],
      [field("empty"), ""],
    ])
  })

  it("names files as browsers do", async () => {
    const files = [
      { file: "files/photo.png" },
      { file: "files/photo.jpg", filename: 'ü "q".jpg' },
      { file: "files/empty", filename: 'a\r\nb";c\\.txt', contentType: "text/plain" },
    ]
    const { parts, got } = await send({ content: parted(), body: { 'f"ile\n': files } })
    const name = "f%22ile%0A"
    const octets = "content-type: application/octet-stream"
    expect(parts).toEqual([
      [field(`${name}"; filename="photo.png`, octets), "PNG"],
      [field(`${name}"; filename="ü %22q%22.jpg`, octets), "JPG"],
      [field(`${name}"; filename="a%0D%0Ab%22;c\\.txt`, "content-type: text/plain"), ""],
    ])
    expect(got?.headers["content-length"]).toBe(String(Buffer.byteLength(got?.text ?? "")))
  })

  it("can be parsed by another implementation", async () => {
    const { got } = await send({
      content: parted(),
      body: { ü: "é", file: { file: "files/photo.jpg", filename: 'ü "q".jpg' } },
    })
    const response = new Response(got?.text ?? "", {
      headers: { "content-type": got?.headers["content-type"] ?? "" },
    })
    const read = await response.formData()
    const file = read.get("file") as File
    expect([read.get("ü"), file.name, await file.text()]).toEqual(["é", 'ü "q".jpg', "JPG"])
  })

  it("has the documented types, styles and headers", async () => {
    const encoding = {
      id: { contentType: "application/json" },
      list: { style: "form", explode: false },
      deep: { style: "deepObject" },
      rows: { contentType: "application/vnd.row+json" },
      photo: {
        contentType: "image/jpeg, image/png",
        headers: {
          "X-Kind": { schema: { const: "portrait" } },
          "X-One": { schema: { enum: [1] } },
          "X-Free": { schema: { type: "string" } },
          "Content-Type": { schema: { const: "text/html" } },
          "X-Bad": { schema: { const: "a\r\nb" } },
        },
      },
    }
    const photo = [
      { file: "files/photo.png" },
      { file: "files/photo.jpg", filename: 'ü "q".jpg' },
      { file: "files/photo.png", contentType: "image/gif" },
    ]
    const body = { id: "x", list: ["a b", "c"], deep: { a: { b: 1 } }, rows: [{ r: 1 }, { r: 2 }], photo }
    const { parts } = await send({ content: parted(encoding), body })
    const kind = ["X-Kind: portrait", "X-One: 1"]
    expect(parts).toEqual([
      [field("id", "content-type: application/json"), `"x"`],
      [field("list"), "a b,c"],
      [field("deep[a][b]"), "1"],
      [field("rows", "content-type: application/vnd.row+json"), `{"r":1}`],
      [field("rows", "content-type: application/vnd.row+json"), `{"r":2}`],
      [field(`photo"; filename="photo.png`, "content-type: image/png", ...kind), "PNG"],
      [field(`photo"; filename="ü %22q%22.jpg`, "content-type: image/jpeg", ...kind), "JPG"],
      [field(`photo"; filename="photo.png`, "content-type: image/gif", ...kind), "PNG"],
    ])
  })

  it("never splits a file, whatever the style", async () => {
    const { parts } = await send({
      content: parted({ f: { style: "form", explode: false } }),
      body: { f: [{ file: "files/photo.png" }, { file: "files/empty" }] },
    })
    expect(parts.map(([, content]) => content)).toEqual(["PNG", ""])
  })

  it("with a lone surrogate is rejected by the name of its part", async () => {
    const bodies: readonly [Fields, string][] = [
      [{ a: "\ud800" }, "a"],
      [{ f: { file: "files/empty", filename: "\udc00" } }, "f"],
    ]
    for (const [body, name] of bodies) {
      const { got, block } = await send({ content: parted(), body })
      expect(got).toBeUndefined()
      expect(block("send").error?.message).toBe(
        `the part "${name}" contains an unpaired surrogate, which UTF-8 can't encode`,
      )
    }
  })
})

describe("other bodies", () => {
  it("with a lone surrogate: JSON escapes it, a text is rejected", async () => {
    const json = await send({ body: { a: "\ud800" } })
    expect(json.got?.text).toBe(String.raw`{"a":"\ud800"}`)
    const text = await send({ saved: { bodyType: "text", body: "\ud800" } })
    expect(text.got).toBeUndefined()
    expect(text.block("send").error?.message).toBe(
      "the body contains an unpaired surrogate, which UTF-8 can't encode",
    )
  })
})

describe("a form of Swagger 2.0", () => {
  const array = (name: string, format?: string) => ({
    name,
    in: "formData",
    type: "array",
    items: { type: "string" },
    ...(format === undefined ? {} : { collectionFormat: format }),
  })
  const fields = [
    array("csv"),
    array("ssv", "ssv"),
    array("tsv", "tsv"),
    array("pipes", "pipes"),
    array("multi", "multi"),
    { name: "plain", in: "formData", type: "string" },
  ]
  const document = (parameters: readonly Fields[], consumes: string) => ({
    swagger: "2.0",
    info: { title: "Shop", version: "1" },
    paths: { "/a": { post: { operationId: "send", consumes: [consumes], parameters, responses: {} } } },
  })
  const value = ["a b", "c"]
  const body = { csv: value, ssv: value, tsv: value, pipes: value, multi: value, plain: "d", other: value }

  it("writes lists in their collectionFormat", async () => {
    const { got } = await send({ document: document(fields, form), body })
    expect(got?.text.split("&")).toEqual([
      "csv=a%20b,c",
      "ssv=a%20b%20c",
      "tsv=a%20b%09c",
      "pipes=a%20b%7Cc",
      "multi=a%20b",
      "multi=c",
      "plain=d",
      "other=a+b",
      "other=c",
    ])
  })

  it("does so in parts next to files", async () => {
    const file = { name: "photo", in: "formData", type: "file" }
    const { parts } = await send({
      document: document([...fields, file], multipart),
      body: { csv: value, pipes: value, multi: value, photo: { file: "files/photo.png" } },
    })
    expect(parts.map(([head, content]) => `${/name="(\w+)"/.exec(head)?.[1]}=${content}`)).toEqual([
      "csv=a b,c",
      "pipes=a b|c",
      "multi=a b",
      "multi=c",
      "photo=PNG",
    ])
  })
})
