// The sample shop's API: sign in, browse, order, follow the shipment, send back. Described by examples/shop/apis/shop/openapi.json.

import { createHash, randomBytes } from "node:crypto"
import { empty, HttpProblem, json, text, type Answer } from "./answer.ts"
import { readJsonFields, readQueryFields, type Fields } from "./read-fields.ts"
import type { Call, Route } from "./service.ts"
import { categories, findProduct, money, products } from "./shop-catalogue.ts"
import {
  lookAtShipment,
  totalOf,
  touch,
  type Address,
  type Line,
  type Order,
  type Return,
  type Session,
  type Shop,
} from "./shop-state.ts"

/** Every route of the shop, over its state. */
export const shopRoutes = (shop: Shop): readonly Route[] => [
  { method: "GET", path: "/health", handle: () => text(200, "ok\n") },
  ...sessionRoutes(shop),
  ...productRoutes,
  ...orderRoutes(shop),
  ...lineRoutes(shop),
  ...shippingRoutes(shop),
]

const sessionRoutes = (shop: Shop): readonly Route[] => [
  { method: "POST", path: "/sessions", handle: (call) => signIn(shop, call) },
  {
    method: "GET",
    path: "/sessions/current",
    handle: (call) => json(200, sessionView(shop.sessionOf(call))),
  },
  {
    method: "DELETE",
    path: "/sessions/current",
    handle: (call) => {
      shop.signOut(shop.sessionOf(call))
      return empty(204, { "set-cookie": "sid=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax" })
    },
  },
]

function signIn(shop: Shop, call: Call): Answer {
  const fields = readJsonFields(call)
  const email = fields.text("email", { max: 254, pattern: /^[^@\s]+@[^@\s]+$/ })
  const password = fields.text("password")
  fields.done()
  const session = shop.signIn(email, password)
  const secure = call.encrypted ? "; Secure" : ""
  return json(
    201,
    { ...sessionView(session), token: session.token },
    {
      location: "/sessions/current",
      "set-cookie": `sid=${session.cookie}; Path=/; Max-Age=3600; HttpOnly; SameSite=Lax${secure}`,
    },
  )
}

const sessionView = ({ id, customer, expiresAt }: Session) => ({
  id,
  customer,
  expiresAt: expiresAt.toISOString(),
})

const productRoutes: readonly Route[] = [
  { method: "GET", path: "/products", handle: listProducts },
  { method: "GET", path: "/products/{sku}", handle: getProduct },
]

function listProducts(call: Call): Answer {
  const fields = readQueryFields(call)
  const page = fields.integerText("page", { min: 0, max: 10_000, fallback: 0 })
  const size = fields.integerText("size", { min: 1, max: 50, fallback: 10 })
  const category = fields.optionalText("category", { oneOf: categories })
  fields.done(400)
  const found = products.filter((product) => category === undefined || product.category === category)
  const items = found.slice(page * size, (page + 1) * size)
  const next = (page + 1) * size < found.length ? page + 1 : null
  return json(
    200,
    { items, page, size, total: found.length, next },
    { "x-total-count": String(found.length) },
  )
}

function getProduct(call: Call): Answer {
  const product = findProduct(call.params["sku"]!)
  if (product === undefined) throw new HttpProblem(404, "there is no such product")
  const etag = `"${createHash("sha256").update(JSON.stringify(product)).digest("hex").slice(0, 16)}"`
  return call.headers["if-none-match"] === etag ? empty(304, { etag }) : json(200, product, { etag })
}

const orderRoutes = (shop: Shop): readonly Route[] => [
  { method: "GET", path: "/orders", handle: (call) => listOrders(shop, call) },
  { method: "POST", path: "/orders", handle: (call) => createOrder(shop, call) },
  {
    method: "GET",
    path: "/orders/{orderId}",
    handle: (call) => json(200, orderView(ownOrder(shop, call))),
  },
  { method: "PATCH", path: "/orders/{orderId}", handle: (call) => updateOrder(shop, call) },
  { method: "DELETE", path: "/orders/{orderId}", handle: (call) => deleteOrder(shop, call) },
  {
    method: "POST",
    path: "/orders/{orderId}/cancel",
    handle: (call) => {
      const order = openOrder(shop, call)
      order.status = "cancelled"
      touch(order)
      return json(200, orderView(order))
    },
  },
]

const ownOrder = (shop: Shop, call: Call): Order =>
  shop.orderOf(shop.sessionOf(call).customer, call.params["orderId"]!)

/** The order of a call that changes it: only an open one may be. */
function openOrder(shop: Shop, call: Call): Order {
  const order = ownOrder(shop, call)
  if (order.status !== "open") throw new HttpProblem(409, `the order is ${order.status}, no longer open`)
  return order
}

function listOrders(shop: Shop, call: Call): Answer {
  const { customer } = shop.sessionOf(call)
  const fields = readQueryFields(call)
  const reference = fields.optionalText("reference")
  const status = fields.optionalText("status", { oneOf: ["open", "paid", "shipped", "cancelled"] })
  fields.done(400)
  const orders = shop
    .ordersOf(customer)
    .filter((order) => reference === undefined || order.reference === reference)
    .filter((order) => status === undefined || order.status === status)
  return json(200, { items: orders.map(orderView) }, { "x-total-count": String(orders.length) })
}

function createOrder(shop: Shop, call: Call): Answer {
  const { customer } = shop.sessionOf(call)
  const fields = readJsonFields(call)
  const order = {
    customer,
    reference: fields.nullableText("reference", { max: 64 }),
    express: fields.boolean("express", false),
    note: fields.nullableText("note", { max: 500 }),
    shipTo: readAddress(fields.object("shipTo")),
  }
  const lines = fields.list("lines", { min: 1, max: 20 }, readLine)
  fields.done()
  const key = call.headers["idempotency-key"]
  const made = shop.once(customer, typeof key === "string" ? key : undefined, () => {
    const added = shop.addOrder(order)
    added.lines.push(...lines.filter((line) => line !== undefined))
    return added
  })
  const headers = { location: `/orders/${made.order.id}` }
  return json(made.isNew ? 201 : 200, orderView(made.order), headers)
}

function readAddress(fields: Fields): Address {
  const address = {
    name: fields.text("name"),
    street: fields.text("street"),
    postcode: fields.text("postcode", { max: 12 }),
    city: fields.text("city"),
    country: fields.text("country", { pattern: /^[A-Z]{2}$/ }),
  }
  fields.end()
  return address
}

function readLine(fields: Fields): Line | undefined {
  const sku = fields.text("sku", { max: 20 })
  const quantity = fields.integer("quantity", { min: 1, max: 100 })
  const product = findProduct(sku)
  if (product === undefined) {
    if (sku !== "") fields.reject("sku", "is no product")
    return undefined
  }
  return { id: `line_${randomBytes(6).toString("hex")}`, product, quantity }
}

function updateOrder(shop: Shop, call: Call): Answer {
  const order = openOrder(shop, call)
  const fields = readJsonFields(call, "application/merge-patch+json")
  // RFC 7396: what is absent stays, null removes.
  const note = fields.has("note") ? fields.nullableText("note", { max: 500 }) : order.note
  const shipTo: Partial<Address> = fields.has("shipTo") ? readAddressPatch(fields.object("shipTo")) : {}
  fields.done()
  order.note = note
  Object.assign(order.shipTo, shipTo)
  touch(order)
  return json(200, orderView(order))
}

function readAddressPatch(fields: Fields): Partial<Address> {
  const patch: Partial<Address> = {}
  for (const name of ["name", "street", "postcode", "city"] as const) {
    if (fields.has(name)) patch[name] = fields.text(name)
  }
  if (fields.has("country")) patch.country = fields.text("country", { pattern: /^[A-Z]{2}$/ })
  fields.end()
  return patch
}

function deleteOrder(shop: Shop, call: Call): Answer {
  const order = ownOrder(shop, call)
  if (order.status === "paid") throw new HttpProblem(409, "the order is paid and on its way")
  shop.deleteOrder(order)
  return empty(204)
}

const orderView = (order: Order) => ({
  id: order.id,
  customerId: order.customer.id,
  reference: order.reference,
  status: order.status,
  express: order.express,
  lines: order.lines.map(lineView),
  total: totalOf(order),
  shipTo: order.shipTo,
  note: order.note,
  createdAt: order.createdAt.toISOString(),
  updatedAt: order.updatedAt.toISOString(),
  paidAt: order.paidAt?.toISOString() ?? null,
})

const lineView = ({ id, product, quantity }: Line) => ({
  id,
  sku: product.sku,
  name: product.name,
  quantity,
  unitPrice: product.price,
  total: money(product.price.amount * quantity),
})

const lineRoutes = (shop: Shop): readonly Route[] => [
  {
    method: "GET",
    path: "/orders/{orderId}/lines",
    handle: (call) => json(200, ownOrder(shop, call).lines.map(lineView)),
  },
  { method: "POST", path: "/orders/{orderId}/lines", handle: (call) => addLine(shop, call) },
  {
    method: "GET",
    path: "/orders/{orderId}/lines/{lineId}",
    handle: (call) => json(200, lineView(lineOf(ownOrder(shop, call), call))),
  },
  { method: "PUT", path: "/orders/{orderId}/lines/{lineId}", handle: (call) => changeLine(shop, call) },
  { method: "DELETE", path: "/orders/{orderId}/lines/{lineId}", handle: (call) => removeLine(shop, call) },
]

function lineOf(order: Order, call: Call): Line {
  const line = order.lines.find((candidate) => candidate.id === call.params["lineId"])
  if (line === undefined) throw new HttpProblem(404, "the order has no such line")
  return line
}

function addLine(shop: Shop, call: Call): Answer {
  const order = openOrder(shop, call)
  const fields = readJsonFields(call)
  const line = readLine(fields)
  fields.done()
  if (order.lines.length >= 20) throw new HttpProblem(409, "an order has at most 20 lines")
  order.lines.push(line!)
  touch(order)
  return json(201, lineView(line!), { location: `/orders/${order.id}/lines/${line!.id}` })
}

function changeLine(shop: Shop, call: Call): Answer {
  const order = openOrder(shop, call)
  const line = lineOf(order, call)
  const fields = readJsonFields(call)
  const quantity = fields.integer("quantity", { min: 1, max: 100 })
  fields.done()
  line.quantity = quantity
  touch(order)
  return json(200, lineView(line))
}

function removeLine(shop: Shop, call: Call): Answer {
  const order = openOrder(shop, call)
  const line = lineOf(order, call)
  if (order.lines.length === 1) throw new HttpProblem(409, "the last line stays; cancel the order instead")
  order.lines.splice(order.lines.indexOf(line), 1)
  touch(order)
  return empty(204)
}

const shippingRoutes = (shop: Shop): readonly Route[] => [
  { method: "GET", path: "/orders/{orderId}/shipment", handle: (call) => getShipment(shop, call) },
  { method: "POST", path: "/orders/{orderId}/returns", handle: (call) => createReturn(shop, call) },
  {
    method: "GET",
    path: "/returns/{returnId}",
    handle: (call) => {
      const found = shop.returnOf(shop.sessionOf(call).customer, call.params["returnId"]!)
      found.looks++
      return json(200, returnView(found))
    },
  },
]

function getShipment(shop: Shop, call: Call): Answer {
  const order = ownOrder(shop, call)
  const status = lookAtShipment(order)
  const isShipped = status === "shipped"
  return json(200, {
    orderId: order.id,
    status,
    carrier: isShipped ? "Tortoise Parcel" : null,
    trackingCode: isShipped ? `TP-${order.id.slice(0, 8).toUpperCase()}` : null,
    weightGrams: order.lines.reduce((sum, line) => sum + line.product.weightGrams * line.quantity, 0),
    updatedAt: order.updatedAt.toISOString(),
  })
}

function createReturn(shop: Shop, call: Call): Answer {
  const order = ownOrder(shop, call)
  const fields = readJsonFields(call)
  const lines = fields.list("lines", { min: 1, max: 20 }, (item) => readReturnLine(item, order))
  fields.done()
  if (order.status !== "shipped") throw new HttpProblem(409, "only a shipped order can be sent back")
  const returning = new Set(shop.returnsOf(order).flatMap((known) => known.lines.map((line) => line.lineId)))
  const twice = lines.find((line) => returning.has(line.lineId))
  if (twice !== undefined) throw new HttpProblem(409, `line ${twice.lineId} is on its way back already`)
  const made = shop.addReturn(order, lines)
  return json(201, returnView(made), { location: `/returns/${made.id}` })
}

function readReturnLine(fields: Fields, order: Order): Return["lines"][number] {
  const lineId = fields.text("lineId")
  const quantity = fields.integer("quantity", { min: 1, max: 100 })
  const reason = fields.text("reason", { oneOf: ["broken", "wrong-item", "changed-mind"] })
  const line = order.lines.find((candidate) => candidate.id === lineId)
  if (line === undefined) fields.reject("lineId", "is no line of this order")
  else if (quantity > line.quantity) fields.reject("quantity", `is more than the ${line.quantity} ordered`)
  return { lineId, quantity, reason }
}

const returnView = ({ id, order, lines, createdAt, looks }: Return) => ({
  id,
  orderId: order.id,
  // Somebody has to look at it twice before it is approved: something to poll for.
  status: looks < 2 ? "requested" : "approved",
  lines,
  refund: money(
    lines.reduce((sum, { lineId, quantity }) => {
      const line = order.lines.find((candidate) => candidate.id === lineId)
      return sum + (line?.product.price.amount ?? 0) * quantity
    }, 0),
  ),
  createdAt: createdAt.toISOString(),
})
