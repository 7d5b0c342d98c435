// What `callsheet mock` answers and prints, as a client and a terminal see it.

import { createServer } from "node:net"
import { describe, expect, it } from "vitest"
import { callsheet, type Files } from "../harness/callsheet.ts"
import { asUser, files } from "./documents.ts"
import { send, startMock } from "./mock-process.ts"

const start = (words: readonly string[] = [], more: Files = files) => startMock(words, { files: more })

describe("the output", () => {
  it("has the URL with the base path first, then one line per request, and ends with 0 on both signals", async () => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) {
      const mock = await start()
      expect(mock.urls["shop"]).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/api\/v1$/)
      await send(`${mock.urls["shop"]}/health`)
      await send(`${mock.urls["shop"]}/nowhere`)
      const { exitCode, lines, stderr } = await mock.stop(signal)
      expect([exitCode, stderr]).toEqual([0, ""])
      expect(lines).toHaveLength(2)
      expect(lines[0]).toMatch(/^shop GET \/api\/v1\/health 200 \d+ ms$/)
      expect(lines[1]).toMatch(
        /^shop GET \/api\/v1\/nowhere 404 \d+ ms no operation of shop has the path "\/nowhere"$/,
      )
    }
  })

  it("is JSON on request", async () => {
    const mock = await start(["--json"])
    await send(`${mock.urls["shop"]}/orders`)
    const { lines } = await mock.stop()
    expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
      {
        api: "shop",
        method: "GET",
        target: "/api/v1/orders",
        status: 401,
        operation: "listOrders",
        code: "mock-refused",
      },
    ])
  })

  it("shows no credential and no control character", async () => {
    const mock = await start()
    await send(`${mock.urls["shop"]}/orders?k=s3cret-in-a-url&x=%1b[2J`)
    const { stdout } = await mock.stop()
    expect(stdout).not.toContain("s3cret")
    expect(stdout).not.toContain("\u001b")
  })
})

describe("the body of a documented response", () => {
  const schema = {
    type: "array",
    items: {
      type: "object",
      required: ["id"],
      properties: { id: { type: "integer" }, name: { type: "string" } },
    },
  }
  const bodyOf = async (media: object): Promise<unknown> => {
    const content = { "application/json": { schema, ...media } }
    const paths = { "/types": { get: { responses: { 200: { description: "", content } } } } }
    const document = { openapi: "3.0.3", info: { title: "Types", version: "1" }, paths }
    const mock = await start([], { "apis/types/openapi.json": document })
    return (await send(`${mock.urls["types"]}/types`)).body
  }

  it("has every field, also those that are not required", async () => {
    expect(await bodyOf({})).toEqual([{ id: 1, name: "name" }])
  })

  it("is the example, also if that is JSON in a text", async () => {
    expect(await bodyOf({ example: '[{ "id": 7 }]' })).toEqual([{ id: 7 }])
    expect(await bodyOf({ example: "[{" })).toBe("[{")
  })
})

/** Returns a free port with a free one after it, of those that the system gives to nobody by itself. */
async function freePair(): Promise<number> {
  const isFree = async (port: number): Promise<boolean> => {
    const server = createServer()
    const isOpen = await new Promise<boolean>((resolve) =>
      server.once("error", () => resolve(false)).listen(port, "127.0.0.1", () => resolve(true)),
    )
    if (isOpen) await new Promise((resolve) => server.close(resolve))
    return isOpen
  }
  for (let port = 20_000 + (process.pid % 10_000); port < 32_000; port += 2)
    if ((await isFree(port)) && (await isFree(port + 1))) return port
  throw new Error("no two ports are free")
}

describe("the ports", () => {
  const other = {
    openapi: "3.0.3",
    info: { title: "B", version: "1" },
    paths: { "/b": { get: { responses: { 200: { description: "" } } } } },
  }

  it("are one per API, from --port on", async () => {
    const port = await freePair()
    const mock = await startMock(["--port", String(port)], {
      files: { ...files, "apis/b/openapi.json": other, "apis/none/environments/local.json": {} },
      apis: 2,
    })
    expect(mock.urls).toEqual({ b: `http://127.0.0.1:${port}`, shop: `http://127.0.0.1:${port + 1}/api/v1` })
    expect((await send(`${mock.urls["b"]}/b`)).status).toBe(200)
    const again = await callsheet(["mock", "--api", "shop", "--port", String(port)], { files })
    expect(again).toMatchObject({ exitCode: 2 })
    expect(again.stderr).toContain("port-unusable")
  })

  it("are only those of the APIs that are named", async () => {
    const mock = await start(["--api", "b"], { ...files, "apis/b/openapi.json": other })
    expect(Object.keys(mock.urls)).toEqual(["b"])
  })
})

it.each<readonly [string, readonly string[], object]>([
  ["an unknown API", ["--api", "shp"], files],
  ["an API without a document", ["--api", "bare"], { "apis/bare/environments/local.json": {} }],
  ["a project without documents", [], { "apis/bare/environments/local.json": {} }],
  ["a broken document", [], { "apis/shop/openapi.json": "{" }],
  ["a port that isn't one", ["--port", "70000"], files],
  ["--state with --from", ["--state", "--from", "x"], files],
  ["a record that doesn't exist", ["--from", "gone.callsheet"], files],
])("refuses %s with 2", async (_, words, more) => {
  const { exitCode, stdout } = await callsheet(["mock", ...words], { files: more as Record<string, unknown> })
  expect([exitCode, stdout]).toEqual([2, ""])
})

describe("a request", () => {
  let url = ""
  const at = async () => (url = (await start()).urls["shop"] ?? "")

  it("that the document forbids is 400 with the pointer and the line of the rule", async () => {
    await at()
    const { status, headers, body } = await send(`${url}/orders`, {
      method: "POST",
      headers: asUser,
      body: { sku: "x", color: "red" },
    })
    expect(status).toBe(400)
    expect(headers.get("content-type")).toBe("application/problem+json")
    expect(body).toMatchObject({ status: 400, title: "Bad Request", code: "mock-refused" })
    const { errors } = body as {
      errors: { path: string; message: string; schema: string; file: string; line: number }[]
    }
    expect(errors.map(({ path, schema }) => [path, schema])).toEqual([
      ["/body/quantity", "/components/schemas/NewOrder/required"],
      ["/body/color", "/components/schemas/NewOrder/additionalProperties"],
      ["/body/sku", "/components/schemas/NewOrder/properties/sku/minLength"],
    ])
    const lines = JSON.stringify(files["apis/shop/openapi.json"], null, 2).split("\n")
    for (const { file, line, schema } of errors) {
      expect(file).toBe("apis/shop/openapi.json")
      expect(lines[line - 1]).toContain(`"${schema.split("/").at(-1)}"`)
    }
  })

  const asTenant = { "x-tenant": "t-1" }
  const asJson = { ...asUser, "content-type": "application/json" }
  const post = (headers: Record<string, string>, body?: string) => ({ method: "POST", headers, body })

  interface Row {
    readonly to: string
    readonly gets: number
    readonly as?: Parameters<typeof send>[1]
    readonly has?: Readonly<Record<string, string>>
  }

  it.each<Row>([
    { to: "/orders", gets: 401, as: { headers: asTenant }, has: { "www-authenticate": "Bearer" } },
    { to: "/orders?k=any", gets: 200, as: { headers: asTenant } },
    { to: "/orders", gets: 401, as: { headers: { ...asTenant, authorization: "Basic abc" } } },
    { to: "/orders", gets: 400, as: { headers: { ...asUser, "x-tenant": "x" } } },
    { to: "/orders?limit=0", gets: 400, as: { headers: asUser } },
    { to: "/orders?limit=abc", gets: 400, as: { headers: asUser } },
    { to: "/orders?lmit=1", gets: 400, as: { headers: asUser } },
    { to: "/orders/abc", gets: 400, as: { headers: asUser } },
    { to: "/orders/1", gets: 200, as: { headers: asUser } },
    { to: "/orders/1/", gets: 404, as: { headers: asUser } },
    { to: "/orders", gets: 405, as: { method: "DELETE" }, has: { allow: "GET, HEAD, POST" } },
    { to: "/orders", gets: 415, as: post({ ...asUser, "content-type": "text/plain" }, "{}") },
    { to: "/orders", gets: 400, as: post(asJson, "{") },
    { to: "/orders", gets: 400, as: post(asUser) },
    { to: "/orders", gets: 415, as: post({ ...asJson, "content-encoding": "gzip" }, "{}") },
    { to: "/health", gets: 406, as: { headers: { accept: "image/png" } } },
    { to: "/health", gets: 400, as: { headers: { prefer: "code=404" } } },
    {
      to: "/health",
      gets: 503,
      as: { headers: { prefer: "code=503" } },
      has: { "preference-applied": "code=503" },
    },
    { to: "/health", gets: 400, as: { headers: { prefer: "example=none" } } },
    { to: "/orders/x", gets: 400, as: { headers: { ...asUser, prefer: "code=404" } } },
    { to: "/orders/1", gets: 404, as: { headers: { ...asUser, prefer: 'respond-async, code="404"; x=y' } } },
  ])("to $to gets $gets: $as", async ({ to, gets, as, has = {} }) => {
    await at()
    const answer = await send(url + to, as)
    expect(answer.status).toBe(gets)
    for (const [name, value] of Object.entries(has)) expect(answer.headers.get(name)).toBe(value)
  })

  it("below another path than the base path is 404", async () => {
    await at()
    const { origin } = new URL(url)
    expect((await send(`${origin}/health`)).status).toBe(404)
    expect((await send(`${origin}/api/v10/health`)).status).toBe(404)
  })
})

describe("a response", () => {
  it("is an example, the one that is asked for, in the type that is asked for", async () => {
    const mock = await start()
    const url = `${mock.urls["shop"]}/health`
    expect((await send(url)).body).toEqual({ up: true })
    expect((await send(url, { headers: { prefer: "example=bad" } })).body).toEqual({ up: false })
    const plain = await send(url, { headers: { accept: "application/json;q=0.5, text/*" } })
    expect([plain.headers.get("content-type"), plain.text]).toEqual(["text/plain", "fine"])
    const head = await send(url, { method: "HEAD" })
    expect([head.status, head.text, head.headers.get("content-length")]).toEqual([200, "", "11"])
  })

  it("is a sample of its schema without one, with its required headers, and always the same", async () => {
    const first = await start()
    const order = await send(`${first.urls["shop"]}/orders/7`, { headers: asUser })
    expect(order.body).toMatchObject({ id: expect.any(Number) as number, sku: expect.any(String) as string })
    const busy = await send(`${first.urls["shop"]}/health`, { headers: { prefer: "code=503" } })
    expect(busy.headers.get("retry-after")).toMatch(/^\d+$/)
    const second = await start()
    expect((await send(`${second.urls["shop"]}/orders/7`, { headers: asUser })).text).toBe(order.text)
    const seeded = await start(["--seed", "7"])
    const again = await start(["--seed", "7"])
    const other = await send(`${seeded.urls["shop"]}/orders/7`, { headers: asUser })
    expect((await send(`${again.urls["shop"]}/orders/7`, { headers: asUser })).text).toBe(other.text)
  })

  it("with an example that contradicts its schema is sent, with a line in the log", async () => {
    const mock = await start()
    expect((await send(`${mock.urls["shop"]}/wrong`)).text).toBe('"five"')
    const { lines } = await mock.stop()
    expect(lines).toHaveLength(2)
    expect(lines[1]).toMatch(
      /^ {2}warning: the response doesn't match the document: \/body: expected an integer, received a string: "five" \(apis\/shop\/openapi\.json:\d+\)$/,
    )
  })
})

describe("pages of other origins", () => {
  const headers = { origin: "http://page.example" }

  it("can read answers only with --cors", async () => {
    const closed = await start()
    expect(
      (await send(`${closed.urls["shop"]}/health`, { headers })).headers.get("access-control-allow-origin"),
    ).toBeNull()
    const open = await start(["--cors"])
    const answer = await send(`${open.urls["shop"]}/health`, { headers })
    expect(answer.headers.get("access-control-allow-origin")).toBe("http://page.example")
    const preflight = await send(`${open.urls["shop"]}/orders`, {
      method: "OPTIONS",
      headers: {
        ...headers,
        "access-control-request-method": "POST",
        "access-control-request-headers": "content-type",
      },
    })
    expect([preflight.status, preflight.headers.get("access-control-allow-headers")]).toEqual([
      204,
      "content-type",
    ])
  })
})
