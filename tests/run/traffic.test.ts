// Checks how a run shows requests and responses: `-v`, `-vv`, and the exchanges that explain a failure.

import { describe, expect, it } from "vitest"
import { startApi, type Answer, type Route } from "../harness/api-server.ts"
import { callsheet, type Files } from "../harness/callsheet.ts"
import { assert, echo, request, shopFiles } from "./shop-project.ts"

interface Shown {
  readonly words?: readonly string[]
  readonly routes?: Readonly<Record<string, Answer | Route>>
  readonly files?: Files
}

/** Runs blocks as `w` with the pretty reporter, and returns its lines without indentation. */
async function show(blocks: readonly unknown[], { words = [], routes, files }: Shown = {}) {
  const api = await startApi({ "*": ({ path }) => ({ body: { path, n: 1 } }), ...routes })
  try {
    const all = {
      ...shopFiles(api.url, blocks),
      "apis/shop/environments/local.secrets.env": secrets,
      ...files,
    }
    const { stdout, stderr, exitCode } = await callsheet(["run", "w", ...words], { files: all })
    const text = stdout.replaceAll(api.url, "URL").replaceAll(/^ +/gm, "")
    return { text, stderr, exitCode, sent: api.requests }
  } finally {
    await api.close()
  }
}

const secrets = "token=s3cr3t-t0k3n\n"

const saved = (name: string, content: object): Files => ({
  [`apis/shop/requests/tools/${name}.json`]: { version: 1, operation: "postEcho", ...content },
})

describe("-v", () => {
  it("shows each request and response line with headers, without bodies", async () => {
    const post = request("post", { operation: "postEcho", overrides: { body: { a: 1 } } })
    const { text } = await show([echo("get", { q: "1" }), post], { words: ["-v"] })
    expect(text).toMatch(
      /\nget sent\n> GET URL\/echo\?q=1\n> host: [^\n]+\n[^]*\n\nget received\n< 200 {2}[^\n]+\n< content-type: application\/json\n[^]*\n✓ get/,
    )
    expect(text).toMatch(/\npost sent\n> POST URL\/echo\n[^]*> content-length: 7\n/)
    expect(text).not.toContain('"a"')
    expect(text).not.toMatch(/^[<>]$/m)
  })

  it("names the iteration of a parallel exchange", async () => {
    const loop = { id: "all", type: "loop", mode: "times", count: 2, execution: "parallel", iteratorVar: "i" }
    const { text } = await show([{ ...loop, blocks: [echo("get-{{i}}")] }], { words: ["--verbose"] })
    for (const index of [0, 1]) {
      expect(text).toContain(`\nall › [${index}] › get-${index} sent\n> GET`)
      expect(text).toContain(`\nall › [${index}] › get-${index} received\n< 200`)
    }
  })

  it("masks secrets in the URL, headers and both bodies", async () => {
    const params = { query: { q: "{{token}}" }, header: { "x-key": "{{token}}" } }
    const blocks = [request("post", { instance: "post", overrides: { params, body: { key: "{{token}}" } } })]
    const routes = {
      "*": {
        headers: { "x-back": "s3cr3t-t0k3n" },
        body: { token: "s3cr3t-t0k3n", deep: ["xs3cr3t-t0k3nx"] },
      },
    }
    const { text, stderr } = await show(blocks, {
      words: ["-vv"],
      routes,
      files: saved("post", { body: {} }),
    })
    expect(text).toContain("> POST URL/echo?q=***\n")
    expect(text).toContain("> x-key: ***\n")
    expect(text).toContain('> {"key": "***"}\n')
    expect(text).toContain("< x-back: ***\n")
    expect(text).toContain('< {"token": "***", "deep": ["x***x"]}\n')
    expect(text + stderr).not.toContain("s3cr3t")
  })

  it("is refused if nothing shows it", async () => {
    const { stderr, exitCode } = await show([echo("get")], { words: ["-v", "--json"] })
    expect(exitCode).toBe(2)
    expect(stderr).toContain("--verbose works only with the reporter pretty")
  })
})

describe("-vv", () => {
  it("formats JSON, and cuts a body at 200 lines", async () => {
    const list = Array.from({ length: 300 }, (_, id) => ({ id, name: "x".repeat(90) }))
    const { text } = await show([echo("get")], { words: ["-vv"], routes: { "*": { body: list } } })
    const body = text.split("\n").filter((line) => line.startsWith("< "))
    expect(body).toContain("<   {")
    expect(body).toContain('<     "id": 0,')
    expect(body.at(-1)).toBe("< …")
    expect(body.length).toBeLessThan(210)
  })

  it("shows a form as it was sent", async () => {
    const files = saved("form", {
      bodyType: "form",
      body: { "a b": "c d&e", tags: ["x", "y"], t: "{{token}}" },
    })
    const { text, sent } = await show([request("post", { instance: "form" })], { words: ["-vv"], files })
    expect(sent[0]?.text).toBe("a+b=c+d%26e&tags=x&tags=y&t=s3cr3t-t0k3n")
    expect(text).toContain("> a+b=c+d%26e&tags=x&tags=y&t=***\n")
  })

  it("masks a short secret in a form and in a part", async () => {
    const body = { pin: "{{token}}", note: "a a+b b" }
    const files = {
      ...saved("form", { bodyType: "form", body }),
      ...saved("parts", { bodyType: "multipart", body }),
      "apis/shop/environments/local.secrets.env": 'token="a b"\n',
    }
    const blocks = [request("form", { instance: "form" }), request("parts", { instance: "parts" })]
    const { text } = await show(blocks, { words: ["-vv"], files })
    expect(text).toContain("> pin=***&note=a+a%2Bb+b\n")
    expect(text).toMatch(/name="pin"\n>\n> \*\*\*\n/)
  })

  it("shows the boundaries and sizes of a multipart body, and a file by its length", async () => {
    const files = {
      ...saved("parts", { bodyType: "multipart", body: { title: "Hi\nyou", photo: { file: "data/p.png" } } }),
      ...saved("file", { bodyType: "file", body: "data/p.png" }),
      "data/p.png": new Uint8Array([1, 2, 255]),
    }
    const blocks = [request("parts", { instance: "parts" }), request("file", { instance: "file" })]
    const { text, sent } = await show(blocks, { words: ["-vv"], files })
    const boundary = /boundary=(\S+)/.exec(sent[0]?.headers["content-type"] ?? "")?.[1]
    expect(text).toContain(
      [
        `> --${boundary}`,
        '> content-disposition: form-data; name="title"',
        ">",
        "> Hi",
        "> you",
        `> --${boundary}`,
        '> content-disposition: form-data; name="photo"; filename="p.png"',
        "> content-type: application/octet-stream",
        ">",
        "> data/p.png (3 bytes)",
        `> --${boundary}--`,
        "",
      ].join("\n"),
    )
    expect(text).toMatch(/file sent\n[^]*> content-length: 3\n[^]*>\n> data\/p\.png \(3 bytes\)\n/)
  })

  it("shows the size of a body that is not text", async () => {
    const routes = { "*": { headers: { "content-type": "image/png" }, body: new Uint8Array([1, 255]) } }
    expect((await show([echo("get")], { words: ["-vv"], routes })).text).toContain("< (2 B of image/png)\n")
  })
})

describe("a failure shows the exchanges that it read", () => {
  const script = (source: string): Files => ({ "apis/workflow/scripts/w/s.ts": source })
  const call = (id: string, type: string) => ({ id, type, script: { name: "s", exportName: "f" } })
  const fail = 'export const f = (ctx: any) => { ctx.get("get.response.body.n"); throw new Error("no") }'
  const get = "\n\nget sent\n> GET URL/echo?q=1\n"
  const first = echo("get", { q: "1" })

  it.each<[string, unknown, Files]>([
    ["a script", call("bad", "script"), script(fail)],
    ["a transform with a script", call("bad", "transform"), script(fail)],
    ["a condition with a script", { ...call("bad", "condition"), then: [] }, script(fail)],
    [
      "ctx.assert",
      call("bad", "assert"),
      script('export const f = (ctx: any) => ctx.assert(ctx.get("get.response.status") === 500, "not 500")'),
    ],
    [
      "a check that polls with a script",
      { ...call("bad", "loop"), mode: "until", maxIterations: 2, blocks: [] },
      script('export const f = (ctx: any) => ctx.get("get.response.body.n") === 2'),
    ],
    ["a request", echo("bad", { x: "{{get.response.body.nope}}" }), {}],
    ["a transform", { id: "bad", type: "transform", transforms: { a: "x.{{get.response.nope}}" } }, {}],
    ["a loop", { id: "bad", type: "loop", mode: "forEach", source: "get.response.body", blocks: [] }, {}],
    [
      "the value of an assertion",
      assert("bad", ["other.response.status", "equals", "{{get.response.body.n}}"]),
      {},
    ],
  ])("%s", async (_, block, files) => {
    const { text, exitCode } = await show([first, echo("other"), block], { files })
    expect(exitCode).toBe(1)
    expect(text).toContain(get)
  })

  it("an assertion about the output of a transform, and about an item of a loop", async () => {
    const routes = { "*": { body: { items: [{ n: 1 }] } } }
    const pick = { id: "pick", type: "transform", transforms: { all: "get.response.body.items" } }
    const each = {
      id: "each",
      type: "loop",
      mode: "forEach",
      source: "get.response.body.items",
      iteratorVar: "item",
      blocks: [assert("check", ["item.n", "equals", 2])],
    }
    expect(
      (await show([first, pick, assert("bad", ["pick.all[0].n", "equals", 2])], { routes })).text,
    ).toContain(get)
    expect((await show([first, each], { routes })).text).toContain(get)
  })

  it("leaves out exchanges of assertions that passed", async () => {
    const check = assert(
      "bad",
      ["get.response.status", "equals", 200],
      ["other.response.status", "equals", 1],
    )
    const { text } = await show([first, echo("other"), check])
    expect(text).toContain("\nother sent\n")
    expect(text).not.toContain("\nget sent\n")
  })
})
