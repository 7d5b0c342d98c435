// Reads the headers that a collector wants, such as a token, from the variable that OpenTelemetry defines. They are secrets,
// so no message quotes them.

import { attempt, checkHeader } from "@callsheet/format"
import type { ReporterContext } from "../reporter.ts"

export const HEADERS_VARIABLE = "OTEL_EXPORTER_OTLP_HEADERS"
const ENDPOINT_VARIABLE = "OTEL_EXPORTER_OTLP_ENDPOINT"

/** A collector, and whether `callsheet.json` names it instead of the command line. */
export interface Collector {
  readonly url: URL
  readonly isOfProject: boolean
}

type Headers = readonly (readonly [string, string])[]

export type CollectorHeaders =
  | { readonly is: "read"; readonly headers: Headers; readonly isWithheld: boolean }
  /** The variable isn't a list of `name=value`. */
  | { readonly is: "malformed" }

export function collectorHeaders(
  { url, isOfProject }: Collector,
  environment: ReporterContext["processEnvironment"],
): CollectorHeaders {
  const text = environment[HEADERS_VARIABLE]?.trim() ?? ""
  // An author of a project must not receive the secrets of everyone who runs it.
  const isWithheld = text !== "" && isOfProject && originOf(environment[ENDPOINT_VARIABLE]) !== url.origin
  if (text === "" || isWithheld) return { is: "read", headers: [], isWithheld }
  const headers = text.split(",").map(readHeader)
  return headers.every((header) => header !== undefined)
    ? { is: "read", headers, isWithheld }
    : { is: "malformed" }
}

const originOf = (text: string | undefined): string | undefined =>
  text !== undefined && URL.canParse(text) ? new URL(text).origin : undefined

/** The headers that describe the request itself. */
const ownHeaders = new Set([
  "connection",
  "content-encoding",
  "content-length",
  "content-type",
  "host",
  "transfer-encoding",
])

/** Reads `name=value`. The value is percent-encoded, as in W3C Baggage. */
function readHeader(text: string): readonly [string, string] | undefined {
  const [, name = "", encoded = ""] = /^\s*([^=\s]+)\s*=\s*(.*?)\s*$/s.exec(text) ?? []
  const value = attempt(() => decodeURIComponent(encoded))
  if (value === undefined || ownHeaders.has(name.toLowerCase())) return undefined
  return checkHeader(name, value) === undefined ? [name, value] : undefined
}
