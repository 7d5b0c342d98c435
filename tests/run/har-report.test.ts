// `--reporter har`: valid by the schema of HAR 1.2, which requires more than the import of Chrome DevTools does.

import { createRequire } from "node:module"
import { Ajv, type AnySchema } from "ajv"
import draft06 from "ajv/dist/refs/json-schema-draft-06.json" with { type: "json" }
import addFormats from "ajv-formats"
import { expect, it } from "vitest"
import type { Answer, Route } from "../harness/api-server.ts"
import { readText } from "../harness/callsheet.ts"
import { hostile, openNightly } from "./nightly-suite.ts"
import { request, shopFiles } from "./shop-project.ts"

const ajv = new Ajv({ strict: false, allErrors: true })
ajv.addMetaSchema(draft06)
addFormats.default(ajv)
const require = createRequire(import.meta.url)
const schemas = require("har-schema") as Readonly<Record<string, AnySchema>>
for (const schema of Object.values(schemas)) ajv.addSchema(schema)

interface Har {
  readonly log: {
    readonly creator: { readonly name: string }
    readonly pages: readonly { readonly id: string; readonly title: string; readonly comment: string }[]
    readonly entries: readonly {
      readonly pageref: string
      readonly startedDateTime: string
      readonly request: object
      readonly response: object
      readonly comment: string
    }[]
  }
}

function read(text: string): Har["log"] {
  const har = JSON.parse(text) as Har
  ajv.validate("har.json#", har)
  expect(ajv.errors).toBeNull()
  const { pages, entries } = har.log
  for (const { pageref } of entries) expect(pages.map(({ id }) => id)).toContain(pageref)
  return har.log
}

const get = (id: string, path: string, params: object = {}) =>
  request(id, { operation: "getItem", overrides: { params: { path: { id: path }, ...params } } })
const bodies = {
  json: { sku: "ü" },
  form: { sku: "A 1", note: "ü" },
  multipart: { sku: "A", photo: { file: "photo.bin" } },
}

const exchanges = [
  get("cookies", "cookies", { query: { q: "a b&c", empty: "" } }),
  get("binary", "binary"),
  get("moved", "moved"),
  get("cut", "cut"),
  ...Object.keys(bodies).map((id) => request(id, { instance: id })),
]

const binary = Buffer.from([0, 255, 254, 1])
const routes: Readonly<Record<string, Answer | Route>> = {
  "/items/cookies": {
    headers: {
      "set-cookie": [
        "sid=1=2; Path=/; Expires=Wed, 21 Oct 2037 07:28:00 GMT; HttpOnly; Secure",
        "theme=dark",
      ],
    },
    body: { ok: true },
  },
  "/items/binary": { body: binary, headers: { "content-type": "image/png" } },
  "/items/text": { body: "plain", headers: { "content-type": "text/plain" } },
  "/items/moved": { status: 302, headers: { location: "/items/text" } },
  "/items/cut": (_, response) => {
    response
      .writeHead(200, { "content-length": 100, "content-type": "text/plain" })
      .write("half", () => void response.destroy())
    return undefined
  },
  "POST /echo": { status: 204 },
}

it("contains each request with its time, query, cookies and body, and each response with its content", async () => {
  const { api, call } = await openNightly(routes, (url) => ({
    ...shopFiles(url, exchanges, { onFailure: "continue" }),
    "photo.bin": binary,
    ...Object.fromEntries(
      Object.entries(bodies).map(([bodyType, body]) => [
        `apis/shop/requests/tools/${bodyType}.json`,
        { version: 1, method: "POST", path: "/echo", bodyType, body },
      ]),
    ),
  }))
  const before = new Date().toISOString()
  const { stdout, stderr, exitCode } = await call("run", "w", "--env=local", "--reporter=har")
  expect(exitCode, stderr).toBe(1)
  const { creator, entries } = read(stdout)
  expect(creator.name).toBe("callsheet")
  const times = entries.map(({ startedDateTime }) => startedDateTime)
  const all = [before, ...times, new Date().toISOString()]
  expect(all).toEqual(all.toSorted())
  const [cookies, image, moved, cut, json, form, multipart] = entries
  expect(cookies).toMatchObject({
    comment: "cookies",
    time: expect.any(Number),
    request: {
      method: "GET",
      url: `${api.url}/items/cookies?q=a%20b%26c&empty=`,
      queryString: [
        { name: "q", value: "a b&c" },
        { name: "empty", value: "" },
      ],
      bodySize: 0,
    },
    response: {
      status: 200,
      statusText: "OK",
      cookies: [
        {
          name: "sid",
          value: "1=2",
          path: "/",
          expires: "2037-10-21T07:28:00.000Z",
          httpOnly: true,
          secure: true,
        },
        { name: "theme", value: "dark", httpOnly: false, secure: false },
      ],
      content: { size: 11, mimeType: "application/json", text: '{"ok":true}' },
    },
  })
  expect(image?.request).toMatchObject({
    cookies: [
      { name: "theme", value: "dark" },
      { name: "sid", value: "1=2" },
    ],
  })
  expect(image?.response).toMatchObject({
    content: { size: 4, mimeType: "image/png", text: binary.toString("base64"), encoding: "base64" },
  })
  expect(moved?.response).toMatchObject({
    content: { text: "plain" },
    comment: `${api.url}/items/moved was redirected: 302 ${api.url}/items/text`,
  })
  expect(cut?.response).toMatchObject({
    status: 200,
    content: { size: 4, comment: expect.stringContaining("The body was not read completely: ") },
  })
  expect(json?.request).toMatchObject({
    bodySize: 12,
    postData: { mimeType: "application/json", text: '{"sku":"ü"}' },
  })
  expect(json?.response).toMatchObject({ status: 204, content: { size: 0, mimeType: "" } })
  expect(form?.request).toMatchObject({
    postData: {
      text: "sku=A+1&note=%C3%BC",
      params: [
        { name: "sku", value: "A 1" },
        { name: "note", value: "ü" },
      ],
    },
  })
  expect(multipart?.request).toMatchObject({
    postData: {
      mimeType: expect.stringContaining("multipart/form-data; boundary="),
      text: expect.stringContaining('filename="photo.bin"'),
      comment: "Files are shown by their sizes.",
    },
  })
})

it("says why there is no response, and shows a secret base URL masked", async () => {
  const { call } = await openNightly({}, () => ({
    ...shopFiles("http://127.0.0.1:1/s3cret-base", [get("lost", "x")]),
    "apis/shop/environments/schema.json": {
      version: 1,
      variables: { baseUrl: { type: "string", required: true, secret: true } },
    },
    "apis/shop/environments/local.json": {},
    "apis/shop/environments/local.secrets.env": "baseUrl=http://127.0.0.1:1/s3cret-base\n",
  }))
  const { stdout } = await call("run", "w", "--env=local", "--reporter=har")
  expect(stdout).not.toContain("s3cret-base")
  expect(read(stdout).entries).toMatchObject([
    {
      request: { url: "https://***/items/x" },
      response: { status: 0, _error: expect.stringContaining("refused the connection") },
    },
  ])
})

it("has a page for each run of a suite, and what was left over", async () => {
  const { run, folder } = await openNightly()
  const { exitCode } = await run("--reporter=har=out/run.har")
  expect(exitCode).toBe(1)
  const text = (await readText(folder, "out/run.har")) ?? ""
  const { pages, entries } = read(text)
  expect(pages.map(({ title, comment }) => [title, comment])).toEqual([
    ["nightly › sign-in (before)", "passed"],
    ["nightly › flaky", "failed"],
    ["nightly › flaky (attempt 2)", "passed"],
    ["nightly › buy (row 1)", "passed"],
    ["nightly › buy (row 2)", "failed"],
    ["nightly › late", "skipped: --bail ended the run"],
    ["nightly › clean-up (cleanup)", "passed"],
  ])
  expect(entries.map(({ pageref, comment }) => `${pageref} ${comment}`)).toEqual([
    "run_1 orders",
    "run_2 get",
    "run_3 get",
    "run_4 order",
    "run_4 twice › [0] › look",
    "run_4 twice › [1] › look",
    "run_5 order",
    "run_5 twice › [0] › look",
    "run_5 twice › [1] › look",
    "run_7 orders",
  ])
  expect(JSON.parse(text)).toMatchObject({ log: { _leftovers: [{ operation: "POST /orders" }] } })
})

it("contains no command and no control character, whatever a server sends", async () => {
  const { run } = await openNightly()
  const { stdout } = await run("--reporter=har")
  expect(stdout).toContain("onerror=alert(1)")
  expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]|^\s*::|##[a-z]*\[/m)
  const [look] = read(stdout).entries.filter(({ comment }) => comment.endsWith("look"))
  expect(look?.response).toMatchObject({ content: { text: JSON.stringify({ text: hostile }) } })
})
