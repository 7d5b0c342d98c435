// The payment provider: cards, payments, refunds, receipts and evidence. Implements ../apis/payments/openapi.yaml.

import { hash, randomBytes, randomUUID } from "node:crypto"
import { empty, existing, json, Problem, text, wrongFields } from "./serve-document.ts"
import type { Api, Call, HeaderMap } from "./serve-document.ts"
import { markPaid, money, now, type Money, type Order, type Shop } from "./shop.ts"

// Sample credentials. The secrets files of the sample project contain the same ones.
const API_KEY = "pk_sample_9f2b61c07d3e"
const MERCHANT = `Basic ${btoa("merchant:ledger-biscuit-88")}`

const words = {
  en: { receipt: "Receipt", order: "Order", amount: "Amount", refunded: "Refunded", card: "Card" },
  de: { receipt: "Quittung", order: "Bestellung", amount: "Betrag", refunded: "Erstattet", card: "Karte" },
} as const

type Card = { readonly brand: string; readonly last4: string; readonly declines: boolean }

/** Creates a payment. `ledgerEntry` is beyond 2^53: a client that rounds it doesn't find the payment. */
const makePayment = (order: Order, card: Card, ledgerEntry: bigint) => ({
  id: newId("pay"),
  ledgerEntry: String(ledgerEntry),
  orderId: order.id,
  amount: order.total,
  card,
  createdAt: now(),
  refunds: [] as { readonly amount: Money }[],
  evidence: [] as object[],
  status: "authorized" as "authorized" | "captured" | "refunded" | "voided",
  capturedAt: null as string | null,
  signature: undefined as Blob | undefined,
  /** Incremented each time the amounts change. */
  revision: 1,
})
type Payment = ReturnType<typeof makePayment>

export class Payments implements Api {
  readonly #shop: Shop
  readonly #cards = new Map<string, Card>()
  readonly #payments = new Map<string, Payment>()
  #nextEntry = 9_007_199_254_740_993n

  readonly document = "apis/payments/openapi.yaml"
  readonly formats = {
    "card-number": passesLuhn,
    "card-expiry": isAhead,
    "card-token": (token: string) => this.#cards.has(token),
    order: (id: string) => this.#shop.orders.has(id),
  }

  constructor(shop: Shop) {
    this.#shop = shop
  }

  authenticate({ request: { headers } }: Call, scheme: string): void {
    const isMerchant = scheme === "merchant"
    if (isMerchant ? headers.get("authorization") === MERCHANT : headers.get("x-api-key") === API_KEY) return
    const challenge = isMerchant ? 'Basic realm="payments", charset="UTF-8"' : 'ApiKey realm="payments"'
    throw new Problem(401, `send the ${scheme} credentials`, { "www-authenticate": challenge })
  }

  readonly handlers: Api["handlers"] = {
    getStatus: () => text("operational\n"),
    addCard: async (call) => {
      const { number, holder } = await call.body<{ number: string; holder: string }>()
      const token = newId("tok")
      const brand = { 4: "visa", 5: "mastercard" }[number[0] ?? ""] ?? "other"
      const last4 = number.slice(-4)
      this.#cards.set(token, { brand, last4, declines: number.endsWith("0002") })
      return json(201, { token, brand, last4, holder })
    },
    setPreferences: async (call) => {
      const { locale } = await call.body<{ locale: string }>()
      return empty(204, { "set-cookie": `locale=${locale}; Path=/; SameSite=Lax` })
    },
    listPayments: ({ request, query }) => {
      const { orderId } = query<{ orderId?: string }>()
      const ledgerEntry = new URL(request.url).searchParams.getAll("ledgerEntry").at(-1)
      const items = [...this.#payments.values()]
        .filter((payment) => orderId === undefined || payment.orderId === orderId)
        .filter((payment) => ledgerEntry === undefined || payment.ledgerEntry === ledgerEntry)
      return paymentJson(200, { items: items.map(paymentView) })
    },
    createPayment: async (call) => {
      const given = await call.body<{ orderId: string; card: string; amount: Money }>()
      const order = existing(this.#shop.orders.get(given.orderId), "order")
      const card = existing(this.#cards.get(given.card), "card")
      const { amount, currency } = order.total
      if (given.amount.amount !== amount || given.amount.currency !== currency)
        throw wrongFields([{ field: "amount.amount", message: `must be the ${amount} ${currency} it costs` }])
      requireOpen(order)
      const others = [...this.#payments.values()].filter(({ orderId }) => orderId === order.id)
      if (others.some(({ status }) => status !== "voided"))
        throw new Problem(409, "the order has a payment already")
      if (card.declines) throw new Problem(402, "the card was declined")
      const payment = makePayment(order, card, this.#nextEntry++)
      this.#payments.set(payment.id, payment)
      return paymentJson(201, paymentView(payment), { location: `/payments/${payment.id}` })
    },
    getPayment: (call) => paymentJson(200, paymentView(this.#payment(call))),
    // Afterwards, the shop marks its order as paid.
    capturePayment: (call) => {
      const payment = this.#payment(call)
      requireStatus(payment, "authorized")
      const order = requireOpen(this.#shop.orders.get(payment.orderId))
      if (order.total.amount !== payment.amount.amount)
        throw new Problem(409, "the order was changed after the payment was authorized")
      payment.capturedAt = now()
      markPaid(order)
      return settle(payment, "captured")
    },
    voidPayment: (call) => settle(this.#payment(call), "voided"),
    listRefunds: (call) => json(200, this.#payment(call).refunds),
    createRefund: async (call) => {
      const payment = this.#payment(call)
      const { amount, reason = null } = await call.body<{ amount: number; reason?: string | null }>()
      requireStatus(payment, "captured")
      const left = payment.amount.amount - sumOf(payment.refunds).amount
      if (amount > left) throw new Problem(409, `only ${left} of the payment is left to refund`)
      const refund = { id: newId("ref"), amount: money(amount), reason, createdAt: now() }
      payment.refunds.push(refund)
      payment.revision++
      if (amount === left) payment.status = "refunded"
      return json(201, refund)
    },
    listEvidence: (call) => json(200, this.#payment(call).evidence),
    addEvidence: async (call) => {
      const payment = this.#payment(call)
      const given = await call.body<{ kind: string; description?: string; file: File }>()
      const { kind, description = null, file } = given
      const { name: filename, type: contentType, size: sizeBytes } = file
      const sha256 = hash("sha256", Buffer.from(await file.arrayBuffer()), "hex")
      const about = { kind, description, filename, contentType, sizeBytes, sha256 }
      const evidence = { id: randomUUID(), ...about, createdAt: now() }
      payment.evidence.push(evidence)
      return json(201, evidence)
    },
    addNote: async (call) => {
      this.#payment(call)
      return json(201, { id: randomUUID(), text: await call.body(), createdAt: now() })
    },
    getSignature: (call) => new Response(existing(this.#payment(call).signature, "signature")),
    putSignature: async (call) => {
      const payment = this.#payment(call)
      const signature = await call.body<Blob>()
      payment.signature = signature
      return json(200, { contentType: signature.type, sizeBytes: signature.size })
    },
    getLatestReceipt: (call) => {
      const { id, revision } = this.#payment(call)
      return empty(302, { location: `/receipts/${id}/${revision}`, "cache-control": "no-store" })
    },
    getReceipt: (call) => {
      const payment = this.#payment(call)
      const revision = call.param("revision")
      if (!/^[1-9][0-9]{0,8}$/.test(revision) || Number(revision) > payment.revision)
        throw new Problem(404, "this revision of the receipt does not exist")
      const language = call.cookie("locale") === "de" ? "de" : "en"
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
    getSettlement: () => {
      const captured = [...this.#payments.values()].filter(({ capturedAt }) => capturedAt !== null)
      return json(200, {
        date: now().slice(0, 10),
        payments: captured.length,
        captured: sumOf(captured),
        refunded: sumOf(captured.flatMap(({ refunds }) => refunds)),
      })
    },
  }

  readonly #payment = (call: Call): Payment =>
    existing(this.#payments.get(call.param("paymentId")), "payment")
}

const newId = (prefix: string): string => `${prefix}_${randomBytes(8).toString("hex")}`

/** Verifies the check digit of a card number (ISO/IEC 7812). */
function passesLuhn(number: string): boolean {
  const digits = Array.from(number, Number).reverse()
  const doubled = digits.map((digit, index) => (index % 2 === 0 ? digit : (digit * 2) % 9 || digit))
  return doubled.reduce((sum, digit) => sum + digit, 0) % 10 === 0
}

/** Returns whether a card is still valid. A card with the date `04/49` is valid to the end of that month. */
function isAhead(expiry: string): boolean {
  const [month = Number.NaN, year = Number.NaN] = expiry.split("/").map(Number)
  return Date.UTC(2000 + year, month, 1) > Date.now()
}

/**
 * Writes a payment as JSON. JSON.stringify can't write integers beyond 2^53, so `ledgerEntry` is a string until here.
 */
function paymentJson(status: number, value: object, headers: HeaderMap = {}): Response {
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

/** Captures or releases the reserved amount of a payment. */
function settle(payment: Payment, status: "captured" | "voided"): Response {
  requireStatus(payment, "authorized")
  payment.status = status
  payment.revision++
  return paymentJson(200, paymentView(payment))
}
