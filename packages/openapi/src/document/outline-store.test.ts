import { describe, expect, it } from "vitest"
import { formatProblem, type SourceFile } from "@callsheet/format"
import type { OpenApiDocument } from "./document.ts"
import { findOperation, type OperationResult, listOperations } from "./operations.ts"
import type { StoredOutline, OutlineStore } from "./outline-store.ts"
import { readDocument } from "./read-document.ts"

const encode = (text: string) => new TextEncoder().encode(text)

/** Creates a source as `project` does: its text is decoded on first use. */
function sourceOf(text: string, file = "openapi.json"): SourceFile & { readonly decoded: () => boolean } {
  let isDecoded = false
  const bytes = encode(text)
  return {
    file,
    bytes,
    get text() {
      isDecoded = true
      return text
    },
    decoded: () => isDecoded,
  }
}

const listed = (document: OpenApiDocument) =>
  listOperations(document).map((one) => [
    [one.name, one.operationId, one.method, one.path, one.summary, one.tags, one.resources],
    [one.pointer, one.value, one.pathItem.pointer, one.pathItem.value],
  ])

const summaryOf = (found: OperationResult) =>
  found.status === "found" ? `${found.operation.method} ${found.operation.path}` : found

function createStore() {
  const kept = new Map<string, StoredOutline>()
  const counts = { found: 0, missed: 0, written: 0 }
  const nameOf = ({ bytes, dialect }: Parameters<OutlineStore["read"]>[0]) =>
    `${dialect}\n${new TextDecoder().decode(bytes)}`
  const store: OutlineStore = {
    read: (key) => {
      const found = kept.get(nameOf(key))
      counts[found === undefined ? "missed" : "found"]++
      return found
    },
    write: (key, outline) => {
      counts.written++
      kept.set(nameOf(key), outline)
    },
  }
  return { store, counts }
}

const operation = (id: string) => ({
  operationId: id,
  tags: ["things"],
  summary: `About ${id}`,
  description: "x".repeat(3000),
  responses: {
    200: {
      description: "Fine.",
      content: { "application/json": { schema: { $ref: "#/components/schemas/Thing" } } },
    },
  },
})

const large = {
  openapi: "3.1.0",
  info: { title: "Large", version: "1" },
  servers: [{ url: "https://example.com/v1" }],
  paths: Object.fromEntries(
    Array.from({ length: 120 }, (_, n) => [
      `/things/${n}`,
      { get: operation(`get${n}`), put: operation(`put${n}`) },
    ]),
  ),
  components: { schemas: { Thing: { type: "object", minimum: 1 } } },
}
const largeText = JSON.stringify(large).replace(`"minimum":1`, `"maximum":9007199254740993`)

describe("a large document in JSON", () => {
  it("lists the same operations with a store as without", async () => {
    const { store, counts } = createStore()
    const whole = await readDocument(sourceOf(largeText))
    const first = await readDocument(sourceOf(largeText), { outlines: store })
    const second = await readDocument(sourceOf(largeText), { outlines: store })
    expect(counts).toEqual({ found: 1, missed: 1, written: 1 })
    expect(listOperations(whole.document!)).toHaveLength(240)
    for (const { document } of [first, second]) {
      expect(listed(document!)).toEqual(listed(whole.document!))
      expect(document!.root).toEqual(whole.document!.root)
    }
  })

  it("finds the same operations with a store as without", async () => {
    const paths = {
      ...large.paths,
      "/again": { get: { operationId: "get7" }, x: { operationId: "get9" } },
      "x-paths": { get: { operationId: "get8" } },
      "/sl/ash": { get: { operationId: "a/b \u00e9" }, post: { operationId: "operationId" } },
      "/deep": { get: { operationId: "outer", "x-more": { operationId: "inner" } } },
    }
    const plain = JSON.stringify({ ...large, paths })
    const ids = [
      "get0",
      "put119",
      "get7",
      "get8",
      "get9",
      "a/b \u00e9",
      "operationId",
      "inner",
      "outer",
      "gone",
    ]
    const referring = plain.replace(`"/again":{`, `"/elsewhere":{"$ref":"#/paths/~1again"},"/again":{`)
    for (const text of [plain, plain.replaceAll("/", "\\/").replaceAll("\u00e9", "\\u00e9"), referring]) {
      const whole = (await readDocument(sourceOf(text))).document!
      for (const id of [...ids, "GET /again"]) {
        const inParts = (await readDocument(sourceOf(text), { outlines: createStore().store })).document!
        const [found, expected] = [inParts, whole].map((one) => findOperation(one, { operation: id }))
        expect(summaryOf(found!), id).toEqual(summaryOf(expected!))
        expect(findOperation(inParts, { operation: id })).toEqual(found)
      }
    }
  })

  it("returns the same operation each time, even if many are requested", async () => {
    const { document } = await readDocument(sourceOf(largeText), { outlines: createStore().store })
    const places = Array.from({ length: 120 }, (_, n) =>
      summaryOf(findOperation(document!, { operation: `get${n}` })),
    )
    expect(places).toEqual(Array.from({ length: 120 }, (_, n) => `GET /things/${n}`))
    const [one, other] = [1, 2].map(() => findOperation(document!, { operation: "get5" }))
    expect(one?.status === "found" && other?.status === "found" && one.operation === other.operation).toBe(
      true,
    )
  })

  it("is neither decoded nor searched as text", async () => {
    const { store } = createStore()
    const source = sourceOf(largeText)
    const readFile = () => {
      throw new Error("it has no external references")
    }
    const { document } = await readDocument(source, { outlines: store, readFile })
    expect(listOperations(document!)[7]?.operationId).toBe("put3")
    expect(source.decoded()).toBe(false)
  })

  it.each([
    ["a comma is missing", (text: string) => text.replace(`,"paths"`, `"paths"`), `expected "," or "}"`],
    [
      "a key is duplicated",
      (text: string) => text.replace(`"get":{"operationId":"get77"`, `"put":{"operationId":"get77"`),
      `duplicate key "put"`,
    ],
    [
      "a key is duplicated deep inside",
      (text: string) => text.replace(`"description":"Fine."`, `"content":{},"description":"Fine."`),
      `duplicate key "content"`,
    ],
    [
      "the version is unknown",
      (text: string) => text.replace("3.1.0", "5.0.0"),
      `unknown OpenAPI version "5.0.0"`,
    ],
    [
      "the paths are not an object",
      (text: string) => text.replace(`"paths":{`, `"paths":1,"x":{`),
      `"paths" must be an object`,
    ],
  ])("is rejected with the same message and position if %s", async (_, change, words) => {
    const { store } = createStore()
    const broken = change(largeText)
    const { problems, document } = await readDocument(sourceOf(broken), { outlines: store })
    expect(document).toBeUndefined()
    expect(problems.map(formatProblem).join()).toContain(words)
    expect(problems).toEqual((await readDocument(sourceOf(broken))).problems)
  })

  it("still leads to other files, including YAML, if a reference does", async () => {
    const { store } = createStore()
    const text = largeText.replace("#/components/schemas/Thing", "thing.yaml#/Thing")
    const readFile = () => ({ ok: true, value: sourceOf("Thing: {type: string}\n", "thing.yaml") }) as const
    for (let time = 0; time < 2; time++) {
      const { document } = await readDocument(sourceOf(text), { outlines: store, readFile })
      expect(document!.openOther!("thing.yaml")).toMatchObject({
        ok: true,
        file: { root: { Thing: { type: "string" } } },
      })
    }
  })
})

describe("a document in YAML", () => {
  const text = `openapi: 3.1.0
info: {title: Yes, version: "1"}
paths:
  /a: {get: {operationId: a, responses: {200: {description: &d Fine}, 404: {description: *d}}}}
components:
  schemas:
    Big: {maximum: 9007199254740993, minimum: -1.5e3, enum: [no, ~, 0x10, "2"]}
    __proto__: {type: string}
`

  it("is parsed once, and has the same content when read from the store", async () => {
    const { store, counts } = createStore()
    const whole = await readDocument(sourceOf(text, "openapi.yaml"))
    const first = await readDocument(sourceOf(text, "openapi.yaml"), { outlines: store })
    const second = await readDocument(sourceOf(text, "openapi.yaml"), { outlines: store })
    expect(counts).toEqual({ found: 1, missed: 1, written: 1 })
    expect(first.document!.root).toEqual(whole.document!.root)
    expect(second.document!.root).toEqual(whole.document!.root)
    expect(listed(second.document!)).toEqual(listed(whole.document!))
  })

  it("is not stored if JSON can't represent its content", async () => {
    const { store, counts } = createStore()
    await readDocument(sourceOf(`${text}x-limit: .inf\n`, "openapi.yaml"), { outlines: store })
    expect(counts.written).toBe(0)
  })

  it("is rejected with the position in it, however often it is read", async () => {
    const { store } = createStore()
    for (let time = 0; time < 2; time++) {
      const { problems } = await readDocument(sourceOf(`# one\nopenapi: 9.0.0\n`, "openapi.yaml"), {
        outlines: store,
      })
      expect(problems.map(formatProblem)).toEqual([
        `openapi.yaml:2:10: unknown OpenAPI version "9.0.0" (document-invalid)`,
      ])
    }
  })
})
