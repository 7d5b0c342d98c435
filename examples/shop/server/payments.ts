// The payment provider: cards, payments, refunds, receipts, evidence. Described by ../apis/payments/openapi.yaml.

import { createHash, randomBytes, randomUUID } from "node:crypto"
import * as check from "./check.ts"
import { cookie, empty, json, Problem, text, wrongField, type Call, type Routes } from "./http.ts"
import { money, type Money } from "./products.ts"
import { markPaid, now, type Order, type Shop } from "./shop.ts"

// Made-up credentials, as in the sample project's secrets files.
const API_KEY = "pk_sample_9f2b61c07d3e"
const MERCHANT = `Basic ${btoa("merchant:ledger-biscuit-88")}`

const words = {
  en: { receipt: "Receipt", order: "Order", amount: "Amount", refunded: "Refunded", card: "Card" },
  de: { receipt: "Quittung", order: "Bestellung", amount: "Betrag", refunded: "Erstattet", card: "Karte" },
} as const

const preferences = check.object({ locale: check.oneOf("en", "de") })
const amount = check.integer(1, 100_000_000)
const newRefund = check.object({ amount, reason: check.nullable(check.text()) })
const newCard = check.object({
  number: check.that("a card number", (number) => (passesLuhn(String(number)) ? String(number) : undefined)),
  expiry: check.that("a month that is not over: 04/49", (expiry) => isAhead(String(expiry)) || undefined),
  cvc: check.text({ pattern: /^[0-9]{3,4}$/ }),
  holder: check.text({ max: 100 }),
})
const paymentQuery = check.object({
  orderId: check.optional(check.text(), undefined),
  ledgerEntry: check.optional(check.text({ pattern: /^[0-9]{1,19}$/ }), undefined),
})
const aText = check.that("text", (part) => (typeof part === "string" ? part : undefined))
const newEvidence = check.object({
  kind: check.oneOf("delivery-note", "photo", "letter"),
  description: check.optional(aText, null),
  file: check.that("a file", (part) => (part instanceof File ? part : undefined)),
})
const note = check.text({ max: 2000, pattern: /\S/ })
const image = check.that("an image", (body) => (body instanceof Blob && body.size > 0 ? body : undefined))

const makeCard = (number: string) => ({
  token: newId("tok"),
  brand: { 4: "visa", 5: "mastercard" }[number[0] ?? ""] ?? "other",
  last4: number.slice(-4),
})
type Card = ReturnType<typeof makeCard> & { readonly declines: boolean }

/** `ledgerEntry` is beyond 2^53: a client that rounds numbers finds another payment, or none. */
const makePayment = (order: Order, card: Card, ledgerEntry: bigint) => ({
  id: newId("pay"),
  ledgerEntry: String(ledgerEntry),
  orderId: order.id,
  amount: order.total,
  card,
  createdAt: now(),
  refunds: [] as { readonly amount: Money }[],
  evidence: [] as object[],
  status: "authorised" as "authorised" | "captured" | "refunded" | "voided",
  capturedAt: null as string | null,
  signature: undefined as Blob | undefined,
  /** Grows with every change of the money. */
  revision: 1,
})
type Payment = ReturnType<typeof makePayment>

export class Payments {
  readonly #shop: Shop
  readonly #cards = new Map<string, Card>()
  readonly #payments = new Map<string, Payment>()
  #nextEntry = 9_007_199_254_740_993n

  constructor(shop: Shop) {
    this.#shop = shop
  }

  readonly #withApiKey: Routes = {
    "POST /cards": async (call) => {
      const { number, holder } = await check.body(call, newCard, ["application/x-www-form-urlencoded"])
      const card = makeCard(number)
      this.#cards.set(card.token, { ...card, declines: number.endsWith("0002") })
      return json(201, { ...card, holder })
    },
    "PUT /preferences": async (call) => {
      const { locale } = await check.body(call, preferences)
      return empty(204, { "set-cookie": `locale=${locale}; Path=/; SameSite=Lax` })
    },
    "GET /payments": (call) => {
      const { orderId, ledgerEntry } = check.query(call, paymentQuery)
      const items = [...this.#payments.values()]
        .filter((payment) => orderId === undefined || payment.orderId === orderId)
        .filter((payment) => ledgerEntry === undefined || payment.ledgerEntry === ledgerEntry)
      return paymentJson(200, { items: items.map(paymentView) })
    },
    // Reserves the price of an order on a card.
    "POST /payments": async (call) => {
      const newPayment = check.object({
        orderId: check.that("an order", (id) => this.#shop.order(String(id))),
        card: check.that("a card token", (token) => this.#cards.get(String(token))),
        amount: check.object({ amount, currency: check.oneOf("EUR") }),
      })
      const { orderId: order, card, ...given } = await check.body(call, newPayment)
      if (given.amount.amount !== order.total.amount)
        throw wrongField("amount.amount", `must be the ${order.total.amount} that the order costs`)
      requireOpen(order)
      const others = [...this.#payments.values()].filter(({ orderId }) => orderId === order.id)
      if (others.some(({ status }) => status !== "voided"))
        throw new Problem(409, "the order has a payment already")
      if (card.declines) throw new Problem(402, "the card was declined")
      const payment = makePayment(order, card, this.#nextEntry++)
      this.#payments.set(payment.id, payment)
      return paymentJson(201, paymentView(payment), { location: `/payments/${payment.id}` })
    },
    "GET /payments/{paymentId}": (call) => paymentJson(200, paymentView(this.#payment(call))),
    // Takes the money: the shop's order is paid from here on.
    "POST /payments/{paymentId}/capture": (call) => {
      const payment = this.#payment(call)
      requireStatus(payment, "authorised")
      const order = requireOpen(this.#shop.order(payment.orderId))
      if (order.total.amount !== payment.amount.amount)
        throw new Problem(409, "the order was changed after the payment was authorised")
      payment.capturedAt = now()
      markPaid(order)
      return settle(payment, "captured")
    },
    "POST /payments/{paymentId}/void": (call) => settle(this.#payment(call), "voided"),
    "GET /payments/{paymentId}/refunds": (call) => json(200, this.#payment(call).refunds),
    // Gives back a part of what was captured and not yet refunded.
    "POST /payments/{paymentId}/refunds": async (call) => {
      const payment = this.#payment(call)
      const given = await check.body(call, newRefund)
      requireStatus(payment, "captured")
      const left = payment.amount.amount - sumOf(payment.refunds).amount
      if (given.amount > left) throw new Problem(409, `only ${left} of the payment is left to refund`)
      const refund = { id: newId("ref"), amount: money(given.amount), reason: given.reason, createdAt: now() }
      payment.refunds.push(refund)
      payment.revision++
      if (given.amount === left) payment.status = "refunded"
      return json(201, refund)
    },
    "GET /payments/{paymentId}/evidence": (call) => json(200, this.#payment(call).evidence),
    "POST /payments/{paymentId}/evidence": async (call) => {
      const payment = this.#payment(call)
      const { kind, description, file } = await check.body(call, newEvidence, ["multipart/form-data"])
      const evidence = {
        id: randomUUID(),
        kind,
        description,
        filename: file.name,
        contentType: file.type,
        sizeBytes: file.size,
        sha256: createHash("sha256")
          .update(await file.bytes())
          .digest("hex"),
        createdAt: now(),
      }
      payment.evidence.push(evidence)
      return json(201, evidence)
    },
    "POST /payments/{paymentId}/notes": async (call) => {
      this.#payment(call)
      return json(201, {
        id: randomUUID(),
        text: await check.body(call, note, ["text/plain"]),
        createdAt: now(),
      })
    },
    "GET /payments/{paymentId}/signature": (call) => {
      const { signature } = this.#payment(call)
      if (signature === undefined) throw new Problem(404, "nobody has signed yet")
      return new Response(signature)
    },
    "PUT /payments/{paymentId}/signature": async (call) => {
      const payment = this.#payment(call)
      const signature = await check.body(call, image, ["image/svg+xml", "image/png"])
      payment.signature = signature
      return json(200, { contentType: signature.type, sizeBytes: signature.size })
    },
    "GET /receipts/{paymentId}/latest": (call) => {
      const { id, revision } = this.#payment(call)
      return empty(302, { location: `/receipts/${id}/${revision}`, "cache-control": "no-store" })
    },
    "GET /receipts/{paymentId}/{revision}": (call) => {
      const payment = this.#payment(call)
      const revision = call.param("revision")
      if (!/^[1-9][0-9]{0,8}$/.test(revision) || Number(revision) > payment.revision)
        throw new Problem(404, "this revision of the receipt does not exist")
      const language = cookie(call, "locale") === "de" ? "de" : "en"
      const word = words[language]
      const lines = [
        `${word.receipt} ${payment.id}/${revision}`,
        `${word.order}: ${payment.orderId}`,
        `${word.amount}: ${decimal(payment.amount)}`,
        `${word.refunded}: ${decimal(sumOf(payment.refunds))}`,
        `${word.card}: ${payment.card.brand} ****${payment.card.last4}`,
      ]
      return text(`${lines.join("\n")}\n`, { "content-language": language })
    },
  }

  readonly routes: Routes = {
    "GET /status": () => text("operational\n"),
    "GET /settlements/today": ({ request }) => {
      if (request.headers.get("authorization") !== MERCHANT)
        throw unauthorized("send the merchant's credentials", 'Basic realm="payments", charset="UTF-8"')
      const captured = [...this.#payments.values()].filter(({ capturedAt }) => capturedAt !== null)
      return json(200, {
        date: now().slice(0, 10),
        payments: captured.length,
        captured: sumOf(captured),
        refunded: sumOf(captured.flatMap(({ refunds }) => refunds)),
      })
    },
    ...requireApiKey(this.#withApiKey),
  }

  #payment(call: Call): Payment {
    const payment = this.#payments.get(call.param("paymentId"))
    if (payment === undefined) throw new Problem(404, "this payment does not exist")
    return payment
  }
}

const newId = (prefix: string): string => `${prefix}_${randomBytes(8).toString("hex")}`

const unauthorized = (detail: string, challenge: string): Problem =>
  new Problem(401, detail, { headers: { "www-authenticate": challenge } })

function requireApiKey(routes: Routes): Routes {
  const guarded = Object.entries(routes).map(([operation, handle]): [string, typeof handle] => [
    operation,
    (call) => {
      if (call.request.headers.get("x-api-key") === API_KEY) return handle(call)
      throw unauthorized("send a valid X-Api-Key", 'ApiKey realm="payments"')
    },
  ])
  return Object.fromEntries(guarded)
}

/** Checks a card number's length and its last digit (ISO/IEC 7812). */
function passesLuhn(number: string): boolean {
  const digits = Array.from(number, Number).reverse()
  const doubled = digits.map((digit, index) => (index % 2 === 0 ? digit : (digit * 2) % 9 || digit))
  return /^[0-9]{13,19}$/.test(number) && doubled.reduce((sum, digit) => sum + digit, 0) % 10 === 0
}

function isAhead(expiry: string): boolean {
  const [, month = "", year = ""] = /^(0[1-9]|1[0-2])\/([0-9]{2})$/.exec(expiry) ?? []
  return Date.UTC(2000 + Number(year), Number(month), 1) > Date.now()
}

/** JSON.stringify can't write a whole number beyond 2^53, so the digits of `ledgerEntry` are a string for a moment. */
function paymentJson(
  status: number,
  value: object,
  headers: Readonly<Record<string, string>> = {},
): Response {
  const exact = JSON.stringify(value).replaceAll(/"ledgerEntry":"([0-9]+)"/g, '"ledgerEntry":$1')
  return new Response(exact, { status, headers: { "content-type": "application/json", ...headers } })
}

const paymentView = ({ card, refunds, evidence: _, signature: __, revision: ___, ...payment }: Payment) => ({
  ...payment,
  refunded: sumOf(refunds),
  card: { brand: card.brand, last4: card.last4 },
})

const sumOf = (items: readonly { readonly amount: Money }[]): Money =>
  money(...items.map(({ amount: { amount } }) => amount))

const decimal = ({ amount, currency }: Money): string => `${(amount / 100).toFixed(2)} ${currency}`

function requireStatus(payment: Payment, status: Payment["status"]): void {
  if (payment.status !== status) throw new Problem(409, `the payment is ${payment.status}, not ${status}`)
}

function requireOpen(order: Order | undefined): Order {
  if (order?.status === "open") return order
  throw new Problem(409, `the order is ${order?.status ?? "gone"}, not open`)
}

/** Ends the reservation: the money is taken, or let go. */
function settle(payment: Payment, status: "captured" | "voided"): Response {
  requireStatus(payment, "authorised")
  payment.status = status
  payment.revision++
  return paymentJson(200, paymentView(payment))
}
