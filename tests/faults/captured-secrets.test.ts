// Values that turn out to be secret during a run: credentials that it uses, and fields that its document marks.

import type { BlockReport, Report, RunEvent } from "@callsheet/format"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { run } from "../../packages/cli/src/index.ts"
import { startApi, type ApiServer } from "../harness/api-server.ts"
import { callsheet, createFolder, readText, type CallResult, type Files } from "../harness/callsheet.ts"
import { assert, request } from "../run/shop-project.ts"

const access = "acc3ss+t0ken/42=="
const keys = ["us3r-k3y-one", "us3r-k3y-two"]
const session = "s3ssion-c00kie-9"

const object = (properties: Readonly<Record<string, unknown>>) => ({ type: "object", properties })
const answers = (schema: unknown, more: object = {}) => ({
  responses: { default: { description: "Any.", content: { "application/json": { schema } }, ...more } },
})
const text = { type: "string" }

const document = {
  openapi: "3.1.0",
  info: { title: "Shop", version: "1" },
  components: {
    securitySchemes: {
      key: { type: "apiKey", in: "header", name: "X-Api-Key" },
      sessionId: { type: "apiKey", in: "cookie", name: "sid" },
      inQuery: { type: "apiKey", in: "query", name: "api_key" },
    },
  },
  paths: {
    "/sign-in": { post: { operationId: "signIn", ...answers(object({ access_token: text })) } },
    "/users": { get: { operationId: "users", ...answers({}) } },
    "/me": { get: { operationId: "me", ...answers({}) } },
    "/session": { get: { operationId: "session", ...answers({}) } },
    "/accounts": {
      post: {
        operationId: "register",
        ...answers(
          object({
            password: { type: "string", format: "password" },
            codes: { type: "array", writeOnly: true, items: text },
            pin: { type: "integer", writeOnly: true },
            hint: text,
          }),
          { headers: { "X-Recovery": { schema: { type: "string", format: "password" } } } },
        ),
      },
    },
  },
}

const routes: Parameters<typeof startApi>[0] = {
  "POST /sign-in": { body: { access_token: access, user: { name: "Ann" } } },
  "GET /users": { body: { users: keys.map((key, id) => ({ id, key })) } },
  "GET /session": { headers: { "set-cookie": [`sid=${session}; Path=/`, "theme=dark-mode"] }, body: {} },
  "POST /accounts": {
    headers: { "x-recovery": "rec0very-w0rd" },
    body: {
      password: "pl4in-passw0rd",
      codes: ["c0de-one", "c0de-two"],
      pin: 4711,
      hint: "blue",
      size: 4711,
    },
  },
  "*": ({ url, headers }) => ({ body: { url, headers, again: headers.authorization ?? null } }),
}

const me = (id: string, params: object) => request(id, { operation: "me", overrides: { params } })
const bearer = (id: string, token: string) => me(id, { header: { authorization: `Bearer ${token}` } })
const signIn = request("sign-in", { operation: "signIn" })

interface Shown extends CallResult {
  readonly report: Report
  /** All output in one string. */
  readonly everything: string
  readonly blocks: readonly BlockReport[]
}

let api: ApiServer
beforeAll(async () => {
  api = await startApi(routes)
})
afterAll(() => api.close())

const projectOf = (blocks: readonly unknown[]): Files => ({
  "apis/shop/openapi.json": document,
  "apis/shop/environments/schema.json": {
    version: 1,
    variables: { baseUrl: { type: "string", required: true }, user: { type: "string", required: false } },
  },
  "apis/shop/environments/local.json": { baseUrl: api.url, user: "pl4in-user" },
  "apis/workflow/w.json": { version: 1, blocks },
})

async function show(
  blocks: readonly unknown[],
  files: Files = {},
  words: readonly string[] = [],
): Promise<Shown> {
  const folder = await createFolder({ ...projectOf(blocks), ...files })
  const reporters = ["pretty", "json=out.json", "junit=out.xml"].flatMap((name) => ["--reporter", name])
  const ran = await callsheet(["run", "w", ...reporters, "--on-failure", "continue", ...words], { folder })
  const json = (await readText(folder, "out.json")) ?? ""
  const report = JSON.parse(json) as Report
  const everything = [ran.stdout, ran.stderr, json, await readText(folder, "out.xml")].join("\n")
  return { ...ran, report, everything, blocks: report.runs[0]?.blocks ?? [] }
}

const sent = (name: string): unknown => api.requests.at(-1)?.headers[name]

describe("a response field that is used as a credential", () => {
  it("is masked where it was received, sent and echoed", async () => {
    const { everything, blocks } = await show([
      signIn,
      bearer("order", "{{sign-in.response.body.access_token}}"),
      assert("fails", ["order.response.body.again", "equals", "x"]),
    ])
    expect(sent("authorization")).toBe(`Bearer ${access}`)
    expect(everything).not.toContain("acc3ss")
    expect(blocks[0]?.response?.body).toEqual({ access_token: "***", user: { name: "Ann" } })
    expect(blocks[1]?.request?.headers).toMatchObject({ authorization: "Bearer ***" })
    expect(blocks[1]?.response?.body).toMatchObject({ again: "Bearer ***" })
    expect(blocks[2]?.assertions?.[0]?.actual).toBe("Bearer ***")
  })

  it.each([
    ["a documented header", { header: { "x-API-key": "{{sign-in.response.body.access_token}}" } }],
    ["a documented query parameter", { query: { api_key: "{{sign-in.response.body.access_token}}" } }],
    ["a documented cookie", { cookie: { sid: "{{sign-in.response.body.access_token}}" } }],
    [
      "a header of the proxy",
      { header: { "Proxy-Authorization": "Bearer {{sign-in.response.body.access_token}}" } },
    ],
  ])("is masked in %s", async (_, params) => {
    const { everything, blocks } = await show([signIn, me("order", params)])
    expect(everything).not.toMatch(/acc3ss/)
    expect(blocks[0]?.response?.body).toMatchObject({ access_token: "***" })
  })

  it("is masked from its response on, through transforms, loops and saved requests", async () => {
    const { everything, blocks } = await show(
      [
        signIn,
        { id: "own", type: "transform", transforms: { all: "sign-in.response.body", token: "own2.t" } },
        { id: "own2", type: "transform", transforms: { t: "own.all.access_token" } },
        request("saved", { instance: "mine" }),
        request("list", { operation: "users" }),
        assert("fails", ["list.response.body.users", "equals", []]),
        {
          id: "each",
          type: "loop",
          mode: "forEach",
          source: "list.response.body.users",
          iteratorVar: "user",
          blocks: [me("{{user.id}}", { header: { "x-api-key": "{{user.key}}" } })],
        },
      ],
      {
        "apis/shop/requests/all/mine.json": {
          version: 1,
          operation: "me",
          params: { header: { Authorization: "Bearer {{own2.t}}" } },
        },
      },
    )
    expect(everything).not.toMatch(/acc3ss|us3r-k3y/)
    expect(blocks[4]?.response?.body).toEqual({
      users: [
        { id: 0, key: "***" },
        { id: 1, key: "***" },
      ],
    })
  })

  it("is masked in earlier output if only the run could know", async () => {
    const { everything, blocks } = await show([
      request("list", { operation: "users" }),
      { id: "which", type: "transform", transforms: { number: "list.response.body.users.1.id" } },
      bearer("order", "{{list.response.body.users.{{which.number}}.key}}"),
    ])
    expect(sent("authorization")).toBe("Bearer us3r-k3y-two")
    expect(everything).not.toContain("us3r-k3y-two")
    expect(blocks[0]?.response?.body).toEqual({
      users: [
        { id: 0, key: keys[0] },
        { id: 1, key: "***" },
      ],
    })
  })

  it("is masked whatever a script makes of it", async () => {
    const { everything } = await show(
      [
        signIn,
        { id: "made", type: "transform", script: { name: "make", exportName: "pair" } },
        me("order", { header: { authorization: "Basic {{made.pair}}" } }),
        request("again", { operation: "me", overrides: { params: { query: { of: "{{made.password}}" } } } }),
      ],
      {
        "apis/workflow/scripts/w/make.ts": `export const pair = () => ({
          pair: Buffer.from("ann:m4de-passw0rd").toString("base64"), password: "m4de-passw0rd" })`,
      },
    )
    expect(api.requests.at(-1)?.query.get("of")).toBe("m4de-passw0rd")
    expect(everything).not.toMatch(/m4de-passw0rd|YW5uOm00ZGU/)
  })

  it("is masked if it was passed as an input", async () => {
    const workflow = {
      version: 1,
      inputs: { token: { type: "string" } },
      blocks: [bearer("order", "{{token}}")],
    }
    const words = ["--input", "token=g1ven-t0ken"]
    const { everything, report } = await show([], { "apis/workflow/w.json": workflow }, words)
    expect(sent("authorization")).toBe("Bearer g1ven-t0ken")
    expect(everything).not.toContain("g1ven-t0ken")
    expect(report.runs[0]?.inputs).toEqual({ token: "***" })
  })

  it("is masked in the other workflows of the session", async () => {
    const folderFiles = { "apis/workflow/x.json": { version: 1, blocks: [signIn] } }
    const { report } = await show(
      [signIn, bearer("a", "{{sign-in.response.body.access_token}}")],
      folderFiles,
      ["x"],
    )
    expect(report.runs.map(({ workflow }) => workflow)).toEqual(["w", "x"])
    expect(report.runs[1]?.blocks[0]?.response?.body).toMatchObject({ access_token: "***" })
  })

  it("is shown if no request uses it as a credential and its name doesn't count", async () => {
    const blocksOfRun = [
      signIn,
      me("order", { header: { "x-token": "{{sign-in.response.body.access_token}}" } }),
    ]
    const { blocks } = await show(blocksOfRun, {}, ["--no-guess-secrets"])
    expect(blocks[0]?.response?.body).toMatchObject({ access_token: access })
  })

  it("doesn't include variables of an environment, which declares its own secrets", async () => {
    const { blocks } = await show([bearer("order", "{{user}}")])
    expect(blocks[0]?.request?.headers).toMatchObject({ authorization: "Bearer pl4in-user" })
  })

  it("is not sent to another origin", async () => {
    const other = await startApi({ "*": { body: {} } })
    const away = await startApi({
      "GET /me": { status: 302, headers: { location: `${other.url}/there` } },
      "POST /sign-in": { body: { access_token: access } },
    })
    try {
      const { blocks } = await show(
        [signIn, me("order", { header: { "x-api-key": "{{sign-in.response.body.access_token}}" } })],
        { "apis/shop/environments/local.json": { baseUrl: away.url } },
      )
      expect(away.requests.at(-1)?.headers["x-api-key"]).toBe(access)
      expect(other.requests.map(({ headers }) => headers["x-api-key"])).toEqual([undefined])
      expect(blocks[1]?.response?.redirects?.[0]?.dropped).toEqual(["header x-api-key"])
    } finally {
      await Promise.all([other.close(), away.close()])
    }
  })
})

describe("events received live", () => {
  it("contain no credential that a later block will send, no marked field and no session", async () => {
    const folder = await createFolder(
      projectOf([
        signIn,
        request("list", { operation: "users" }),
        request("register", { operation: "register" }),
        request("start", { operation: "session" }),
        bearer("order", "{{sign-in.response.body.access_token}}"),
        {
          id: "each",
          type: "loop",
          mode: "forEach",
          source: "list.response.body.users",
          iteratorVar: "user",
          blocks: [me("{{user.id}}", { header: { "x-api-key": "{{user.key}}" } })],
        },
      ]),
    )
    const events: string[] = []
    const onEvent = (event: RunEvent) => void events.push(JSON.stringify(event))
    const report = await run({ workflows: ["w"], project: folder, verifyNoLeak: true, onEvent })
    expect(report.status).toBe("passed")
    expect(events.filter((text) => /acc3ss|us3r-k3y|pl4in-passw0rd|s3ssion-c00kie/.test(text))).toEqual([])
  })
})

describe("a response field that its document marks", () => {
  it("is masked in its response and everything after", async () => {
    const { everything, blocks } = await show([
      request("register", { operation: "register" }),
      assert("fails", ["register.response.body", "equals", {}]),
      { id: "out", type: "transform", transforms: { password: "register.response.body.password" } },
      me("later", { query: { p: "{{out.password}}", c: "{{register.response.body.codes.1}}" } }),
    ])
    expect(api.requests.at(-1)?.query.get("p")).toBe("pl4in-passw0rd")
    expect(everything).not.toMatch(/pl4in-passw0rd|c0de-|rec0very-w0rd/)
    expect(blocks[0]?.response?.body).toEqual({
      password: "***",
      codes: ["***", "***"],
      pin: "***",
      hint: "blue",
      size: "***",
    })
    expect(blocks[0]?.response?.headers).toMatchObject({ "x-recovery": "***" })
  })
})

describe("a session cookie that a security scheme names", () => {
  it("is masked from its response on, unlike other cookies", async () => {
    const { everything, blocks } = await show([request("start", { operation: "session" }), me("order", {})])
    expect(api.requests.at(-1)?.headers.cookie).toContain(`sid=${session}`)
    expect(everything).not.toContain(session)
    expect(blocks[0]?.response?.headers?.["set-cookie"]).toEqual(["sid=***; Path=/", "theme=dark-mode"])
  })
})

describe("a run that verifies that no secret leaks", () => {
  it("searches for captured secrets too, and finds none", async () => {
    const { exitCode, stderr } = await show(
      [signIn, bearer("order", "{{sign-in.response.body.access_token}}")],
      {},
      ["--verify-no-leak"],
    )
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" })
  })
})
