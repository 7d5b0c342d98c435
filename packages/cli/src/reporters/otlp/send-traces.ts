// Sends traces to a collector, by OTLP over HTTP with JSON. A collector that doesn't answer never fails a run.

import { createHttpPort, monotonicMs, type HttpPort } from "@callsheet/engine"
import { isJsonObject, ownOf, parseJson, toProblem, type Problem, type RunEvent } from "@callsheet/format"
import { messages } from "../../messages.ts"
import type { ReporterContext } from "../reporter.ts"
import { collectorHeaders, HEADERS_VARIABLE, type Collector } from "./collector-headers.ts"
import { traceBodies } from "./spans.ts"

/** The time that sending all traces may take. */
const MAX_SEND_MS = 5000
const MAX_RESPONSE_BYTES = 1024 * 1024

interface Sending {
  readonly collector: Collector
  readonly processEnvironment: ReporterContext["processEnvironment"]
  /** Receives everything that is sent. */
  readonly write: (text: string) => void
}

const says = messages["collector-failed"]

/** Sends the traces of a session that is over. Returns a warning if the collector hasn't accepted all of them. */
export async function sendTraces(
  events: Iterable<RunEvent>,
  { collector, processEnvironment, write }: Sending,
): Promise<Problem | undefined> {
  const url = endpointOf(collector.url)
  const shown = `${url.origin}${url.pathname}`
  const wanted = collectorHeaders(collector, processEnvironment)
  if (wanted.is === "malformed") return warning(says.headers(shown, HEADERS_VARIABLE))
  const http = createHttpPort({ concurrency: 1, processEnvironment })
  const { headers, isWithheld } = wanted
  const deadline = monotonicMs() + MAX_SEND_MS
  try {
    for (const body of traceBodies(events)) {
      write(body)
      const leftMs = deadline - monotonicMs()
      if (leftMs <= 0) return warning(says.late(shown, MAX_SEND_MS))
      const reason = await send(http, { url, headers, body, timeoutMs: leftMs })
      if (reason !== undefined)
        return warning((isWithheld ? says.withheld : says.refused)(shown, reason, HEADERS_VARIABLE))
    }
    return undefined
  } finally {
    http.close()
  }
}

const warning = (finding: ReturnType<typeof says.late>): Problem => ({
  ...toProblem(finding),
  severity: "warning",
})

/** Returns the address of the collector. Without a path, it is the usual one. */
function endpointOf(given: URL): URL {
  const url = new URL(given)
  if (url.pathname === "/") url.pathname = "/v1/traces"
  return url
}

interface Call {
  readonly url: URL
  /** Secret. */
  readonly headers: readonly (readonly [string, string])[]
  readonly body: string
  readonly timeoutMs: number
}

/** Sends one request. Returns the reason if the collector hasn't accepted all of it. */
async function send(http: HttpPort, { url, headers, body, timeoutMs }: Call): Promise<string | undefined> {
  const outcome = await http.send(
    {
      api: "",
      method: "POST",
      url: url.href,
      headers: [["content-type", "application/json"], ...headers],
      cookies: {},
      body: new TextEncoder().encode(body),
      timeoutMs,
      maxResponseBytes: MAX_RESPONSE_BYTES,
      followRedirects: false,
      verifyTls: true,
      sensitive: {
        headers: new Set(headers.map(([name]) => name.toLowerCase())),
        query: new Set(),
        body: false,
      },
    },
    { signal: new AbortController().signal, onSent: () => undefined },
  )
  if (!outcome.ok) return outcome.message
  const { status, body: answer } = outcome.response
  if (status < 200 || status > 299) return `it responded with status ${status}`
  const rejected = "parsed" in answer ? 0 : rejectedIn(new TextDecoder().decode(answer))
  return rejected === 0 ? undefined : `it rejected ${rejected} spans`
}

/** Reads how many spans a collector rejected although it accepted the request. */
function rejectedIn(text: string): number {
  const parsed = parseJson(text)
  const partial = parsed.ok && isJsonObject(parsed.value) ? ownOf(parsed.value, "partialSuccess") : undefined
  const count = isJsonObject(partial) ? Number(ownOf(partial, "rejectedSpans") ?? 0) : 0
  return Number.isSafeInteger(count) && count > 0 ? count : 0
}
