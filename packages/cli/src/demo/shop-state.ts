// What the sample shop remembers: sessions, orders, shipments, returns. A new one for each server.

import { randomBytes, randomUUID, timingSafeEqual } from "node:crypto"
import { HttpProblem } from "./answer.ts"
import type { Call } from "./service.ts"
import { money, type Money, type Product } from "./shop-catalogue.ts"

export interface Customer {
  readonly id: string
  readonly name: string
  readonly email: string
}

export interface Session {
  readonly id: string
  readonly token: string
  readonly cookie: string
  readonly expiresAt: Date
  readonly customer: Customer
}

export type OrderStatus = "open" | "paid" | "shipped" | "cancelled"

export interface Address {
  name: string
  street: string
  postcode: string
  city: string
  country: string
}

export interface Line {
  readonly id: string
  readonly product: Product
  quantity: number
}

export interface Order {
  readonly id: string
  readonly customer: Customer
  readonly reference: string | null
  readonly createdAt: Date
  readonly express: boolean
  readonly shipTo: Address
  readonly lines: Line[]
  status: OrderStatus
  note: string | null
  updatedAt: Date
  paidAt: Date | null
  /** How often the shipment was looked at since the order was paid. */
  looks: number
}

export interface Return {
  readonly id: string
  readonly order: Order
  readonly lines: readonly { readonly lineId: string; readonly quantity: number; readonly reason: string }[]
  readonly createdAt: Date
  looks: number
}

interface Account extends Customer {
  readonly password: string
}

// Made-up people. The first is the one of the sample project's environments.
const accounts: readonly Account[] = [
  {
    id: "cus_ada",
    name: "Ada Example",
    email: "ada@shop.example",
    password: "kettle-lantern-47",
  },
  {
    id: "cus_grace",
    name: "Grace Example",
    email: "grace@shop.example",
    password: "teapot-harbour-12",
  },
]

const SESSION_MS = 60 * 60 * 1000
const EXPRESS_FEE = 590

/** The state of one sample shop. Every method that is asked for what is not there ends the request with a problem. */
export class Shop {
  readonly #sessions = new Map<string, Session>()
  readonly #orders = new Map<string, Order>()
  readonly #returns = new Map<string, Return>()
  readonly #idempotent = new Map<string, Order>()

  signIn(email: string, password: string): Session {
    const account = accounts.find((candidate) => candidate.email === email)
    if (account === undefined || !isSame(account.password, password)) {
      throw unauthorized("e-mail address or password is wrong")
    }
    this.#forgetExpired()
    const { id, name } = account
    const session: Session = {
      id: randomUUID(),
      token: `ses_${randomBytes(16).toString("hex")}`,
      cookie: `sid_${randomBytes(16).toString("hex")}`,
      expiresAt: new Date(Date.now() + SESSION_MS),
      customer: { id, name, email },
    }
    this.#sessions.set(session.token, session)
    this.#sessions.set(session.cookie, session)
    return session
  }

  /** The session of a bearer token or, without one, of the cookie `sid`. */
  sessionOf(call: Call): Session {
    const { authorization } = call.headers
    const key =
      authorization === undefined ? call.cookies.get("sid") : /^Bearer (.+)$/i.exec(authorization)?.[1]
    const session = key === undefined ? undefined : this.#sessions.get(key)
    if (session === undefined || session.expiresAt.getTime() < Date.now()) throw unauthorized("sign in first")
    return session
  }

  signOut(session: Session): void {
    this.#sessions.delete(session.token)
    this.#sessions.delete(session.cookie)
  }

  addOrder(order: Pick<Order, "customer" | "reference" | "express" | "shipTo" | "note">): Order {
    const now = new Date()
    const added: Order = {
      ...order,
      id: randomUUID(),
      status: "open",
      lines: [],
      createdAt: now,
      updatedAt: now,
      paidAt: null,
      looks: 0,
    }
    this.#orders.set(added.id, added)
    return added
  }

  /** Makes an order once for each key of a customer, however often it is asked for. */
  once(customer: Customer, key: string | undefined, make: () => Order): { order: Order; isNew: boolean } {
    const known = key === undefined ? undefined : this.#idempotent.get(`${customer.id} ${key}`)
    if (known !== undefined) return { order: known, isNew: false }
    const order = make()
    if (key !== undefined) this.#idempotent.set(`${customer.id} ${key}`, order)
    return { order, isNew: true }
  }

  ordersOf(customer: Customer): readonly Order[] {
    return [...this.#orders.values()].filter((order) => order.customer.id === customer.id)
  }

  /** An order of the customer; another customer's is not there. */
  orderOf(customer: Customer, id: string): Order {
    const order = this.#orders.get(id)
    if (order?.customer.id !== customer.id) throw new HttpProblem(404, "there is no such order")
    return order
  }

  /** Any customer's order: what the payments API asks. */
  findOrder(id: string): Order | undefined {
    return this.#orders.get(id)
  }

  deleteOrder(order: Order): void {
    this.#orders.delete(order.id)
    for (const [key, known] of this.#idempotent) if (known === order) this.#idempotent.delete(key)
    for (const [id, known] of this.#returns) if (known.order === order) this.#returns.delete(id)
  }

  addReturn(order: Order, lines: Return["lines"]): Return {
    const added: Return = { id: randomUUID(), order, lines, createdAt: new Date(), looks: 0 }
    this.#returns.set(added.id, added)
    return added
  }

  returnsOf(order: Order): readonly Return[] {
    return [...this.#returns.values()].filter((known) => known.order === order)
  }

  returnOf(customer: Customer, id: string): Return {
    const found = this.#returns.get(id)
    if (found?.order.customer.id !== customer.id) throw new HttpProblem(404, "there is no such return")
    return found
  }

  #forgetExpired(): void {
    for (const [key, session] of this.#sessions) {
      if (session.expiresAt.getTime() < Date.now()) this.#sessions.delete(key)
    }
  }
}

export const totalOf = (order: Order): Money =>
  money(
    order.lines.reduce((sum, line) => sum + line.product.price.amount * line.quantity, 0) +
      (order.express ? EXPRESS_FEE : 0),
  )

/** Marks an order as paid: from now on each look at its shipment moves it on. */
export function markPaid(order: Order): void {
  order.status = "paid"
  order.paidAt = new Date()
  order.updatedAt = order.paidAt
}

export function touch(order: Order): void {
  order.updatedAt = new Date()
}

/** The next state of a shipment: pending, then packed, then shipped. An unpaid order's stays pending. */
export function lookAtShipment(order: Order): "pending" | "packed" | "shipped" {
  if (order.status === "shipped") return "shipped"
  if (order.status !== "paid") return "pending"
  order.looks++
  if (order.looks === 1) return "pending"
  if (order.looks === 2) return "packed"
  order.status = "shipped"
  touch(order)
  return "shipped"
}

const unauthorized = (detail: string): HttpProblem =>
  new HttpProblem(401, detail, { headers: { "www-authenticate": 'Bearer realm="shop"' } })

/** Compares two secrets in a time that does not tell how much of them is equal. */
export function isSame(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)]
  return left.length === right.length && timingSafeEqual(left, right)
}
