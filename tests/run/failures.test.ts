// Checks the positions of failures, and the messages about a server that misbehaves.

import { createServer } from "node:https"
import { once } from "node:events"
import type { AddressInfo } from "node:net"
import { describe, expect, it } from "vitest"
import { startApi, type ApiServer } from "../harness/api-server.ts"
import { callsheet, createFolder, readText, type Files } from "../harness/callsheet.ts"
import { localhost } from "../harness/certificates.ts"
import { assert, echo, request, runBlocks, shopFiles } from "./shop-project.ts"

async function withApi<T>(use: (api: ApiServer) => Promise<T>): Promise<T> {
  const api = await startApi({ "*": ({ path }) => ({ body: { path } }) })
  try {
    return await use(api)
  } finally {
    await api.close()
  }
}

const file = "apis/workflow/w.json"
const script = { name: "s", exportName: "f" }
const scripts: Files = { "apis/workflow/scripts/w/s.ts": "export const f = () => { throw new Error('no') }" }

describe("a failure has file, line and column", () => {
  it.each<[string, unknown, string]>([
    [
      "a failed assertion",
      assert("bad", ["get.response.status", "equals", 200], ["get.x", "exists"]),
      '"get.x"',
    ],
    ["a placeholder", echo("bad", { a: "b", q: "{{get.nope}}" }), '"{{get.nope}}"'],
    ["a request", request("bad", { operation: "getItem" }), '"request"'],
    ["a script", { id: "bad", type: "script", script }, '"script": {'],
    ["a transform", { id: "bad", type: "transform", transforms: { a: "{{get.nope}}" } }, '"{{get.nope}}"'],
    ["a loop", { id: "bad", type: "loop", mode: "forEach", source: "get.response", blocks: [] }, '"source"'],
    [
      "a polling loop",
      {
        id: "bad",
        type: "loop",
        mode: "until",
        maxIterations: 1,
        until: { source: "get.response.status", operator: "equals", value: 201 },
        blocks: [],
      },
      '"until"',
    ],
  ])("%s", async (_, block, near) => {
    let text = ""
    const { block: find, report } = await runBlocks([echo("get"), block], {
      files: (url) => {
        text = `${JSON.stringify(shopFiles(url, [echo("get"), block])[file], null, 2)}\n`
        return { ...scripts, [file]: text }
      },
    })
    expect(report?.status).toBe("failed")
    const { error } = find("bad")
    expect(error?.file).toBe(file)
    const line = text.split("\n").slice((error?.line ?? 0) - 1, (error?.line ?? 0) + 2)
    expect(line.join("\n")).toContain(near)
    expect(text.split("\n")[(error?.line ?? 0) - 1]?.slice((error?.column ?? 0) - 1)).toMatch(/^["{[]/)
  })

  it("in the terminal and in JUnit, once per iteration and per assertion", async () => {
    const check = assert("check", ["get.response.status", "equals", 1], ["get.response.status", "equals", 2])
    const loop = { id: "each", type: "loop", mode: "times", count: 2, blocks: [check] }
    const folder = await createFolder()
    const { stdout } = await withApi((api) =>
      callsheet(["run", "w", "--on-failure", "continue", "--reporter", "junit=report.xml"], {
        folder,
        files: shopFiles(api.url, [echo("get"), loop]),
      }).then(async (result) => ({ ...result, stdout: `${result.stdout}\n` })),
    )
    const places = [...stdout.matchAll(/ {2}apis\/workflow\/w\.json:(\d+):(\d+)/g)].map(([, line]) => line)
    // The line of the block names the place of its first failed assertion.
    expect(places).toHaveLength(6)
    expect(places[0]).toBe(places[1])
    expect(Number(places[2])).toBe(Number(places[1]) + 5)
    const xml = (await readText(folder, "report.xml")) ?? ""
    const cases = [...xml.matchAll(/<testcase name="each › \[\d\] › check" [^>]*>/g)].map(([tag]) => tag)
    expect(cases).toHaveLength(2)
    for (const tag of cases) expect(tag).toContain(`file="${file}" line="${places[0]}"`)
    expect(xml).toContain(`${file}:${places[2]}:`)
    expect(xml).toMatch(/<testcase name="get" classname="w" time/)
  })
})

describe("the output of a run", () => {
  const blocks = (status: number) => [echo("get"), assert("check", ["get.response.status", "equals", status])]

  it("names the workflows that failed in its last line", async () => {
    const { stdout } = await withApi((api) =>
      callsheet(["run", "--all"], {
        files: {
          ...shopFiles(api.url, blocks(200)),
          "apis/workflow/a.json": { version: 1, blocks: blocks(1) },
          "apis/workflow/b.json": { version: 1, blocks: blocks(2) },
          "apis/workflow/c.json": { version: 2, blocks: [] },
        },
      }),
    )
    const last = stdout.trimEnd().split("\n").at(-1)
    expect(last).toMatch(/^4 workflows: 2 failed \(a, b\), 1 could not start \(c\), 1 passed {2}/)
  })

  it("shows the base URL in its first line and in the report", async () => {
    await withApi(async (api) => {
      const { stdout } = await callsheet(["run", "w"], {
        files: shopFiles(`${api.url}/v1/?q=1`, [echo("get")]),
      })
      expect(stdout.split("\n")[0]).toBe(`w  shop → local ${api.url}/v1`)
    })
  })

  it("masks a secret base URL, and the user and password of others", async () => {
    await withApi(async (api) => {
      const files = shopFiles(api.url.replace("http://", "http://ann:pa55word@"), [echo("get")])
      expect((await callsheet(["run", "w"], { files })).stdout.split("\n")[0]).toBe(
        `w  shop → local ${api.url.replace("http://", "http://***@")}`,
      )
      const schema = { baseUrl: { type: "string", required: true, secret: true } }
      const { stdout } = await callsheet(["run", "w", "--json"], {
        files: {
          ...shopFiles(api.url, [echo("get")]),
          "apis/shop/environments/schema.json": { version: 1, variables: schema },
          "apis/shop/environments/local.json": {},
          "apis/shop/environments/local.secrets.env": `baseUrl=${api.url}\n`,
        },
      })
      expect(stdout).toContain('"baseUrl":"***"')
      expect(stdout).not.toContain(api.url)
    })
  })

  it("keeps the line breaks of a script's log", async () => {
    const { stdout } = await withApi((api) =>
      callsheet(["run", "w"], {
        files: {
          ...shopFiles(api.url, [{ id: "s", type: "script", script }]),
          "apis/workflow/scripts/w/s.ts": 'export const f = () => console.log("one\\n  two\\nthree")',
        },
      }),
    )
    expect(stdout).toContain("    │ one\n    │   two\n    │ three\n")
  })
})

describe("broken JSON", () => {
  const answer = { headers: { "content-type": "application/json" }, body: '{"id": 1,\n "name": }' }
  const reason = "is not valid JSON: error at line 2, column 10"

  it.each<[string, unknown, string]>([
    [
      "in an assertion",
      assert("bad", ["get.response.body.id", "equals", 1]),
      `"get.response.body" ${reason}`,
    ],
    ["as a whole", assert("bad", ["get.response.body", "equals", { id: 1 }]), `the response body ${reason}`],
    ["in a placeholder", echo("bad", { q: "{{get.response.body.id}}" }), `"get.response.body" ${reason}`],
    [
      "in a loop",
      { id: "bad", type: "loop", mode: "forEach", source: "get.response.body", blocks: [] },
      `"get.response.body" ${reason}; expected an array`,
    ],
  ])("is reported with its position: %s", async (_, block, expected) => {
    const { stdout } = await runBlocks([echo("get"), block], { routes: { "GET /echo": answer } })
    expect(stdout).toContain(JSON.stringify(expected).slice(1, -1))
    expect(stdout).not.toContain("is a string")
  })
})

describe("a response that ends badly", () => {
  const big = { headers: { "x-size": "big" }, body: "x".repeat(5000) }

  it("is not called missing if it is too large", async () => {
    const words = ["--max-response-size", "1KiB"]
    const { block, stdout } = await runBlocks([echo("get")], {
      routes: { "*": big, "GET /echo": big },
      words,
    })
    expect(block("get").error?.message).toContain("the response is larger than 1 KiB")
    expect(block("get").response).toMatchObject({ status: 200, headers: { "x-size": "big" } })
    expect(stdout).not.toContain("xxxx")
  })

  it("is shown in the terminal with its status and headers", async () => {
    const api = await startApi({
      "*": (_, response) => {
        response.writeHead(202, { "content-length": "100", "x-token": "s3cr3t-t0k3n" })
        response.write("half", () => response.destroy())
        return undefined
      },
    })
    const { stdout } = await callsheet(["run", "w"], { files: shopFiles(api.url, [echo("get")]) })
    await api.close()
    expect(stdout).toMatch(/received\n {4}< 202 {2}[^\n]+, 4 B\n[^]*< x-token: \*\*\*/)
    expect(stdout).not.toContain("received no response")
  })
})

it("a certificate of an unknown issuer leads to NODE_EXTRA_CA_CERTS first", async () => {
  const server = createServer({ key: localhost.key, cert: localhost.cert }, (_, response) => response.end())
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const url = `https://localhost:${(server.address() as AddressInfo).port}`
  const { stdout } = await callsheet(["run", "w"], { files: shopFiles(url, [echo("get")]) })
  server.close()
  expect(stdout).toMatch(
    /hint: to trust it, start callsheet with the environment variable NODE_EXTRA_CA_CERTS=<file>, [^\n]+; to skip certificate checks in a test environment, [^\n]*"verify": false/,
  )
})

it("a file is sent as application/octet-stream if the document offers it", async () => {
  const content = { "image/png": {}, "application/octet-stream": {} }
  const { requests } = await runBlocks([request("send", { instance: "send" })], {
    files: () => ({
      "apis/shop/openapi.json": {
        openapi: "3.1.0",
        info: { title: "Shop", version: "1" },
        paths: { "/echo": { post: { operationId: "postEcho", requestBody: { content }, responses: {} } } },
      },
      "apis/shop/requests/tools/send.json": {
        version: 1,
        operation: "postEcho",
        bodyType: "file",
        body: "a.bin",
      },
      "a.bin": "abc",
    }),
  })
  expect(requests[0]?.headers["content-type"]).toBe("application/octet-stream")
})
