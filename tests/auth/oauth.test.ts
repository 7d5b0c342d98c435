// OAuth 2: every way to authenticate a client, with tokens that expire, are refused or are shared.

import { generateKeyPairSync } from "node:crypto"
import { rm } from "node:fs/promises"
import type { ServerResponse } from "node:http"
import { describe, expect, it, onTestFinished } from "vitest"
import { callsheet, createFolder, readText } from "../harness/callsheet.ts"
import { localhost } from "../harness/certificates.ts"
import { createProvider, firstRefreshToken, json, type Client } from "../harness/identity-provider.ts"
import { startMtls } from "./mtls-server.ts"
import {
  allFlows,
  oauthProject,
  passwordOf,
  requests,
  runOAuth,
  startProvider,
  type OAuthProject,
} from "./oauth-project.ts"
import { createHome } from "./user-file.ts"

const pem = { type: "pkcs8", format: "pem" } as const
const rsa = generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey.export(pem).toString()
const ec = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export(pem).toString()
const ed = generateKeyPairSync("ed25519").privateKey.export(pem).toString()
const sec1 = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({
  type: "sec1",
  format: "pem",
})

const id = "callsheet-client"
const secret = "kettle: lantern+%/47 é"

const methods: readonly (readonly [string, Client, Readonly<Record<string, string>>])[] = [
  ["client_secret_basic", { id, method: "client_secret_basic", secret }, { clientSecret: secret }],
  [
    "client_secret_post",
    { id, method: "client_secret_post", secret },
    { clientSecret: secret, authMethod: "client_secret_post" },
  ],
  ["none", { id, method: "none" }, {}],
  [
    "client_secret_jwt",
    { id, method: "client_secret_jwt", secret },
    { clientSecret: secret, authMethod: "client_secret_jwt" },
  ],
  ["private_key_jwt with RSA", { id, method: "private_key_jwt", key: rsa }, { privateKey: rsa }],
  [
    "private_key_jwt with EC",
    { id, method: "private_key_jwt", key: ec },
    { privateKey: ec, keyId: "k1", authMethod: "private_key_jwt" },
  ],
  ["private_key_jwt with Ed25519", { id, method: "private_key_jwt", key: ed }, { privateKey: ed }],
  [
    "private_key_jwt with a SEC 1 key",
    { id, method: "private_key_jwt", key: String(sec1) },
    { privateKey: String(sec1) },
  ],
  ["tls_client_auth", { id, method: "tls_client_auth" }, { authMethod: "tls_client_auth" }],
  [
    "self_signed_tls_client_auth",
    { id, method: "self_signed_tls_client_auth" },
    { authMethod: "self_signed_tls_client_auth" },
  ],
]

describe.each(methods)("a client with %s", (_, client, credentials) => {
  const values = { clientId: id, ...credentials }

  it("gets a token, a new one when it expires, and another one when the API refuses it, over mTLS", async () => {
    const provider = createProvider({ client, expiresIn: 0 })
    const server = await startMtls(true, provider.listen)
    const pair = { origin: server.url, cert: "client.pem", key: "client.key", ca: "client.pem" }
    const files = { "client.pem": localhost.cert, "client.key": localhost.key }
    const { env } = await createHome({ version: 1, certificates: [pair] }, files)
    const project = { url: server.url, values, blocks: requests("a", "b") }
    const { exitCode, stderr } = await runOAuth(project, () => provider.secrets, { env })
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" })
    expect(provider.forms.map((form) => form.get("grant_type"))).toEqual([
      "client_credentials",
      "client_credentials",
    ])
    expect(provider.forms[0]?.get("scope")).toBe("read write")
    expect(provider.calls.map(({ isAllowed }) => isAllowed)).toEqual([true, true])
  })
})

it.each(methods.filter(([, { method }]) => !method.includes("tls")))(
  "a client with %s sends a refused request once more, with a new token",
  async (_, client, credentials) => {
    const provider = await startProvider({ client, expiresIn: 3600, refusesAll: true })
    const project = { url: provider.url, values: { clientId: id, ...credentials }, blocks: requests("a") }
    const { exitCode, report } = await runOAuth(project, () => provider.secrets)
    expect(exitCode).toBe(0)
    expect(report?.runs[0]?.blocks[0]?.response?.status).toBe(401)
    expect(provider.forms).toHaveLength(2)
    expect(provider.calls).toHaveLength(2)
  },
)

const client: Client = { id, method: "client_secret_basic", secret }
const values = { clientId: id, clientSecret: secret }

describe("a token", () => {
  it("is shared by all requests of a session, also parallel ones", async () => {
    let release: () => void = () => undefined
    const held = new Promise<void>((resolve) => (release = resolve))
    setTimeout(release, 300)
    const provider = await startProvider({ client, beforeToken: () => held })
    const loop = {
      id: "loop",
      type: "loop",
      mode: "times",
      count: 20,
      execution: "parallel",
      iteratorVar: "i",
    }
    const get = { id: "get{{i}}", type: "request", request: { api: "shop", operation: "getItem" } }
    const blocks = [{ ...loop, blocks: [get] }, ...requests("after")]
    const words = ["--repeat", "2"]
    const { exitCode } = await runOAuth({ url: provider.url, values, blocks }, () => provider.secrets, {
      words,
    })
    expect(exitCode).toBe(0)
    expect(provider.calls).toHaveLength(42)
    expect(provider.forms).toHaveLength(1)
  })

  it("that the API refuses is replaced once for all parallel requests, and each is sent once more", async () => {
    const provider = await startProvider({ client, expiresIn: 3600, revokesAfter: 1 })
    const loop = {
      id: "loop",
      type: "loop",
      mode: "times",
      count: 10,
      execution: "parallel",
      iteratorVar: "i",
    }
    const post = (name: string) => ({
      id: name,
      type: "request",
      request: { api: "shop", operation: "addItem", overrides: { body: { name } } },
    })
    const blocks = [post("first"), { ...loop, blocks: [post("n{{i}}")] }]
    const { exitCode } = await runOAuth({ url: provider.url, values, blocks }, () => provider.secrets)
    expect(exitCode).toBe(0)
    expect(provider.forms).toHaveLength(2)
    const allowed = provider.calls.filter(({ isAllowed }) => isAllowed).map(({ body }) => body)
    expect(new Set(allowed).size).toBe(11)
    expect(provider.calls.length).toBeLessThanOrEqual(21)
  })

  it("is replaced before it expires: by half of its lifetime, and by at most 10 seconds", async () => {
    const sleep = { id: "wait", type: "script", script: { name: "wait", exportName: "wait" } }
    const wait = "export const wait = (ctx) => ctx.sleep(700)"
    const more = { "apis/workflow/scripts/one/wait.ts": wait }
    const tokens = async (expiresIn: number) => {
      const provider = await startProvider({ client, expiresIn })
      const blocks = [...requests("a"), sleep, ...requests("b")]
      const { exitCode } = await runOAuth({ url: provider.url, values, blocks, more }, () => provider.secrets)
      expect(exitCode).toBe(0)
      return provider.forms.length
    }
    expect(await tokens(1)).toBe(2)
    expect(await tokens(10)).toBe(1)
  })

  it("of another scope, client or environment is another token", async () => {
    const provider = await startProvider({ client })
    const add = { id: "add", type: "request", request: { api: "shop", operation: "addItem" } }
    const blocks = [...requests("a", "b"), add]
    await runOAuth({ url: provider.url, values, blocks }, () => provider.secrets)
    expect(provider.forms.map((form) => form.get("scope"))).toEqual(["read write", "write"])
  })
})

describe("the grant", () => {
  it("password sends the user, and a refresh token afterwards", async () => {
    const provider = await startProvider({ client, expiresIn: 0, refreshes: true })
    const project = {
      url: provider.url,
      values: { ...values, ...passwordOf },
      blocks: requests("a", "b", "c"),
    }
    expect((await runOAuth(project, () => provider.secrets)).exitCode).toBe(0)
    expect(provider.forms.map((form) => form.get("grant_type"))).toEqual([
      "password",
      "refresh_token",
      "refresh_token",
    ])
  })

  it("password is used again if the refresh token is refused", async () => {
    let refused = 0
    const provider = await startProvider({
      client,
      respond: (response, form) => {
        if (form.get("grant_type") === "refresh_token" && ++refused > 0)
          return json(response, 400, { error: "invalid_grant" })
        json(response, 200, {
          access_token: "a".repeat(20),
          token_type: "bearer",
          expires_in: "0",
          refresh_token: "r".repeat(20),
        })
      },
    })
    const project = { url: provider.url, values: { ...values, ...passwordOf }, blocks: requests("a", "b") }
    expect((await runOAuth(project, () => ["a".repeat(20), "r".repeat(20)])).exitCode).toBe(0)
    expect(provider.forms.slice(0, 3).map((form) => form.get("grant_type"))).toEqual([
      "password",
      "refresh_token",
      "password",
    ])
  })

  it("refresh_token comes first, keeps the rotated token, and can use a URL of its own", async () => {
    const provider = await startProvider({ client, expiresIn: 0, refreshes: true })
    const flows = { password: { tokenUrl: "/nowhere", refreshUrl: "/token", scopes: {} } }
    const own = { ...values, ...passwordOf, refreshToken: firstRefreshToken }
    const project = { url: provider.url, values: own, flows, blocks: requests("a", "b") }
    expect((await runOAuth(project, () => provider.secrets)).exitCode).toBe(0)
    expect(provider.forms.map((form) => form.get("refresh_token"))).toEqual([
      firstRefreshToken,
      "refresh-kettle-1",
    ])
  })

  it("is the one that the flows allow, or that a variable names", async () => {
    const grantOf = async (own: OAuthProject["values"], flows?: OAuthProject["flows"]) => {
      const provider = await startProvider({ client })
      await runOAuth({ url: provider.url, values: { ...values, ...own }, ...(flows && { flows }) }, () => [])
      return provider.forms[0]?.get("grant_type")
    }
    const { clientCredentials, password } = allFlows
    expect(await grantOf(passwordOf)).toBe("password")
    expect(await grantOf(passwordOf, { clientCredentials })).toBe("client_credentials")
    expect(await grantOf({ ...passwordOf, grant: "client_credentials" })).toBe("client_credentials")
    expect(await grantOf({}, { password })).toBeUndefined()
    expect(await grantOf({}, { implicit: { authorizationUrl: "/a", scopes: {} } })).toBeUndefined()
  })

  it("uses the URL of a variable instead of the document's, and a ready token instead of any grant", async () => {
    const provider = await startProvider({ client })
    const flows = { clientCredentials: { tokenUrl: "http://127.0.0.1:1/token", scopes: {} } }
    const own = { ...values, tokenUrl: `${provider.url}/token` }
    expect((await runOAuth({ url: provider.url, values: own, flows }, () => provider.secrets)).exitCode).toBe(
      0,
    )
    expect(provider.calls).toMatchObject([{ isAllowed: true }])
    const words = ["--var", "shop.shop_oauth=ready-kettle-47"]
    await runOAuth({ url: provider.url, values: own, flows }, () => ["ready-kettle-47"], { words })
    expect(provider.forms).toHaveLength(1)
  })
})

describe("every output of a run", () => {
  it("contains no token, assertion or credential", async () => {
    const provider = await startProvider({
      client: { id, method: "client_secret_jwt", secret },
      expiresIn: 0,
      refreshes: true,
      revokesAfter: 1,
    })
    const own = { ...values, ...passwordOf, authMethod: "client_secret_jwt" }
    const folder = await createFolder(
      oauthProject({ url: provider.url, values: own, blocks: requests("a", "b") }),
    )
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    const files = ["r.json", "r.xml", "r.html", "r.jsonl"]
    const words =
      "run one --very-verbose --reporter pretty --reporter json=r.json --reporter junit=r.xml --reporter html=r.html --record r.jsonl --verify-no-leak"
    const result = await callsheet(words.split(" "), { folder })
    expect(result).toMatchObject({ exitCode: 0, stderr: expect.not.stringContaining("leak") })
    expect(result.stdout).toContain("Bearer ***")
    const outputs = [
      result.stdout,
      result.stderr,
      ...(await Promise.all(files.map((file) => readText(folder, file)))),
    ]
    expect(provider.secrets.length).toBeGreaterThan(6)
    for (const planted of [secret, passwordOf.password, ...provider.secrets])
      for (const output of outputs) expect(output).not.toContain(planted)
  })
})

describe("a Swagger 2.0 document", () => {
  it("has one flow per scheme", async () => {
    const provider = await startProvider({ client })
    const more = {
      "apis/shop/openapi.json": {
        swagger: "2.0",
        info: { title: "Shop", version: "1" },
        securityDefinitions: {
          "shop.oauth": {
            type: "oauth2",
            flow: "application",
            tokenUrl: `${provider.url}/token`,
            scopes: { read: "" },
          },
        },
        security: [{ "shop.oauth": ["read"] }],
        paths: { "/item": { get: { operationId: "getItem", responses: { 200: { description: "Done." } } } } },
      },
    }
    expect((await runOAuth({ url: provider.url, values, more }, () => provider.secrets)).exitCode).toBe(0)
    expect(provider.forms[0]?.get("scope")).toBe("read")
  })
})

describe("a token endpoint", () => {
  const hostile: readonly (readonly [string, (response: ServerResponse) => void, string])[] = [
    ["responds with HTML", (r) => r.end("<html>"), "is not a JSON object"],
    ["responds with an array", (r) => json(r, 200, []), "is not a JSON object"],
    ["responds without a token", (r) => json(r, 200, {}), 'has no "access_token"'],
    ["responds with a number", (r) => json(r, 200, { access_token: 47 }), 'has no "access_token"'],
    ["responds with a line break", (r) => json(r, 200, { access_token: "a\r\nx: y" }), "can't contain"],
    [
      "responds with another type",
      (r) => json(r, 200, { access_token: "a", token_type: "mac" }),
      '"token_type"',
    ],
    [
      "responds with a wrong lifetime",
      (r) => json(r, 200, { access_token: "a", expires_in: {} }),
      '"expires_in"',
    ],
    [
      "responds with a negative lifetime",
      (r) => json(r, 200, { access_token: "a", expires_in: -1 }),
      '"expires_in"',
    ],
    [
      "responds with a wrong refresh token",
      (r) => json(r, 200, { access_token: "a", refresh_token: 1 }),
      '"refresh_token"',
    ],
    [
      "redirects to another origin",
      (r) => r.writeHead(307, { location: "http://127.0.0.1:1/" }).end(),
      "redirect",
    ],
    [
      "refuses the client",
      (r) => json(r, 401, { error: "invalid_client", error_description: `no ${secret}` }),
      "status 401: invalid_client",
    ],
    [
      "responds with control characters",
      (r) => json(r, 400, { error: "\u001b[2J" }),
      "responded with status 400",
    ],
    ["fails", (r) => r.writeHead(500).end("oops"), "responded with status 500"],
    ["responds without end", (r) => endless(r), "larger than 1 MiB"],
    ["never responds", () => undefined, "timed out"],
    ["closes the connection", (r) => r.destroy(), "closed the connection"],
  ]

  it.each(hostile)("that %s fails the block, and the request is not sent", async (_, respond, message) => {
    const provider = await startProvider({ client, respond })
    const words = ["--timeout", "1000"]
    const { exitCode, report } = await runOAuth({ url: provider.url, values }, () => [secret], { words })
    expect(exitCode).toBe(1)
    expect(report?.runs[0]?.blocks[0]?.error).toMatchObject({
      code: "auth-failed",
      message: expect.stringContaining(message),
    })
    expect(provider.calls).toEqual([])
  })

  const credentials =
    'check the variables "shop_oauth_clientId" and "shop_oauth_clientSecret"; "shop_oauth_authMethod" decides how they are sent'

  it.each<[string, number, object, string | undefined]>([
    ["the client", 400, { error: "invalid_client" }, credentials],
    ["the client, by its status only", 401, {}, credentials],
    [
      "the user",
      400,
      { error: "invalid_grant", error_description: "Wrong password" },
      'check the variables "shop_oauth_username" and "shop_oauth_password", or "shop_oauth_refreshToken"',
    ],
    [
      "the grant",
      400,
      { error: "unsupported_grant_type" },
      'set a grant that the client may use in the variable "shop_oauth_grant"',
    ],
    ["the scope", 400, { error: "invalid_scope" }, "check the scopes of the operation in the document"],
    [
      "the URL",
      404,
      {},
      'is this the URL of the token endpoint? Set it in the variable "shop_oauth_tokenUrl"',
    ],
    ["nothing in particular", 500, {}, undefined],
  ])("that refuses %s names what decides it", async (_, status, body, hint) => {
    const provider = await startProvider({ client, respond: (r) => json(r, status, body) })
    const { report } = await runOAuth({ url: provider.url, values }, () => [secret])
    const { message = "" } = report?.runs[0]?.blocks[0]?.error ?? {}
    // The report puts the hint behind the message.
    expect(/ \((.*)\)$/.exec(message)?.[1]).toBe(hint)
  })

  it.each([
    [{ authMethod: "basic" }, '"shop_oauth_authMethod"'],
    [{ grant: "implicit", tokenUrl: "http://127.0.0.1:1/" }, '"shop_oauth_grant"'],
    [{ authMethod: "private_key_jwt", privateKey: "no key" }, '"shop_oauth_privateKey"'],
    [{ authMethod: "client_secret_jwt", clientSecret: null }, '"shop_oauth_clientSecret"'],
  ])("is not called with the variables %j", async (own, message) => {
    const provider = await startProvider({ client })
    const { exitCode, report } = await runOAuth(
      { url: provider.url, values: { ...values, ...own } },
      () => [],
    )
    expect(exitCode).toBe(1)
    expect(report?.runs[0]?.blocks[0]?.error).toMatchObject({
      code: "auth-failed",
      message: expect.stringContaining(message),
    })
    expect(provider.forms).toEqual([])
  })

  it("on another origin doesn't receive the API's cookies, and its own are not sent to the API", async () => {
    const provider = await startProvider({
      client,
      respond: (response) =>
        json(response.setHeader("set-cookie", "idp=1"), 200, {
          access_token: "kettle-47",
          token_type: "bearer",
        }),
    })
    const { report } = await runOAuth({ url: provider.url, values, blocks: requests("a") }, () => [
      "kettle-47",
    ])
    expect(report?.runs[0]?.blocks[0]?.request?.headers).toMatchObject({ authorization: "Bearer ***" })
    expect(report?.runs[0]?.blocks[0]?.request?.headers).not.toHaveProperty("cookie")
  })
})

function endless(response: ServerResponse): void {
  const write = (): void => {
    while (!response.destroyed && response.write("x".repeat(65_536)));
    response.once("drain", write)
  }
  write()
}
