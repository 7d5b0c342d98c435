// What the sample payment provider remembers: cards, payments and what hangs on them. A new one for each server.

import { createHash, randomBytes, randomUUID } from "node:crypto"
import { HttpProblem } from "./answer.ts"
import { money, type Money } from "./shop-catalogue.ts"
import { markPaid, totalOf, type Shop } from "./shop-state.ts"

export interface Card {
  readonly token: string
  readonly brand: "visa" | "mastercard" | "other"
  readonly last4: string
  readonly holder: string
  readonly declines: boolean
}

export type PaymentStatus = "authorised" | "captured" | "refunded" | "voided"

export interface Payment {
  readonly id: string
  /** Beyond 2^53: a client that rounds numbers finds the neighbour's payment, or none. */
  readonly ledgerEntry: bigint
  readonly orderId: string
  readonly amount: Money
  readonly card: Card
  readonly createdAt: Date
  readonly refunds: Refund[]
  readonly evidence: Evidence[]
  readonly notes: Note[]
  status: PaymentStatus
  capturedAt: Date | null
  signature: { readonly contentType: string; readonly content: Buffer } | null
  /** One more with every change of the money. */
  receiptRevision: number
}

export interface Refund {
  readonly id: string
  readonly amount: Money
  readonly reason: string | null
  readonly createdAt: Date
}

export interface Evidence {
  readonly id: string
  readonly kind: string
  readonly description: string | null
  readonly filename: string
  readonly contentType: string
  readonly sizeBytes: number
  readonly sha256: string
  readonly createdAt: Date
}

export interface Note {
  readonly id: string
  readonly text: string
  readonly createdAt: Date
}

const newId = (prefix: string): string => `${prefix}_${randomBytes(8).toString("hex")}`

/** The state of one sample payment provider, beside the shop whose orders it is paid for. */
export class PaymentProvider {
  readonly #shop: Shop
  readonly #cards = new Map<string, Card>()
  readonly #payments = new Map<string, Payment>()
  #nextEntry = 9_007_199_254_740_993n

  constructor(shop: Shop) {
    this.#shop = shop
  }

  addCard(card: Pick<Card, "brand" | "last4" | "holder" | "declines">): Card {
    const added = { ...card, token: newId("tok") }
    this.#cards.set(added.token, added)
    return added
  }

  cardOf(token: string): Card | undefined {
    return this.#cards.get(token)
  }

  /** Reserves the amount of an order on a card. Answers 409 or 402 where that cannot be. */
  authorise(orderId: string, card: Card): Payment {
    const order = this.#shop.findOrder(orderId)
    if (order?.status !== "open")
      throw new HttpProblem(409, `the order is ${order?.status ?? "gone"}, not open`)
    const isReserved = this.list().some(
      (payment) => payment.orderId === orderId && payment.status !== "voided",
    )
    if (isReserved) throw new HttpProblem(409, "the order has a payment already")
    if (card.declines) throw new HttpProblem(402, "the card was declined")
    const payment: Payment = {
      id: newId("pay"),
      ledgerEntry: this.#nextEntry++,
      orderId,
      amount: totalOf(order),
      card,
      createdAt: new Date(),
      refunds: [],
      evidence: [],
      notes: [],
      status: "authorised",
      capturedAt: null,
      signature: null,
      receiptRevision: 1,
    }
    this.#payments.set(payment.id, payment)
    return payment
  }

  list(): readonly Payment[] {
    return [...this.#payments.values()]
  }

  paymentOf(id: string): Payment {
    const payment = this.#payments.get(id)
    if (payment === undefined) throw new HttpProblem(404, "there is no such payment")
    return payment
  }

  /** What an order costs now, or undefined where the shop knows no such order. */
  priceOf(orderId: string): Money | undefined {
    const order = this.#shop.findOrder(orderId)
    return order === undefined ? undefined : totalOf(order)
  }

  /** Takes the money: the shop's order is paid from here on. */
  capture(payment: Payment): void {
    requireStatus(payment, "authorised")
    const order = this.#shop.findOrder(payment.orderId)
    if (order?.status !== "open")
      throw new HttpProblem(409, `the order is ${order?.status ?? "gone"}, not open`)
    if (totalOf(order).amount !== payment.amount.amount) {
      throw new HttpProblem(409, "the order was changed after the payment was authorised")
    }
    payment.status = "captured"
    payment.capturedAt = new Date()
    payment.receiptRevision++
    markPaid(order)
  }

  cancel(payment: Payment): void {
    requireStatus(payment, "authorised")
    payment.status = "voided"
    payment.receiptRevision++
  }

  /** Gives back a part of what was captured and not given back yet. */
  refund(payment: Payment, amount: number, reason: string | null): Refund {
    requireStatus(payment, "captured")
    const left = payment.amount.amount - refundedOf(payment).amount
    if (amount > left) throw new HttpProblem(409, `only ${left} of the payment is left to refund`)
    const refund = { id: newId("ref"), amount: money(amount), reason, createdAt: new Date() }
    payment.refunds.push(refund)
    payment.receiptRevision++
    if (amount === left) payment.status = "refunded"
    return refund
  }
}

export const refundedOf = (payment: Payment): Money =>
  money(payment.refunds.reduce((sum, refund) => sum + refund.amount.amount, 0))

export function addNote(payment: Payment, text: string): Note {
  const note = { id: randomUUID(), text, createdAt: new Date() }
  payment.notes.push(note)
  return note
}

export function addEvidence(
  payment: Payment,
  given: Pick<Evidence, "kind" | "description" | "filename" | "contentType">,
  content: Buffer,
): Evidence {
  const evidence = {
    ...given,
    id: randomUUID(),
    sizeBytes: content.length,
    sha256: createHash("sha256").update(content).digest("hex"),
    createdAt: new Date(),
  }
  payment.evidence.push(evidence)
  return evidence
}

function requireStatus(payment: Payment, status: PaymentStatus): void {
  if (payment.status !== status) throw new HttpProblem(409, `the payment is ${payment.status}, not ${status}`)
}
