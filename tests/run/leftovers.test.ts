// Checks --leftovers: the list of everything that a run created and did not delete.

import { afterEach, expect, it } from "vitest"
import { startApi, type Answer, type ApiServer, type Route } from "../harness/api-server.ts"
import { callsheet, type Files } from "../harness/callsheet.ts"
import { request, shopFiles } from "./shop-project.ts"

let api: ApiServer | undefined
afterEach(async () => {
  await api?.close()
  api = undefined
})

const operation = (operationId: string) => ({
  operationId,
  tags: ["t"],
  responses: { default: { description: "Any." } },
})
const document = {
  openapi: "3.1.0",
  info: { title: "Shop", version: "1" },
  paths: {
    "/orders": { post: operation("createOrder") },
    "/orders/{orderId}": { delete: operation("deleteOrder"), put: operation("putOrder") },
    "/orders/{orderId}/lines": { post: operation("addLine") },
    "/orders/{orderId}/lines/{lineId}": { delete: operation("deleteLine") },
    "/sessions": { post: operation("signIn") },
  },
}
const params = (path: Readonly<Record<string, string>>) => ({ overrides: { params: { path } } })
const create = (id = "order") => request(id, { operation: "createOrder" })
const remove = (orderId: string) =>
  request(`remove-${orderId}`, { operation: "deleteOrder", ...params({ orderId }) })

async function run(
  blocks: readonly unknown[],
  routes: Readonly<Record<string, Answer | Route>>,
  words: readonly string[] = ["--leftovers", "report"],
) {
  api = await startApi({ "*": { status: 204 }, ...routes })
  const { url } = api
  const files: Files = { ...shopFiles(url, blocks), "apis/shop/openapi.json": document }
  const result = await callsheet(["run", "w", "--json", ...words], { files })
  const leftovers = result.report?.leftovers?.map((item) => ({ ...item, url: item.url.replace(url, "") }))
  return { ...result, stderr: result.stderr.replaceAll(url, ""), leftovers }
}

const created = (body: unknown): Answer => ({ status: 201, body })
const order = (url: string) => ({ api: "shop", url, operation: "POST /orders" })

it.each<readonly [string, Answer]>([
  ["id in its body", created({ id: 7 })],
  ["id under the parameter's name", created({ orderId: "7", id: "other" })],
  ["id in a wrapped object", created({ order: { id: "7" } })],
  ["location header", { status: 201, headers: { location: "/orders/7" } }],
])("finds an item by the %s, and its deletion", async (_, answer) => {
  const left = await run([create()], { "POST /orders": answer })
  expect(left.leftovers).toEqual([order("/orders/7")])
  expect(left.stderr).toContain("leftover: /orders/7, created by POST /orders")
  expect(left.exitCode).toBe(0)
  await api?.close()
  expect((await run([create(), remove("7")], { "POST /orders": answer })).leftovers).toEqual([])
})

it("lists a create whose id is unknown, and an item that a failed DELETE left", async () => {
  const blocks = [create(), create("again"), remove("7")]
  const unknown = await run(blocks, { "POST /orders": created("text"), "DELETE /orders/7": { status: 500 } })
  expect(unknown.leftovers).toEqual([
    { ...order("/orders"), unknown: true },
    { ...order("/orders"), unknown: true },
  ])
  await api?.close()
  const failed = await run([create(), remove("7")], {
    "POST /orders": created({ id: 7 }),
    "DELETE /orders/7": { status: 500 },
  })
  expect(failed.leftovers).toEqual([order("/orders/7")])
})

it("counts what a parent's deletion removes, what PUT creates, and nothing that can't be deleted", async () => {
  const line = request("line", { operation: "addLine", ...params({ orderId: "7" }) })
  const routes = { "POST /orders": created({ id: 7 }), "POST /orders/7/lines": created({ id: 1 }) }
  const all = await run([create(), line], routes)
  expect(all.leftovers?.map(({ url }) => url)).toEqual(["/orders/7", "/orders/7/lines/1"])
  await api?.close()
  expect((await run([create(), line, remove("7")], routes)).leftovers).toEqual([])
  await api?.close()
  const put = request("put", { operation: "putOrder", ...params({ orderId: "9" }) })
  const signIn = request("sign-in", { operation: "signIn" })
  const mixed = await run([put, signIn], {
    "PUT /orders/9": created({}),
    "POST /sessions": created({ id: 1 }),
  })
  expect(mixed.leftovers).toEqual([{ api: "shop", url: "/orders/9", operation: "PUT /orders/{orderId}" }])
})

it("lists a create that was sent and got no response, and not one that was never sent", async () => {
  const cut: Route = (_, response) => void response.destroy()
  const half: Route = (_, response) => {
    response.writeHead(201, { "content-length": 9 }).write("{", () => response.destroy())
    return undefined
  }
  for (const route of [cut, half])
    expect((await run([create()], { "POST /orders": route })).leftovers).toEqual([
      { ...order("/orders"), unknown: true },
    ])
  const closed = await run([create()], {}, ["--leftovers", "report", "--var=shop.baseUrl=http://127.0.0.1:1"])
  expect(closed.report?.runs[0]?.blocks[0]?.error?.code).toBe("request-failed")
  expect(closed.leftovers).toEqual([])
})

it("fails the run with --leftovers fail, and accepts no other word", async () => {
  const fail = ["--leftovers", "fail"]
  const left = await run([create()], { "POST /orders": created({ id: 7 }) }, fail)
  expect(left).toMatchObject({ exitCode: 1, report: { status: "failed" } })
  expect(left.stderr).toContain("1 leftover; --leftovers fail allows none")
  await api?.close()
  const none = await run([create(), remove("7")], { "POST /orders": created({ id: 7 }) }, fail)
  expect(none).toMatchObject({ exitCode: 0, report: { status: "passed" } })
  await api?.close()
  const wrong = await run([create()], {}, ["--leftovers", "yes"])
  expect(wrong.exitCode).toBe(2)
  expect(wrong.stderr).toContain("--leftovers must be report or fail")
})
