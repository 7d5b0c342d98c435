import { parseJson, type RequestView } from "@callsheet/format"
import { describe, expect, it } from "vitest"
import { savedOfSent } from "./sent-request.ts"
import type { SentSource } from "./sent-source.ts"

const operation = {
  name: "getBook",
  method: "GET",
  path: "/books/{bookId}",
  parameters: [
    { name: "bookId", in: "path", words: "integer" },
    { name: "X-Trace", in: "header", words: "string" },
    { name: "seen", in: "cookie", words: "string" },
  ],
} as const
const get = (url: string, headers: RequestView["headers"] = {}): RequestView => ({
  method: "GET",
  url,
  headers,
})
const saved = (sent: RequestView, source: SentSource = { operation }) => {
  const { text, notes } = savedOfSent(sent, source)
  return { ...(JSON.parse(text) as object), notes }
}

describe("a request saved from a sent one", () => {
  it("has the operation, its parameters by location, and no header that the client added", () => {
    const headers = {
      host: "a",
      accept: "*/*",
      "user-agent": "callsheet/1",
      "x-trace": "on",
      cookie: "sid=1; seen=a%20b",
    }
    expect(saved(get("http://a/v1/books/a%2Fb%20c?lang=de&q={{x}}", headers))).toEqual({
      version: 1,
      operation: "getBook",
      params: {
        path: { bookId: "a/b c" },
        query: { lang: "de", q: "\\{{x}}" },
        header: { "x-trace": "on" },
        cookie: { seen: "a b" },
      },
      notes: [],
    })
  })

  it("has the block's token for a secret, or nothing, and reports that", () => {
    const sent = get("http://a/books/***?key=***&old=1", { "x-key": "***", authorization: "Bearer ***" })
    const overrides = { params: { query: { key: "{{apiKey}}" }, header: { "X-Key": "s3cr3t" } } }
    expect(saved(sent, { operation, overrides })).toEqual({
      version: 1,
      operation: "getBook",
      params: { query: { key: "{{apiKey}}", old: "1" } },
      notes: [
        "A placeholder replaces each secret that was sent: query key.",
        "Left out because they contained secrets: path bookId, header x-key, header authorization.",
      ],
    })
  })

  it("has no masked value and no generated token in the body", () => {
    const body = {
      list: ["***", 1, "***", { "***": 1, keep: "{{x" }],
      login: { name: "ada", password: "***" },
      pin: "a *** b",
    }
    const sent: RequestView = { method: "POST", url: "http://a/books/1", headers: {}, body }
    const instance = { operation: "getBook", body: { login: { password: "{{password}}" } } }
    const overrides = { body: { "list.2": "{{second}}" } }
    expect(saved(sent, { operation, instance, overrides })).toMatchObject({
      body: {
        list: [1, "{{second}}", { keep: "\\{{x" }],
        login: { name: "ada", password: "{{password}}" },
      },
      notes: [
        "A placeholder replaces each secret that was sent: body login.password, body list.2.",
        "Left out because they contained secrets: body pin, a field of the body, body list.0.",
      ],
    })
    expect(savedOfSent(sent, { operation, instance, overrides }).text).not.toContain("***")
  })

  it("keeps integers beyond 2^53 exactly if possible, and reports if not", () => {
    const big = "12345678901234567890"
    const body = { a: big, b: big, c: big, d: big, e: [big], f: big, g: "9007199254740991", h: big }
    const sent: RequestView = { method: "POST", url: "http://a/books/1", headers: {}, body }
    const field = (name: string, ...kinds: ("null" | "number" | "string")[]) => ({ name, words: "", kinds })
    const fields = [field("c", "null", "number"), field("d", "string"), field("f", "number", "string")]
    const items = { words: "", kinds: ["number" as const] }
    const type = { words: "object", fields: [...fields, { name: "e", words: "", items }] }
    const documented = { required: true, mediaType: "application/json", mediaTypes: [], type }
    const instance = { operation: "getBook", body: { a: 1n, b: "{{id}}", c: "{{id}}" } }
    const overrides = { body: { b: big } }
    const { text, notes } = savedOfSent(sent, {
      operation: { ...operation, body: documented },
      instance,
      overrides,
    })
    const int = 12345678901234567890n
    expect(parseJson(text)).toMatchObject({
      ok: true,
      value: { body: { ...body, a: int, c: int, e: [int] } },
    })
    expect(notes).toEqual([
      "Saved as text, as in the report, but possibly sent as integers: body h, body f. If so, remove the quotes.",
    ])
    const form = { ...sent, headers: { "content-type": "application/x-www-form-urlencoded" } }
    expect(saved(form)).toMatchObject({ body, notes: [] })
  })

  it("keeps the type of the body, and a body file", () => {
    const post = (body: RequestView["body"], type: string) =>
      saved({
        method: "POST",
        url: "http://a/books/1",
        headers: { "content-type": type },
        body: body ?? null,
      })
    expect(post({ a: "1" }, "application/x-www-form-urlencoded")).toMatchObject({
      bodyType: "form",
      body: { a: "1" },
    })
    expect(post("a,b", "text/csv")).toMatchObject({ bodyType: "text", body: "a,b" })
    expect(post("a *** b", "text/csv")).not.toHaveProperty("body")
    const instance = { operation: "getBook", bodyType: "file" }
    const sent = { method: "PUT", url: "http://a/books/1", body: "files/a.pdf (12 bytes)" }
    expect(saved(sent, { operation, instance })).toMatchObject({ bodyType: "file", body: "files/a.pdf" })
  })

  it("keeps the path of its saved request, and text without tokens", () => {
    const instance = {
      method: "GET",
      path: "/a b/{id}",
      params: { path: { id: "x/y" }, query: { list: "[1,2]" } },
    }
    expect(saved(get("http://h/v1/a%20b/x%2Fy?list=1&list=2"), { instance })).toEqual({
      version: 1,
      ...instance,
      notes: [],
    })
  })

  it("has the URL's method and path if no operation is known", () => {
    expect(saved(get("http://user@h:1/v1/a%20b/***?q=1"), {})).toEqual({
      version: 1,
      method: "GET",
      path: "/v1/a b/{secret}",
      params: { query: { q: "1" } },
      notes: ["The path is from the URL. Remove the part that the environment's base URL already has."],
    })
  })
})
