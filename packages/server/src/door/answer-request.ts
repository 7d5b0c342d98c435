// Answers accepted requests: for assets, the session, links, events and calls.

import type { IncomingMessage, ServerResponse } from "node:http"
import { homeFolder, readRequestBody, type Connections } from "@callsheet/engine"
import { CallsheetError, shapes, withoutFolder, type JsonValue } from "@callsheet/format"
import { tmpdir } from "node:os"
import * as system from "node:path"
import { CallRefused, type Handlers, type RefusalDetails } from "../handlers.ts"
import type { CallName, Input, CallFailure } from "../calls/index.ts"
import { failureAnswer, jsonAnswer, send, sendAndClose, type Answer, type Exchange } from "./answer.ts"
import type { EventStreams } from "./event-streams.ts"
import { guard, type GuardState, type RawRequest, type Refusal } from "./guard.ts"
import type { Limits } from "./limits.ts"
import { isFromOtherUser } from "./peer-user.ts"
import type { Assets } from "./read-assets.ts"
import { readFields, readInput, readJson } from "./read-input.ts"
import type { Route } from "./routes.ts"
import type { LinkUse, Session } from "./session.ts"
import { messages } from "../messages.ts"

export interface Site {
  readonly guardState: GuardState
  readonly session: Session
  readonly assets: Assets
  readonly handlers: Handlers
  readonly streams: EventStreams
  readonly connections: Connections
  readonly limits: Limits
  readonly root: string
  /** Returns the URL of a link with this secret. */
  readonly linkTo: (secret: string) => string
  readonly mayOpen: (use: LinkUse, request: IncomingMessage) => boolean
  readonly onBug: (error: unknown) => void
}

const linkInput = shapes.object({ link: shapes.required(shapes.string(), "The secret of a link.") })
const noInput = shapes.object({})

/** Answers one request. Never throws or rejects: an error ends only its own request. */
export async function answerRequest(
  request: IncomingMessage,
  response: ServerResponse,
  site: Site,
): Promise<void> {
  const exchange = { request, response }
  try {
    const verdict = guard(rawOf(request), site.guardState)
    if (verdict.kind === "refused") sendAndClose(exchange, refusalAnswer(verdict.refusal))
    else if (verdict.kind === "asset") send(exchange, await assetAnswer(verdict.path, request, site))
    else await answerRoute(exchange, verdict, site)
  } catch (error) {
    site.onBug(error)
    if (response.headersSent) response.destroy()
    else sendAndClose(exchange, failureAnswer(500, bugFailure))
  }
}

export const rawOf = ({ method = "", url = "", rawHeaders, socket }: IncomingMessage): RawRequest => ({
  method,
  target: url,
  headers: rawHeaders,
  isFromOtherUser: () => isFromOtherUser(socket),
})

export const refusalAnswer = ({ status, code, message, allow }: Refusal): Answer =>
  failureAnswer(status, { code, message }, allow === undefined ? {} : { allow })

async function assetAnswer(path: string, request: IncomingMessage, { assets }: Site): Promise<Answer> {
  const asset = assets.get(path)
  if (asset === undefined) throw new Error("the guard allowed an unknown asset")
  const takesGzip = /(^|,)\s*gzip\s*(,|$)/.test(request.headers["accept-encoding"] ?? "")
  const gzipped = takesGzip ? await asset.gzipped() : undefined
  return {
    status: 200,
    headers: {
      "content-type": asset.type,
      vary: "accept-encoding",
      ...(gzipped === undefined ? {} : { "content-encoding": "gzip" }),
    },
    body: gzipped ?? asset.bytes,
  }
}

async function answerRoute(exchange: Exchange, route: Route, site: Site): Promise<void> {
  const { request, response } = exchange
  const isInSession = route.needs === "session" || route.needs === "own-session"
  if (isInSession) response.on("close", site.connections.hold(request.socket))
  const body = await readRequestBody(
    exchange,
    isInSession ? bodyLimit(route, site) : site.limits.openingBytes,
  )
  if (body === "gone") return
  if (body === "too-large") return sendAndClose(exchange, tooLarge)
  if (route.kind === "events") {
    if (!site.streams.open(response)) send(exchange, tooManyStreams)
    return
  }
  send(exchange, await perform(route, body, site, request))
}

/** Only an import contains whole documents. */
const bodyLimit = (route: Route, { limits }: Site): number =>
  route.kind === "call" && route.name === "imports.plan" ? limits.importBytes : limits.bodyBytes

async function perform(
  route: Exclude<Route, { readonly kind: "events" }>,
  body: Buffer,
  site: Site,
  request: IncomingMessage,
): Promise<Answer> {
  try {
    switch (route.kind) {
      case "open-session":
        return openSession(readFields(linkInput, readJson(body)).link, site, request)
      case "resume-session":
        readFields(noInput, readJson(body))
        return jsonAnswer({})
      case "make-link":
        readFields(noInput, readJson(body))
        return jsonAnswer({ link: site.linkTo(site.session.makeLink("anyone")) })
      case "call":
        return jsonAnswer(await call(route.name, readJson(body), site.handlers))
    }
  } catch (error) {
    if (!(error instanceof CallsheetError)) throw error
    const status = error instanceof CallRefused ? error.status : 400
    return failureAnswer(status, describeFailure(error, site.root))
  }
}

async function call<N extends CallName>(name: N, value: JsonValue, handlers: Handlers): Promise<unknown> {
  const handle: (input: Input<N>) => Promise<unknown> = handlers[name]
  return handle(readInput(name, value))
}

function openSession(link: string, site: Site, request: IncomingMessage): Answer {
  const use = site.session.takeLink(link)
  if (use === undefined || !site.mayOpen(use, request)) return failureAnswer(401, deadLink)
  const { cookieName } = site.guardState
  return jsonAnswer(
    { key: site.session.key },
    { "set-cookie": `${cookieName}=${site.session.cookie}; HttpOnly; SameSite=Strict; Path=/` },
  )
}

const deadLink = messages.unauthorized.deadLink()
const tooLarge = failureAnswer(413, messages["too-large"].body())
const tooManyStreams = failureAnswer(429, messages["too-many"].pages())

const bugFailure: CallFailure = {
  code: "internal",
  message: "a bug in callsheet: please report it, with the terminal's output",
}

/** Describes an error to the page. Misuse has a message, a bug has no details. Shows no path outside `root`. */
function describeFailure(error: CallsheetError, root: string): CallFailure {
  const { code, message, hint } = error
  const shown = (text: string) => withoutPlaces(text, root)
  const { problems, ...rest }: RefusalDetails = error instanceof CallRefused ? error.details : {}
  return {
    code,
    message: shown(message),
    hint: hint && shown(hint),
    ...rest,
    problems: problems?.map((problem) => ({ ...problem, message: shown(problem.message) })),
  }
}

/**
 * Makes paths in the project relative. Removes paths in directories of the user and the system. Keeps other text that
 * looks like a path, such as `/orders/{id}`.
 */
export function withoutPlaces(text: string, root: string): string {
  const relative = withoutFolder(text, root, system).replaceAll(root, ".")
  return [tmpdir(), homeFolder()]
    .filter((place) => place.length > 1)
    .reduce((rest, place) => hidePlace(rest, place), relative)
}

/** Removes a path with everything after it. `/rooted` is not in `/root`. */
function hidePlace(text: string, place: string): string {
  const [first = "", ...others] = text.split(place)
  const hidden = others.map((rest) =>
    /^[^/\\\s"']/.test(rest) ? place + rest : `…${rest.replace(/^[^\s"']*/, "")}`,
  )
  return [first, ...hidden].join("")
}
