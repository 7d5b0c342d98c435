// How the app's server describes the authentication of a request, without a value of a variable.

import { describe, expect, it } from "vitest"
import { openProject } from "./open-project.ts"

const responses = { 200: { description: "Done." } }

const document = {
  openapi: "3.1.0",
  info: { title: "Shop", version: "1" },
  servers: [{ url: "http://127.0.0.1:1" }],
  components: {
    securitySchemes: {
      session: { type: "http", scheme: "bearer" },
      "shop.key": { type: "apiKey", in: "query", name: "key" },
      mutual: { type: "mutualTLS" },
      login: {
        type: "oauth2",
        flows: {
          clientCredentials: { tokenUrl: "/token", scopes: { read: "" } },
          implicit: { authorizationUrl: "/authorize", scopes: {} },
        },
      },
    },
  },
  paths: {
    "/a": {
      get: { operationId: "a", security: [{ session: [] }, { "shop.key": [], mutual: [] }], responses },
    },
    "/b": { get: { operationId: "b", security: [{ login: ["read"] }, {}], responses } },
    "/c": { get: { operationId: "c", security: [], responses } },
  },
}

const variable = (secret?: true) => ({ type: "string", required: false, ...(secret ? { secret } : {}) })

const files = {
  "apis/shop/openapi.json": document,
  "apis/shop/environments/schema.json": {
    version: 1,
    variables: {
      session: variable(true),
      shop_key: variable(true),
      login_clientId: variable(),
      login_clientSecret: variable(true),
    },
  },
  "apis/shop/environments/base.json": {},
  "apis/shop/environments/base.secrets.env": "session=t0ken-of-base\n",
  "apis/shop/environments/local.json": { extends: "base", login_clientId: "client-of-tests" },
  "apis/shop/environments/local.secrets.env": "login_clientSecret=s3cret-of-login\n",
  "apis/shop/environments/empty.json": {},
}

async function open() {
  const processEnvironment = { CALLSHEET_VAR__SHOP__SHOP_KEY: "k3y-of-process" }
  const { handlers } = await openProject(files, { processEnvironment })
  const ask = (operation: string, environment: string, header?: string) =>
    handlers["operations.authentication"]({
      api: "shop",
      operation,
      environment,
      parameters: header === undefined ? [] : [{ in: "header", name: header }],
    })
  return { ask }
}

describe("the authentication of a request", () => {
  it("says which variables are given, and which alternative is used", async () => {
    const { ask } = await open()
    expect(await ask("a", "local")).toEqual({
      alternatives: [
        [
          {
            kind: "bearer",
            name: "session",
            variable: "session",
            place: { in: "header", name: "Authorization" },
            state: "set",
            given: [{ name: "session", from: "file", environment: "base" }],
          },
        ],
        [
          {
            kind: "apiKey",
            name: "shop.key",
            variable: "shop_key",
            place: { in: "query", name: "key" },
            state: "set",
            given: [{ name: "shop_key", from: "process" }],
          },
          { kind: "unsupported", name: "mutual", variable: "mutual", state: "unsupported", given: [] },
        ],
      ],
      used: 0,
    })
    const { alternatives, used } = await ask("a", "empty")
    expect([alternatives[0]?.[0]?.state, used]).toEqual(["missing", undefined])
    expect((await ask("c", "local")).alternatives).toEqual([])
  })

  it("says what the request sets itself, whatever the case of the header", async () => {
    const { ask } = await open()
    const { alternatives, used } = await ask("a", "empty", "authorization")
    expect([alternatives[0]?.[0]?.state, used]).toEqual(["request", 0])
  })

  it("says how a token is got", async () => {
    const { ask } = await open()
    const { alternatives, used } = await ask("b", "local")
    expect(alternatives[0]?.[0]).toMatchObject({
      oauth: { flows: ["clientCredentials"], scopes: ["read"] },
      grant: "client_credentials",
      state: "set",
    })
    expect(used).toBe(0)
    // Without credentials, the empty alternative is used.
    expect((await ask("b", "empty")).used).toBe(1)
  })

  it("contains no value, and refuses an environment that doesn't exist", async () => {
    const { ask } = await open()
    const all = JSON.stringify([await ask("a", "local"), await ask("b", "local")])
    for (const value of ["t0ken-of-base", "k3y-of-process", "s3cret-of-login", "client-of-tests"])
      expect(all).not.toContain(value)
    await expect(ask("a", "gone")).rejects.toMatchObject({ status: 404, code: "env-missing" })
  })
})
