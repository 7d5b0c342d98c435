import type { RunReport } from "@callsheet/format"
import { describe, expect, it } from "vitest"
import { completePath, pathAt, type Root } from "./complete-path.ts"
import { knownResult, reportsOf } from "./known-result.ts"
import { unknownValue, type KnownValue } from "./known-value.ts"
import { withSuggestion } from "./suggestion.ts"

const book = {
  id: "book",
  type: "request",
  status: "passed",
  durationMs: 3,
  response: {
    status: 200,
    headers: { "content-type": "application/json", "x.shelf": "a" },
    body: { title: "Faust", tags: ["drama"], token: "***" },
    durationMs: 2,
    sizeBytes: 5,
  },
} as const

const detail = {
  name: "getBook",
  method: "GET",
  path: "/books/{id}",
  resources: [],
  parameters: [],
  security: [],
  responses: [
    { status: "404", headers: [], body: { words: "Fault", fields: [{ name: "reason", words: "string" }] } },
    {
      status: "200",
      headers: ["x-page"],
      body: {
        words: "Book",
        fields: [
          { name: "title", words: "string" },
          { name: "author", words: "Author", fields: [{ name: "name", words: "string" }] },
        ],
      },
    },
  ],
} as const

const root = (name: string, known: KnownValue = unknownValue, note = ""): Root => ({
  name,
  note,
  known: () => known,
})

const roots = [
  root("customer", unknownValue, "input, string"),
  root("book", knownResult({ type: "request" }, detail, [book]), "result"),
  root("get-{{i}}", knownResult({ type: "request" }, undefined, [book]), "result"),
]

const texts = async (text: string, reads: "path" | "text" = "path", caret = text.length) =>
  (await completePath(text, caret, { reads, roots })).items.map((item) => item.text)

describe("completion", () => {
  it("offers what a path may start with", async () => {
    expect(await texts("")).toEqual(["customer", "book", "get-{{i}}"])
    expect(await texts("oo")).toEqual(["book"])
    expect(await texts("customer")).toEqual([])
  })

  it("follows the document and the last response, masked as received", async () => {
    const { items } = await completePath("book.response.body.", 19, { reads: "path", roots })
    expect(items.map(({ text, note }) => ({ text, note }))).toEqual([
      { text: "book.response.body.title", note: 'string · "Faust"' },
      { text: "book.response.body.author", note: "Author" },
      { text: "book.response.body.reason", note: "string" },
      { text: "book.response.body.tags", note: "array · 1 item" },
      { text: "book.response.body.token", note: 'string · "***"' },
    ])
    expect(await texts("book.response.body.author.")).toEqual(["book.response.body.author.name"])
    expect(await texts("book.response.body.tags.")).toEqual(["book.response.body.tags.0"])
    expect(await texts("book.response.s")).toEqual([
      "book.response.status",
      "book.response.headers",
      "book.response.durationMs",
    ])
  })

  it("finds values at any depth by their name or by letters of their path, the best first", async () => {
    expect(await texts("title")).toEqual(["book.response.body.title", "get-{{i}}.response.body.title"])
    expect((await texts("author"))[0]).toBe("book.response.body.author")
    expect(await texts("book.token")).toEqual(["book.response.body.token"])
    expect(await texts("nowhere")).toEqual([])
  })

  it("goes on with the members of a value", async () => {
    const { items } = await completePath("book.response.bo", 16, { reads: "path", roots })
    expect(items).toEqual([
      { text: "book.response.body", note: "Book", insert: "book.response.body.", caretBack: 0, goesOn: true },
    ])
  })

  it("quotes a name that a path can't contain", async () => {
    expect(await texts("book.response.headers.x")).toContain('book.response.headers["x.shelf"]')
    expect(await texts("book.response.headers.x")).toContain("book.response.headers.x-page")
  })

  it("follows an id that contains a token", async () => {
    expect(await texts("get-{{i}}.response.body.ti")).toEqual(["get-{{i}}.response.body.title"])
  })

  it("works only in tokens if the text is not a path, and closes them", async () => {
    expect(await texts("book", "text")).toEqual([])
    const text = "Bearer {{book.response.body.ti"
    const suggestions = await completePath(text, text.length, { reads: "text", roots })
    const [item] = suggestions.items
    expect(item && withSuggestion(text, suggestions, item)).toEqual({
      text: "Bearer {{book.response.body.title}}",
      caret: 35,
    })
    const open = await completePath("{{bo", 4, { reads: "text", roots })
    expect(open.items[0] && withSuggestion("{{bo", open, open.items[0])).toEqual({
      text: "{{book.}}",
      caret: 7,
    })
    const inside = await completePath("{{ cust }} x", 7, { reads: "text", roots })
    expect(inside.items[0] && withSuggestion("{{ cust }} x", inside, inside.items[0]).text).toBe(
      "{{ customer }} x",
    )
  })

  it("finds the innermost open token", () => {
    expect(pathAt("{{get-{{i", 9, "text")?.text).toBe("i")
    expect(pathAt("{{get-{{i}}.resp", 16, "text")?.text).toBe("get-{{i}}.resp")
    expect(pathAt(String.raw`\{{a`, 4, "text")).toBeUndefined()
    expect(pathAt("{{a}} b", 7, "text")).toBeUndefined()
  })
})

describe("the reports of a block", () => {
  it("are found by an id with tokens, in the last iterations", () => {
    const iteration = (index: number) => ({
      index,
      value: index,
      status: "passed" as const,
      blocks: [{ ...book, id: `get-${index}` }],
    })
    const loop = { id: "l", type: "loop" as const, status: "passed" as const, durationMs: 1 }
    const iterations = Array.from({ length: 100 }, (_, index) => iteration(index))
    const run = { blocks: [book, { ...loop, iterations }] } as unknown as RunReport
    expect(reportsOf(run, "book")).toEqual([book])
    expect(reportsOf(run, "get-{{i}}").map(({ id }) => id)).toEqual(["get-99", "get-98", "get-97"])
  })
})
