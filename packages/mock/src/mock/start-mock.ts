// Starts the mock of one API on loopback.

import type { IncomingMessage, ServerResponse } from "node:http"
import {
  closeServer,
  createListener,
  createMasker,
  endWithoutBody,
  listen,
  LOOPBACK,
  readRequestBody,
  type Masker,
} from "@callsheet/engine"
import { once, type Headers } from "@callsheet/format"
import { loadSecretFields, serverPath, type FindSecretFields, type OpenApiDocument } from "@callsheet/openapi"
import { messages } from "./messages.ts"
import { refuse, type Answer } from "./answer.ts"
import { answerDocumented, inspectIncoming, type AnswerIncoming } from "./answer-documented.ts"
import { namedSecrets, requestSecrets } from "./credentials.ts"
import { answerRecorded, RecordIndex, type RecordedExchange } from "./answer-recorded.ts"
import { StoredAnswers } from "./answer-stored.ts"
import { answerPreflight, crossOriginHeaders } from "./cross-origin.ts"
import { DocumentedAnswers } from "./documented-answers.ts"
import { readContent, readIncoming, type Incoming } from "./incoming.ts"
import { createCall, noSecrets, type MockCall } from "./mock-call.ts"
import { Store } from "./store.ts"

export interface MockOptions {
  readonly api: string
  /** Absent if the mock only repeats a record. */
  readonly document?: OpenApiDocument | undefined
  /** What the mock answers from instead of the document. */
  readonly recorded?:
    | { readonly exchanges: readonly RecordedExchange[]; readonly baseUrl: string }
    | undefined
  /** By default 0, which selects a free port. */
  readonly port?: number | undefined
  /** Keeps what clients create, change and delete. */
  readonly state?: boolean | undefined
  /** Varies the samples. The same seed gives the same answers. */
  readonly seed?: number | undefined
  /** Allows pages of other origins to read the answers. */
  readonly cors?: boolean | undefined
  /** Receives each request when it is answered. */
  readonly onCall?: ((call: MockCall) => void) | undefined
  readonly onBug: (error: unknown) => void
}

export interface Mock {
  /** The URL with the base path of the document's first server, without a slash at its end. */
  readonly url: string
  /** Answers from another version of the document. What clients have stored stays, and so does the URL. */
  readonly serve: (document: OpenApiDocument) => Promise<void>
  readonly close: () => Promise<void>
}

const MEBIBYTE = 1024 * 1024
const MAX_BODY_MEBIBYTES = 10
const limits = {
  connections: 1_000,
  maxHeaderSize: 16 * 1024,
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  connectionsCheckingInterval: 5_000,
}

/** Starts a mock. Throws `port-unusable`. */
export async function startMock(options: MockOptions): Promise<Mock> {
  const { document, recorded, onBug } = options
  const basePath = document === undefined ? "" : serverPath(document)
  const kept: Kept = {
    store: new Store(),
    index: recorded && new RecordIndex(recorded.exchanges, { baseUrl: recorded.baseUrl, basePath }),
    url: () => origin + basePath,
  }
  const prepare = async (version: OpenApiDocument | undefined): Promise<Served> => ({
    document: version,
    answer: createAnswering({ ...options, document: version }, kept),
    findSecretFields: version && (await loadSecretFields(version)),
  })
  let served = await prepare(document)
  const { server, connections } = createListener(
    { ...limits, insecureHTTPParser: false },
    {
      request: async (request, response) => {
        response.on("close", connections.hold(request.socket))
        const site = { ...options, ...served, basePath, origin }
        await answerRequest(site, request, response)
      },
      onBug,
    },
  )
  const origin = `http://${LOOPBACK}:${await listen(server, LOOPBACK, options.port ?? 0)}`
  return {
    url: origin + basePath,
    serve: async (version) => {
      served = await prepare(version)
    },
    close: () => closeServer(server),
  }
}

/** What a mock answers from: one version of a document, or only a record. */
interface Served {
  readonly document: OpenApiDocument | undefined
  readonly answer: AnswerIncoming
  readonly findSecretFields: FindSecretFields | undefined
}

/** What outlives a version of the document. */
interface Kept {
  readonly store: Store
  readonly index: RecordIndex | undefined
  readonly url: () => string
}

function createAnswering(
  { api, document, seed, state }: MockOptions,
  { store, index, url }: Kept,
): AnswerIncoming {
  const answers = document && new DocumentedAnswers(document, seed)
  if (index !== undefined) return answerRecorded(index, answers && inspectIncoming(answers))
  if (answers === undefined) throw new Error("a mock needs a document or a record")
  const stored = state === true ? new StoredAnswers({ answers, store, seed, url }) : undefined
  return answerDocumented({ api, answers, answerFirst: stored?.answer })
}

interface Site extends Served, Pick<MockOptions, "api" | "cors" | "onCall"> {
  readonly basePath: string
  readonly origin: string
}

async function answerRequest(site: Site, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const startMs = Date.now()
  const started = performance.now()
  const body = await readRequestBody({ request, response }, MAX_BODY_MEBIBYTES * MEBIBYTE)
  if (body === "gone") return
  const isLarge = body === "too-large"
  const incoming = readIncoming(request, isLarge ? Buffer.alloc(0) : body, site.basePath)
  const heard = incoming ?? outside(request)
  const content = once(() => readContent(heard))
  const secrets = requestSecrets(heard, content, site.document)
  const masker = secrets.length === 0 ? noSecrets : createMasker(secrets)
  const answer = isLarge ? tooLarge() : await answerIncoming(site, incoming, heard, masker)
  send(
    { request, response },
    {
      answer,
      isHead: request.method === "HEAD",
      isLarge,
      headers: site.cors === true ? crossOriginHeaders(heard) : {},
    },
  )
  site.onCall?.(
    createCall({
      api: site.api,
      origin: site.origin,
      incoming: heard,
      content,
      answer,
      masker: withAnswer(site, masker, secrets, answer),
      startMs,
      durationMs: performance.now() - started,
    }),
  )
}

async function answerIncoming(
  site: Site,
  incoming: Incoming | undefined,
  heard: Incoming,
  masker: Masker,
): Promise<Answer> {
  const preflight = site.cors === true ? answerPreflight(heard) : undefined
  if (preflight !== undefined) return preflight
  if (incoming !== undefined) return site.answer(incoming, masker.occursIn)
  const texts = messages["mock-refused"]
  return heard.target.startsWith("/")
    ? refuse({ status: 404, finding: texts.path(site.api, heard.path) })
    : refuse({ status: 400, finding: texts.target() })
}

/** Reads a request whose target isn't below the base path. */
function outside(request: IncomingMessage): Incoming {
  const target = request.url ?? ""
  const read = readIncoming(request, Buffer.alloc(0), "")
  const none = {
    method: request.method ?? "",
    target,
    path: target,
    query: "",
    headers: [],
    cookies: {},
    body: Buffer.alloc(0),
  }
  return read ?? none
}

const tooLarge = (): Answer =>
  refuse({ status: 413, finding: messages["mock-refused"].large(MAX_BODY_MEBIBYTES) })

/** Adds the secrets of an answer: those that the document marks, and those with the name of a credential. */
function withAnswer(
  { findSecretFields }: Site,
  masker: Masker,
  secrets: readonly (string | number | bigint)[],
  { operation, status, headers, body }: Answer,
): Masker {
  const contentType = headers["content-type"]
  const type = typeof contentType === "string" ? contentType : undefined
  const fields = operation && findSecretFields?.(operation, { status, contentType: type })
  const cookies = [headers["set-cookie"] ?? []].flat().map((text) => /=([^;]*)/.exec(text)?.[1] ?? "")
  const marked = fields === undefined || body === undefined ? [] : [...fields.valuesOf(body)]
  const named = body === undefined ? [] : [...namedSecrets(body)]
  const found = [...cookies, ...marked, ...named].filter((value) => value !== "")
  return found.length === 0 ? masker : createMasker([...secrets, ...found])
}

interface Sending {
  readonly answer: Answer
  readonly isHead: boolean
  readonly isLarge: boolean
  readonly headers: Headers
}

function send(
  exchange: { readonly request: IncomingMessage; readonly response: ServerResponse },
  { answer, isHead, isLarge, headers }: Sending,
): void {
  const { status, bytes } = answer
  const hasLength = status !== 204 && status !== 304
  const { response } = exchange
  response.writeHead(status, {
    ...answer.headers,
    ...headers,
    ...(hasLength ? { "content-length": String(bytes.length) } : {}),
    ...(isLarge ? { connection: "close" } : {}),
  })
  if (isLarge) endWithoutBody(exchange, bytes)
  else response.end(isHead ? undefined : bytes)
}
