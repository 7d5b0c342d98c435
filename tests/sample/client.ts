// Sends requests to the sample API, checks each response against its document, and records the used operations.

import type { Operation, SampleDocument } from "./document.ts"

export interface Request {
  readonly path?: Readonly<Record<string, string>>
  readonly query?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly json?: unknown
  readonly body?: string | Uint8Array | URLSearchParams | FormData
}

export interface Exchange {
  readonly status: number
  readonly headers: Headers
  readonly raw: string
  /** The body as JSON. */
  readonly body: unknown
  /** A value in the body by its path: `items.0.id`. */
  readonly at: (path: string) => unknown
  readonly textAt: (path: string) => string
}

export interface Client {
  readonly operations: readonly Operation[]
  /** Sends one request. Throws if the response doesn't match the document. */
  readonly call: (operationId: string, request?: Request) => Promise<Exchange>
  /** `<operationId> <status>` of every response so far. */
  readonly seen: ReadonlySet<string>
}

export function createClient(
  baseUrl: string,
  document: SampleDocument,
  credentials: () => Readonly<Record<string, string>>,
): Client {
  const seen = new Set<string>()
  return {
    operations: document.operations,
    seen,
    call: async (operationId, request = {}) => {
      const operation = document.operations.find(({ id }) => id === operationId)!
      const path = operation.path.replace(
        /\{(\w+)\}/g,
        (_all, name: string) => request.path?.[name] ?? "none",
      )
      const body = request.json === undefined ? request.body : JSON.stringify(request.json)
      const answer = await fetch(
        `${baseUrl}${path}${request.query === undefined ? "" : `?${request.query}`}`,
        {
          method: operation.method,
          redirect: "manual",
          headers: {
            ...(operation.isOpen ? {} : credentials()),
            ...(request.json === undefined ? {} : { "content-type": "application/json" }),
            ...request.headers,
          },
          ...(body === undefined ? {} : { body }),
        },
      )
      const bytes = Buffer.from(await answer.arrayBuffer())
      const findings = document.findings(operation, answer, bytes)
      if (findings.length > 0) {
        throw new Error(
          `${operationId} responds ${answer.status}: ${findings.join("; ")}\n${bytes.toString()}`,
        )
      }
      seen.add(`${operationId} ${answer.status}`)
      return exchange(answer, bytes.toString())
    },
  }
}

function exchange({ status, headers }: Response, raw: string): Exchange {
  const isJson = headers.get("content-type")?.includes("json") === true
  const body: unknown = isJson ? JSON.parse(raw) : raw
  const at = (path: string): unknown =>
    path.split(".").reduce((value, key) => (value as Record<string, unknown>)[key], body)
  return { status, headers, raw, body, at, textAt: (path) => at(path) as string }
}
