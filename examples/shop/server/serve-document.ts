// Serves the operations of an OpenAPI document with fetch's Request and Response. Validates each request against the
// document.

import { STATUS_CODES, type IncomingMessage, type RequestListener } from "node:http"
import { arrayBuffer } from "node:stream/consumers"
import { Ajv2020, type ErrorObject, type Format, type Options } from "ajv/dist/2020.js"
import { load } from "js-yaml"

export interface Api {
  /** The path of the document, relative to the sample's directory. */
  readonly document: string
  /** The handlers of operations, by `operationId`. */
  readonly handlers: Readonly<Record<string, (call: Call) => Response | Promise<Response>>>
  /**
   * Throws a `Problem` if the request has no valid credentials for `scheme`, the operation's first scheme in the
   * document.
   */
  readonly authenticate: (call: Call, scheme: string) => void
  /** The formats that the document's request schemas use. */
  readonly formats: Readonly<Record<string, Format>>
}

export interface Call {
  readonly request: Request
  readonly param: (name: string) => string
  /**
   * Returns the first cookie with the name. Clients send the cookie with the longest path first (RFC 6265 section 5.4).
   */
  readonly cookie: (name: string) => string | undefined
  /**
   * Returns the query parameters. If one is repeated, the last value counts. Responds with 400 if they violate the
   * document.
   */
  readonly query: <T>() => T
  /**
   * Returns the body as JSON, form fields, text or a blob. Responds with 415, 400 or 422 if it violates the document.
   */
  readonly body: <T>() => Promise<T>
}

interface OpenApi {
  readonly security: readonly object[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}

interface Operation {
  readonly operationId: string
  readonly security?: readonly object[]
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly schema: object }[]
  /** A schema for the whole query, built from the parameters. */
  query?: object
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> }
}

type Media = {
  readonly schema: { readonly properties?: Readonly<Record<string, { readonly format?: string }>> }
}
export type HeaderMap = Readonly<Record<string, string>>
/** An invalid field of a request. `field` is a path such as `lines.0.sku`. */
type FieldError = { readonly field: string; readonly message: string }

/** Ends a request with an error response (`application/problem+json`, RFC 9457). */
export class Problem extends Error {
  readonly response: Response

  constructor(status: number, detail: string, headers: HeaderMap = {}, errors?: readonly FieldError[]) {
    super(detail)
    const body = { type: "about:blank", title: STATUS_CODES[status], status, detail, errors }
    this.response = json(status, body, { "content-type": "application/problem+json", ...headers })
  }
}

export const wrongFields = (errors: readonly FieldError[], status = 422): Problem =>
  new Problem(status, `wrong fields: ${errors.length}`, {}, errors)

export const json = (status: number, value: unknown, headers: HeaderMap = {}): Response =>
  Response.json(value, { status, headers })

export const text = (body: string, headers: HeaderMap = {}): Response =>
  new Response(body, { headers: { "content-type": "text/plain; charset=utf-8", ...headers } })

export const empty = (status: number, headers: HeaderMap = {}): Response =>
  new Response(null, { status, headers })

/** Returns the requested resource. Responds with 404 if it doesn't exist. */
export function existing<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw new Problem(404, `this ${what} does not exist`)
  return value
}

/**
 * Creates the listener of an API. Responds with 404 to an unknown path, and with 405 and `Allow` to an unknown method.
 */
export function createListener(api: Api, text: string): RequestListener {
  const document = load(text) as OpenApi
  const routes = Object.entries(document.paths).map(([path, { parameters: _, ...operations }]) => {
    for (const operation of Object.values(operations)) operation.query = querySchema(operation)
    return { path, operations, pattern: new RegExp(`^${path.replaceAll(/\{(\w+)\}/g, "(?<$1>[^/]+)")}$`) }
  })
  const checkQuery = createCheck(document, { formats: api.formats, coerceTypes: true })
  const checkBody = createCheck(document, { formats: api.formats })

  async function respond(incoming: IncomingMessage): Promise<Response> {
    const { method = "", url: target = "/" } = incoming
    const origin = "encrypted" in incoming.socket ? "https://localhost" : "http://localhost"
    if (!target.startsWith("/") || !URL.canParse(origin + target))
      throw new Problem(400, "the request target is not a path")
    const url = new URL(origin + target)
    const route = routes.find(({ pattern }) => pattern.test(url.pathname))
    if (route === undefined) throw new Problem(404, "nothing exists at this path")
    const key = method.toLowerCase()
    const operation = route.operations[key]
    const allow = Object.keys(route.operations).join(", ").toUpperCase()
    if (operation === undefined) throw new Problem(405, `this path allows ${allow}`, { allow })
    const bytes = await arrayBuffer(incoming)
    if (bytes.byteLength > MAX_BODY_BYTES)
      throw new Problem(413, `a body may have at most ${MAX_BODY_BYTES} bytes`)
    const headers = incoming.headers as HeaderMap
    const request = new Request(url, { method, headers, body: key === "get" ? null : bytes })
    const params = route.pattern.exec(url.pathname)?.groups ?? {}
    const pointer = `/paths/${escapePointer(route.path)}/${key}`
    const call: Call = {
      request,
      param: (name) => decode(params[name] ?? ""),
      cookie: (name) => new RegExp(`(?:^|;)\\s*${name}=([^;]*)`).exec(headers["cookie"] ?? "")?.[1],
      query: <T>() => checkQuery(`${pointer}/query`, Object.fromEntries(url.searchParams), 400) as T,
      body: async <T>() => {
        const { type, value, checked } = await readBody(request, operation.requestBody?.content ?? {})
        checkBody(`${pointer}/requestBody/content/${escapePointer(type)}/schema`, checked, 422)
        return value as T
      },
    }
    const [scheme] = Object.keys((operation.security ?? document.security)[0] ?? {})
    if (scheme !== undefined) api.authenticate(call, scheme)
    return api.handlers[operation.operationId]!(call)
  }

  return (incoming, outgoing) =>
    void respond(incoming)
      .catch((error: unknown) => {
        const problem = error instanceof Problem ? error : new Problem(500, "the sample API has a bug")
        return problem.response
      })
      .then(async (response) => {
        outgoing.setHeaders(response.headers).writeHead(response.status)
        outgoing.end(Buffer.from(await response.arrayBuffer()))
      })
      // A request must not end the process, so a bug ends its connection.
      .catch(() => outgoing.destroy())
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    throw new Problem(400, "a path parameter is not percent-encoded UTF-8")
  }
}

const MAX_BODY_BYTES = 1024 * 1024

const querySchema = ({ parameters = [] }: Operation): object => ({
  type: "object",
  properties: Object.fromEntries(
    parameters.filter(({ in: place }) => place === "query").map(({ name, schema }) => [name, schema]),
  ),
  additionalProperties: false,
})

/**
 * Creates a function that returns a value with its defaults. If the schema rejects the value, responds with `status`.
 */
function createCheck(document: OpenApi, options: Options) {
  const ajv = new Ajv2020({ strict: false, logger: false, allErrors: true, useDefaults: true, ...options })
  ajv.addSchema(document, "document")
  return (pointer: string, value: unknown, status: number): unknown => {
    const validate = ajv.getSchema(`document#${encodeURI(pointer)}`)!
    if (validate(value) === true) return value
    throw wrongFields((validate.errors ?? []).map(describe), status)
  }
}

function describe({ instancePath, params, message = "" }: ErrorObject): FieldError {
  const { missingProperty, additionalProperty } = params as Readonly<Record<string, string | undefined>>
  const path = [...instancePath.split("/"), missingProperty, additionalProperty]
  const said = missingProperty ? "is missing" : additionalProperty ? "is not known" : message
  return { field: path.filter(Boolean).join("."), message: said }
}

/**
 * Reads a body. Also returns the JSON that its schema describes, with text in place of files. Responds with 415 or 400
 * if it can't be read.
 */
async function readBody(request: Request, content: Readonly<Record<string, Media>>) {
  const type = request.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase() ?? ""
  const media = new Map(Object.entries(content)).get(type)
  if (media === undefined) throw new Problem(415, `send ${Object.keys(content).join(" or ")}`)
  const [value, checked] = await parseBody(request, type, media).catch(() => {
    throw new Problem(400, `the body is not ${type}`)
  })
  return { type, value, checked }
}

async function parseBody(request: Request, type: string, { schema }: Media): Promise<[unknown, unknown?]> {
  if (type.includes("form")) {
    const parts = Object.fromEntries(await request.formData())
    const checked = Object.entries(parts).map(([name, part]) => {
      const isFile = schema.properties?.[name]?.format === "binary"
      return [name, part instanceof File ? isFile && part.name : isFile ? null : part]
    })
    return [parts, Object.fromEntries(checked)]
  }
  const blob = new Blob([await request.arrayBuffer()], { type })
  const content = await blob.text()
  const value: unknown = type.endsWith("json") ? JSON.parse(content) : content
  return [/json$|plain$/.test(type) ? value : blob, value]
}

const escapePointer = (key: string): string => key.replaceAll("~", "~0").replaceAll("/", "~1")
