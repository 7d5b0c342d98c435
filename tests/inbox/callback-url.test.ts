// A callback describes the messages at the URL that its expression has in the run.

import { describe, expect, it } from "vitest"
import { startApi } from "../harness/api-server.ts"
import { json, openInboxProject, read, workflow } from "./inbox-project.ts"

const sends = (required: string) => ({
  post: {
    requestBody: {
      required: true,
      content: { "application/json": { schema: { type: "object", required: [required] } } },
    },
    responses: { 204: { description: "Received." } },
  },
})

const body = { content: { "application/json": { schema: { type: "object" } } } }
const responses = { 201: { description: "Done.", ...body } }

const document = {
  openapi: "3.0.3",
  info: { title: "Shop", version: "1" },
  paths: {
    "/orders/{kind}": {
      parameters: [{ name: "kind", in: "path", required: true, schema: { type: "string" } }],
      post: {
        operationId: "order",
        parameters: [
          { name: "to", in: "query", schema: { type: "string" } },
          { name: "x-part", in: "header", schema: { type: "string" } },
        ],
        requestBody: body,
        responses,
        callbacks: {
          paid: { "{$request.body#/urls/0}": sends("amount") },
          sent: {
            "{$request.query.to}/{$request.header.X-Part}/{$request.path.kind}?m={$method}": sends("parcel"),
          },
          gone: { "$response.body#/url": sends("reason") },
          broken: { "{$request.body#/missing}": sends("never"), "{$inputs.x}": sends("never") },
        },
      },
    },
    "/poke": { post: { operationId: "poke", responses } },
  },
  "x-webhooks": { stock: sends("count") },
}

interface Message {
  readonly path: string
  readonly contract?: { readonly status: string; readonly problems: readonly { readonly path: string }[] }
}

async function verdictsOf(shop: object) {
  let base = ""
  const send = async (path: string, content: object) => {
    expect(await fetch(base + path, json(content))).toMatchObject({ status: 204 })
  }
  const api = await startApi({
    "POST /orders/big%20one": async ({ json: given }) => {
      base = (given as { base: string }).base
      await send("/a", { amount: 1 })
      await send("/a", { parcel: 1 })
      await send("/later", { parcel: 1 })
      await send("/b/7/big%20one", { parcel: 1 })
      await send("/b/7/big%20one?m=POST", { amount: 1 })
      return { status: 201, body: { url: `${base}/later` } }
    },
    "POST /poke": async () => {
      await send("/later", { reason: 1 })
      await send("/later", { parcel: 1 })
      await send("/x/stock", { count: 1 })
      await send("/x/stock", { parcel: 1 })
      return { status: 201, body: {} }
    },
  })
  const url = "{{env.inbox.baseUrl}}"
  const { run, write } = await openInboxProject({
    one: workflow(
      {
        id: "order",
        type: "request",
        request: {
          api: "shop",
          operation: "order",
          overrides: {
            params: { path: { kind: "big one" }, query: { to: `${url}/b` }, header: { "x-part": "7" } },
            body: { base: url, urls: [`${url}/a`] },
          },
        },
      },
      { id: "poke", type: "request", request: { api: "shop", operation: "poke" } },
      read("all"),
    ),
  })
  await write({ "apis/shop/openapi.json": shop, "apis/shop/environments/local.json": { baseUrl: api.url } })
  const { report, stdout } = await run("run one --json")
  await api.close()
  const messages = (
    report?.runs[0]?.blocks[2]?.response?.body as { messages: readonly Message[] } | undefined
  )?.messages
  expect(messages, stdout).toBeDefined()
  return (messages ?? []).map(
    ({ path, contract }) =>
      `${path} ${contract?.status} ${(contract?.problems ?? []).map((one) => one.path).join(" ")}`,
  )
}

describe("a callback with runtime expressions", () => {
  it("describes the messages at its URL, and others describe the rest", async () => {
    expect(await verdictsOf(document)).toEqual([
      "/a passed ",
      "/a failed /body/amount",
      // Its URL is in the response, which has not arrived. So any callback may fit.
      "/later passed ",
      "/b/7/big%20one passed ",
      "/b/7/big%20one failed /body/parcel",
      "/later passed ",
      "/later failed /body/reason",
      "/x/stock passed ",
      "/x/stock failed /body/count",
    ])
  })
})
