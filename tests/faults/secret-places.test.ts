// Puts a secret in every position of a request, and checks reports, files and the screen.

import { readFileSync } from "node:fs"
import { rm } from "node:fs/promises"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { startApi, type ApiServer } from "../harness/api-server.ts"
import { callsheet, createFolder } from "../harness/callsheet.ts"

const secret = "s3cret-in-pieces-4711"
const pieces = Array.from({ length: secret.length - 7 }, (_, at) => secret.slice(at, at + 8))
const half = Math.floor(secret.length / 2)
const token = "{{env.shop.key}}"

const send = (id: string, overrides: object, instance = "json") => ({
  id,
  type: "request",
  request: { api: "shop", instance, overrides },
})
const fails = (id: string, source: string) => ({
  id,
  type: "assert",
  assertions: [{ source, operator: "equals", value: "x" }],
})
const script = `
export const pieces = (ctx) => {
  const { key } = ctx.env("shop")
  process.stdout.write("a " + key.slice(0, ${half}))
  process.stdout.write(key.slice(${half}) + " b\\n")
  for (const letter of key) process.stderr.write(letter)
  console.log("x".repeat(300), key)
  throw new Error("y".repeat(995) + key + "z".repeat(5000))
}
`

const blocks = [
  send("header", { params: { header: { "x-key": token } } }),
  send("query", { params: { query: { [`q`]: token } } }),
  send("path", { params: { path: { id: token } } }, "path"),
  send("cookie", { params: { cookie: { sid: token } } }),
  send("json-body", { body: { a: token } }),
  send("form-body", { body: { a: token } }, "form"),
  send("multipart-body", { body: { a: `<${token}>` } }, "multipart"),
  send("text-body", {}, "text"),
  // A failure's excerpt of a body is truncated at 4,000 characters.
  ...[3_990, 3_999, 4_000].map((before) =>
    send(`cut-${before}`, { params: { query: { q: `${"p".repeat(before)}${token}` } } }),
  ),
  ...[3_990, 3_999, 4_000].map((before) => fails(`look-${before}`, `cut-${before}.response.body.url`)),
  ...["header", "path", "json-body", "form-body", "multipart-body", "text-body"].map((id) =>
    fails(`look-${id}`, `${id}.response.body`),
  ),
  { id: "pieces", type: "script", script: { name: "s", exportName: "pieces" } },
]

let api: ApiServer
let folder: string
beforeAll(async () => {
  api = await startApi({
    "*": ({ url, headers, text }) => ({ body: { url: url.slice(url.indexOf("=") + 1), headers, text } }),
  })
  const saved = { version: 1, method: "POST", path: "/echo" }
  const secrets = `key=${secret}\nbaseUrl=${api.url.replace("//", `//us:${secret}@`)}\n`
  folder = await createFolder({
    "apis/shop/environments/schema.json": {
      version: 1,
      variables: {
        baseUrl: { type: "string", required: true, secret: true },
        key: { type: "string", required: true, secret: true },
      },
    },
    "apis/shop/environments/local.json": {},
    "apis/shop/environments/local.secrets.env": secrets,
    "apis/shop/requests/echo/json.json": { ...saved, body: { a: "" } },
    "apis/shop/requests/echo/form.json": { ...saved, bodyType: "form", body: { a: "" } },
    "apis/shop/requests/echo/multipart.json": { ...saved, bodyType: "multipart", body: { a: "" } },
    "apis/shop/requests/echo/text.json": { ...saved, bodyType: "text", body: `a ${token} b` },
    "apis/shop/requests/echo/path.json": { version: 1, method: "GET", path: "/echo/{id}" },
    "apis/workflow/w.json": { version: 1, onFailure: "continue", blocks },
    "apis/workflow/scripts/w/s.ts": script,
  })
})
afterAll(async () => {
  await api.close()
  await rm(folder, { recursive: true })
})

describe("a secret at every position of a request", () => {
  it.each(["pretty", "json", "junit"])("is *** in the output of %s, complete and in parts", async (name) => {
    const words = ["run", "w", `--reporter=${name}=out`, "--reporter=pretty", "--debug"]
    const { exitCode, stdout, stderr } = await callsheet(words, { folder, env: { FORCE_COLOR: "1" } })
    expect(exitCode).toBe(1)
    const sent = api.requests.slice(-11)
    expect(sent.every(({ headers }) => headers.authorization?.startsWith("Basic "))).toBe(true)
    expect(JSON.stringify(sent).split(secret).length).toBeGreaterThan(11)
    const text = stdout + stderr + readFileSync(join(folder, "out"), "utf8")
    expect(text).toContain("***")
    for (const piece of pieces) expect(text).not.toContain(piece)
  })

  it("is masked in events before they are truncated", async () => {
    const built = new URL("../../packages/cli/dist/index.js", import.meta.url).href
    const { run } = (await import(built)) as typeof import("../../packages/cli/src/index.ts")
    const events: string[] = []
    await run({ project: folder, workflows: ["w"], onEvent: (event) => events.push(JSON.stringify(event)) })
    const text = events.join("\n")
    expect(text.match(/… \([0-9]+ characters\)/g)?.length).toBeGreaterThan(2)
    for (const piece of pieces) expect(text).not.toContain(piece)
  })
})
