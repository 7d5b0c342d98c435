// Makes the responses that a document describes: its examples, or samples of its schemas.

import { STATUS_CODES, validateHeaderName, validateHeaderValue } from "node:http"
import {
  attempt,
  getOrCreate,
  isJsonArray,
  isJsonObject,
  memo,
  parseJson,
  setOwn,
  toText,
  type ContractView,
  type Headers,
  type JsonValue,
} from "@callsheet/format"
import {
  createContractChecker,
  createSampler,
  credentialPlaces,
  hasNoContent,
  listResponses,
  partAt,
  responseContract,
  bodyKindOf,
  responseExamples,
  schemaType,
  type ContractChecker,
  type MediaType,
  type NamedExample,
  type OpenApiDocument,
  type Operation,
  type ResponseContract,
  type Sampler,
} from "@callsheet/openapi"
import { encodeBody, shownBody } from "./encode-body.ts"
import { sentMedia, type SentMedia } from "./preferences.ts"

export interface MadeResponse {
  readonly status: number
  /** Without `content-length`, which depends on the method. */
  readonly headers: Headers
  readonly bytes: Buffer
  /** The body as a report shows it. Undefined if there is none. */
  readonly body: JsonValue | undefined
  /** The verdict of the document on this response. */
  readonly contract: ContractView
}

export interface Wanted {
  readonly operation: Operation
  readonly status: number
  readonly sent: SentMedia | undefined
  /** The name of an example. */
  readonly example: string | undefined
}

/** The parts of a response that don't come from the document. */
export interface Own {
  readonly headers?: Headers
  readonly body?: JsonValue
}

export class DocumentedAnswers {
  readonly document: OpenApiDocument
  readonly checker: ContractChecker
  /** Leaves out optional fields that no example has. */
  readonly sampler: Sampler
  /** Makes every documented field, because a client may read any of them. */
  readonly #full: Sampler
  readonly #made = new Map<Operation, Map<string, Promise<MadeResponse>>>()

  constructor(document: OpenApiDocument, seed: number | undefined) {
    this.document = document
    this.checker = createContractChecker(document)
    this.sampler = createSampler({ direction: "response", seed })
    this.#full = createSampler({ direction: "response", fields: "all", seed })
  }

  /** Returns the response for a choice. It is always the same. */
  constant(wanted: Wanted): Promise<MadeResponse> {
    const ofOperation = getOrCreate(
      this.#made,
      wanted.operation,
      () => new Map<string, Promise<MadeResponse>>(),
    )
    const key = JSON.stringify([wanted.status, wanted.sent?.media.name, wanted.example])
    return getOrCreate(ofOperation, key, () => this.make(wanted))
  }

  /** Makes a response and checks it. */
  async make(wanted: Wanted, own: Own = {}): Promise<MadeResponse> {
    const { operation, status, sent } = wanted
    const contract = responseContract(operation, status)
    const documented = contract.status === "found" ? contract : undefined
    const headers = { ...(documented && this.#headersOf(documented)), ...own.headers }
    const value =
      own.body ??
      (sent === undefined || documented === undefined ? undefined : this.#value(documented, wanted))
    const made =
      value === undefined || sent === undefined || hasNoContent("GET", status)
        ? { status, headers, bytes: Buffer.alloc(0), body: undefined }
        : withBody({ status, headers, value, contentType: sent.contentType })
    return { ...made, contract: await this.check(operation, made) }
  }

  check(
    operation: Operation,
    { status, headers, body, bytes }: Omit<MadeResponse, "contract">,
  ): Promise<ContractView> {
    const { method } = operation
    const text = () => bytes.toString()
    return this.checker.check({ operation, method, status, headers, body, text, isWellFormed: true })
  }

  /** Returns the headers that are required or have an example. */
  readonly #headersOf = memo((documented: ResponseContract): Headers => {
    const found: Record<string, string> = {}
    for (const { name, found: header, isRequired } of documented.headers) {
      if (header === undefined || ownHeaders.has(name.toLowerCase())) continue
      if (!isRequired && header.member("example") === undefined && header.member("examples") === undefined)
        continue
      const sample = this.sampler.sampleHeader(header, name)
      if (!sample.isDecided) continue
      const made = headerText(sample.value)
      const text = name.toLowerCase() === "set-cookie" && !made.includes("=") ? this.#cookie() : made
      if (canSend(name, text)) setOwn(found, name.toLowerCase(), text)
    }
    return found
  })

  /** Returns a cookie by the name that the document gives to a credential. */
  #cookie(): string {
    const [name = "mock"] = credentialPlaces(this.document).cookies
    return `${name}=mock-cookie; Path=/; HttpOnly`
  }

  #value(documented: ResponseContract, { status, sent, example: name }: Wanted): JsonValue {
    if (sent === undefined) return {}
    const { media } = sent
    const examples = mediaExamples(this.document, documented, media)
    const example = name === undefined ? examples[0] : examples.find((one) => one.name === name)
    if (example !== undefined) return exampleValue(example.value, media)
    const sampler = status < 400 ? this.#full : this.sampler
    const sample = sampler.sampleMedia(media, status < 400 ? [] : [aboutError(media, status)])
    return sample.isDecided ? sample.value : {}
  }
}

/** Returns an example. Some documents give the JSON of a list or an object as a text. */
function exampleValue(example: JsonValue, { schema }: MediaType): JsonValue {
  const kinds = schema && schemaType(schema, "response").kinds
  if (typeof example !== "string" || kinds === undefined || kinds.has("string")) return example
  const parsed = parseJson(example)
  return parsed.ok && (isJsonArray(parsed.value) || isJsonObject(parsed.value)) ? parsed.value : example
}

/** Returns what an error says about itself, for the members that the document describes. */
function aboutError({ schema }: MediaType, status: number): JsonValue {
  const facts: Readonly<Record<string, JsonValue>> = {
    status,
    title: STATUS_CODES[status] ?? "",
    detail: STATUS_CODES[status] ?? "",
    message: STATUS_CODES[status] ?? "",
  }
  const names = new Set(schema === undefined ? [] : schemaType(schema, "response").names())
  return Object.fromEntries(Object.entries(facts).filter(([name]) => names.has(name)))
}

function withBody({
  status,
  headers,
  value,
  contentType,
}: Pick<MadeResponse, "status" | "headers"> & { readonly value: JsonValue; readonly contentType: string }) {
  const bytes = encodeBody(value, contentType)
  return {
    status,
    headers: { ...headers, "content-type": contentType },
    bytes,
    body: shownBody(bytes, contentType, value),
  }
}

/** Headers that the server itself writes. */
const ownHeaders = new Set(
  "connection content-length content-type date keep-alive transfer-encoding upgrade trailer".split(" "),
)

/** Writes a value in the style `simple`. */
function headerText(value: JsonValue): string {
  if (isJsonArray(value)) return value.map(toText).join(",")
  if (isJsonObject(value))
    return Object.entries(value)
      .flat()
      .map((part) => toText(part))
      .join(",")
  return toText(value)
}

export const canSend = (name: string, value: string): boolean =>
  attempt(() => {
    validateHeaderName(name)
    validateHeaderValue(name, value)
    return true
  }) === true

/** Returns the examples of a response's media type or, without any, that of its schema. */
function mediaExamples(document: OpenApiDocument, { pointer }: ResponseContract, media: MediaType) {
  const response = partAt(document, pointer)
  const listed = response === undefined ? [] : responseExamples(response, media)
  if (listed.length > 0) return listed
  const schema = media.schema?.dereference()
  const value = schema?.member("example") ?? schema?.list("examples")[0]
  return value === undefined ? [] : [{ name: undefined, value } satisfies NamedExample]
}

/** Returns the types of a response that have an example of this name. */
export const namedMedia = (
  document: OpenApiDocument,
  documented: ResponseContract,
  name: string,
): readonly SentMedia[] =>
  sentMedia(documented.content).filter(({ media }) =>
    mediaExamples(document, documented, media).some((one) => one.name === name),
  )

/** Returns the status of a response without preferences: the first that means success, or else the first. */
export const usualStatus = memo((operation: Operation): number => {
  const keys = listResponses(operation).map(({ status }) => status)
  const exact = keys.filter((key) => /^\d{3}$/.test(key)).map(Number)
  const success = exact.filter((status) => status >= 200 && status < 300)
  if (operation.method === "POST" && success.includes(201)) return 201
  if (success.length > 0) return Math.min(...success)
  if (keys.includes("2XX") || keys.includes("default")) return 200
  const [first = 200] = exact.filter((status) => status >= 300)
  const range = keys.find((key) => /^[345]XX$/.test(key))
  return exact.length === 0 && range !== undefined ? Number(range[0]) * 100 : first
})

/** Returns the JSON type of a documented response. */
export function jsonMedia(operation: Operation, status: number): MediaType | undefined {
  const contract = responseContract(operation, status)
  if (contract.status !== "found") return undefined
  return sentMedia(contract.content).find(({ contentType }) => bodyKindOf(contentType) === "json")?.media
}

export const hasStatus = (operation: Operation, status: string): boolean =>
  listResponses(operation).some((listed) => listed.status === status)

/** Returns the status of a response that says that something was created. */
export const createdStatus = (operation: Operation): number =>
  hasStatus(operation, "201") ? 201 : usualStatus(operation)
