// The sample payment provider's API: cards, payments, refunds, receipts, evidence. Described by examples/shop/apis/payments/openapi.yaml.

import { empty, HttpProblem, json, text, type Answer } from "./answer.ts"
import {
  addEvidence,
  addNote,
  refundedOf,
  type Card,
  type Evidence,
  type Note,
  type Payment,
  type PaymentProvider,
  type Refund,
} from "./payment-state.ts"
import {
  mediaTypeOf,
  readBytes,
  readFormFields,
  readJsonFields,
  readParts,
  readQueryFields,
  readText,
} from "./read-fields.ts"
import type { Call, Route } from "./service.ts"
import { CURRENCY, money } from "./shop-catalogue.ts"
import { isSame } from "./shop-state.ts"

// Made-up credentials, as the sample project's secrets files have them.
const API_KEY = "pk_sample_9f2b61c07d3e"
const MERCHANT = "merchant:ledger-biscuit-88"

/** Every route of the payment provider, over its state. */
export const paymentRoutes = (provider: PaymentProvider): readonly Route[] => [
  { method: "GET", path: "/status", handle: () => text(200, "operational\n") },
  ...[
    ...cardRoutes(provider),
    ...moneyRoutes(provider),
    ...attachmentRoutes(provider),
    ...receiptRoutes(provider),
  ].map(withApiKey),
  { method: "GET", path: "/settlements/today", handle: (call) => getSettlement(provider, call) },
]

function withApiKey(route: Route): Route {
  return {
    ...route,
    handle: (call) => {
      const key = call.headers["x-api-key"]
      if (typeof key === "string" && isSame(key, API_KEY)) return route.handle(call)
      throw new HttpProblem(401, "send a valid X-Api-Key", {
        headers: { "www-authenticate": 'ApiKey realm="payments"' },
      })
    },
  }
}

const cardRoutes = (provider: PaymentProvider): readonly Route[] => [
  {
    method: "POST",
    path: "/cards",
    handle: (call) => {
      const { token, brand, last4, holder } = provider.addCard(readCard(call))
      return json(201, { token, brand, last4, holder })
    },
  },
  {
    method: "PUT",
    path: "/preferences",
    handle: (call) => {
      const fields = readJsonFields(call)
      const locale = fields.text("locale", { oneOf: Object.keys(words) })
      fields.done()
      return empty(204, { "set-cookie": `locale=${locale}; Path=/; SameSite=Lax` })
    },
  },
]

function readCard(call: Call): Pick<Card, "brand" | "last4" | "holder" | "declines"> {
  const fields = readFormFields(call)
  const number = fields.text("number", { pattern: /^[0-9]{13,19}$/ })
  const expiry = fields.text("expiry", { pattern: /^(?:0[1-9]|1[0-2])\/[0-9]{2}$/ })
  fields.text("cvc", { pattern: /^[0-9]{3,4}$/ })
  const holder = fields.text("holder", { max: 100 })
  if (/^[0-9]{13,19}$/.test(number) && !passesLuhn(number)) fields.reject("number", "is no card number")
  if (isPast(expiry)) fields.reject("expiry", "is in the past")
  fields.done()
  const brand = number.startsWith("4") ? "visa" : number.startsWith("5") ? "mastercard" : "other"
  return { brand, last4: number.slice(-4), holder, declines: number.endsWith("0002") }
}

/** ISO/IEC 7812: the check digit of a card number. */
function passesLuhn(number: string): boolean {
  let sum = 0
  for (const [index, digit] of number.split("").reverse().entries()) {
    const doubled = Number(digit) * (index % 2 === 1 ? 2 : 1)
    sum += doubled > 9 ? doubled - 9 : doubled
  }
  return sum % 10 === 0
}

function isPast(expiry: string): boolean {
  const [month, year] = expiry.split("/").map(Number)
  if (month === undefined || year === undefined) return false
  return new Date(Date.UTC(2000 + year, month, 1)).getTime() <= Date.now()
}

const moneyRoutes = (provider: PaymentProvider): readonly Route[] => [
  { method: "GET", path: "/payments", handle: (call) => listPayments(provider, call) },
  { method: "POST", path: "/payments", handle: (call) => createPayment(provider, call) },
  {
    method: "GET",
    path: "/payments/{paymentId}",
    handle: (call) => json(200, paymentView(paymentOf(provider, call))),
  },
  {
    method: "POST",
    path: "/payments/{paymentId}/capture",
    handle: (call) => {
      const payment = paymentOf(provider, call)
      provider.capture(payment)
      return json(200, paymentView(payment))
    },
  },
  {
    method: "POST",
    path: "/payments/{paymentId}/void",
    handle: (call) => {
      const payment = paymentOf(provider, call)
      provider.cancel(payment)
      return json(200, paymentView(payment))
    },
  },
  {
    method: "GET",
    path: "/payments/{paymentId}/refunds",
    handle: (call) => json(200, paymentOf(provider, call).refunds.map(refundView)),
  },
  { method: "POST", path: "/payments/{paymentId}/refunds", handle: (call) => createRefund(provider, call) },
]

const paymentOf = (provider: PaymentProvider, call: Call): Payment =>
  provider.paymentOf(call.params["paymentId"]!)

function listPayments(provider: PaymentProvider, call: Call): Answer {
  const fields = readQueryFields(call)
  const orderId = fields.optionalText("orderId")
  const entry = fields.optionalText("ledgerEntry", { pattern: /^[0-9]{1,19}$/ })
  fields.done(400)
  const items = provider
    .list()
    .filter((payment) => orderId === undefined || payment.orderId === orderId)
    .filter((payment) => entry === undefined || String(payment.ledgerEntry) === entry)
  return json(200, { items: items.map(paymentView) })
}

function createPayment(provider: PaymentProvider, call: Call): Answer {
  const fields = readJsonFields(call)
  const orderId = fields.text("orderId", { max: 64 })
  const token = fields.text("card")
  const given = fields.object("amount")
  const amount = given.integer("amount", { min: 1, max: 100_000_000 })
  given.text("currency", { oneOf: [CURRENCY] })
  given.end()
  const card = provider.cardOf(token)
  if (token !== "" && card === undefined) fields.reject("card", "is no card token")
  const price = orderId === "" ? undefined : provider.priceOf(orderId)
  if (orderId !== "" && price === undefined) fields.reject("orderId", "is no order")
  if (price !== undefined && price.amount !== amount) {
    fields.reject("amount.amount", `is not the ${price.amount} that the order costs`)
  }
  fields.done()
  const payment = provider.authorise(orderId, card!)
  return json(201, paymentView(payment), { location: `/payments/${payment.id}` })
}

function createRefund(provider: PaymentProvider, call: Call): Answer {
  const payment = paymentOf(provider, call)
  const fields = readJsonFields(call)
  const amount = fields.integer("amount", { min: 1, max: 100_000_000 })
  const reason = fields.nullableText("reason")
  fields.done()
  return json(201, refundView(provider.refund(payment, amount, reason)))
}

const paymentView = (payment: Payment) => ({
  id: payment.id,
  ledgerEntry: payment.ledgerEntry,
  orderId: payment.orderId,
  status: payment.status,
  amount: payment.amount,
  refunded: refundedOf(payment),
  card: { brand: payment.card.brand, last4: payment.card.last4 },
  createdAt: payment.createdAt.toISOString(),
  capturedAt: payment.capturedAt?.toISOString() ?? null,
})

const refundView = (refund: Refund) => ({ ...refund, createdAt: refund.createdAt.toISOString() })

const attachmentRoutes = (provider: PaymentProvider): readonly Route[] => [
  {
    method: "GET",
    path: "/payments/{paymentId}/evidence",
    handle: (call) => json(200, paymentOf(provider, call).evidence.map(evidenceView)),
  },
  {
    method: "POST",
    path: "/payments/{paymentId}/evidence",
    handle: (call) => uploadEvidence(provider, call),
  },
  {
    method: "POST",
    path: "/payments/{paymentId}/notes",
    handle: (call) => {
      const payment = paymentOf(provider, call)
      const note = readText(call)
      if (note.trim() === "" || note.length > 2000) {
        throw new HttpProblem(422, "a note has 1 to 2000 characters")
      }
      return json(201, noteView(addNote(payment, note)))
    },
  },
  { method: "PUT", path: "/payments/{paymentId}/signature", handle: (call) => putSignature(provider, call) },
  {
    method: "GET",
    path: "/payments/{paymentId}/signature",
    handle: (call) => {
      const { signature } = paymentOf(provider, call)
      if (signature === null) throw new HttpProblem(404, "nobody has signed yet")
      return { status: 200, headers: { "content-type": signature.contentType }, body: signature.content }
    },
  },
]

function uploadEvidence(provider: PaymentProvider, call: Call): Answer {
  const payment = paymentOf(provider, call)
  const parts = readParts(call)
  const kind = parts.get("kind")?.content.toString("utf8") ?? ""
  const file = parts.get("file")
  const errors = [
    ...(["delivery-note", "photo", "letter"].includes(kind)
      ? []
      : [{ field: "kind", message: "must be one of delivery-note, photo, letter" }]),
    ...(file?.filename === undefined ? [{ field: "file", message: "must be a file" }] : []),
    ...[...parts.keys()]
      .filter((name) => !["kind", "file", "description"].includes(name))
      .map((field) => ({ field, message: "is not known" })),
  ]
  if (errors.length > 0 || file?.filename === undefined) {
    throw new HttpProblem(422, "the form is wrong", { errors })
  }
  const { filename, contentType, content } = file
  const description = parts.get("description")?.content.toString("utf8") ?? null
  const evidence = addEvidence(payment, { kind, description, filename, contentType }, content)
  return json(201, evidenceView(evidence))
}

function putSignature(provider: PaymentProvider, call: Call): Answer {
  const payment = paymentOf(provider, call)
  const content = readBytes(call, "image/svg+xml", "image/png")
  if (content.length === 0) throw new HttpProblem(422, "the image is empty")
  const contentType = mediaTypeOf(call)
  payment.signature = { contentType, content }
  return json(200, { contentType, sizeBytes: content.length })
}

const evidenceView = (evidence: Evidence) => ({ ...evidence, createdAt: evidence.createdAt.toISOString() })
const noteView = (note: Note) => ({ ...note, createdAt: note.createdAt.toISOString() })

const receiptRoutes = (provider: PaymentProvider): readonly Route[] => [
  {
    method: "GET",
    path: "/receipts/{paymentId}/latest",
    handle: (call) => {
      const { id, receiptRevision } = paymentOf(provider, call)
      return empty(302, { location: `/receipts/${id}/${receiptRevision}`, "cache-control": "no-store" })
    },
  },
  { method: "GET", path: "/receipts/{paymentId}/{revision}", handle: (call) => getReceipt(provider, call) },
]

const words = {
  en: { receipt: "Receipt", order: "Order", amount: "Amount", refunded: "Refunded", card: "Card" },
  de: { receipt: "Quittung", order: "Bestellung", amount: "Betrag", refunded: "Erstattet", card: "Karte" },
} as const

function getReceipt(provider: PaymentProvider, call: Call): Answer {
  const payment = paymentOf(provider, call)
  const revision = call.params["revision"]!
  if (!/^[1-9][0-9]{0,8}$/.test(revision) || Number(revision) > payment.receiptRevision) {
    throw new HttpProblem(404, "there is no such revision of the receipt")
  }
  const locale = call.cookies.get("locale") === "de" ? "de" : "en"
  const word = words[locale]
  const { amount, currency } = payment.amount
  const lines = [
    `${word.receipt} ${payment.id}/${revision}`,
    `${word.order}: ${payment.orderId}`,
    `${word.amount}: ${decimal(amount)} ${currency}`,
    `${word.refunded}: ${decimal(refundedOf(payment).amount)} ${currency}`,
    `${word.card}: ${payment.card.brand} ****${payment.card.last4}`,
  ]
  return text(200, `${lines.join("\n")}\n`, { "content-language": locale })
}

const decimal = (minorUnits: number): string => (minorUnits / 100).toFixed(2)

function getSettlement(provider: PaymentProvider, call: Call): Answer {
  const [, encoded = ""] = /^Basic (.+)$/i.exec(call.headers.authorization ?? "") ?? []
  if (!isSame(Buffer.from(encoded, "base64").toString("utf8"), MERCHANT)) {
    throw new HttpProblem(401, "send the merchant's credentials", {
      headers: { "www-authenticate": 'Basic realm="payments", charset="UTF-8"' },
    })
  }
  const captured = provider.list().filter((payment) => payment.capturedAt !== null)
  const sum = (amountOf: (payment: Payment) => number) =>
    money(captured.reduce((total, payment) => total + amountOf(payment), 0))
  return json(200, {
    date: new Date().toISOString().slice(0, 10),
    payments: captured.length,
    captured: sum((payment) => payment.amount.amount),
    refunded: sum((payment) => refundedOf(payment).amount),
  })
}
