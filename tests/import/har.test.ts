import { describe, expect, it } from "vitest"
import { startApi } from "../harness/api-server.ts"
import { callsheet, textsIn } from "../harness/callsheet.ts"
import { folderWith, importInto, readJson, validated } from "./import-into.ts"

const entry = (method: string, url: string, more: object = {}) => ({
  request: { method, url, httpVersion: "HTTP/2", headers: [], queryString: [], cookies: [], ...more },
  response: { status: 200, content: { text: "response text" } },
})

const har = (entries: readonly unknown[]) => ({
  log: { version: "1.2", creator: { name: "Browser" }, entries },
})

describe("callsheet import of a HAR file", () => {
  it("sends the recorded requests, with their credentials in the secrets file", async () => {
    const api = await startApi({ "*": { body: {} } })
    const folder = await folderWith({
      "session.har": har([
        entry("GET", `${api.url}/items?q=%7B%7Bx%7D%7D&n=1`, {
          headers: [
            { name: ":authority", value: "a.example" },
            { name: "Accept", value: "application/json" },
            { name: "Cookie", value: "sid=cookie-secret" },
            { name: "accept-encoding", value: "gzip, zstd" },
          ],
        }),
        entry("POST", `${api.url}/items`, {
          headers: [{ name: "content-type", value: "application/json" }],
          postData: { mimeType: "application/json", text: '{"id": 9007199254740993, "t": "{{y}}"}' },
        }),
        entry("POST", `${api.url}/form`, {
          postData: { mimeType: "application/x-www-form-urlencoded", params: [{ name: "a", value: "1 2" }] },
        }),
      ]),
    })
    const { exitCode, result } = await importInto(folder, ["session.har"])
    expect(result).toMatchObject({ source: "har", requests: 3, saved: 3, workflows: ["session"], losses: [] })
    expect(exitCode).toBe(0)
    expect(await validated(folder)).toEqual([])
    const ran = await callsheet(["run", "session"], { folder })
    await api.close()
    expect(ran.exitCode, ran.stderr).toBe(0)
    const [items, create, form] = api.requests
    expect(items?.url).toBe("/items?q=%7B%7Bx%7D%7D&n=1")
    expect(items?.headers).toMatchObject({ accept: "application/json", cookie: "sid=cookie-secret" })
    expect(create?.text).toBe('{"id":9007199254740993,"t":"{{y}}"}')
    expect(form?.text).toBe("a=1+2")
    const texts = Object.entries(await textsIn(folder))
    for (const [file, text] of texts)
      if (file.startsWith("apis/") && !file.endsWith(".secrets.env"))
        expect(text, file).not.toContain("cookie-secret")
  })

  it("names bodies that the archive doesn't contain", async () => {
    const parts = [{ name: "f", fileName: "a.png", contentType: "image/png" }]
    const folder = await folderWith({
      "a.har": har([
        entry("POST", "https://a.example/upload", {
          postData: { mimeType: "multipart/form-data", params: parts },
        }),
      ]),
    })
    const { exitCode, result } = await importInto(folder, ["a.har"])
    expect(exitCode).toBe(1)
    expect(result?.losses.map(({ where, what }) => `${where}: ${what}`)).toEqual([
      "a.har: POST /upload: form field f",
    ])
  })
})

describe("callsheet import of an OpenAPI document", () => {
  it("creates an API with an environment for each server", async () => {
    const document = `openapi: 3.1.0
info: { title: Pet Shop, version: "1" }
servers:
  - { url: "https://api.example.com/v1/", description: Live }
  - { url: "https://{zone}.example.com", variables: { zone: { default: eu } } }
  - { url: /relative }
components:
  securitySchemes:
    apiKey: { type: apiKey, in: header, name: X-Key }
paths:
  /pets: { get: { operationId: listPets, responses: { "200": { description: Done. } } } }
`
    const folder = await folderWith({ "pets.yaml": document })
    const { exitCode, result } = await importInto(folder, ["pets.yaml"])
    expect(exitCode).toBe(0)
    expect(result).toMatchObject({ source: "openapi", requests: 0, operations: 0, saved: 0, workflows: [] })
    const texts = await textsIn(folder)
    expect(texts["apis/pet-shop/openapi.yaml"]).toBe(document)
    expect(await readJson(folder, "apis/pet-shop/environments/live.json")).toEqual({
      level: "production",
      baseUrl: "https://api.example.com/v1",
    })
    expect(await readJson(folder, "apis/pet-shop/environments/default.json")).toEqual({
      baseUrl: "https://eu.example.com",
    })
    expect(await readJson(folder, "apis/pet-shop/environments/schema.json")).toMatchObject({
      variables: { baseUrl: { type: "string" }, apiKey: { secret: true } },
    })
    expect(await validated(folder)).toEqual([])
    expect((await importInto(folder, ["pets.yaml"])).result?.files).toEqual([])
  })

  it("keeps passwords in URLs secret, decodes bodies, and names what a browser didn't send to a server", async () => {
    const request = (url: string, more: object = {}) => ({
      request: { method: "POST", url, headers: [], ...more },
      response: {},
    })
    const encoded = (text: string) => ({ mimeType: "application/json", text, encoding: "base64" })
    const api = await startApi({ "*": {} })
    const host = api.url.slice("http://".length)
    const entries = [
      request(`http://ada:pass-12345678@${host}/account`),
      request(`${api.url}/json`, { postData: encoded(Buffer.from('{"é":1}').toString("base64")) }),
      request(`${api.url}/binary`, { postData: encoded("/+8=") }),
      request("data:text/plain,hi"),
      request(`${api.url}/form`, {
        postData: {
          mimeType: "multipart/form-data",
          params: [{ name: "a", value: "{}", contentType: "application/json" }],
        },
      }),
    ]
    const folder = await folderWith({ "a.har": { log: { version: "1.2", entries } } })
    const { result } = await importInto(folder, ["a.har"])
    expect(result).toMatchObject({ requests: 5, saved: 4 })
    expect(result?.losses.map(({ where, what }) => `${where}: ${what}`)).toEqual([
      "a.har: POST /binary: body",
      "a.har: POST /: request",
      "a.har: POST /form: content type of form field a",
    ])
    expect(await validated(folder)).toEqual([])
    const ran = await callsheet(["run", "--all"], { folder })
    await api.close()
    expect(ran.exitCode, ran.stderr).toBe(0)
    const [account, json] = api.requests
    expect(account?.headers.authorization).toBe(`Basic ${btoa("ada:pass-12345678")}`)
    expect(json?.json).toEqual({ é: 1 })
    for (const [file, text] of Object.entries(await textsIn(folder)))
      if (file !== "a.har" && !file.endsWith(".secrets.env"))
        expect(file + text).not.toContain("pass-12345678")
  })
})
