// What a route of the sample API answers: JSON, text or nothing, and problems as RFC 9457 has them.

import { randomUUID } from "node:crypto"

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | readonly string[]>>
  readonly body?: string | Uint8Array
}

type HeaderMap = Answer["headers"]

// JSON has whole numbers of any length and JavaScript cannot write them: a mark that no client can guess stands for one.
const bigMark = randomUUID()
const markedBigInts = new RegExp(`"${bigMark}:(-?[0-9]+)"`, "g")

/** The JSON text of a value; a `bigint` is written digit for digit. */
const writeJson = (value: unknown): string =>
  JSON.stringify(value, (_key, item: unknown) =>
    typeof item === "bigint" ? `${bigMark}:${item}` : item,
  ).replace(markedBigInts, "$1")

export const json = (status: number, value: unknown, headers: HeaderMap = {}): Answer => ({
  status,
  headers: { "content-type": "application/json", ...headers },
  body: writeJson(value),
})

export const text = (status: number, body: string, headers: HeaderMap = {}): Answer => ({
  status,
  headers: { "content-type": "text/plain; charset=utf-8", ...headers },
  body,
})

export const empty = (status: number, headers: HeaderMap = {}): Answer => ({ status, headers })

/** One wrong field of a request. */
export interface FieldError {
  readonly field: string
  readonly message: string
}

const titles: Readonly<Record<number, string>> = {
  400: "Bad Request",
  401: "Unauthorized",
  402: "Payment Required",
  404: "Not Found",
  405: "Method Not Allowed",
  409: "Conflict",
  413: "Content Too Large",
  415: "Unsupported Media Type",
  422: "Unprocessable Content",
  500: "Internal Server Error",
}

/** Ends a request with an error answer (`application/problem+json`, RFC 9457). */
export class HttpProblem extends Error {
  readonly status: number
  readonly errors: readonly FieldError[]
  readonly headers: HeaderMap

  constructor(
    status: number,
    detail: string,
    extra: { errors?: readonly FieldError[]; headers?: HeaderMap } = {},
  ) {
    super(detail)
    this.status = status
    this.errors = extra.errors ?? []
    this.headers = extra.headers ?? {}
  }

  get answer(): Answer {
    return {
      status: this.status,
      headers: { "content-type": "application/problem+json", ...this.headers },
      body: writeJson({
        type: "about:blank",
        title: titles[this.status] ?? "Error",
        status: this.status,
        detail: this.message,
        ...(this.errors.length === 0 ? {} : { errors: this.errors }),
      }),
    }
  }
}
