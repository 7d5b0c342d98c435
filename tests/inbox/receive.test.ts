// A workflow registers an address of the inbox and reads what arrived there.

import { describe, expect, it } from "vitest"
import { startApi } from "../harness/api-server.ts"
import { callsheet, textsIn } from "../harness/callsheet.ts"
import {
  assert,
  counts,
  equals,
  json,
  openInboxProject,
  read,
  strict,
  subscribe,
  workflow,
} from "./inbox-project.ts"

const post = (path: string, body: unknown) => (url: string) => fetch(url + path, json(body))

describe("init --inbox", () => {
  it("adds an API that validates, once, to an existing project", async () => {
    const { folder, run } = await openInboxProject({ one: workflow(subscribe("/a")) })
    expect(Object.keys(await textsIn(folder)).filter((file) => file.startsWith("apis/inbox/"))).toEqual([
      "apis/inbox/environments/schema.json",
      "apis/inbox/openapi.json",
    ])
    expect(await run("validate --json")).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining('"problems":[]'),
    })
    expect(await run("init --inbox")).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('"apis/inbox" already exists (file-exists)'),
    })
  })

  it("refuses without a project", async () => {
    expect(await callsheet(["init", "--inbox"])).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining("project-missing"),
    })
  })
})

describe("a run with an inbox", () => {
  it("reads messages of a path and after a message, with everything that was sent", async () => {
    const { run } = await openInboxProject(
      {
        one: workflow(
          subscribe("/orders"),
          read("all"),
          read("orders", { path: "/orders" }),
          read("later", { path: "/orders", after: "{{orders.response.body.messages.0.id}}" }),
        ),
      },
      async (url) => {
        await fetch(`${url}?a=1&b=2&a=3`, { ...json({ n: 1 }), method: "PUT" })
        await fetch(url, { method: "POST", body: "text", headers: { "content-type": "text/plain" } })
        await fetch(`${url}/sub`, { method: "DELETE" })
      },
    )
    const { exitCode, report } = await run("run one --json")
    expect(exitCode).toBe(0)
    const [, all, orders, later] = report!.runs[0]!.blocks.map(
      ({ response }) => response?.body as { messages: Record<string, unknown>[] },
    )
    expect(all?.messages.map(({ method, path }) => [method, path])).toEqual([
      ["PUT", "/orders"],
      ["POST", "/orders"],
      ["DELETE", "/orders/sub"],
    ])
    expect(orders?.messages[0]).toEqual({
      id: expect.any(String),
      method: "PUT",
      path: "/orders",
      query: { a: ["1", "3"], b: "2" },
      headers: expect.objectContaining({ "content-type": "application/json" }),
      body: { n: 1 },
      receivedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
    })
    expect(later?.messages.map(({ body }) => body)).toEqual(["text"])
  })

  it("gives each run a path that nobody guesses, and masks it in every output", async () => {
    const { run, urls } = await openInboxProject({ one: workflow(subscribe("/a"), read("all")) })
    for (const words of [
      "run one",
      "run one --very-verbose --verify-no-leak",
      "run one --repeat 2 --reporter html=a.html --record r.ndjson",
    ])
      expect(await run(words)).toMatchObject({ exitCode: 0 })
    const paths = urls.map((url) => new URL(url).pathname.split("/")[1] ?? "")
    expect(paths).toHaveLength(4)
    expect(new Set(paths).size).toBe(4)
    for (const path of paths) expect(path).toMatch(/^[\w-]{22,}$/)
    const { stdout, stderr } = await run("run one --very-verbose --reporter ndjson=events.ndjson")
    expect(stdout).toMatch(/inbox → inbox \(local\) http:\/\/127\.0\.0\.1:\d+\/\*\*\*/)
    expect(stdout).toMatch(/"url": "http:\/\/127\.0\.0\.1:\d+\/\*\*\*\/a"/)
    const last = new URL(urls.at(-1) ?? "").pathname.split("/")[1] ?? ""
    expect(stdout + stderr).not.toContain(last)
  })

  it("lets runs at the same time read only their own messages", async () => {
    const one = workflow(subscribe("/a"), read("all"), assert(...counts("all", 1)))
    const { run } = await openInboxProject({ one, two: one }, post("", { n: 1 }))
    expect(await run("run one two --repeat 3 --jobs 6")).toMatchObject({ exitCode: 0 })
  })

  it("shares the path of an entry of before with the entries after it, and with cleanup", async () => {
    const { run, write, urls } = await openInboxProject(
      {
        register: workflow(subscribe("/all")),
        one: workflow(subscribe("/one"), read("all", { path: "/all" }), assert(...counts("all", 1))),
        last: workflow(read("own", { path: "/one" }), assert(...counts("own", 1))),
      },
      post("", { n: 1 }),
    )
    const all = { before: ["register"], workflows: [{ workflow: "one", finally: ["last"] }] }
    await write({ "callsheet.json": { version: 1, suites: { all } } })
    const { exitCode, stdout } = await run("run --suite all --record r.ndjson")
    expect(exitCode, stdout).toBe(0)
    expect(new Set(urls.map((url) => url.replace(/[^/]*$/, ""))).size).toBe(1)
    expect(await run("replay r.ndjson --strict")).toMatchObject({ exitCode: 0 })
  })

  it("answers as the workflow asks, until it resets that", async () => {
    const statuses: (readonly [number, string])[] = []
    const set = (id: string, body: object) => ({
      id,
      type: "request",
      request: { api: "inbox", operation: "setResponse", overrides: { body } },
    })
    const { run } = await openInboxProject(
      {
        one: strict(
          subscribe("/a", "first"),
          set("answer", { path: "/a", status: 202, body: { ok: true }, failFirst: 2 }),
          subscribe("/a", "second"),
          set("text", { path: "/a", status: 200, body: "challenge", delayMs: 300 }),
          subscribe("/a", "third"),
          { id: "reset", type: "request", request: { api: "inbox", operation: "resetResponses" } },
          subscribe("/a", "fourth"),
          read("before"),
          { id: "clear", type: "request", request: { api: "inbox", operation: "deleteMessages" } },
          read("after"),
          assert(...counts("before", 12), ...counts("after", 0)),
        ),
      },
      async (url) => {
        for (let count = 0; count < 3; count++) {
          const answer = await fetch(url, json({ id: 1, state: "paid" }))
          statuses.push([answer.status, await answer.text()])
        }
      },
    )
    const { exitCode, stdout } = await run("run one")
    expect(exitCode, stdout).toBe(0)
    const none = [204, ""]
    const delayed = [200, "challenge"]
    const failing = [
      [503, ""],
      [503, ""],
      [202, '{"ok":true}'],
    ]
    expect(statuses).toEqual(
      [[none, none, none], failing, [delayed, delayed, delayed], [none, none, none]].flat(),
    )
  })

  it("refuses a response that can't be set, and an unknown id", async () => {
    const { run } = await openInboxProject({
      one: workflow(
        {
          id: "set",
          type: "request",
          request: {
            api: "inbox",
            operation: "setResponse",
            overrides: { body: { path: "a", status: 99, x: 1 } },
          },
        },
        read("bad", { after: "x" }),
      ),
    })
    const { report } = await run("run one --json")
    const [set, bad] = report!.runs[0]!.blocks
    expect([set?.response?.status, bad?.response?.status]).toEqual([400, 400])
    expect(set?.response?.headers?.["content-type"]).toBe("application/problem+json")
    const { errors } = set!.response!.body as { errors: { path: string }[] }
    expect(errors.map(({ path }) => path).sort()).toEqual(["/path", "/status", "/x"])
  })

  it("starts if only a saved request or an input of a suite reads its address", async () => {
    const inputs = { url: { type: "string", required: true } }
    const { run, write, urls } = await openInboxProject({
      saved: workflow({
        id: "a",
        type: "request",
        request: { api: "shop", resource: "hooks", instance: "mine" },
      }),
      given: {
        ...workflow({
          ...subscribe("/x"),
          request: { api: "shop", operation: "subscribe", overrides: { body: { url: "{{url}}" } } },
        }),
        inputs,
      },
    })
    await write({
      "apis/shop/requests/hooks/mine.json": {
        version: 1,
        operation: "subscribe",
        body: { url: "{{env.inbox.baseUrl}}/s" },
      },
      "callsheet.json": {
        version: 1,
        suites: { all: { workflows: [{ workflow: "given", inputs: { url: "{{env.inbox.baseUrl}}/i" } }] } },
      },
    })
    expect(await run("run saved")).toMatchObject({ exitCode: 0 })
    expect(await run("run --suite all")).toMatchObject({ exitCode: 0 })
    expect(await run("validate")).toMatchObject({ exitCode: 0 })
    expect(urls.map((url) => new URL(url).pathname.slice(-2))).toEqual(["/s", "/i"])
  })

  it("starts if only a script reads its address, which has a type", async () => {
    const script = { name: "address", exportName: "address" }
    const { folder, run, write, urls } = await openInboxProject({
      one: workflow(
        { id: "made", type: "transform", script },
        {
          ...subscribe(""),
          request: { api: "shop", operation: "subscribe", overrides: { body: { url: "{{made.url}}" } } },
        },
      ),
      other: workflow({ id: "made", type: "transform", script }),
    })
    const address = (expression: string): string =>
      `export const address = (ctx) => ({ url: ${expression} })\n`
    await write({
      "apis/workflow/scripts/one/address.ts": address('ctx.env("inbox").baseUrl + "/s"').replace(
        "(ctx)",
        '(ctx: import("@callsheet/sdk").TransformContext)',
      ),
      "apis/workflow/scripts/other/address.ts": address("1"),
    })
    expect(await run("run one --verify-no-leak")).toMatchObject({ exitCode: 0 })
    expect(urls.map((url) => new URL(url).pathname.slice(-2))).toEqual(["/s"])
    expect((await run("run other")).stdout).not.toContain("inbox →")
    expect(await run("types")).toMatchObject({ exitCode: 0 })
    const types = Object.entries(await textsIn(folder)).filter(([file]) =>
      file.includes("/one/node_modules/"),
    )
    expect(types.map(([, text]) => text).join("")).toMatch(/readonly inbox: \{ readonly baseUrl\?: string \}/)
  })

  it("is another API if it has an environment", async () => {
    const { run, write, urls } = await openInboxProject({ one: workflow(subscribe("/a")) })
    await write({
      "apis/inbox/environments/mail.json": { baseUrl: "http://127.0.0.1:1" },
      "apis/workflow/own.json": workflow({
        id: "own",
        type: "request",
        request: { api: "inbox", operation: "listMessages" },
      }),
    })
    const { exitCode, stdout } = await run("run own --reporter json")
    expect(exitCode).toBe(1)
    expect(stdout).toContain('"url":"http://127.0.0.1:1/_messages"')
    expect(urls).toEqual([])
  })

  it("lets only --var win over its address", async () => {
    const { run, urls } = await openInboxProject({ one: workflow(subscribe("/a")) })
    expect(await run("run one")).toMatchObject({ exitCode: 0 })
    expect(await run("run one --env local")).toMatchObject({ exitCode: 0 })
    const process = { CALLSHEET_VAR__INBOX__BASE_URL: "http://127.0.0.1:2" }
    expect(await run("run one", { env: process })).toMatchObject({ exitCode: 0 })
    expect(await run("run one --var inbox.baseUrl=http://127.0.0.1:3/x")).toMatchObject({ exitCode: 0 })
    expect(urls.map((url) => url.replace(/:\d{4,}\/.*\//, ":…/***/"))).toEqual([
      ...Array(3).fill("http://127.0.0.1:…/***/a"),
      "http://127.0.0.1:3/x/a",
    ])
  })

  it("listens on the port of a tunnel, whose address others get", async () => {
    const free = await startApi({})
    await free.close()
    const port = new URL(free.url).port
    const { run, urls, write } = await openInboxProject(
      { one: workflow(subscribe("/a"), read("all"), assert(...counts("all", 1))) },
      (url) => fetch(url.replace("https://tunnel.example/x", `http://127.0.0.1:${port}`), json({})),
    )
    const words = `run one --inbox-port ${port} --inbox-url https://tunnel.example/x/`
    expect(await run(words)).toMatchObject({ exitCode: 0 })
    expect(urls[0]).toMatch(/^https:\/\/tunnel\.example\/x\/[\w-]{22,}\/a$/)
    await write({
      "callsheet.json": {
        version: 1,
        defaults: { inboxPort: Number(port), inboxUrl: "https://tunnel.example/x" },
      },
    })
    expect(await run("run one")).toMatchObject({ exitCode: 0 })
    for (const wrong of ["tunnel.example", "ftp://a", "https://a:b@c", "https://a?b"])
      expect(await run(`run one --inbox-url ${wrong}`)).toMatchObject({ exitCode: 2 })
    const taken = await startApi({})
    const used = await run(`run one --inbox-port ${new URL(taken.url).port}`)
    await taken.close()
    expect(used.exitCode).toBe(2)
    expect(used.stderr + used.stdout).toContain("another program listens there (service-unavailable)")
  })

  it("doesn't touch an API of that name that isn't marked", async () => {
    const { run, write } = await openInboxProject({ one: workflow(read("all")) })
    const api = await startApi({ "GET /_messages": { body: { mine: true } } })
    await write({
      "apis/inbox/environments/schema.json": {
        version: 1,
        variables: { baseUrl: { type: "string", required: true } },
      },
      "apis/inbox/environments/local.json": { baseUrl: api.url },
    })
    const { report } = await run("run one --json")
    await api.close()
    expect(report?.runs[0]?.blocks[0]?.response?.body).toEqual({ mine: true })
  })

  it("runs again offline from its record", async () => {
    const { run } = await openInboxProject(
      {
        one: strict(
          subscribe("/orders"),
          read("all"),
          assert(equals("all.response.body.messages.0.body.state", "paid")),
        ),
      },
      post("", { id: 1, state: "paid" }),
    )
    expect(await run("run one --record r.ndjson --inbox-url http://localhost:9/x")).toMatchObject({
      exitCode: 1,
    })
    expect(await run("run one --repeat 2 --record s.ndjson")).toMatchObject({ exitCode: 0 })
    const { exitCode, stdout } = await run("replay s.ndjson --strict")
    expect(exitCode, stdout).toBe(0)
  })
})
