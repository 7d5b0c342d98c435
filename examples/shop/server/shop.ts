// The shop: sign in, browse, order, track the shipment, return items. Implements ../apis/shop/openapi.json.

import { hash, randomBytes, randomUUID } from "node:crypto"
import { empty, existing, json, Problem, text, wrongFields, type Api, type Call } from "./serve-document.ts"

// Sample customers. The environments of the sample project sign in as the first one.
const accounts = [
  { id: "cus_ada", name: "Ada Example", email: "ada@shop.example", password: "kettle-lantern-47" },
  { id: "cus_grace", name: "Grace Example", email: "grace@shop.example", password: "teapot-harbour-12" },
]

/** An amount in minor units: 1250 EUR is €12.50. */
export type Money = { readonly amount: number; readonly currency: "EUR" }

export const money = (...amounts: readonly number[]): Money => ({
  amount: amounts.reduce((sum, amount) => sum + amount, 0),
  currency: "EUR",
})

const rows = [
  ["MUG-01", "Stoneware mug, blue", "cups", 1450, 380, "dishwasher-safe handmade"],
  ["MUG-02", "Stoneware mug, sand", "cups", 1450, 380, "dishwasher-safe handmade"],
  ["CUP-01", "Espresso cup", "cups", 890, 140, "dishwasher-safe"],
  ["CUP-02", "Glass for tea", "cups", 720, 160, "heat-resistant"],
  ["BWL-01", "Matcha bowl", "cups", 2890, 450, "handmade"],
  ["TEA-01", "Darjeeling, first flush", "tea", 1690, 100, "organic loose"],
  ["TEA-02", "Sencha", "tea", 1290, 100, "organic loose"],
  ["TEA-03", "Rooibos", "tea", 790, 100, "loose"],
  ["TEA-04", "Peppermint", "tea", 650, 50, "organic"],
  ["COF-01", "House espresso, beans", "coffee", 1590, 500, "fair-trade"],
  ["COF-02", "Filter roast, beans", "coffee", 1490, 500, "fair-trade organic"],
  ["COF-03", "Decaf, beans", "coffee", 1690, 500, "fair-trade"],
  ["TLS-01", "Hand grinder", "tools", 6900, 620, "steel"],
  ["TLS-02", "Milk jug", "tools", 1990, 240, "steel"],
  ["TLS-03", "Tea strainer", "tools", 990, 60, "steel dishwasher-safe"],
  ["TLS-04", "Bamboo whisk", "tools", 1750, 30, "handmade"],
  ["TLS-05", "Kitchen scale", "tools", 3490, 410, "battery"],
] as const

const products = rows.map(([sku, name, category, price, weightGrams, tags]) => ({
  sku,
  name,
  category,
  price: money(price),
  weightGrams,
  tags: tags.split(" "),
  warrantyMonths: category === "tools" ? 24 : null,
}))

const findProduct = (sku: string) => products.find((product) => product.sku === sku)

const SESSION_S = 60 * 60
const EXPRESS_FEE = 590

type NewLine = { readonly sku: string; readonly quantity: number }
type ReturnLine = { readonly lineId: string; readonly quantity: number; readonly reason: string }

interface NewOrder {
  readonly reference?: string | null
  readonly express: boolean
  readonly note?: string | null
  readonly shipTo: Readonly<Record<string, string>>
  readonly lines: readonly NewLine[]
}

const makeSession = ({ id, name, email }: (typeof accounts)[number]) => ({
  id: randomUUID(),
  customer: { id, name, email },
  expiresAt: new Date(Date.now() + SESSION_S * 1000).toISOString(),
})

function makeLine({ sku, quantity }: NewLine) {
  const { name, price } = existing(findProduct(sku), "product")
  const id = `line_${randomBytes(6).toString("hex")}`
  return { id, sku, name, quantity, unitPrice: price, total: money(price.amount * quantity) }
}

const makeOrder = (customerId: string, { reference = null, note = null, ...given }: NewOrder) => ({
  ...given,
  reference,
  note,
  id: randomUUID() as string,
  customerId,
  status: "open" as "open" | "paid" | "shipped" | "cancelled",
  lines: given.lines.map(makeLine),
  total: money(0),
  createdAt: now(),
  updatedAt: "",
  paidAt: null as string | null,
})

type Session = ReturnType<typeof makeSession>
export type Order = ReturnType<typeof makeOrder>

export class Shop implements Api {
  /** Sessions by bearer token and by cookie. */
  readonly #sessions = new Map<string, Session>()
  readonly orders = new Map<string, Order>()
  /** Order ids by customer and idempotency key. */
  readonly #orderIds = new Map<string, string>()
  readonly #returns = new Map<string, { id: string; orderId: string; lines: readonly ReturnLine[] }>()
  /** The number of status requests for each shipment and each return, by id. */
  readonly #looks = new Map<string, number>()

  readonly document = "apis/shop/openapi.json"
  readonly formats = { email: /^[^@\s]+@[^@\s]+$/, sku: (sku: string) => findProduct(sku) !== undefined }
  readonly authenticate = (call: Call): void => void this.#session(call)

  readonly handlers: Api["handlers"] = {
    getHealth: () => text("ok\n"),
    signIn: async (call) => {
      const { email, password } = await call.body<{ email: string; password: string }>()
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
    getSession: (call) => json(200, this.#session(call)),
    signOut: (call) => {
      const session = this.#session(call)
      for (const [key, known] of this.#sessions) if (known === session) this.#sessions.delete(key)
      return empty(204, { "set-cookie": "sid=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax" })
    },
    listProducts: ({ query }) => {
      const { page, size, category } = query<{ page: number; size: number; category?: string }>()
      const found = products.filter((product) => category === undefined || product.category === category)
      const total = found.length
      const items = found.slice(page * size, (page + 1) * size)
      const next = (page + 1) * size < total ? page + 1 : null
      return json(200, { items, page, size, total, next }, { "x-total-count": String(total) })
    },
    getProduct: ({ request, param }) => {
      const product = existing(findProduct(param("sku")), "product")
      const etag = `"${hash("sha256", JSON.stringify(product)).slice(0, 16)}"`
      const isKnown = request.headers.get("if-none-match") === etag
      return isKnown ? empty(304, { etag }) : json(200, product, { etag })
    },
    listOrders: (call) => {
      const { customer } = this.#session(call)
      const { reference, status } = call.query<{ reference?: string; status?: string }>()
      const items = [...this.orders.values()]
        .filter((order) => order.customerId === customer.id)
        .filter((order) => reference === undefined || order.reference === reference)
        .filter((order) => status === undefined || order.status === status)
      return json(200, { items }, { "x-total-count": String(items.length) })
    },
    // A repeated `Idempotency-Key` returns the order that the first request created.
    createOrder: async (call) => {
      const { customer } = this.#session(call)
      const given = await call.body<NewOrder>()
      const key = `${customer.id} ${call.request.headers.get("idempotency-key") ?? randomUUID()}`
      const known = this.orders.get(this.#orderIds.get(key) ?? "")
      const order = known ?? updated(makeOrder(customer.id, given))
      this.orders.set(order.id, order)
      this.#orderIds.set(key, order.id)
      return json(known === undefined ? 201 : 200, order, { location: `/orders/${order.id}` })
    },
    getOrder: (call) => json(200, this.#order(call)),
    updateOrder: async (call) => {
      const order = this.#openOrder(call)
      const { note = order.note, shipTo } = await call.body<Partial<NewOrder>>()
      return json(200, updated(Object.assign(order, { note, shipTo: { ...order.shipTo, ...shipTo } })))
    },
    deleteOrder: (call) => {
      const order = this.#order(call)
      if (order.status === "paid") throw new Problem(409, "the order is paid and on its way")
      this.orders.delete(order.id)
      return empty(204)
    },
    cancelOrder: (call) =>
      json(200, updated(Object.assign(this.#openOrder(call), { status: "cancelled" as const }))),
    listLines: (call) => json(200, this.#order(call).lines),
    addLine: async (call) => {
      const order = this.#openOrder(call)
      const line = makeLine(await call.body())
      if (order.lines.length >= 20) throw new Problem(409, "an order has at most 20 lines")
      order.lines.push(line)
      updated(order)
      return json(201, line, { location: `/orders/${order.id}/lines/${line.id}` })
    },
    getLine: (call) => json(200, lineOf(this.#order(call), call.param("lineId"))),
    changeLine: async (call) => {
      const order = this.#openOrder(call)
      const line = lineOf(order, call.param("lineId"))
      Object.assign(line, await call.body())
      line.total = money(line.unitPrice.amount * line.quantity)
      updated(order)
      return json(200, line)
    },
    removeLine: (call) => {
      const order = this.#openOrder(call)
      const line = lineOf(order, call.param("lineId"))
      if (order.lines.length === 1) throw new Problem(409, "the last line stays: cancel the order instead")
      order.lines.splice(order.lines.indexOf(line), 1)
      updated(order)
      return empty(204)
    },
    // Each request for the shipment of a paid order moves it on: pending, packed, shipped.
    getShipment: (call) => {
      const order = this.#order(call)
      const looks = order.status === "paid" ? this.#look(order.id) : 0
      if (looks === 3) updated(Object.assign(order, { status: "shipped" }))
      const isShipped = order.status === "shipped"
      const weights = order.lines.map(({ sku, quantity }) => findProduct(sku)!.weightGrams * quantity)
      return json(200, {
        orderId: order.id,
        status: isShipped ? "shipped" : looks === 2 ? "packed" : "pending",
        carrier: isShipped ? "Tortoise Parcel" : null,
        trackingCode: isShipped ? `TP-${order.id.slice(0, 8).toUpperCase()}` : null,
        weightGrams: weights.reduce((sum, weight) => sum + weight, 0),
        updatedAt: order.updatedAt,
      })
    },
    createReturn: async (call) => {
      const order = this.#order(call)
      const { lines } = await call.body<{ lines: readonly ReturnLine[] }>()
      const wrong = lines.flatMap(({ lineId, quantity }, index) => {
        const line = order.lines.find(({ id }) => id === lineId)
        if (line === undefined)
          return { field: `lines.${index}.lineId`, message: "must be a line of the order" }
        if (quantity <= line.quantity) return []
        return { field: `lines.${index}.quantity`, message: `must be at most the ${line.quantity} ordered` }
      })
      if (wrong.length > 0) throw wrongFields(wrong)
      if (order.status !== "shipped") throw new Problem(409, "only a shipped order can be sent back")
      const known = [...this.#returns.values()].flatMap(({ lines }) => lines.map(({ lineId }) => lineId))
      if (lines.some(({ lineId }) => known.includes(lineId)))
        throw new Problem(409, "a line is on its way back already")
      const prices = lines.map(({ lineId, quantity }) => lineOf(order, lineId).unitPrice.amount * quantity)
      const made = { id: randomUUID(), orderId: order.id, lines, refund: money(...prices), createdAt: now() }
      this.#returns.set(made.id, made)
      return json(201, { ...made, status: "requested" }, { location: `/returns/${made.id}` })
    },
    // The second request finds the return approved.
    getReturn: (call) => {
      const found = this.#returns.get(call.param("returnId"))
      const isOwn = this.orders.get(found?.orderId ?? "")?.customerId === this.#session(call).customer.id
      const own = existing(isOwn ? found : undefined, "return")
      return json(200, { ...own, status: this.#look(own.id) < 2 ? "requested" : "approved" })
    },
  }

  /** Returns the session of the bearer token. Without an `Authorization` header, uses the cookie `sid`. */
  #session(call: Call): Session {
    const authorization = call.request.headers.get("authorization")
    const key = authorization === null ? call.cookie("sid") : /^Bearer (.+)$/i.exec(authorization)?.[1]
    const session = this.#sessions.get(key ?? "")
    if (session === undefined || session.expiresAt < now()) throw unauthorized("sign in first")
    return session
  }

  /** Returns the order in the path. Customers can see only their own orders. */
  #order(call: Call): Order {
    const order = this.orders.get(call.param("orderId"))
    return existing(order?.customerId === this.#session(call).customer.id ? order : undefined, "order")
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
  new Problem(401, detail, { "www-authenticate": 'Bearer realm="shop"' })

function lineOf({ lines }: Order, id: string): Order["lines"][number] {
  const found = lines.find((line) => line.id === id)
  return existing(found, "line")
}

/** Updates the order's total and modification time after a change. */
function updated(order: Order): Order {
  order.total = money(...order.lines.map(({ total }) => total.amount), order.express ? EXPRESS_FEE : 0)
  order.updatedAt = now()
  return order
}

/** Marks an order as paid. From now on, each request for its shipment moves it on. */
export function markPaid(order: Order): void {
  order.status = "paid"
  order.paidAt = updated(order).updatedAt
}
