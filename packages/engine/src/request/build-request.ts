// Builds the request to send from a target, expanded parameters and a body.

import {
  bodyKindOf,
  buildUrl,
  fieldEncodings,
  readBaseUrl,
  requestMediaTypes,
  serverUrl,
  writeCookies,
  writeHeader,
  writeQuery,
  type BaseUrl,
  type FieldEncodings,
} from "@callsheet/openapi"
import {
  escapePointer,
  savedRequestShape,
  urlCredentials,
  type BodyType,
  type JsonValue,
  type ResolvedEnvironment,
} from "@callsheet/format"
import { failed, type BlockOutcome } from "../run/failure.ts"
import type { PlannedApi } from "../plan/plan.ts"
import type { FilePort, Random, WireRequest } from "../ports.ts"
import { SecretBase } from "../outlet/secret-base.ts"
import { defaultRequestTimeoutMs, type RunSettings } from "../plan/settings.ts"
import type { createAuthFinder } from "../auth/find-auth.ts"
import { findCredentials, type Credential, type Credentials } from "./credentials.ts"
import { encodeBody, type EncodeBody, type EncodedBody } from "./encode-body.ts"
import type { ExpandedRequest, ParamValue } from "./expand-request.ts"
import type { BuiltRequest, RequestTemplate, RequestBase } from "./request-template.ts"

interface BuildRequest {
  readonly api: PlannedApi
  readonly environment: ResolvedEnvironment
  readonly template: RequestTemplate
  readonly request: ExpandedRequest
  readonly settings: RunSettings
  readonly files: FilePort
  readonly random: Random
  /** Called with credentials in the URL of a server. */
  readonly onCredential: (value: JsonValue, path: string) => void
}

export type BuildOutcome =
  | { readonly ok: true; readonly built: BuiltRequest }
  | { readonly ok: false; readonly outcome: BlockOutcome }

/** Builds a request. Returns a promise only if a body is read from a file, or for authorization that isn't a fixed text. */
export function buildRequest(build: BuildRequest): BuildOutcome | Promise<BuildOutcome> {
  const base = baseOf(build)
  if ("status" in base) return { ok: false, outcome: base }
  if (!build.template.usesAuth) return buildWith(build, base, credentialsOf(build))
  return import("../auth/find-auth.ts").then(({ createAuthFinder }) =>
    buildWith(build, base, credentialsOf(build, createAuthFinder(build.environment, base))),
  )
}

function buildWith(
  build: BuildRequest,
  base: RequestBase,
  { fixed: credentials, auth }: Credentials,
): BuildOutcome | Promise<BuildOutcome> {
  const { environment, request, settings } = build
  const { method, instance } = build.template.target
  const url = urlOf(build, base, credentials)
  if (!url.ok)
    return {
      ok: false,
      outcome: failed({
        code: url.reason === "refused" ? "request-failed" : url.reason,
        message: url.message,
      }),
    }
  const finish = (encoded?: EncodeBody): BuildOutcome => {
    // No exchange explains a body that can't be encoded.
    if (encoded?.ok === false) return { ok: false, outcome: failed(encoded.finding, { exchanges: [] }) }
    const body = encoded?.body
    const wire: WireRequest = {
      api: build.api.api.name,
      method,
      url: url.url,
      secretBase: base.secret,
      headers: headersOf(request, credentials, body),
      cookies: cookiesOf(request, credentials),
      body: body?.bytes,
      timeoutMs:
        settings.timeoutMs ?? instance?.timeoutMs ?? timeoutVariable(environment) ?? defaultRequestTimeoutMs,
      maxResponseBytes: settings.maxResponseBytes,
      streams: settings.streams,
      followRedirects: instance?.followRedirects ?? savedRequestShape.fields.followRedirects.default,
      verifyTls: environment.verifyTls,
      environment: environment.name,
      sensitive: sensitiveOf(request, credentials, base.secret),
    }
    const secretParams = settings.withholdsSecrets ? secretParamsOf(request, wire) : noNames
    return {
      ok: true,
      built: { wire, bodyView: body?.view, bodyText: body?.text, secretParams, credentials, auth },
    }
  }
  if (request.body === undefined) return finish()
  const encoding = bodyOf(build, request.body)
  return encoding instanceof Promise ? encoding.then(finish) : finish(encoding)
}

function timeoutVariable(environment: ResolvedEnvironment): number | undefined {
  const value = environment.variables.get("timeout")?.value
  const isNumber = typeof value === "number" || typeof value === "bigint"
  return isNumber && value > 0 ? Number(value) : undefined
}

const noCredentials: Credentials = { fixed: [] }

function credentialsOf(
  { environment, template, request }: BuildRequest,
  authOf?: ReturnType<typeof createAuthFinder>,
): Credentials {
  if (template.security.length === 0) return noCredentials
  const headers = new Set([...request.params.header.keys()].map((name) => name.toLowerCase()))
  return findCredentials(template.security, {
    environment,
    authOf,
    isSet: (location, name) =>
      location === "header" ? headers.has(name.toLowerCase()) : request.params[location].has(name),
  })
}

/** Returns the base URL. All requests of a block share it. */
function baseOf({ api, environment, template, onCredential }: BuildRequest): RequestBase | BlockOutcome {
  if (template.base !== undefined) return template.base
  const variable = environment.variables.get("baseUrl")
  const url =
    environment.service?.address ??
    variable?.value ??
    (api.document === undefined ? undefined : serverUrl(api.document, template.target.operation))
  for (const secret of urlCredentials(String(url ?? ""))) onCredential(secret, `a server of ${api.api.name}`)
  const read = readBaseUrl(String(url ?? ""))
  if (!read.ok) return failed({ code: "request-failed", message: read.message, hint: read.hint })
  const isSecret = variable?.value !== undefined && variable.declaration.secret === true
  // Avoids a spread, which creates a hidden class per run. Only a major collection frees it.
  const { path, query } = read.base
  template.base = { path, query, secret: isSecret ? new SecretBase(read.base) : undefined }
  return template.base
}

function urlOf({ template, request }: BuildRequest, base: BaseUrl, credentials: readonly Credential[]) {
  const { params } = request
  let { query } = params
  for (const { location, name, text } of credentials) {
    if (location !== "query") continue
    if (query === params.query) query = new Map(query)
    ;(query as Map<string, ParamValue>).set(name, { text, isSecret: true, writer: undefined })
  }
  return buildUrl({ baseUrl: base, path: template.pathTemplate, pathParams: params.path, query })
}

function bodyOf(build: BuildRequest, value: JsonValue): EncodeBody | Promise<EncodeBody> {
  const { type, mediaType } = mediaTypeOf(build)
  const { files, random } = build
  return encodeBody({ value, type, mediaType, encodings: encodingsOf(build, type, mediaType), files, random })
}

const usualTypes: Partial<Record<BodyType, string>> = {
  form: "application/x-www-form-urlencoded",
  multipart: "multipart/form-data",
}

/** Returns how the document encodes the fields of a form. */
function encodingsOf(
  { template }: BuildRequest,
  type: BodyType,
  mediaType: string | undefined,
): FieldEncodings | undefined {
  const usual = usualTypes[type]
  const { operation } = template.target
  if (usual === undefined || operation === undefined) return undefined
  return fieldEncodings(operation, mediaType ?? usual)
}

/**
 * Chooses the type of the body. The saved request's `bodyType` comes first, then the `content-type` header, JSON for a
 * saved body, and the document's type (JSON before form, multipart and text). A `content-type` header always sets the
 * media type.
 */
function mediaTypeOf({ template, request }: BuildRequest) {
  const { documented } = template
  const { operation } = template.target
  let given: string | undefined
  for (const [name, { text }] of request.params.header)
    if (name.toLowerCase() === "content-type") given ??= text
  if (given !== undefined)
    return { type: request.bodyType ?? kindUnder(given, request.body), mediaType: given }
  const bodyType =
    request.bodyType ??
    (template.target.instance?.body === undefined ? undefined : savedRequestShape.fields.bodyType.default)
  if (bodyType === undefined) return { type: documented?.kind ?? "json", mediaType: documented?.mediaType }
  if (documented?.kind === bodyType) return { type: bodyType, mediaType: documented.mediaType }
  if (bodyType !== "file" || operation === undefined) {
    return { type: bodyType, mediaType: undefined }
  }
  const concrete = requestMediaTypes(operation).filter((type) => !type.includes("*"))
  const bytes = concrete.find((type) => /^application\/octet-stream\s*(?:;|$)/i.test(type))
  return { type: bodyType, mediaType: bytes ?? concrete[0] }
}

/**
 * Returns the body type for a media type. A value that isn't a string is sent as JSON even with a text type, for
 * negative tests.
 */
function kindUnder(mediaType: string, body: JsonValue | undefined): BodyType {
  const kind = bodyKindOf(mediaType) ?? "json"
  return kind === "text" && typeof body !== "string" ? "json" : kind
}

function headersOf(
  { params }: ExpandedRequest,
  credentials: readonly Credential[],
  body: EncodedBody | undefined,
): WireRequest["headers"] {
  const headers: [string, string][] = []
  for (const [name, given] of params.header) {
    const text = given.writer === undefined ? given.text : writeHeader(name, given)
    if (text !== undefined) headers.push([name, text])
  }
  for (const credential of credentials)
    if (credential.location === "header") headers.push([credential.name, credential.text])
  if (body === undefined) return headers
  // The header of a multipart body names its boundary and includes the requested type.
  const given = headers.find(([name]) => name.toLowerCase() === "content-type")
  if (given === undefined) headers.push(["content-type", body.contentType])
  else given[1] = body.contentType
  return headers
}

const noCookies: WireRequest["cookies"] = {}

function cookiesOf({ params }: ExpandedRequest, credentials: readonly Credential[]): WireRequest["cookies"] {
  if (params.cookie.size === 0 && credentials.length === 0) return noCookies
  const cookies = new Map<string, string | readonly string[]>()
  for (const [name, given] of params.cookie)
    for (const [own, text] of writeCookies(name, given)) {
      const earlier = cookies.get(own)
      cookies.set(own, earlier === undefined ? text : [earlier, text].flat())
    }
  for (const { location, name, text } of credentials) if (location === "cookie") cookies.set(name, text)
  return Object.fromEntries(cookies)
}

function sensitiveOf(
  request: ExpandedRequest,
  credentials: readonly Credential[],
  base: SecretBase | undefined,
): WireRequest["sensitive"] {
  const query = secretNames("query", request, credentials)
  return {
    headers: secretNames("header", request, credentials),
    query: base === undefined ? query : new Set([...query, ...base.names]),
    body: request.isBodySecret,
  }
}

const noNames: ReadonlySet<string> = new Set()

const pointerPlaces = { query: "query", path: "path", header: "headers", cookie: "cookies" } as const

function secretParamsOf(
  { params }: ExpandedRequest,
  { sensitive }: Pick<WireRequest, "sensitive">,
): ReadonlySet<string> {
  const own = (["path", "cookie"] as const).map(
    (place) =>
      [place, [...params[place]].flatMap(([name, { isSecret }]) => (isSecret ? [name] : []))] as const,
  )
  const all = [...own, ["query", [...sensitive.query]], ["header", [...sensitive.headers]]] as const
  return new Set(
    all.flatMap(([place, names]) =>
      names.map((name) => `/${pointerPlaces[place]}/${escapePointer(name)}`.toLowerCase()),
    ),
  )
}

/** Returns the lowercase names of secret headers. */
function secretNames(
  location: "header" | "query",
  { params }: ExpandedRequest,
  credentials: readonly Credential[],
): ReadonlySet<string> {
  let names: Set<string> | undefined
  for (const [name, given] of params[location])
    if (given.isSecret)
      for (const own of location === "header" ? [name.toLowerCase()] : queryNames(name, given))
        (names ??= new Set()).add(own)
  for (const credential of credentials)
    if (credential.location === location)
      (names ??= new Set()).add(location === "header" ? credential.name.toLowerCase() : credential.name)
  return names ?? noNames
}

/** Returns the names under which a query parameter is sent. An object may be sent under the names of its members. */
const queryNames = (name: string, given: ParamValue): readonly string[] =>
  writeQuery(name, given).flatMap(([own, value]) =>
    value === undefined ? [...new URLSearchParams(own).keys()] : decodeURIComponent(own),
  )
