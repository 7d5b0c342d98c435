import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { afterEach, describe, expect, it } from "vitest"
import { readCurlCommand } from "./read-curl.ts"
import { workOutImport } from "./work-out-import.ts"

const roots: string[] = []
afterEach(() => {
  for (const root of roots.splice(0)) rmSync(root, { recursive: true, force: true })
})

const schema = {
  type: "object",
  properties: { book: { type: "integer" }, "a.b": { type: "string" }, password: { type: "string" } },
}
const document = {
  openapi: "3.1.0",
  info: { title: "Shop", version: "1" },
  paths: {
    "/orders/{id}": {
      post: {
        operationId: "change",
        requestBody: { content: { "application/json": { schema } } },
        responses: {},
      },
    },
  },
}

function read(text: string) {
  const root = mkdtempSync(join(tmpdir(), "callsheet-curl-"))
  roots.push(root)
  const files: Record<string, unknown> = {
    "apis/shop/openapi.json": document,
    "apis/shop/environments/schema.json": {
      version: 1,
      variables: { apiKey: { type: "string", required: false, secret: true } },
    },
    "apis/shop/environments/local.json": { baseUrl: "http://127.0.0.1:4000" },
  }
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), JSON.stringify(content))
  }
  writeFileSync(join(root, "apis/shop/environments/local.secrets.env"), "apiKey=planted-key-1\n")
  const before = readdirSync(root, { recursive: true })
  return readCurlCommand({
    root,
    input: { api: "shop", text },
    processEnvironment: {},
    previewImport: workOutImport,
  }).finally(() => expect(readdirSync(root, { recursive: true })).toEqual(before))
}

describe("a curl command", () => {
  it("becomes the operation of the document, without its secrets", async () => {
    const view = await read(
      `curl -X POST 'http://127.0.0.1:4000/orders/7?v=2' -H 'Authorization: Bearer planted-token-2' -H 'X-Key: planted-key-1' --json '{"book": 5, "a.b": "c", "password": "planted-word-3"}'`,
    )
    expect(view).toMatchObject({
      request: {
        operation: "change",
        params: {
          path: { id: "7" },
          query: { v: "2" },
          header: { Authorization: "Bearer {{bearerCredential}}", "X-Key": "{{apiKey}}" },
        },
        body: { book: 5, "a.b": "c", password: "{{password}}" },
      },
      baseUrl: "http://127.0.0.1:4000",
    })
    expect(JSON.stringify(view.request)).not.toContain("planted")
    expect(view.secrets).toEqual([
      { name: "bearerCredential", value: "planted-token-2" },
      { name: "password", value: "planted-word-3" },
    ])
  })

  it("becomes a method and a path if the document has no such operation", async () => {
    const view = await read(
      "curl https://other.test/v1/health --data-raw hello -H 'content-type: text/plain' --insecure",
    )
    expect(view.request).toMatchObject({ method: "POST", body: "hello", bodyType: "text" })
    expect(view.losses.map(({ what }) => what)).toEqual(["option --insecure"])
  })

  it("of several, and a text without one, is refused", async () => {
    await expect(read("curl http://a.test/x; curl http://a.test/y")).rejects.toMatchObject({
      code: "import-source",
      message: expect.stringContaining("2") as unknown,
    })
    await expect(read("curl --silent")).rejects.toMatchObject({ code: "import-source" })
  })
})
