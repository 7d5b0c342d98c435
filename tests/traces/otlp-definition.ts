// Checks the JSON of OTLP against its published definition: opentelemetry-proto 1.x, trace.proto, common.proto,
// resource.proto and trace_service.proto, with the rules of the JSON encoding in its specification. Ids are hexadecimal,
// enums are integers, 64-bit integers are strings of digits, and names are in lowerCamelCase.

export interface OtlpSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly traceState?: string
  readonly flags?: number
  readonly name: string
  readonly kind: number
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
  readonly attributes?: readonly { readonly key: string; readonly value: Readonly<Record<string, string>> }[]
  readonly links?: readonly { readonly traceId: string; readonly spanId: string }[]
  readonly status?: { readonly code?: number; readonly message?: string }
}

type Check = (value: unknown, at: string) => readonly string[]

const matches =
  (type: "string" | "number" | "boolean", isValid: (text: string) => boolean): Check =>
  (value, at) =>
    typeof value === type && isValid(String(value)) ? [] : [`${at}: ${JSON.stringify(value)}`]

const text = matches("string", () => true)
const id = (bytes: number) =>
  matches("string", (value) => new RegExp(`^(?!0+$)[0-9a-fA-F]{${bytes * 2}}$`).test(value))
const fixed64 = matches("string", (value) => /^[0-9]+$/.test(value) && BigInt(value) < 2n ** 64n)
const int64 = matches("string", (value) => /^-?[0-9]+$/.test(value))
const fixed32 = matches(
  "number",
  (value) => Number.isInteger(Number(value)) && Number(value) >= 0 && Number(value) < 2 ** 32,
)
const enumTo = (most: number) =>
  matches("number", (value) => Number.isInteger(Number(value)) && Number(value) >= 0 && Number(value) <= most)

const list =
  (items: Check): Check =>
  (value, at) =>
    Array.isArray(value)
      ? value.flatMap((item: unknown, index) => items(item, `${at}[${index}]`))
      : [`${at} is not a list`]

const message =
  (fields: () => Readonly<Record<string, Check>>, required: readonly string[] = []): Check =>
  (value, at) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return [`${at} is not a message`]
    const known = new Map(Object.entries(fields()))
    const given = Object.entries(value as Readonly<Record<string, unknown>>)
    return [
      ...required.filter((name) => !Object.hasOwn(value, name)).map((name) => `${at}.${name} is missing`),
      ...given.flatMap(
        ([name, member]) => known.get(name)?.(member, `${at}.${name}`) ?? [`${at}.${name} is unknown`],
      ),
    ]
  }

const anyValue = message(() => ({
  stringValue: text,
  boolValue: matches("boolean", () => true),
  intValue: int64,
  doubleValue: matches("number", () => true),
}))
const keyValue = message(() => ({ key: text, value: anyValue }), ["key", "value"])
const attributes: Check = (value, at) => {
  const found = list(keyValue)(value, at)
  const keys = Array.isArray(value) ? value.map((one: { readonly key?: unknown }) => one.key) : []
  return new Set(keys).size === keys.length ? found : [...found, `${at} has a key twice`]
}
const status = message(() => ({ message: text, code: enumTo(2) }))
const link = message(
  () => ({ traceId: id(16), spanId: id(8), traceState: text, attributes, flags: fixed32 }),
  ["traceId", "spanId"],
)
const spanFields = message(
  () => ({
    traceId: id(16),
    spanId: id(8),
    traceState: text,
    parentSpanId: id(8),
    flags: fixed32,
    name: matches("string", (value) => value !== ""),
    kind: enumTo(5),
    startTimeUnixNano: fixed64,
    endTimeUnixNano: fixed64,
    attributes,
    links: list(link),
    status,
  }),
  ["traceId", "spanId", "name", "startTimeUnixNano", "endTimeUnixNano"],
)
const span: Check = (value, at) => {
  const found = spanFields(value, at)
  if (found.length > 0) return found
  const { startTimeUnixNano: start, endTimeUnixNano: end } = value as OtlpSpan
  return BigInt(end) < BigInt(start) ? [`${at} ends before it starts`] : []
}
const scope = message(() => ({ name: text, version: text, attributes }))
const scopeSpans = message(() => ({ scope, spans: list(span), schemaUrl: text }))
const resource = message(() => ({ attributes }))
const resourceSpans = message(() => ({ resource, scopeSpans: list(scopeSpans), schemaUrl: text }))

/** Returns what is wrong with an `ExportTraceServiceRequest`. */
export const checkRequest = (value: unknown): readonly string[] =>
  message(() => ({ resourceSpans: list(resourceSpans) }))(value, "request")

/** Returns the spans of a valid request. */
export const spansOf = (value: unknown): readonly OtlpSpan[] =>
  (
    value as {
      readonly resourceSpans: readonly {
        readonly scopeSpans: readonly { readonly spans: readonly OtlpSpan[] }[]
      }[]
    }
  ).resourceSpans.flatMap((one) => one.scopeSpans.flatMap(({ spans }) => spans))

export const attributeOf = ({ attributes: all = [] }: OtlpSpan, key: string): string | undefined =>
  Object.values(all.find((one) => one.key === key)?.value ?? {})[0]
