// A suite with something for every part of a report: roles, rows, a flaky and a skipped run, failures, leftovers.

import { rm } from "node:fs/promises"
import { onTestFinished } from "vitest"
import { startApi, type Answer, type ApiServer, type Route } from "../harness/api-server.ts"
import { callsheet, createFolder, type Files } from "../harness/callsheet.ts"
import { assert, document, echo, request, shopFiles } from "./shop-project.ts"

/** Commands of CI systems, escapes of terminals, markup, and characters that change the direction of text. */
export const hostile =
  "</script><img src=x onerror=alert(1)>]]>\u202e\u0000\u009b31m\u001b[2J\n::error::x\n##vso[task.x]y"

const buy = {
  version: 1,
  inputs: { sku: { type: "string", required: true } },
  onFailure: "continue",
  blocks: [
    request("order", {
      resource: "orders",
      operation: "create",
      overrides: { body: { sku: "{{sku}}" } },
    }),
    { id: "twice", type: "loop", mode: "times", count: 2, iteratorVar: "i", blocks: [echo("look")] },
    assert("check", ["sku", "notEquals", "BAD"]),
    assert("check-order", ["order.response.status", "equals", 201]),
  ],
}

const check = (status: number) => assert("check", ["get.response.status", "equals", status])
const item = (id: string) => request("get", { operation: "getItem", overrides: { params: { path: { id } } } })

const files = (url: string): Files => ({
  ...shopFiles(url, [item("flaky"), check(200)]),
  "apis/shop/openapi.json": {
    ...document,
    paths: {
      ...document.paths,
      "/orders/{id}": { delete: { operationId: "delete", tags: ["orders"], responses: {} } },
    },
  },
  "apis/workflow/buy.json": buy,
  "apis/workflow/sign-in.json": {
    version: 1,
    blocks: [request("orders", { resource: "orders", operation: "list" })],
  },
  "rows.csv": "sku\nA-1\nBAD\n",
  "callsheet.json": {
    version: 1,
    suites: {
      nightly: {
        before: ["sign-in"],
        workflows: [
          { workflow: "w", as: "flaky" },
          { workflow: "buy", data: "rows.csv" },
          { workflow: "sign-in", as: "late" },
        ],
        finally: [{ workflow: "sign-in", as: "clean-up" }],
      },
    },
  },
})

export interface Nightly {
  readonly api: ApiServer
  readonly folder: string
  /** Runs the suite with more words. */
  readonly run: (...words: string[]) => ReturnType<typeof callsheet>
  readonly call: (...words: string[]) => ReturnType<typeof callsheet>
}

/** Creates the project and its server. Both are gone after the test. */
export async function openNightly(
  routes: Readonly<Record<string, Answer | Route>> = {},
  more: (url: string) => Files = () => ({}),
): Promise<Nightly> {
  let asked = 0
  const api = await startApi({
    "GET /items/flaky": () => ({ status: asked++ === 0 ? 500 : 200, body: {} }),
    "GET /orders": { body: [], headers: { "x-hostile": "</script>##vso[task.x]y" } },
    "POST /orders": { status: 201, body: { id: 7 } },
    "GET /echo": { body: { text: hostile } },
    ...routes,
  })
  const folder = await createFolder({ ...files(api.url), ...more(api.url) })
  onTestFinished(async () => {
    await api.close()
    await rm(folder, { recursive: true, force: true })
  })
  const call = (...words: string[]) => callsheet(words, { folder, timeoutMs: 60_000 })
  const suite = ["run", "--suite=nightly", "--env=local", "--retries=1", "--bail=1", "--leftovers=report"]
  return { api, folder, call, run: (...words) => call(...suite, ...words) }
}
