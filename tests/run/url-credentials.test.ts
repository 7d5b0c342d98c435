// The user information of a URL is a credential, whatever the URL's source.

import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest"
import type { Report } from "@callsheet/format"
import { startApi, type Answer, type ApiServer, type Route } from "../harness/api-server.ts"
import { callsheet, createFolder, readText } from "../harness/callsheet.ts"

const password = "p4ss-canary-42"
const forms = [password, btoa(`ada:${password}`), `ada:${encodeURIComponent(password)}`]

let api: ApiServer
beforeAll(async () => {
  api = await startApi({
    "GET /a": ({ headers }) => ({ body: { authorization: headers["authorization"] } }),
    "GET /moved": { status: 302, headers: { location: `http://ada:${password}@127.0.0.1:1/b` } },
  })
})
afterAll(() => api.close())

const withUser = () => api.url.replace("//", `//ada:${password}@`)

const document = (url: string) => ({
  openapi: "3.1.0",
  info: { title: "Shop", version: "1" },
  servers: [{ url }],
  paths: { "/a": { get: { operationId: "a", responses: {} } } },
})
const get = (path: string) => ({ version: 1, method: "GET", path, followRedirects: false })
const block = (id: string, instance: string) => ({ id, type: "request", request: { api: "shop", instance } })
const check = {
  id: "check",
  type: "assert",
  assertions: [{ source: "first.response.body.authorization", operator: "equals", value: "none" }],
}

const files = (variables: object, url = "http://127.0.0.1:1") => ({
  "apis/shop/openapi.json": document(url),
  "apis/shop/environments/schema.json": {
    version: 1,
    variables: { baseUrl: { type: "string", required: false } },
  },
  "apis/shop/environments/local.json": variables,
  "apis/shop/requests/a/first.json": get("/a"),
  "apis/shop/requests/a/moved.json": get("/moved"),
  "apis/workflow/w.json": {
    version: 1,
    onFailure: "continue",
    inputs: { link: { type: "string", default: `https://ada:${password}@host/x` } },
    blocks: [block("first", "first"), block("moved", "moved"), check],
  },
})

async function runWith(given: ReturnType<typeof files>): Promise<string> {
  const folder = await createFolder(given)
  const words = ["run", "w", "--reporter=pretty", "--reporter=json=out.json", "--reporter=junit=out.xml"]
  const { stdout, stderr } = await callsheet(words, { folder })
  const report = await readText(folder, "out.json")
  expect(report).toContain('"authorization":"Basic ***"')
  return [stdout, stderr, report, await readText(folder, "out.xml")].join("\n")
}

describe("user and password in a URL", () => {
  it.each<[string, () => ReturnType<typeof files>]>([
    ["in a variable that is not secret", () => files({ baseUrl: withUser() })],
    ["in a server of the document", () => files({}, withUser())],
  ])("%s are in no report, and neither are those of a redirect and an input", async (_, make) => {
    const written = await runWith(make())
    for (const form of forms) expect(written).not.toContain(form)
    expect(written).toContain("http://***@127.0.0.1:1/b")
    expect(written).toContain("https://***@host/x")
  })

  it("are masked as sent if a percent sign in them is not an escape", async () => {
    const pair = "u%zz:p%20q-canary"
    const written = await runWith(files({ baseUrl: api.url.replace("//", `//${pair}@`) }))
    for (const form of [pair, "p%20q-canary", btoa(pair)]) expect(written).not.toContain(form)
  })

  it.each<[string, string, string]>([
    ["a path and a query", "/tenant-c4n4ry?sv=1&sig=c4n4ry%3D", "***/a?***&page=2"],
    ["a short query", "/t?k=1", "***/a?***&page=2"],
    ["a short path", "/v1", "***/a?page=2"],
    ["a user, a password and a path", "//ada:p4ss-canary@/tenant-c4n4ry/", "***/a?page=2"],
  ])("keeps only what the operation adds to a secret base URL with %s", async (_, base, shown) => {
    const [, user = "", rest = base] = /^\/\/([^/]*@)(.*)$/.exec(base) ?? []
    const url = api.url.replace("//", `//${user}`) + rest
    const secret = files({})
    const { stdout } = await callsheet(["run", "w", "--reporter=json"], {
      files: {
        ...secret,
        "apis/shop/environments/schema.json": {
          version: 1,
          variables: { baseUrl: { type: "string", required: true, secret: true } },
        },
        "apis/shop/environments/local.secrets.env": `baseUrl='${url}'\n`,
        "apis/shop/requests/a/first.json": { ...get("/a"), params: { query: { page: "2" } } },
      },
    })
    const [first] = (JSON.parse(stdout) as Report).runs[0]?.blocks ?? []
    expect(first?.request?.url).toBe(shown)
    for (const part of ["c4n4ry", "p4ss-canary", "k=1", "sv=1"]) expect(stdout).not.toContain(part)
    expect(stdout).not.toContain("127.0.0.1:")
  })

  describe("a secret base URL with short parts", () => {
    const base = "/v1?k=ab"
    const parts = ["/v1", "v1/", "k=ab", "127.0.0.1"]
    const write = async (url: string, more: object = {}) => {
      const folder = await createFolder({
        "apis/shop/environments/schema.json": {
          version: 1,
          variables: { baseUrl: { type: "string", required: true, secret: true } },
        },
        "apis/shop/environments/local.json": {},
        "apis/shop/environments/local.secrets.env": `baseUrl='${url}'\n`,
        "apis/shop/requests/a/first.json": { version: 1, method: "GET", path: "/a", ...more },
        "apis/workflow/w.json": {
          version: 1,
          blocks: [
            block("first", "first"),
            {
              id: "no",
              type: "assert",
              assertions: [{ source: "first.response.status", operator: "equals", value: 1 }],
            },
          ],
        },
      })
      const words = ["run", "w", "--reporter=pretty", "--reporter=json=out.json", "--reporter=junit=out.xml"]
      const { stdout, stderr } = await callsheet(words, { folder })
      const report = (await readText(folder, "out.json")) ?? ""
      const written = [stdout, stderr, report, await readText(folder, "out.xml")].join("\n")
      for (const part of [...parts, `:${new URL(url).port}`]) expect(written).not.toContain(part)
      const [first] = (JSON.parse(report) as Report).runs[0]?.blocks ?? []
      return { first, written }
    }
    const answering = async (response: Answer | Route) => {
      const server = await startApi({ "GET /v1/a": response, "GET /v1/b": {}, "GET /v2": {}, "GET /b": {} })
      onTestFinished(() => server.close())
      return server.url + base
    }

    it("shows only what the request adds, in every report and on the screen", async () => {
      const { first, written } = await write(await answering({}), { params: { query: { k: "ac", q: "x" } } })
      expect(first?.request?.url).toBe("***/a?***&k=ac&q=x")
      expect(first?.request?.headers?.["host"]).toBe("***")
      expect(written).toContain("GET ***/a?***&k=ac&q=x")
    })

    it.each([
      ["/v1/b?k=ab&x=1", "***/b?***&x=1"],
      ["/v1/b?x=1&k=%61b", "***/b?x=1&***"],
      ["b?x=1", "***/b?x=1"],
      ["/v2", "***/v2"],
    ])("shows only what the server adds in a redirect to %s", async (location, shown) => {
      const { first } = await write(await answering({ status: 302, headers: { location } }))
      expect(first?.response?.redirects).toEqual([{ status: 302, url: shown }])
    })

    it("shows only what the server adds in headers", async () => {
      const headers = {
        location: "/v1/b",
        "set-cookie": ["a=1; Path=/v1; Domain=127.0.0.1", "b=2; path=/v1/x", "c=3; Path=/"],
      }
      const url = await answering({ status: 302, headers })
      const { first } = await write(url, { followRedirects: false })
      expect(first?.response?.headers).toMatchObject({
        location: "***/b",
        "set-cookie": ["a=1; Path=***; Domain=***", "b=2; path=***/x", "c=3; Path=/"],
      })
    })

    it("is not named if the server doesn't respond, or not in time", async () => {
      const gone = await startApi({})
      await gone.close()
      const { first } = await write(gone.url + base)
      expect(first?.error?.message).toContain("*** refused the connection (ECONNREFUSED)")
      expect(first?.request?.url).toBe("***/a?***")
      const late = await write(await answering(() => undefined), { timeoutMs: 300 })
      expect(late.first?.error?.message).toContain("GET ***/a timed out after")
      const https = (await answering({})).replace("http:", "https:")
      expect((await write(https)).first?.error?.message).toContain("does not speak TLS on port ***")
    })

    it("shows another origin that the server names, and sends no part of its query there", async () => {
      const other = await startApi({ "GET /b": {} })
      onTestFinished(() => other.close())
      const location = `${other.url.replace("127.0.0.1", "localhost")}/b?x=1`
      const headers = { location: `${location}&k=ab` }
      const { first } = await write(await answering({ status: 302, headers }))
      expect(first?.response?.redirects).toEqual([{ status: 302, url: location, dropped: ["query ***"] }])
      expect(other.requests.map(({ url }) => url)).toEqual(["/b?x=1"])
    })
  })

  it("are in no problem", async () => {
    const { stdout, stderr } = await callsheet(["run", "w"], {
      files: files({}, `ftp://ada:${password}@host`),
    })
    expect(stderr).toContain("ftp://***@host")
    for (const form of forms) expect(stdout + stderr).not.toContain(form)
  })

  it("are shown by env read only with --reveal", async () => {
    const read = (...more: readonly string[]) =>
      callsheet(["env", "read", "shop", "local", ...more], { files: files({ baseUrl: withUser() }) })
    for (const words of [[], ["--json"], ["baseUrl"]]) {
      const { stdout } = await read(...words)
      expect(stdout).toContain("//***@127.0.0.1")
      expect((await read(...words, "--reveal")).stdout).toContain(password)
    }
  })
})
