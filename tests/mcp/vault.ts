// A project whose secrets an agent tries to read: an API that echoes requests, contracts, scripts and a suite.

import { startApi, type ApiServer } from "../harness/api-server.ts"
import type { Files } from "../harness/callsheet.ts"

export interface Secrets {
  readonly apiKey: string
  readonly pin: number
  readonly short: string
  /** A secret of an environment that no run uses. */
  readonly other: string
}

export const startVault = (): Promise<ApiServer> =>
  startApi({
    "*": ({ method, path, query, headers, text, json }) => ({
      headers: { "x-echo": headers["x-give"] ?? "none" },
      body: {
        method,
        path,
        query: Object.fromEntries(query),
        text,
        json,
        list: [headers["x-give"] ?? "none"],
        named: { [String(headers["x-name"])]: 1 },
      },
    }),
  })

const operation = (operationId: string, more: object = {}) => ({
  operationId,
  responses: {
    200: {
      description: "An echo.",
      content: {
        "application/json": {
          schema: {
            type: "object",
            properties: { list: { type: "array", items: { type: "string", pattern: "^[a-m]" } } },
          },
        },
      },
    },
  },
  ...more,
})

const body = {
  content: {
    "application/json": {
      schema: {
        type: "object",
        properties: { pin: { type: "number", maximum: 5000 }, key: { type: "string", pattern: "^[a-m]" } },
      },
    },
  },
}

const query = (name: string, schema: object) => ({ name, in: "query", schema })

const document = {
  openapi: "3.1.0",
  info: { title: "Vault", version: "1" },
  paths: {
    "/echo": {
      get: operation("echo", {
        parameters: [
          query("key", { type: "string", pattern: "^[a-m]" }),
          query("pin", { type: "number", maximum: 5000 }),
          query("ids", { type: "array", items: { type: "number" } }),
          { name: "x-give", in: "header", schema: { type: "string", pattern: "^[a-m]" } },
          { name: "crumb", in: "cookie", schema: { type: "string", pattern: "^[a-m]" } },
        ],
      }),
      post: operation("post", { requestBody: body }),
    },
    "/things/{id}": {
      parameters: [{ name: "id", in: "path", required: true, schema: { type: "number", maximum: 5000 } }],
      get: operation("thing"),
    },
  },
}

const secret = (type: string) => ({ type, required: true, secret: true })

const script = `import type { AssertContext, ConditionContext, TransformContext } from "@callsheet/sdk"

export const first = (ctx: TransformContext) => ({ letter: String(ctx.env("vault").apiKey).charAt(0), open: ctx.env("vault").baseUrl })
export const open = (ctx: TransformContext) => ({ open: ctx.env("vault").baseUrl })
export const spread = (ctx: TransformContext) => { const { apiKey } = { ...ctx.env("vault") }; return Object.fromEntries([[String(apiKey).charAt(0), 1]]) }
export const items = (ctx: TransformContext) => ({ list: Array.from({ length: Number(String(ctx.env("vault").pin)[0]) }, (_, i) => i) })
export const isLow = (ctx: ConditionContext) => Number(ctx.env("vault").pin) < 5000
export const copies = (ctx: ConditionContext) => String(ctx.get("copy.key")).startsWith("s")
export const given = (ctx: ConditionContext) => String(ctx.inputs["key"]).startsWith("s")
export const claims = (ctx: AssertContext) => ctx.assert(JSON.stringify(ctx.env("vault")).includes("s3"), "no")
export const quiet = (ctx: ConditionContext) => String(ctx.env("vault").baseUrl).startsWith("http")
`

/** The workflow `scripted` may call the scripts, and the suite passes secrets to `given`. */
export const vaultFiles = (url: string, { apiKey, pin, short, other }: Secrets): Files => ({
  "apis/vault/openapi.json": document,
  "apis/vault/environments/schema.json": {
    version: 1,
    variables: {
      baseUrl: { type: "string", required: true },
      apiKey: secret("string"),
      pin: secret("number"),
      short: secret("string"),
    },
  },
  "apis/vault/environments/local.json": { baseUrl: url },
  "apis/vault/environments/local.secrets.env": `apiKey=${apiKey}\npin=${pin}\nshort=${short}\n`,
  "apis/vault/environments/live.json": { baseUrl: url, level: "production" },
  "apis/vault/environments/live.secrets.env": `apiKey=${other}\npin=1\nshort=aa\n`,
  "apis/vault/requests/echo/q7.json": { version: 1, operation: "echo" },
  "apis/vault/requests/echo/upload.json": {
    version: 1,
    operation: "post",
    bodyType: "file",
    body: "apis/vault/environments/live.secrets.env",
  },
  "apis/vault/requests/echo/picked.json": {
    version: 1,
    operation: "post",
    bodyType: "file",
    body: "apis/vault/requests/echo/{{env.vault.short}}.json",
  },
  "apis/workflow/reviewed.json": {
    version: 1,
    inputs: { guess: { type: "string", default: "s3" } },
    blocks: [
      { id: "first", type: "request", request: { api: "vault", operation: "echo" } },
      {
        id: "check",
        type: "assert",
        assertions: [{ source: "env.vault.apiKey", operator: "contains", value: "{{guess}}" }],
      },
    ],
  },
  "apis/workflow/scripted.json": { version: 1, blocks: [] },
  "apis/workflow/scripts/scripted/peek.ts": script,
  "apis/workflow/given.json": {
    version: 1,
    inputs: { key: { type: "string" }, pin: { type: "number" }, short: { type: "string" } },
    blocks: [{ id: "touch", type: "request", request: { api: "vault", operation: "echo" } }],
  },
  "apis/workflow/scripts/given/peek.ts": script,
  "callsheet.json": {
    version: 1,
    suites: {
      all: {
        workflows: [
          {
            workflow: "given",
            inputs: {
              key: "{{env.vault.apiKey}}",
              pin: "{{env.vault.pin}}",
              short: "{{env.vault.short}}",
            },
          },
        ],
      },
    },
  },
})
