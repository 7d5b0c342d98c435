// The shop: sign in, browse, order, follow the shipment, send back. Described by ../apis/shop/openapi.json.

import { createHash, randomBytes, randomUUID } from "node:crypto"
import * as check from "./check.ts"
import { cookie, empty, json, Problem, text, wrongField, type Call, type Routes } from "./http.ts"
import { categories, money, products } from "./products.ts"

// Made-up people. The sample project's environments sign in as the first.
const accounts = [
  { id: "cus_ada", name: "Ada Example", email: "ada@shop.example", password: "kettle-lantern-47" },
  { id: "cus_grace", name: "Grace Example", email: "grace@shop.example", password: "teapot-harbour-12" },
]

const SESSION_S = 60 * 60
const EXPRESS_FEE = 590
const statuses = ["open", "paid", "shipped", "cancelled"] as const

const credentials = check.object({
  email: check.text({ max: 254, pattern: /^[^@\s]+@[^@\s]+$/ }),
  password: check.text(),
})
const productQuery = check.object({
  page: check.optional(check.digits(0, 10_000), 0),
  size: check.optional(check.digits(1, 50), 10),
  category: check.optional(check.oneOf(...categories), undefined),
})
const orderQuery = check.object({
  reference: check.optional(check.text(), undefined),
  status: check.optional(check.oneOf(...statuses), undefined),
})
const quantity = check.integer(1, 100)
const newLine = check.object({
  sku: check.that("the SKU of a product", (sku) => products.find((product) => product.sku === sku)),
  quantity,
})
const note = check.nullable(check.text({ max: 500 }))
const shipTo = check.object({
  name: check.text(),
  street: check.text(),
  postcode: check.text({ max: 12 }),
  city: check.text(),
  country: check.text({ pattern: /^[A-Z]{2}$/ }),
})
const orderChange = check.object({ note, shipTo })
const newOrder = check.object({
  reference: check.nullable(check.text({ max: 64 })),
  express: check.optional(check.oneOf(true, false), false),
  note,
  shipTo,
  lines: check.list(newLine, 20),
})
const reason = check.oneOf("broken", "wrong-item", "changed-mind")

const makeSession = ({ id, name, email }: (typeof accounts)[number]) => ({
  id: randomUUID(),
  customer: { id, name, email },
  expiresAt: new Date(Date.now() + SESSION_S * 1000).toISOString(),
})

const makeLine = ({ sku: { sku, name, price }, quantity }: check.Checked<typeof newLine>) => ({
  id: `line_${randomBytes(6).toString("hex")}`,
  sku: sku as string,
  name: name as string,
  quantity,
  unitPrice: price,
  total: money(price.amount * quantity),
})

const makeOrder = (customerId: string, given: check.Checked<typeof newOrder>) => ({
  ...given,
  id: randomUUID() as string,
  customerId,
  status: "open" as (typeof statuses)[number],
  lines: given.lines.map(makeLine),
  total: money(0),
  createdAt: now(),
  updatedAt: "",
  paidAt: null as string | null,
})

type Session = ReturnType<typeof makeSession>
export type Order = ReturnType<typeof makeOrder>

interface Return {
  readonly id: string
  readonly orderId: string
  readonly lines: readonly { readonly lineId: string }[]
}

export class Shop {
  /** By token and by cookie. */
  readonly #sessions = new Map<string, Session>()
  readonly #orders = new Map<string, Order>()
  /** By customer and idempotency key. */
  readonly #orderIds = new Map<string, string>()
  readonly #returns = new Map<string, Return>()
  /** How often somebody looked at a paid order's shipment or at a return, by its id. */
  readonly #looks = new Map<string, number>()

  readonly routes: Routes = {
    "GET /health": () => text("ok\n"),
    "POST /sessions": async (call) => {
      const { email, password } = await check.body(call, credentials)
      const account = accounts.find((known) => known.email === email && known.password === password)
      if (account === undefined) throw unauthorized("the email address or password is wrong")
      const session = makeSession(account)
      const token = `ses_${randomBytes(16).toString("hex")}`
      const sid = `sid_${randomBytes(16).toString("hex")}`
      this.#sessions.set(token, session).set(sid, session)
      const secure = call.request.url.startsWith("https:") ? "; Secure" : ""
      const setCookie = `sid=${sid}; Path=/; Max-Age=${SESSION_S}; HttpOnly; SameSite=Lax${secure}`
      return json(201, { ...session, token }, { location: "/sessions/current", "set-cookie": setCookie })
    },
    "GET /sessions/current": (call) => json(200, this.#session(call)),
    "DELETE /sessions/current": (call) => {
      const session = this.#session(call)
      for (const [key, known] of this.#sessions) if (known === session) this.#sessions.delete(key)
      return empty(204, { "set-cookie": "sid=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax" })
    },
    "GET /products": (call) => {
      const { page, size, category } = check.query(call, productQuery)
      const found = products.filter((product) => category === undefined || product.category === category)
      const total = found.length
      const items = found.slice(page * size, (page + 1) * size)
      const next = (page + 1) * size < total ? page + 1 : null
      return json(200, { items, page, size, total, next }, { "x-total-count": String(total) })
    },
    "GET /products/{sku}": ({ request, param }) => {
      const product = products.find(({ sku }) => sku === param("sku"))
      if (product === undefined) throw new Problem(404, "this product does not exist")
      const etag = `"${createHash("sha256").update(JSON.stringify(product)).digest("hex").slice(0, 16)}"`
      return request.headers.get("if-none-match") === etag
        ? empty(304, { etag })
        : json(200, product, { etag })
    },
    "GET /orders": (call) => {
      const { customer } = this.#session(call)
      const { reference, status } = check.query(call, orderQuery)
      const items = [...this.#orders.values()]
        .filter((order) => order.customerId === customer.id)
        .filter((order) => reference === undefined || order.reference === reference)
        .filter((order) => status === undefined || order.status === status)
      return json(200, { items }, { "x-total-count": String(items.length) })
    },
    // A repeated `Idempotency-Key` answers with the order that the first request made.
    "POST /orders": async (call) => {
      const { customer } = this.#session(call)
      const given = await check.body(call, newOrder)
      const key = `${customer.id} ${call.request.headers.get("idempotency-key") ?? randomUUID()}`
      const known = this.#orders.get(this.#orderIds.get(key) ?? "")
      const order = known ?? updated(makeOrder(customer.id, given))
      this.#orders.set(order.id, order)
      this.#orderIds.set(key, order.id)
      return json(known === undefined ? 201 : 200, order, { location: `/orders/${order.id}` })
    },
    "GET /orders/{orderId}": (call) => json(200, this.#order(call)),
    "PATCH /orders/{orderId}": async (call) => {
      const order = this.#openOrder(call)
      const patched = check.patchOf({ note: order.note, shipTo: order.shipTo }, orderChange)
      const types = ["application/merge-patch+json", "application/json"]
      return json(200, updated(Object.assign(order, await check.body(call, patched, types))))
    },
    "DELETE /orders/{orderId}": (call) => {
      const order = this.#order(call)
      if (order.status === "paid") throw new Problem(409, "the order is paid and on its way")
      this.#orders.delete(order.id)
      return empty(204)
    },
    "POST /orders/{orderId}/cancel": (call) =>
      json(200, updated(Object.assign(this.#openOrder(call), { status: "cancelled" as const }))),
    "GET /orders/{orderId}/lines": (call) => json(200, this.#order(call).lines),
    "POST /orders/{orderId}/lines": async (call) => {
      const order = this.#openOrder(call)
      const line = makeLine(await check.body(call, newLine))
      if (order.lines.length >= 20) throw new Problem(409, "an order has at most 20 lines")
      order.lines.push(line)
      updated(order)
      return json(201, line, { location: `/orders/${order.id}/lines/${line.id}` })
    },
    "GET /orders/{orderId}/lines/{lineId}": (call) =>
      json(200, lineOf(this.#order(call), call.param("lineId"))),
    "PUT /orders/{orderId}/lines/{lineId}": async (call) => {
      const order = this.#openOrder(call)
      const line = lineOf(order, call.param("lineId"))
      Object.assign(line, await check.body(call, check.object({ quantity })))
      line.total = money(line.unitPrice.amount * line.quantity)
      updated(order)
      return json(200, line)
    },
    "DELETE /orders/{orderId}/lines/{lineId}": (call) => {
      const order = this.#openOrder(call)
      const line = lineOf(order, call.param("lineId"))
      if (order.lines.length === 1) throw new Problem(409, "the last line stays: cancel the order instead")
      order.lines.splice(order.lines.indexOf(line), 1)
      updated(order)
      return empty(204)
    },
    // Each look at the shipment of a paid order moves it on: pending, packed, shipped.
    "GET /orders/{orderId}/shipment": (call) => {
      const order = this.#order(call)
      const looks = order.status === "paid" ? this.#look(order.id) : 0
      if (looks === 3) updated(Object.assign(order, { status: "shipped" }))
      const isShipped = order.status === "shipped"
      const weightOf = (sku: string) => products.find((product) => product.sku === sku)?.weightGrams ?? 0
      return json(200, {
        orderId: order.id,
        status: isShipped ? "shipped" : looks === 2 ? "packed" : "pending",
        carrier: isShipped ? "Tortoise Parcel" : null,
        trackingCode: isShipped ? `TP-${order.id.slice(0, 8).toUpperCase()}` : null,
        weightGrams: order.lines.reduce((sum, { sku, quantity }) => sum + weightOf(sku) * quantity, 0),
        updatedAt: order.updatedAt,
      })
    },
    "POST /orders/{orderId}/returns": async (call) => {
      const order = this.#order(call)
      const lineId = check.oneOf(...order.lines.map(({ id }) => id))
      const newReturn = check.object({ lines: check.list(check.object({ lineId, quantity, reason }), 20) })
      const { lines } = await check.body(call, newReturn)
      const excess = lines.findIndex((line) => line.quantity > lineOf(order, line.lineId).quantity)
      if (excess !== -1) throw wrongField(`lines.${excess}.quantity`, "must be at most the quantity ordered")
      if (order.status !== "shipped") throw new Problem(409, "only a shipped order can be sent back")
      const known = new Set(
        [...this.#returns.values()].flatMap((other) => other.lines).map((line) => line.lineId),
      )
      if (lines.some((line) => known.has(line.lineId)))
        throw new Problem(409, "a line is on its way back already")
      const refund = money(
        ...lines.map((line) => lineOf(order, line.lineId).unitPrice.amount * line.quantity),
      )
      const made = { id: randomUUID(), orderId: order.id, lines, refund, createdAt: now() }
      this.#returns.set(made.id, made)
      return json(201, { ...made, status: "requested" }, { location: `/returns/${made.id}` })
    },
    // The second look finds a return approved.
    "GET /returns/{returnId}": (call) => {
      const { customer } = this.#session(call)
      const found = this.#returns.get(call.param("returnId"))
      if (found === undefined || this.#orders.get(found.orderId)?.customerId !== customer.id)
        throw new Problem(404, "this return does not exist")
      return json(200, { ...found, status: this.#look(found.id) < 2 ? "requested" : "approved" })
    },
  }

  /** Any customer's order. */
  order(id: string): Order | undefined {
    return this.#orders.get(id)
  }

  /** The session of the bearer token or, if there is none, of the cookie `sid`. */
  #session(call: Call): Session {
    const authorization = call.request.headers.get("authorization")
    const key = authorization === null ? cookie(call, "sid") : /^Bearer (.+)$/i.exec(authorization)?.[1]
    const session = this.#sessions.get(key ?? "")
    if (session === undefined || session.expiresAt < now()) throw unauthorized("sign in first")
    return session
  }

  /** The order that a path names. Customers see only their own. */
  #order(call: Call): Order {
    const { customer } = this.#session(call)
    const order = this.#orders.get(call.param("orderId"))
    if (order?.customerId !== customer.id) throw new Problem(404, "this order does not exist")
    return order
  }

  #openOrder(call: Call): Order {
    const order = this.#order(call)
    if (order.status !== "open") throw new Problem(409, `the order is ${order.status}, no longer open`)
    return order
  }

  #look(id: string): number {
    const looks = (this.#looks.get(id) ?? 0) + 1
    this.#looks.set(id, looks)
    return looks
  }
}

export const now = (): string => new Date().toISOString()

const unauthorized = (detail: string): Problem =>
  new Problem(401, detail, { headers: { "www-authenticate": 'Bearer realm="shop"' } })

function lineOf(order: Order, id: string): Order["lines"][number] {
  const line = order.lines.find((known) => known.id === id)
  if (line === undefined) throw new Problem(404, "the order does not have this line")
  return line
}

/** Writes down that an order has changed, and what it costs now. */
function updated(order: Order): Order {
  order.total = money(...order.lines.map(({ total }) => total.amount), order.express ? EXPRESS_FEE : 0)
  order.updatedAt = now()
  return order
}

/** From now on each look at the shipment moves it on. */
export function markPaid(order: Order): void {
  order.status = "paid"
  order.paidAt = updated(order).updatedAt
}
