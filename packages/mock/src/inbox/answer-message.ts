// Answers the requests of one run's inbox: messages, and the routes by which a workflow reads and controls them.

import type { IncomingMessage, ServerResponse } from "node:http"
import { endWithoutBody, readRequest, type ReadRequest } from "@callsheet/engine"
import {
  escapePointer,
  parseJson,
  readShape,
  setOwn,
  stringifyJson,
  type ContractView,
  type JsonObject,
  type JsonPointer,
  type JsonValue,
} from "@callsheet/format"
import type { CheckMessage } from "./check-message.ts"
import { MAX_KEPT_BYTES, MAX_MESSAGE_BYTES, responseRuleShape, type Mailbox, type Reply } from "./mailbox.ts"
import { refusals } from "./messages.ts"

export interface InboxRequest {
  readonly mailbox: Mailbox
  readonly check: CheckMessage
  /** The path below the base URL. */
  readonly path: string
  readonly query: URLSearchParams
  readonly request: IncomingMessage
  readonly response: ServerResponse
}

type Route = (asked: InboxRequest) => Promise<void> | void

/** The routes of the workflow. Every other method and path is a message. */
const routes: ReadonlyMap<string, Route> = new Map<string, Route>([
  ["GET /_messages", listMessages],
  [
    "DELETE /_messages",
    ({ mailbox, response }) => {
      mailbox.clear()
      response.writeHead(204).end()
    },
  ],
  ["PUT /_responses", setResponse],
  [
    "DELETE /_responses",
    ({ mailbox, response }) => {
      mailbox.resetResponses()
      response.writeHead(204).end()
    },
  ],
])

export function answerInbox(asked: InboxRequest): Promise<void> | void {
  const route = routes.get(`${asked.request.method} ${asked.path}`) ?? receive
  return route(asked)
}

async function listMessages({ mailbox, query, request, response }: InboxRequest): Promise<void> {
  const path = query.get("path") ?? ""
  const after = query.get("after") ?? ""
  if (!/^[0-9]{0,15}$/.test(after))
    return refuse({ request, response }, { status: 400, title: refusals.after() })
  const messages = await mailbox.list(path === "" ? undefined : path, Number(after))
  sendJson(response, { status: 200, value: { messages } })
}

async function setResponse({ mailbox, request, response }: InboxRequest): Promise<void> {
  const read = await readOrRefuse(request, response)
  if (read === undefined) return
  const parsed = parseJson(new TextDecoder().decode(read.bytes))
  if (!parsed.ok) return refuse({ request, response }, { status: 400, title: refusals.notJson() })
  const { findings, value: rule } = readShape(responseRuleShape, parsed.value)
  if (rule === undefined) {
    const errors = findings.map(({ pointer, message }) => ({ path: pointerText(pointer), message }))
    return refuse({ request, response }, { status: 400, title: refusals.invalid(), errors })
  }
  mailbox.setResponse(rule)
  response.writeHead(204).end()
}

async function receive(asked: InboxRequest): Promise<void> {
  const { mailbox, check, path, query, request, response } = asked
  const receivedAt = new Date().toISOString()
  const read = await readOrRefuse(request, response)
  if (read === undefined) return
  const { headers, bytes, body, isDecoded } = read
  const method = request.method ?? ""
  const search = query.size === 0 ? "" : `?${query.toString()}`
  const message = { method, path, search, headers, bytes, body, lines: request.rawHeaders }
  const reply = mailbox.add({
    method,
    path,
    query: queryOf(query),
    headers,
    ...(body.value === undefined ? {} : { body: body.value }),
    receivedAt,
    contract: isDecoded ? check(message) : Promise.resolve(undecodable),
    bytes: bytes.length,
  })
  if (reply === undefined)
    return refuse({ request, response }, { status: 507, title: refusals.full(MAX_KEPT_BYTES) })
  if (reply.delayMs > 0) await delay(reply.delayMs, response)
  send(response, reply)
}

/** The verdict on a body whose content codings can't be decoded. */
const undecodable: ContractView = {
  status: "failed",
  problems: [{ path: "/headers/content-encoding", message: refusals.undecodable() }],
}

/** Reads the request. If it can't be read, refuses it and returns undefined. */
async function readOrRefuse(
  request: IncomingMessage,
  response: ServerResponse,
): Promise<ReadRequest | undefined> {
  const read = await readRequest({ request, response }, MAX_MESSAGE_BYTES)
  if (read === "too-large")
    refuse({ request, response }, { status: 413, title: refusals.tooLarge(MAX_MESSAGE_BYTES) })
  else if (read === "gone") response.destroy()
  else return read
  return undefined
}

function queryOf(query: URLSearchParams): JsonObject {
  const all: Record<string, JsonValue> = {}
  for (const name of query.keys()) {
    const values = query.getAll(name)
    setOwn(all, name, values.length === 1 ? (values[0] ?? "") : values)
  }
  return all
}

/** Waits, unless the sender leaves. */
const delay = (ms: number, response: ServerResponse): Promise<void> =>
  new Promise((resolve) => {
    const finish = (): void => {
      clearTimeout(timer)
      response.off("close", finish)
      resolve()
    }
    const timer = setTimeout(finish, ms)
    response.once("close", finish)
  })

function send(response: ServerResponse, { status, body }: Reply): void {
  if (body === undefined || status === 204 || status === 304) return void response.writeHead(status).end()
  if (typeof body !== "string") return sendJson(response, { status, value: body })
  response.writeHead(status, { "content-type": "text/plain; charset=utf-8" }).end(body)
}

function sendJson(
  response: ServerResponse,
  { status, value }: { readonly status: number; readonly value: object | JsonValue },
): void {
  response.writeHead(status, { "content-type": "application/json" }).end(stringifyJson(value))
}

interface Refusal {
  readonly status: number
  readonly title: string
  readonly errors?: readonly { readonly path: string; readonly message: string }[]
}

/** Refuses a request (RFC 9457). The rest of its body isn't used, so the connection closes. */
export function refuse(exchange: Pick<InboxRequest, "request" | "response">, refusal: Refusal): void {
  const headers = { "content-type": "application/problem+json", connection: "close" }
  exchange.response.writeHead(refusal.status, headers)
  endWithoutBody(exchange, stringifyJson(refusal))
}

const pointerText = (pointer: JsonPointer): string =>
  pointer.map((key) => `/${escapePointer(String(key))}`).join("")
