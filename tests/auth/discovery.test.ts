// OpenID Connect: the provider's discovery document says where to get a token, and how.

import type { ServerResponse } from "node:http"
import { describe, expect, it } from "vitest"
import { localhost } from "../harness/certificates.ts"
import { createProvider, json, type Client } from "../harness/identity-provider.ts"
import { startMtls } from "./mtls-server.ts"
import { requests, runOAuth, startProvider, type OAuthProject } from "./oauth-project.ts"
import { createHome } from "./user-file.ts"

const id = "callsheet-client"
const secret = "quill-and-ink-88"
const client: Client = { id, method: "client_secret_basic", secret }
const values = { clientId: id, clientSecret: secret }
const scheme = { type: "openIdConnect", openIdConnectUrl: "/.well-known/openid-configuration" }
const add = { id: "add", type: "request", request: { api: "shop", operation: "addItem" } }

const documentOf = (issuer: string) => ({
  issuer,
  token_endpoint: `${issuer}/token`,
  authorization_endpoint: `${issuer}/authorize`,
})

describe("a discovery document", () => {
  it("is read once per run, for the token endpoint and the client's authentication", async () => {
    const provider = await startProvider({
      client: { ...client, method: "client_secret_post" },
      discover: (response, issuer) =>
        json(response, 200, {
          ...documentOf(issuer),
          code: "a member like any other",
          token_endpoint_auth_methods_supported: ["private_key_jwt", "client_secret_post"],
        }),
    })
    const project = { url: provider.url, values, scheme, blocks: [...requests("a", "b"), add] }
    const { exitCode, stderr } = await runOAuth(project, () => provider.secrets)
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" })
    expect(provider.calls.map(({ isAllowed }) => isAllowed)).toEqual([true, true, true])
    expect(provider.forms.map((form) => form.get("scope"))).toEqual(["read write", "write"])
    expect(provider.discoveries()).toBe(1)
  })

  it("is not read if a variable has the token endpoint, and doesn't replace the variables' method", async () => {
    const discover = (response: ServerResponse, issuer: string): void =>
      json(response, 200, {
        ...documentOf(issuer),
        token_endpoint_auth_methods_supported: ["client_secret_post"],
      })
    const provider = await startProvider({ client, discover })
    const tokenUrl = `${provider.url}/token`
    const own = { ...values, tokenUrl }
    expect((await runOAuth({ url: provider.url, values: own, scheme }, () => [])).exitCode).toBe(0)
    expect(provider.discoveries()).toBe(0)
    const method = { ...values, authMethod: "client_secret_basic" }
    expect((await runOAuth({ url: provider.url, values: method, scheme }, () => [])).exitCode).toBe(0)
    expect(provider.calls.map(({ isAllowed }) => isAllowed)).toEqual([true, true])
  })

  it("names the login page of a client without a secret", async () => {
    const provider = await startProvider({
      client: { id, method: "none" },
      discover: (response, issuer) => json(response, 200, documentOf(issuer)),
    })
    const project = { url: provider.url, values: { clientId: id }, scheme, blocks: requests("a", "b") }
    const refused = await runOAuth(project, () => [])
    expect(refused.report?.runs[0]?.error?.problems?.[0]).toMatchObject({ code: "login-required" })
    expect(provider.discoveries()).toBe(0)
    let opened: Promise<Response> | undefined
    const { exitCode } = await runOAuth(project, () => provider.secrets, {
      words: ["--login"],
      onStderr: (text) => {
        const url = /^http:\S*$/m.exec(text)?.[0]
        if (url !== undefined) opened ??= fetch(url)
      },
    })
    expect((await opened)?.status).toBe(200)
    expect(exitCode).toBe(0)
    expect(provider.calls.map(({ isAllowed }) => isAllowed)).toEqual([true, true])
  })

  it("is read with the certificates of its origin, and may not lead away from TLS", async () => {
    const tokenUrls = ["https", "http"]
    const provider = createProvider({
      client,
      discover: (response, issuer) =>
        json(response, 200, {
          ...documentOf(issuer),
          token_endpoint: `${issuer}/token`.replace(/^https/, tokenUrls[0] ?? ""),
        }),
    })
    const server = await startMtls(true, provider.listen)
    const pair = { origin: server.url, cert: "client.pem", key: "client.key", ca: "client.pem" }
    const files = { "client.pem": localhost.cert, "client.key": localhost.key }
    const { env } = await createHome({ version: 1, certificates: [pair] }, files)
    const project = { url: server.url, values, scheme }
    expect((await runOAuth(project, () => provider.secrets, { env })).exitCode).toBe(0)
    tokenUrls.shift()
    const refused = await runOAuth(project, () => [], { env })
    expect(refused.report?.runs[0]?.blocks[0]?.error).toMatchObject({
      code: "auth-failed",
      message: expect.stringContaining('"token_endpoint"'),
    })
    expect(provider.forms).toHaveLength(1)
  })

  type Discover = (response: ServerResponse, issuer: string) => unknown
  const hostile: readonly (readonly [string, Discover, string])[] = [
    ["of another issuer", (r) => json(r, 200, documentOf("http://127.0.0.1:1")), '"issuer"'],
    ["without an issuer", (r, at) => json(r, 200, { ...documentOf(at), issuer: undefined }), '"issuer"'],
    ["that is HTML", (r) => r.end("<html>"), "is not a JSON object"],
    ["that is an array", (r) => json(r, 200, []), "is not a JSON object"],
    ["that doesn't exist", (r) => json(r, 404, { issuer: "x" }), "status 404"],
    ["that redirects", (r, at) => r.writeHead(302, { location: `${at}/other` }).end(), "status 302"],
    ["without a token endpoint", (r, at) => json(r, 200, { issuer: at }), '"token_endpoint"'],
    [
      "with a relative token endpoint",
      (r, at) => json(r, 200, { issuer: at, token_endpoint: "/token" }),
      '"token_endpoint"',
    ],
    [
      "with a token endpoint of another scheme",
      (r, at) => json(r, 200, { issuer: at, token_endpoint: "file:///etc/passwd" }),
      '"token_endpoint"',
    ],
    ["that is too large", (r) => r.end(`"${"x".repeat(2 ** 20)}"`), "larger than 1 MiB"],
    ["that never comes", () => undefined, "timed out"],
  ]

  it.each(hostile)("%s fails the block, and nothing else is sent", async (_, discover, message) => {
    const provider = await startProvider({ client, discover: (...given) => void discover(...given) })
    const project: OAuthProject = { url: provider.url, values, scheme }
    const { exitCode, report } = await runOAuth(project, () => [secret], { words: ["--timeout", "1000"] })
    expect(exitCode).toBe(1)
    expect(report?.runs[0]?.blocks[0]?.error).toMatchObject({
      code: "auth-failed",
      message: expect.stringContaining(message),
    })
    expect(provider.forms).toEqual([])
    expect(provider.calls).toEqual([])
  })

  const wellKnown = "/.well-known/openid-configuration"
  const server = "/.well-known/oauth-authorization-server"
  /** The URL of the document and its issuer, both after the provider's origin. */
  const named: readonly (readonly [url: string, issuer: string])[] = [
    [wellKnown, ""],
    [wellKnown, "/"],
    [`/tenant/v2.0${wellKnown}`, "/tenant/v2.0"],
    [`/tenant/v2.0${wellKnown}`, "/tenant/v2.0/"],
    [`/a%2Fb${wellKnown}`, "/a%2Fb"],
    [`${wellKnown}?p=policy`, ""],
    [`/tenant${wellKnown}#part`, "/tenant"],
    [server, ""],
    [`${server}/tenant/v2.0`, "/tenant/v2.0"],
    [`${wellKnown}/tenant`, "/tenant"],
    [`/oauth2/default${server}`, "/oauth2/default"],
  ]

  it.each(named)("at %s has the issuer %s", async (path, issuer) => {
    const discover = (response: ServerResponse, at: string): void =>
      json(response, 200, { ...documentOf(at), issuer: at + issuer })
    const provider = await startProvider({ client, discover })
    const openIdConnectUrl = provider.url + path
    const project = { url: provider.url, values, scheme: { type: "openIdConnect", openIdConnectUrl } }
    expect((await runOAuth(project, () => provider.secrets)).exitCode).toBe(0)
  })

  const foreign: readonly (readonly [url: string, issuer: string])[] = [
    [wellKnown, "/tenant"],
    [wellKnown, "//"],
    [wellKnown, "?p=policy"],
    [wellKnown, "#"],
    [wellKnown, wellKnown],
    [wellKnown, ".attacker.example"],
    [wellKnown, "@attacker.example"],
    [`/tenant${wellKnown}`, ""],
    [`/tenant${wellKnown}`, "/TENANT"],
    [`/tenant${wellKnown}`, "/tenant/../other"],
    [`/tenant${wellKnown}`, "/%74enant"],
    [`/tenant${wellKnown}?p=/other${wellKnown}`, "/other"],
    [`${wellKnown}?${wellKnown}`, `${wellKnown}?`],
    [`${wellKnown}/tenant`, ""],
    [`${wellKnown}/tenant`, "/other"],
    [`${server}/tenant`, `${server}/other`],
    [`/tenant${server}`, "/other"],
    ["/openid.json", ""],
    ["/openid.json", "/openid.json"],
    [`${wellKnown}.json`, ""],
    [`/tenant${wellKnown}/more`, "/tenant"],
    [wellKnown.toUpperCase(), ""],
    ["/.well-known/openid%2Dconfiguration", ""],
    [`/x?u=${wellKnown}`, ""],
    [`/openid#${wellKnown}`, ""],
  ]

  it.each(foreign)("at %s with the issuer %s is refused, and no credential is sent", async (path, issuer) => {
    const discover = (response: ServerResponse, at: string): void =>
      json(response, 200, { ...documentOf(at), issuer: at + issuer })
    const provider = await startProvider({ client, discover })
    const openIdConnectUrl = provider.url + path
    const project = { url: provider.url, values, scheme: { type: "openIdConnect", openIdConnectUrl } }
    const { exitCode, report } = await runOAuth(project, () => [secret])
    expect(exitCode).toBe(1)
    expect(report?.runs[0]?.blocks[0]?.error).toMatchObject({
      code: "auth-failed",
      message: expect.stringMatching(/issuer.*shop_oauth_tokenUrl/),
    })
    expect(provider.forms).toEqual([])
    expect(provider.calls).toEqual([])
  })

  it("has the issuer as the API's document writes it, in upper case", async () => {
    const issuers = ["HTTP://LOCALHOST", "http://LocalHost"]
    for (const start of issuers) {
      const provider = await startProvider({
        client,
        discover: (response, at) =>
          json(response, 200, { ...documentOf(at), issuer: `${start}:${portOf(at)}` }),
      })
      const openIdConnectUrl = `${start}:${portOf(provider.url)}${wellKnown}`
      const project = { url: provider.url, values, scheme: { type: "openIdConnect", openIdConnectUrl } }
      expect((await runOAuth(project, () => provider.secrets)).exitCode).toBe(0)
      const other = { type: "openIdConnect", openIdConnectUrl: provider.url + wellKnown }
      expect((await runOAuth({ ...project, scheme: other }, () => [])).exitCode).toBe(1)
    }
  })

  it("is refused if only the user name in its URL is the issuer", async () => {
    const provider = await startProvider({
      client,
      discover: (response) => json(response, 200, documentOf("http://provider.example")),
    })
    const openIdConnectUrl = `http://provider.example@${new URL(provider.url).host}${wellKnown}`
    const project = { url: provider.url, values, scheme: { type: "openIdConnect", openIdConnectUrl } }
    expect((await runOAuth(project, () => [secret])).exitCode).not.toBe(0)
    expect(provider.forms).toEqual([])
  })
})

const portOf = (url: string): string => new URL(url).port
