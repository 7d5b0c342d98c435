// The sample API matches its documents: every operation with every documented status.

import { X509Certificate } from "node:crypto"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { certificate } from "../../examples/shop/server/certificate.ts"
import { startSampleApi, type SampleApi } from "../../examples/shop/server/start-sample-api.ts"
import { requestText, sendRaw } from "../app-server/raw-client.ts"
import { createClient, type Client, type Exchange, type Request } from "./client.ts"
import { readDocument } from "./document.ts"

let api: SampleApi
let shop: Client
let payments: Client
let token = ""

const ada = { email: "ada@shop.example", password: "kettle-lantern-47" }
const grace = { email: "grace@shop.example", password: "teapot-harbour-12" }
const shipTo = {
  name: "Grace",
  street: "Lighthouse Road 3",
  postcode: "20457",
  city: "Hamburg",
  country: "DE",
}
const unknownId = "00000000-0000-4000-8000-000000000000"
const merchant = `Basic ${Buffer.from("merchant:ledger-biscuit-88").toString("base64")}`
const form = (fields: Record<string, string>): Request => ({ body: new URLSearchParams(fields) })
const card = { number: "4242424242424242", expiry: "12/49", cvc: "123", holder: "Ada" }

beforeAll(async () => {
  api = await startSampleApi()
  const [shopDocument, paymentsDocument] = await Promise.all([
    readDocument("shop/openapi.json"),
    readDocument("payments/openapi.yaml"),
  ])
  shop = createClient(api.shopUrl, shopDocument, () => ({ authorization: `Bearer ${token}` }))
  payments = createClient(api.paymentsUrl, paymentsDocument, () => ({
    "x-api-key": "pk_sample_9f2b61c07d3e",
  }))
  token = (await shop.call("signIn", { json: ada })).textAt("token")
})
afterAll(() => api.close())

const newOrder = (lines: readonly object[] = [{ sku: "MUG-01", quantity: 2 }], extra: object = {}) =>
  shop.call("createOrder", { json: { shipTo, lines, ...extra } })

async function newPayment(order: Exchange): Promise<Exchange> {
  const cardToken = (await payments.call("addCard", form(card))).textAt("token")
  const amount = order.at("total")
  return payments.call("createPayment", { json: { orderId: order.textAt("id"), card: cardToken, amount } })
}

const fieldsOf = (refused: Exchange): readonly unknown[] =>
  listAt(refused, "errors").map(({ field }) => field)

const entryOf = (payment: Exchange): string => /"ledgerEntry":([0-9]+)/.exec(payment.raw)![1]!

const listAt = (exchange: Exchange, path: string) => exchange.at(path) as Readonly<Record<string, unknown>>[]

const shipmentStatus = async (orderId: string): Promise<string> =>
  (await shop.call("getShipment", { path: { orderId } })).textAt("status")

describe("the shop", () => {
  it("reports that it is up", async () => {
    expect((await shop.call("getHealth")).raw).toBe("ok\n")
  })

  it("signs a customer in by token and by cookie, and signs out", async () => {
    const session = await shop.call("signIn", { json: ada })
    expect(session.body).toMatchObject({ customer: { email: ada.email } })
    const cookie = session.headers.getSetCookie()[0]!.split(";")[0]!
    const authorization = `Bearer ${session.textAt("token")}`
    expect((await fetch(`${api.shopUrl}/sessions/current`, { headers: { cookie } })).status).toBe(200)
    expect((await shop.call("signOut", { headers: { authorization } })).status).toBe(204)
    expect((await shop.call("getSession", { headers: { authorization } })).status).toBe(401)
    expect((await fetch(`${api.shopUrl}/sessions/current`, { headers: { cookie } })).status).toBe(401)
    expect((await shop.call("getSession")).status).toBe(200)
  })

  it("lists each product on exactly one page", async () => {
    const skus: unknown[] = []
    let next: number | null = 0
    for (let pages = 0; next !== null && pages < 20; pages++) {
      const page: Exchange = await shop.call("listProducts", { query: `page=${next}&size=5` })
      skus.push(...listAt(page, "items").map(({ sku }) => sku))
      next = page.at("next") as number | null
    }
    expect(new Set(skus).size).toBe(skus.length)
    expect(skus).toHaveLength(17)
    expect((await shop.call("listProducts", { query: "size=51" })).status).toBe(400)
  })

  it("responds 304 to a client that has the product", async () => {
    const path = { sku: "TEA-01" }
    const etag = (await shop.call("getProduct", { path })).headers.get("etag")!
    expect((await shop.call("getProduct", { path, headers: { "if-none-match": etag } })).status).toBe(304)
  })

  it("creates one order per idempotency key", async () => {
    const request = {
      json: { shipTo, lines: [{ sku: "CUP-01", quantity: 1 }] },
      headers: { "idempotency-key": "k1" },
    }
    const [first, second] = [await shop.call("createOrder", request), await shop.call("createOrder", request)]
    expect([first.status, second.status]).toEqual([201, 200])
    expect(second.body).toEqual(first.body)
  })

  it("lists every wrong field of an order", async () => {
    const refused = await newOrder([{ sku: "NONE", quantity: 0 }], { express: "yes", color: "blue" })
    expect(refused.status).toBe(422)
    expect(new Set(fieldsOf(refused))).toEqual(
      new Set(["color", "express", "lines.0.quantity", "lines.0.sku"]),
    )
  })

  it("updates the total when the lines of an open order change", async () => {
    const orderId: string = (await newOrder()).textAt("id")
    const path = { orderId }
    const added = await shop.call("addLine", { path, json: { sku: "TEA-01", quantity: 1 } })
    const lineId: string = added.textAt("id")
    expect((await shop.call("getLine", { path: { orderId, lineId } })).body).toEqual(added.body)
    await shop.call("changeLine", { path: { orderId, lineId }, json: { quantity: 3 } })
    expect((await shop.call("getOrder", { path })).body).toMatchObject({
      total: { amount: 2 * 1450 + 3 * 1690 },
    })
    expect((await shop.call("listLines", { path })).body).toHaveLength(2)
    expect((await shop.call("getLine", { path: { orderId, lineId: "none" } })).status).toBe(404)
    expect((await shop.call("removeLine", { path: { orderId, lineId } })).status).toBe(204)
    const last: string = (await shop.call("getOrder", { path })).textAt("lines.0.id")
    expect((await shop.call("removeLine", { path: { orderId, lineId: last } })).status).toBe(409)
  })

  it("patches the given fields and keeps the rest", async () => {
    const order = await newOrder(undefined, { note: "leave at the door" })
    const patched = await shop.call("updateOrder", {
      path: { orderId: order.textAt("id") },
      headers: { "content-type": "application/merge-patch+json" },
      body: JSON.stringify({ note: null, shipTo: { city: "Kiel" } }),
    })
    expect(patched.body).toMatchObject({ note: null, shipTo: { ...shipTo, city: "Kiel" } })
  })

  it("shows a customer only their own orders", async () => {
    const reference = "only-mine"
    const order = await newOrder(undefined, { reference })
    const other = (await shop.call("signIn", { json: grace })).textAt("token")
    const headers = { authorization: `Bearer ${other}` }
    expect((await shop.call("getOrder", { path: { orderId: order.textAt("id") }, headers })).status).toBe(404)
    const query = `reference=${reference}`
    expect((await shop.call("listOrders", { query, headers })).at("items")).toEqual([])
    expect((await shop.call("listOrders", { query })).at("items")).toEqual([order.body])
    expect((await shop.call("listOrders", { query: "status=lost" })).status).toBe(400)
  })

  it("cancels an order once and rejects changes afterward", async () => {
    const path = { orderId: (await newOrder()).textAt("id") }
    expect((await shop.call("cancelOrder", { path })).textAt("status")).toBe("cancelled")
    expect((await shop.call("cancelOrder", { path })).status).toBe(409)
    expect((await shop.call("updateOrder", { path, json: { note: "x" } })).status).toBe(409)
    expect((await shop.call("addLine", { path, json: { sku: "TEA-01", quantity: 1 } })).status).toBe(409)
    const linePath = { ...path, lineId: (await shop.call("listLines", { path })).textAt("0.id") }
    expect((await shop.call("changeLine", { path: linePath, json: { quantity: 2 } })).status).toBe(409)
    expect((await shop.call("deleteOrder", { path })).status).toBe(204)
  })
})

describe("the shop and the payment provider", () => {
  it("pack and ship an order after it is paid, one step per request", async () => {
    const order = await newOrder()
    const orderId: string = order.textAt("id")
    expect([await shipmentStatus(orderId), await shipmentStatus(orderId)]).toEqual(["pending", "pending"])
    const payment = await newPayment(order)
    const path = { paymentId: payment.textAt("id") }
    expect((await payments.call("capturePayment", { path })).textAt("status")).toBe("captured")
    expect((await shop.call("getOrder", { path: { orderId } })).textAt("status")).toBe("paid")
    expect((await shop.call("deleteOrder", { path: { orderId } })).status).toBe(409)
    const steps = [
      await shipmentStatus(orderId),
      await shipmentStatus(orderId),
      await shipmentStatus(orderId),
    ]
    expect(steps).toEqual(["pending", "packed", "shipped"])
    expect((await payments.call("capturePayment", { path })).status).toBe(409)
    expect((await payments.call("getPayment", { path })).textAt("status")).toBe("captured")
  })

  it("accept and approve one return of a shipped order", async () => {
    const order = await newOrder()
    const orderId: string = order.textAt("id")
    const lines = [{ lineId: order.textAt("lines.0.id"), quantity: 1, reason: "broken" }]
    const request = { path: { orderId }, json: { lines } }
    expect((await shop.call("createReturn", request)).status).toBe(409)
    await payments.call("capturePayment", { path: { paymentId: (await newPayment(order)).textAt("id") } })
    for (let looks = 0; looks < 3; looks++) await shipmentStatus(orderId)
    const made = await shop.call("createReturn", request)
    expect(made.body).toMatchObject({ status: "requested", refund: { amount: 1450 } })
    expect((await shop.call("createReturn", request)).status).toBe(409)
    const path = { returnId: made.textAt("id") }
    const looks = [await shop.call("getReturn", { path }), await shop.call("getReturn", { path })]
    expect(looks.map(({ textAt }) => textAt("status"))).toEqual(["requested", "approved"])
  })

  it("keep an order at the authorized price", async () => {
    const order = await newOrder()
    const path = { orderId: order.textAt("id") }
    const payment = await newPayment(order)
    await shop.call("addLine", { path, json: { sku: "TEA-01", quantity: 1 } })
    const refused = await payments.call("capturePayment", { path: { paymentId: payment.textAt("id") } })
    expect(refused.status).toBe(409)
  })
})

describe("the payment provider", () => {
  it("reports that it is up", async () => {
    expect((await payments.call("getStatus")).raw).toBe("operational\n")
  })

  it("accepts cards with a valid check digit", async () => {
    expect((await payments.call("addCard", form(card))).body).toMatchObject({ brand: "visa", last4: "4242" })
    const wrong = await payments.call(
      "addCard",
      form({ ...card, number: "4242424242424241", expiry: "01/20" }),
    )
    expect(fieldsOf(wrong)).toEqual(["number", "expiry"])
  })

  it("declines a card, a wrong price and a second payment", async () => {
    const order = await newOrder()
    const declined = (await payments.call("addCard", form({ ...card, number: "4000000000000002" }))).textAt(
      "token",
    )
    const json = { orderId: order.textAt("id"), card: declined, amount: order.at("total") }
    expect((await payments.call("createPayment", { json })).status).toBe(402)
    const cheap = { ...json, amount: { amount: 1, currency: "EUR" } }
    expect((await payments.call("createPayment", { json: cheap })).status).toBe(422)
    await newPayment(order)
    expect((await payments.call("createPayment", { json })).status).toBe(409)
  })

  it("finds a payment by a number that JavaScript rounds", async () => {
    const [first, second] = [await newPayment(await newOrder()), await newPayment(await newOrder())]
    expect(BigInt(entryOf(second)) - BigInt(entryOf(first))).toBe(1n)
    const found = await payments.call("listPayments", { query: `ledgerEntry=${entryOf(second)}` })
    expect(listAt(found, "items").map(({ id }) => id)).toEqual([second.textAt("id")])
    expect((await payments.call("listPayments", { query: "ledgerEntry=x" })).status).toBe(400)
  })

  it("refunds at most what was paid, and writes each change on the receipt", async () => {
    const payment = await newPayment(await newOrder())
    const paymentId: string = payment.textAt("id")
    const path = { paymentId }
    expect((await payments.call("createRefund", { path, json: { amount: 1 } })).status).toBe(409)
    await payments.call("capturePayment", { path })
    expect((await payments.call("createRefund", { path, json: { amount: 900, reason: null } })).status).toBe(
      201,
    )
    expect((await payments.call("createRefund", { path, json: { amount: 2001 } })).status).toBe(409)
    expect((await payments.call("createRefund", { path, json: { amount: 2000 } })).status).toBe(201)
    expect((await payments.call("getPayment", { path })).textAt("status")).toBe("refunded")
    expect((await payments.call("listRefunds", { path })).body).toHaveLength(2)
    const latest = await payments.call("getLatestReceipt", { path })
    expect(latest.headers.get("location")).toBe(`/receipts/${paymentId}/4`)
    const receipt = { path: { paymentId, revision: "4" } }
    expect((await payments.call("getReceipt", receipt)).raw).toContain("Refunded: 29.00 EUR")
    const unknown = { path: { paymentId, revision: "5" } }
    expect((await payments.call("getReceipt", unknown)).status).toBe(404)
    const german = await payments.call("getReceipt", { ...receipt, headers: { cookie: "locale=de" } })
    expect(german.raw).toContain("Erstattet")
  })

  it("releases reserved money", async () => {
    const order = await newOrder()
    const path = { paymentId: (await newPayment(order)).textAt("id") }
    expect((await payments.call("voidPayment", { path })).textAt("status")).toBe("voided")
    expect((await payments.call("voidPayment", { path })).status).toBe(409)
    expect((await newPayment(order)).status).toBe(201)
  })

  it("stores a file of any bytes, a note and a signature", async () => {
    const path = { paymentId: (await newPayment(await newOrder())).textAt("id") }
    const bytes = Uint8Array.from({ length: 1000 }, (_value, index) => index % 256)
    const body = new FormData()
    body.set("kind", "photo")
    body.set("description", "Grüße\r\n--")
    body.set("file", new Blob([bytes], { type: "image/png" }), 'a "b".png')
    const stored = await payments.call("addEvidence", { path, body })
    const { createHash } = await import("node:crypto")
    expect(stored.body).toMatchObject({
      description: "Grüße\r\n--",
      filename: 'a "b".png',
      contentType: "image/png",
      sha256: createHash("sha256").update(bytes).digest("hex"),
    })
    expect((await payments.call("listEvidence", { path })).body).toEqual([stored.body])
    const note = await payments.call("addNote", {
      path,
      body: "all well\n",
      headers: { "content-type": "text/plain" },
    })
    expect(note.textAt("text")).toBe("all well\n")
    expect((await payments.call("getSignature", { path })).status).toBe(404)
    await payments.call("putSignature", { path, body: bytes, headers: { "content-type": "image/png" } })
    expect((await payments.call("getSignature", { path })).headers.get("content-type")).toBe("image/png")
  })

  it("rejects invalid forms, notes and images", async () => {
    const path = { paymentId: (await newPayment(await newOrder())).textAt("id") }
    const body = new FormData()
    body.set("file", "no file")
    expect((await payments.call("addEvidence", { path, body })).status).toBe(422)
    const broken = { path, body: "x", headers: { "content-type": "multipart/form-data" } }
    expect((await payments.call("addEvidence", broken)).status).toBe(400)
    const blank = { path, body: " ", headers: { "content-type": "text/plain" } }
    expect((await payments.call("addNote", blank)).status).toBe(422)
    const nothing = { path, headers: { "content-type": "image/png" } }
    expect((await payments.call("putSignature", nothing)).status).toBe(422)
  })

  it("stores a language in a cookie", async () => {
    const set = await payments.call("setPreferences", { json: { locale: "de" } })
    expect(set.headers.getSetCookie()).toEqual(["locale=de; Path=/; SameSite=Lax"])
    expect((await payments.call("setPreferences", { json: { locale: "fr" } })).status).toBe(422)
  })

  it("tells only the merchant what was paid", async () => {
    const settlement = await payments.call("getSettlement", { headers: { authorization: merchant } })
    expect(settlement.status).toBe(200)
  })
})

// Rules that apply to all operations are checked on all of them.
async function everyOperation(status: number, request: (type: string) => Request): Promise<void> {
  for (const client of [shop, payments]) {
    for (const { id, statuses, requestTypes } of client.operations) {
      if (!statuses.includes(status) || client.seen.has(`${id} ${status}`)) continue
      const type = requestTypes.includes("application/json") ? "application/json" : (requestTypes[0] ?? "")
      await client.call(id, request(type))
    }
  }
}

describe("both APIs", () => {
  it("match their documents in every response, with every documented status", async () => {
    const order = await newOrder()
    const payment = await newPayment(order)
    const ids = { orderId: order.textAt("id"), paymentId: payment.textAt("id") }
    const lineId: string = order.textAt("lines.0.id")
    const own = { ...ids, lineId }
    await everyOperation(401, () => ({ headers: { authorization: "none", "x-api-key": "none" } }))
    await shop.call("signIn", { json: { ...ada, password: "wrong" } })
    await everyOperation(404, () => ({ path: { orderId: unknownId, returnId: unknownId, sku: "NONE" } }))
    await everyOperation(415, () => ({
      path: own,
      headers: { "content-type": "application/xml" },
      body: "<a/>",
    }))
    const tooLarge = "x".repeat(1024 * 1024 + 1)
    await everyOperation(413, (type) => ({ path: own, headers: { "content-type": type }, body: tooLarge }))
    await everyOperation(400, (type) => ({ path: own, headers: { "content-type": type }, body: "{" }))
    await everyOperation(422, () => ({ path: own, json: { unknown: true } }))
    for (const client of [shop, payments]) {
      const documented = client.operations.flatMap(({ id, statuses }) =>
        statuses.map((status) => `${id} ${status}`),
      )
      const missing = documented.filter((answer) => !client.seen.has(answer))
      // fetch can't show both a redirect and its target under one operation.
      expect(missing).toEqual(client === payments ? ["getLatestReceipt 200"] : [])
    }
  })

  it("list the allowed methods of a path", async () => {
    const answer = await fetch(`${api.shopUrl}/orders`, { method: "PUT" })
    expect([answer.status, answer.headers.get("allow")]).toEqual([405, "GET, POST"])
    expect((await fetch(`${api.paymentsUrl}/nothing`)).status).toBe(404)
  })

  it("have a self-signed certificate for loopback that outlives this test", () => {
    const known = new X509Certificate(certificate.cert)
    expect([known.checkHost("localhost"), known.checkIP("127.0.0.1")]).toEqual(["localhost", "127.0.0.1"])
    expect(known.verify(known.publicKey)).toBe(true)
    expect(new Date(known.validTo).getUTCFullYear()).toBe(2120)
  })

  it("start with fresh data for each server", async () => {
    const other = await startSampleApi()
    try {
      const headers = { authorization: `Bearer ${token}` }
      expect((await fetch(`${other.shopUrl}/sessions/current`, { headers })).status).toBe(401)
    } finally {
      await other.close()
    }
    await expect(fetch(`${other.shopUrl}/health`)).rejects.toThrow()
  })

  it("leave nothing open if a port is taken", async () => {
    const port = Number(new URL(api.paymentsUrl).port)
    await expect(startSampleApi({ port: port - 1 })).rejects.toThrow("EADDRINUSE")
  })
})

describe("a request target that no client sends", () => {
  it.each([
    "//",
    "//[",
    "http://[",
    "*",
    "//user@:99999/",
    "/products/%",
    "/carts/%ff%zz",
    "shop",
    "/%2e%2e//",
  ])("is refused, and the sample API goes on: %s", async (target) => {
    const { status } = await sendRaw(
      Number(new URL(api.shopUrl).port),
      requestText({
        target,
        headers: [
          ["host", "a"],
          ["connection", "close"],
        ],
      }),
    )
    expect([400, 401, 404]).toContain(status)
    expect((await fetch(`${api.shopUrl}/nothing`)).status).toBe(404)
  })
})
