// A project whose operations need a token of an identity provider.

import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { expect, onTestFinished } from "vitest"
import { callsheet, type CallOptions, type CallResult } from "../harness/callsheet.ts"
import { createProvider, user, type Provider, type ProviderOptions } from "../harness/identity-provider.ts"

export interface RunningProvider extends Provider {
  readonly url: string
}

export async function startProvider(options: ProviderOptions): Promise<RunningProvider> {
  const provider = createProvider(options)
  const server = createServer(provider.listen)
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return { ...provider, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

/** Plain texts, so that the tests prove that callsheet masks them even if a schema doesn't declare them secret. */
const names = [
  "clientId",
  "clientSecret",
  "username",
  "password",
  "refreshToken",
  "privateKey",
  "keyId",
  "authMethod",
  "grant",
  "tokenUrl",
]

const responses = { 200: { description: "Done." } }

export const allFlows = {
  clientCredentials: { tokenUrl: "/token", scopes: { read: "", write: "" } },
  password: { tokenUrl: "/token", scopes: {} },
}

export interface OAuthProject {
  readonly url: string
  readonly values: Readonly<Record<string, string | null>>
  readonly flows?: Readonly<Record<string, unknown>>
  /** The security scheme. By default, OAuth 2 with the flows. */
  readonly scheme?: object
  readonly blocks?: readonly object[]
  readonly more?: Readonly<Record<string, unknown>>
  /** The variable that the schema declares secret: `baseUrl`, or such as `clientId`. */
  readonly secret?: string
}

const get = (id: string) => ({ id, type: "request", request: { api: "shop", operation: "getItem" } })

/** The files of a project. The document's token URL is relative to the API's. */
export const oauthProject = ({
  url,
  values,
  flows = allFlows,
  scheme = { type: "oauth2", flows },
  blocks = [get("one")],
  more = {},
  secret,
}: OAuthProject) => ({
  "apis/shop/openapi.json": {
    openapi: "3.1.0",
    info: { title: "Shop", version: "1" },
    components: { securitySchemes: { "shop.oauth": scheme } },
    paths: {
      "/item": {
        get: { operationId: "getItem", security: [{ "shop.oauth": ["read", "write"] }], responses },
        post: {
          operationId: "addItem",
          security: [{ "shop.oauth": ["write"] }],
          requestBody: { content: { "application/json": { schema: { type: "object" } } } },
          responses,
        },
      },
    },
  },
  "apis/shop/environments/schema.json": {
    version: 1,
    variables: {
      baseUrl: { type: "string", required: true, secret: secret === "baseUrl" },
      shop_oauth: { type: "string", required: false, secret: true },
      ...Object.fromEntries(
        names.map((name) => [
          `shop_oauth_${name}`,
          { type: "string", required: false, secret: name === secret },
        ]),
      ),
    },
  },
  "apis/shop/environments/staging.json": {
    baseUrl: url,
    ...Object.fromEntries(Object.entries(values).map(([name, value]) => [`shop_oauth_${name}`, value])),
  },
  "apis/workflow/one.json": { version: 1, blocks },
  ...more,
})

export const requests = (...ids: readonly string[]) => ids.map(get)

export const passwordOf = { username: user.name, password: user.password }

/** Runs the workflow with every reporter, and checks that no output contains a secret. */
export async function runOAuth(
  project: OAuthProject,
  secrets: () => readonly string[],
  options: CallOptions & { readonly words?: readonly string[] } = {},
): Promise<CallResult> {
  const result = await callsheet(["run", "one", "--json", ...(options.words ?? [])], {
    files: oauthProject(project),
    ...options,
  })
  const output = `${result.stdout}${result.stderr}`
  const planted = ["clientSecret", "password", "refreshToken"].flatMap((name) => project.values[name] ?? [])
  for (const secret of [...planted, ...secrets()]) {
    expect(output).not.toContain(secret)
    expect(output).not.toContain(Buffer.from(secret).toString("base64").replace(/=+$/, ""))
  }
  return result
}
