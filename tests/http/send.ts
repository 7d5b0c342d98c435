// Sends requests through the real HTTP port, with short arguments for tests.

import {
  createHttpPort,
  type HttpPort,
  type SendOutcome,
  type SentRequest,
  type WireRequest,
} from "@callsheet/engine"
import { expect, onTestFinished } from "vitest"

export interface Client {
  readonly send: (url: string, request?: Partial<WireRequest>) => Promise<SendOutcome>
  /** The arguments of `onSent`, in order. */
  readonly sent: readonly SentRequest[]
  readonly abort: () => void
  readonly close: () => void
}

export interface ClientOptions {
  readonly concurrency?: number
  readonly processEnvironment?: Readonly<Record<string, string>>
}

/** The `sensitive` parts of a request without secrets. */
export const nothingSensitive: WireRequest["sensitive"] = {
  headers: new Set(),
  query: new Set(),
  body: false,
}

/** A new port that closes at the end of the test. */
export function createClient(options: ClientOptions = {}): Client {
  const { concurrency = 4, processEnvironment = {} } = options
  const port: HttpPort = createHttpPort({ concurrency, processEnvironment, userAgent: "callsheet/test" })
  const controller = new AbortController()
  const sent: SentRequest[] = []
  const client: Client = {
    send: (url, request) =>
      port.send(
        {
          api: "shop",
          method: "GET",
          url,
          headers: [],
          cookies: {},
          timeoutMs: 5_000,
          maxResponseBytes: 50 * 1024 * 1024,
          followRedirects: true,
          verifyTls: true,
          sensitive: nothingSensitive,
          ...request,
        },
        { signal: controller.signal, onSent: (request) => sent.push(request) },
      ),
    sent,
    abort: () => controller.abort(),
    close: () => port.close(),
  }
  onTestFinished(() => client.close())
  return client
}

export interface Arrival {
  readonly status: number
  readonly text: string
  readonly headers: Readonly<Record<string, string | readonly string[]>>
  readonly redirects: readonly { status: number; url: string; dropped?: readonly string[] }[]
}

/** The response, as text. Fails the test if there is none. */
export function arrived(outcome: SendOutcome): Arrival {
  expect(outcome).toMatchObject({ ok: true })
  if (!outcome.ok) throw new Error(outcome.message)
  const { status, headers, redirects, body } = outcome.response
  return { status, headers, redirects, text: Buffer.from(body).toString() }
}

/** The error. Fails the test if there is none. */
export function failed(outcome: SendOutcome): Extract<SendOutcome, { ok: false }> {
  expect(outcome).toMatchObject({ ok: false })
  if (outcome.ok) throw new Error("a response arrived")
  return outcome
}
