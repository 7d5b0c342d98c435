// The project for all views: a copy of the sample project with its servers, plus errors that the sample doesn't have.

import { cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join, relative } from "node:path"
import { fileURLToPath } from "node:url"
import { startSampleApi } from "../../../examples/shop/server/start-sample-api.ts"
import { startCommand } from "../../app-server/start-command.ts"

const sample = fileURLToPath(new URL("../../../examples/shop", import.meta.url))

export interface ViewsProject {
  /** A fresh link of the app. */
  readonly link: () => Promise<string>
  /** The URL of the shop's server. */
  readonly shopUrl: string
  readonly replace: (path: string, from: string, to: string) => () => void
  readonly close: () => Promise<void>
}

/** The app runs until `close`. `change` may replace a file of the project. */
export async function startViewsProject(
  change: (path: string, text: string) => string = (_, text) => text,
): Promise<ViewsProject> {
  const home = mkdtempSync(join(tmpdir(), "callsheet-views-"))
  const folder = join(home, "shop")
  cpSync(sample, folder, { recursive: true })
  const api = await startSampleApi()
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  for (const [path, content] of Object.entries(extraFiles(api.shopUrl)))
    write(path, typeof content === "string" ? content : `${JSON.stringify(content, null, 2)}\n`)
  const replace: ViewsProject["replace"] = (path, from, to) => {
    const before = readFileSync(join(folder, path), "utf8")
    if (!before.includes(from)) throw new Error(`${path} does not contain ${from}`)
    write(path, before.replaceAll(from, to))
    return () => write(path, before)
  }
  replace("apis/shop/environments/base.json", "http://127.0.0.1:4010", api.shopUrl)
  replace("apis/payments/environments/base.json", "http://127.0.0.1:4011", api.paymentsUrl)
  for (const path of filesBelow(folder)) write(path, change(path, readFileSync(join(folder, path), "utf8")))
  const env = { HOME: home, XDG_STATE_HOME: join(home, "state") }
  const command = await startCommand({ cwd: folder, env })
  return {
    link: command.nextLink,
    shopUrl: api.shopUrl,
    replace,
    close: async () => {
      await command.end("SIGINT")
      await api.close()
      rmSync(home, { recursive: true, force: true })
    },
  }
}

const filesBelow = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(json|ts)$/.test(entry.name))
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))

/**
 * An API whose server violates its document, an API without a document, and workflows that are broken, empty and slow.
 */
const extraFiles = (shopUrl: string): Readonly<Record<string, unknown>> => ({
  "callsheet.json": {
    version: 1,
    sources: { legacy: `${shopUrl}/openapi.json` },
    suites: {
      nightly: {
        description: "Everything that needs no payment.",
        before: ["smoke"],
        workflows: ["checkout", { workflow: "kinds", as: "every-kind" }, "catalog"],
      },
    },
  },
  "apis/legacy/openapi.json": {
    openapi: "3.1.0",
    info: { title: "The shop as it was", version: "1" },
    components: {
      securitySchemes: {
        login: {
          type: "oauth2",
          flows: { authorizationCode: { authorizationUrl: "/authorize", tokenUrl: "/token", scopes: {} } },
        },
      },
    },
    paths: {
      "/account": {
        get: {
          operationId: "oldAccount",
          tags: ["account"],
          security: [{ login: [] }],
          responses: { "200": { description: "The account" } },
        },
      },
      "/products/{sku}": {
        get: {
          operationId: "oldProduct",
          tags: ["products"],
          deprecated: true,
          parameters: [{ name: "sku", in: "path", required: true, schema: { type: "string" } }],
          responses: {
            "200": {
              description: "The product",
              content: {
                "application/json": {
                  schema: {
                    type: "object",
                    required: ["weight"],
                    properties: { sku: { type: "integer" }, name: { type: "string" } },
                  },
                },
              },
            },
          },
        },
      },
    },
  },
  "apis/legacy/environments/schema.json": {
    version: 1,
    variables: {
      baseUrl: { type: "string", required: true },
      verbose: { type: "boolean", required: false, default: false },
      login_clientId: { type: "string", required: false },
    },
  },
  "apis/shop/environments/production.secrets.env": "password=never-sent\n",
  "apis/payments/environments/production.secrets.env": "apiKey=never-sent\n",
  "apis/legacy/environments/local.json": { level: "local", baseUrl: shopUrl, login_clientId: "views" },
  "apis/mail/requests/letters/hello.json": { version: 1, method: "GET", path: "/status" },
  "apis/workflow/broken.json": '{\n  "version": 1\n  "blocks": []\n}\n',
  "apis/workflow/empty.json": { version: 1, blocks: [] },
  "apis/workflow/kinds.json": {
    version: 1,
    validateContracts: true,
    blocks: [
      {
        id: "old",
        type: "request",
        description: "Its document says otherwise than its server.",
        request: {
          api: "legacy",
          resource: "products",
          operation: "oldProduct",
          overrides: { params: { path: { sku: "MUG-01" } } },
        },
      },
      {
        id: "cheap",
        type: "assert",
        assertions: [{ source: "old.response.body.name", operator: "equals", value: "Teapot" }],
      },
      { id: "name", type: "transform", transforms: { title: "old.response.body.name" } },
      {
        id: "if-found",
        type: "condition",
        if: { source: "old.response.status", operator: "equals", value: 200 },
        then: [{ id: "note", type: "transform", transforms: { found: "old.response.status" } }],
        else: [],
      },
      { id: "together", type: "group", blocks: [] },
    ],
  },
  "apis/workflow/patient.json": {
    version: 1,
    blocks: [
      {
        id: "wait",
        type: "loop",
        mode: "until",
        until: { source: "look.response.status", operator: "equals", value: 404 },
        maxIterations: 2000,
        delayMs: 300,
        blocks: [
          {
            id: "look",
            type: "request",
            request: {
              api: "legacy",
              resource: "products",
              operation: "oldProduct",
              overrides: { params: { path: { sku: "MUG-01" } } },
            },
          },
        ],
      },
    ],
  },
})
