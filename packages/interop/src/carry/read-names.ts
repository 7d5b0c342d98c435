// The first pass of an import: the names, variables and APIs that a collection becomes.

import {
  CallsheetError,
  isApiName,
  isHttpToken,
  stringifyJson,
  type PlannedFile,
  isSecretName,
  UniqueNames,
} from "@callsheet/format"
import type { OpenApiDocument } from "@callsheet/openapi"
import type { Reason } from "../losses.ts"
import { messages, reasons } from "../messages.ts"
import type { Auth, Collection, Loss, Request } from "../model.ts"
import { convertScript } from "../scripts/convert-script.ts"
import { variablesSetBy } from "../scripts/steps.ts"
import { onlyVariable, variablesIn, type Text } from "../text.ts"
import { nameOfRequest, splitUrl } from "../read/url.ts"
import { moveAccounts } from "./accounts.ts"
import { bindOperation } from "./bind-operation.ts"
import { checkBases, urlRefusal } from "./check-url.ts"
import { flatten, mapRequests, type FlatRequest } from "./flatten.ts"
import { readJsonBody, usesIn } from "./json-body.ts"
import { findFlows, type Flow } from "./flows.ts"
import { createFinder, type FindOperation } from "./match.ts"
import { apiNames, variableName } from "./names.ts"
import { findOrigins, type Origin } from "./origins.ts"
import { findSchemes } from "./schemes.ts"
import { Scope } from "./scope.ts"
import { codeName } from "./secret-values.ts"
import { settleUrl } from "./settle-url.ts"
import type { Place, Secrets } from "./secrets.ts"
import { BASE_URL, Variables, type VariableUses } from "./variables.ts"

export interface CarryRequest {
  readonly collection: Collection
  /** The name of the API. By default, the slug of the collection's name. */
  readonly api?: string | undefined
  readonly document?: OpenApiDocument | undefined
  /** The further documents that requests refer to, by name. */
  readonly documents?: ReadonlyMap<string, { readonly api: string; readonly document: OpenApiDocument }>
  /** Reads a file that the collection names, by the path in the collection. */
  readonly readFile: (path: string) => SourceBytes
  readonly secrets: Secrets
  /** True to write every request as a saved request, and no workflows. */
  readonly savesRequests?: boolean | undefined
}

export type SourceBytes =
  | { readonly ok: true; readonly bytes: Uint8Array }
  | { readonly ok: false; readonly reason: "notAllowed" | "outside" | "private" | "unreadable" | "upload" }

export const jsonFile = (file: string, value: object): PlannedFile => ({
  file,
  is: "text",
  text: `${stringifyJson(value, { indent: 2 })}\n`,
})

/** Everything that the files of a project depend on, before any of them is written. */
export interface Names {
  readonly collection: Collection
  readonly secrets: Secrets
  readonly scope: Scope
  readonly variables: Variables
  readonly flat: ReadonlyMap<Request, FlatRequest>
  /** The variables that requests pass to later ones. The workflows of Arazzo pass theirs by inputs and outputs. */
  readonly flows: readonly Flow[]
  readonly apis: readonly CarriedApi[]
  /** A request that can't be sent has none. */
  readonly apiOf: ReadonlyMap<Request, CarriedApi>
  /** The variables of security schemes that authorize requests. */
  readonly schemes: ReadonlyMap<Request, string>
  /** The variables that scripts set. */
  readonly setNames: ReadonlySet<string>
  readonly losses: readonly Loss[]
  readonly readFile: CarryRequest["readFile"]
  /** The copies of files by API and path. Undefined if a file can't be copied. */
  readonly copies: Map<string, string | undefined>
  readonly fileNames: UniqueNames
  readonly savesRequests: boolean
}

export interface CarriedApi {
  readonly name: string
  readonly document: OpenApiDocument | undefined
  readonly origin: Origin
  readonly find: FindOperation
  /** The declared variables that the API's files use. */
  readonly used: Set<string>
  readonly instanceNames: Map<string, UniqueNames>
  /** The saved requests by the request that they repeat, and by their content. */
  readonly savedCopies: Map<Request, Map<string, SavedName>>
}

/** Where a saved request is. */
export interface SavedName {
  readonly resource: string
  readonly instance: string
}

/** Returns the name of the collection's API. Throws `import-source` if `given` is not a valid name. */
export function apiNameFor(collection: Collection, secrets: Secrets, given?: string): string {
  // With several documents, each has the name of its own.
  const [own, ...others] = collection.documents ?? []
  const source = own === undefined || others.length === 0 ? collection.root.name : own.name
  const place = { where: collection.root.where, what: "name" }
  const name = given ?? apiNames([]).add(secrets.slug(source, "api", place))
  if (isApiName(name)) return name
  throw new CallsheetError(messages["import-source"].apiName(name))
}

/** Returns the name of the API of a further document. */
export const furtherApi = (source: string, own: string, secrets: Secrets): string =>
  apiNames([own]).add(secrets.slug(source, "other"))

export function readNames(request: CarryRequest): Names {
  const { document, documents = new Map(), secrets, readFile } = request
  const { collection, scope, setNames, settled } = settleUrls(request)
  const flat = flatten(collection.root)
  const find = createFinder(document, (text) => scope.resolveEverywhere(text))
  const requests = flat.map((one) => one.request)
  const losses = requests.flatMap((one): readonly Loss[] => {
    const reason = refusal(one, scope)
    return reason === undefined ? [] : [{ where: one.where, what: "request", reason }]
  })
  const sendable = requests.filter((one) => refusal(one, scope) === undefined)
  const checked = checkBases(sendable, scope)
  const origins = findOrigins({ requests: checked.requests, scope, document, find })
  const ownName = apiNameFor(collection, secrets, request.api)
  const names = apiNames([ownName, ...[...documents.values()].map((further) => further.api)])
  const all = origins.length > 0 ? origins : [originWithoutRequests(scope)]
  const placeOf = ({ paths }: Origin): Place => {
    const [first] = paths.keys()
    return { where: first?.where ?? collection.root.where, what: "name of a server" }
  }
  const apis = all.map((origin, at): CarriedApi => {
    const further = documents.get(origin.label)
    const other = () =>
      further?.api ?? names.add(secrets.slug(origin.label.replaceAll(/[{}]/g, ""), "other", placeOf(origin)))
    return {
      name: at === 0 ? ownName : other(),
      document: at === 0 ? document : further?.document,
      origin,
      find: at === 0 ? find : createFinder(further?.document, (text) => scope.resolveEverywhere(text)),
      used: new Set(),
      instanceNames: new Map(),
      savedCopies: new Map(),
    }
  })
  const schemes = findSchemes({ flat, apis, scope, setNames })
  const variables = new Variables({
    scope,
    uses: findUses(flat),
    secrets,
    where: collection.root.where,
    schemes: schemes.variables,
  })
  return {
    collection,
    secrets,
    scope,
    variables,
    schemes: schemes.byRequest,
    flat: new Map(flat.map((one) => [one.request, one])),
    flows: collection.source === "arazzo" ? [] : findFlows(flat),
    apis,
    apiOf: new Map(apis.flatMap((one) => [...one.origin.paths.keys()].map((path) => [path, one] as const))),
    setNames,
    losses: [...collection.losses, ...settled, ...losses, ...checked.losses],
    readFile,
    copies: new Map(),
    fileNames: new UniqueNames(),
    savesRequests: request.savesRequests ?? false,
  }
}

/** Writes the values of variables that are several parts of a URL, and returns what readers of names need. */
function settleUrls(request: CarryRequest) {
  const completed = completeRequests(request)
  const scope = new Scope(completed, request.secrets)
  const setNames = findSetNames(flatten(completed.root))
  const settled: Loss[] = []
  const settling = { scope, setNames, plain: new Map<string, boolean>(), losses: settled }
  const root = mapRequests(completed.root, (one) => settleUrl(one, settling))
  return { collection: { ...completed, root }, scope, setNames, settled }
}

/** Returns the names without what carrying requests over has added: names of files, copies and used variables. */
export function unusedNames(names: Names): Names {
  const apis = new Map(
    names.apis.map((api) => [
      api,
      { ...api, used: new Set<string>(), instanceNames: new Map(), savedCopies: new Map() },
    ]),
  )
  const fresh = (api: CarriedApi): CarriedApi => apis.get(api) ?? api
  return {
    ...names,
    apis: names.apis.map(fresh),
    apiOf: new Map([...names.apiOf].map(([request, api]) => [request, fresh(api)])),
    copies: new Map(),
    fileNames: new UniqueNames(),
  }
}

/** Completes requests with what documents and the accounts in URLs say. */
function completeRequests({
  collection,
  document,
  documents = new Map(),
  secrets,
}: CarryRequest): Collection {
  const [own] = collection.documents ?? []
  const byName = new Map([...documents].map(([name, further]) => [name, further.document]))
  if (own !== undefined && document !== undefined) byName.set(own.name, document)
  const root = moveAccounts(mapRequests(collection.root, (one) => bindOperation(one, byName)))
  return { ...collection, root: mapRequests(root, (one) => withWholeUrl(one, secrets)) }
}

/** Without requests, the base URL can come only from a variable. */
function originWithoutRequests(scope: Scope): Origin {
  const baseUrls = new Map<string, string>()
  for (const environment of scope.environments) {
    const value = scope.variable(BASE_URL, environment)?.value
    if (typeof value === "string" && value !== "") baseUrls.set(environment.name, value)
  }
  return { paths: new Map(), baseUrls, variable: BASE_URL, label: "" }
}

/** Returns the reason why callsheet can't send a request. */
function refusal({ method, url, operation }: Request, scope: Scope): Reason | undefined {
  if (isHttpToken(method)) return urlRefusal(url, scope)
  return operation === undefined
    ? reasons.invalidMethod()
    : reasons.unknownOperation(operation.name, operation.source)
}

const findSetNames = (flat: readonly FlatRequest[]): ReadonlySet<string> =>
  new Set(
    flat.flatMap(({ request, scripts }) => [
      ...variablesSetBy(request.steps ?? []),
      ...scripts.flatMap((script) => variablesSetBy(convertScript(script).steps)),
    ]),
  )

/**
 * Splits a URL again if a secret is in several of its parts. Formats without names use the path as the name of a request,
 * without secrets.
 */
function withWholeUrl(request: Request, secrets: Secrets): Request {
  const { url, method, name, where } = request
  const { written = "" } = url
  const place = { where, what: "URL" }
  const whole = secrets.isParted(written) ? splitUrl(secrets.text(written, place)) : undefined
  const rest = url.query.slice(splitUrl(written).query.length)
  const clean = whole === undefined ? url : { ...whole, query: [...whole.query, ...rest] }
  if (name !== nameOfRequest(method, url)) return { ...request, url: clean }
  const path = secrets.path(clean.path, { where, what: "name" })
  const shown = secrets.unmark(nameOfRequest(method, { ...clean, path }))
  return {
    ...request,
    name: shown,
    where: where.endsWith(`: ${name}`) ? where.slice(0, -name.length) + shown : where,
    url: clean,
  }
}

function findUses(flat: readonly FlatRequest[]): VariableUses {
  const [unquoted, quoted, credentials] = [new Set<string>(), new Set<string>(), new Set<string>()]
  const used = new Set<string>()
  for (const { request, auth } of flat) {
    for (const text of textsOf(request)) for (const name of variablesIn(text)) used.add(name)
    for (const name of credentialVariables(auth)) credentials.add(name)
    for (const { name, value } of [...request.headers, ...request.url.query])
      if (isSecretName(name) && !codeName.test(name))
        for (const used of variablesIn(value)) credentials.add(used)
    const { body } = request
    const json = body?.kind === "text" ? readJsonBody(body.text) : undefined
    if (json === undefined) continue
    const uses = usesIn(json)
    for (const name of uses.unquoted) unquoted.add(name)
    for (const name of uses.quoted) quoted.add(name)
  }
  const names = new Set([...used].map((name) => variableName(name).toLowerCase()))
  return { unquoted, quoted, credentials, names }
}

const textsOf = ({ url, headers, body }: Request): readonly Text[] => [
  ...url.path.map(({ text }) => text),
  ...[...url.query, ...headers, ...(body?.kind === "form" ? body.fields : [])].map(({ value }) => value),
  ...(body?.kind === "text" ? [body.text] : []),
]

/** Returns the variables that are credentials. User names aren't. */
function credentialVariables(auth: Auth): readonly string[] {
  const texts =
    auth.kind === "bearer"
      ? [auth.token]
      : auth.kind === "basic"
        ? [auth.password]
        : auth.kind === "apiKey"
          ? [auth.value]
          : []
  return texts.flatMap((text) => onlyVariable(text) ?? [])
}
