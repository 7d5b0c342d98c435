// Turns a collection into the files of a project.

import {
  CallsheetError,
  isApiName,
  isHttpToken,
  setSecret,
  stringifyJson,
  type JsonObject,
  type JsonValue,
  type PlannedFile,
  type Scalar,
  setOwn,
} from "@callsheet/format"
import { serverUrl, type OpenApiDocument } from "@callsheet/openapi"
import { messages, reasons } from "../messages.ts"
import type { Auth, Collection, Folder, Loss, Request } from "../model.ts"
import { convertScript } from "../scripts/convert-script.ts"
import { onlyVariable, plainText, variablesIn, type Text } from "../text.ts"
import { nameOfRequest, splitUrl } from "../read/url.ts"
import { moveAccounts } from "./accounts.ts"
import { bindOperations } from "./bind-operations.ts"
import { carryRequest } from "./carry-request.ts"
import { flatten, type FlatRequest } from "./flatten.ts"
import { readJsonBody, usesIn } from "./json-body.ts"
import { createFinder, type FindOperation } from "./match.ts"
import { apiNames, UniqueNames } from "./names.ts"
import { findOrigins, type Origin } from "./origins.ts"
import { dynamicValue, isDynamic, renderText } from "./render.ts"
import { Scope } from "./scope.ts"
import { isSecretName } from "./secret-names.ts"
import type { KnownSecret, Secret, Secrets } from "./secrets.ts"
import { BASE_URL, Variables, type VariableUses } from "./variables.ts"
import { buildWorkflows, targetOf, type BuiltWorkflow, type Results } from "./workflows.ts"

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
}

export type SourceBytes =
  | { readonly ok: true; readonly bytes: Uint8Array }
  | { readonly ok: false; readonly reason: "notAllowed" | "outside" | "private" | "unreadable" | "upload" }

export interface CarriedOver {
  readonly api: string
  readonly files: readonly PlannedFile[]
  /** The names of the workflows, in the order of the source. */
  readonly workflows: readonly string[]
  readonly requests: number
  readonly operations: number
  readonly saved: number
  readonly losses: readonly Loss[]
  /** The variables that requests use but no environment sets, as `api.name`. */
  readonly unset: readonly string[]
  /** The values of the variables that are declared as secrets. */
  readonly known: readonly KnownSecret[]
}

export const carryOver = (request: CarryRequest): CarriedOver => new Carrier(request).carry()

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

interface RenderContext {
  readonly api: CarriedApi
  readonly where: string
  readonly results: Results
  readonly prefix: string
}

interface CarriedApi {
  readonly name: string
  readonly document: OpenApiDocument | undefined
  readonly origin: Origin
  readonly find: FindOperation
  /** The declared variables that the API's files use. */
  readonly used: Set<string>
  readonly instanceNames: Map<string, UniqueNames>
}

type DraftFile = PlannedFile | { readonly file: string; readonly is: "json"; readonly value: JsonValue }

class Carrier {
  readonly #collection: Collection
  readonly #readFile: CarryRequest["readFile"]
  readonly #scope: Scope
  readonly #flat: ReadonlyMap<Request, FlatRequest>
  readonly #variables: Variables
  readonly #apis: readonly CarriedApi[]
  readonly #apiOf: ReadonlyMap<Request, CarriedApi>
  readonly #losses: Loss[]
  readonly #files: DraftFile[] = []
  /** The variables that scripts set. */
  readonly #setNames: ReadonlySet<string>
  readonly #copies = new Map<string, string | undefined>()
  readonly #fileNames = new UniqueNames()
  readonly #secrets: Secrets
  #operations = 0
  #saved = 0

  constructor({ collection: given, api, document, documents = new Map(), readFile, secrets }: CarryRequest) {
    this.#secrets = secrets
    const [own] = given.documents ?? []
    const byName = new Map([...documents].map(([name, further]) => [name, further.document]))
    if (own !== undefined && document !== undefined) byName.set(own.name, document)
    const collection = {
      ...given,
      root: withWholeUrls(moveAccounts(bindOperations(given.root, byName)), secrets),
    }
    this.#collection = collection
    this.#readFile = readFile
    this.#losses = [...collection.losses]
    this.#scope = new Scope(collection, secrets)
    const flat = flatten(collection.root)
    this.#flat = new Map(flat.map((one) => [one.request, one]))
    this.#setNames = new Set(
      flat
        .flatMap(({ request, scripts }) => [
          ...(request.steps ?? []),
          ...scripts.flatMap((script) => convertScript(script).steps),
        ])
        .flatMap((step) => (step.is === "set" ? step.variable : [])),
    )
    const uses = findUses(flat)
    this.#variables = new Variables({ scope: this.#scope, uses, secrets, where: collection.root.where })
    const find = createFinder(document, (text) => this.#scope.resolveEverywhere(text))
    const requests = flat.map(({ request }) => request).filter((request) => this.#isSendable(request))
    const origins = findOrigins({ requests, scope: this.#scope, document, find })
    const ownName = apiNameFor(collection, secrets, api)
    const names = apiNames([ownName, ...[...documents.values()].map((further) => further.api)])
    const all = origins.length > 0 ? origins : [this.#originWithoutRequests()]
    this.#apis = all.map((origin, at) => {
      const further = documents.get(origin.label)
      const name =
        at === 0
          ? ownName
          : (further?.api ?? names.add(secrets.slug(origin.label.replaceAll(/[{}]/g, ""), "other")))
      const finder =
        at === 0 ? find : createFinder(further?.document, (text) => this.#scope.resolveEverywhere(text))
      return {
        name,
        document: at === 0 ? document : further?.document,
        origin,
        find: finder,
        used: new Set(),
        instanceNames: new Map(),
      }
    })
    this.#apiOf = new Map(
      this.#apis.flatMap((one) => [...one.origin.paths.keys()].map((request) => [request, one] as const)),
    )
  }

  /** Without requests, the base URL can come only from a variable. */
  #originWithoutRequests(): Origin {
    const baseUrls = new Map<string, string>()
    for (const environment of this.#scope.environments) {
      const value = this.#scope.variable(BASE_URL, environment)?.value
      if (typeof value === "string" && value !== "") baseUrls.set(environment.name, value)
    }
    return { paths: new Map(), baseUrls, variable: BASE_URL, label: "" }
  }

  carry(): CarriedOver {
    const workflows = buildWorkflows({
      collection: this.#collection,
      carry: (request, results) => this.#carry(request, results),
      render: (text, request, results) => this.#renderIn(request, text, results),
      scriptsOf: (request) => this.#flat.get(request)?.scripts ?? [],
      takenIds: this.#variables.names,
      secrets: this.#secrets,
      lose: (loss) => this.#losses.push(loss),
    })
    const [own] = this.#apis
    for (const name of this.#scope.names)
      if (own !== undefined && own.origin.variable !== name) own.used.add(this.#variables.nameOf(name))
    for (const api of this.#apis) this.#addEnvironments(api)
    for (const workflow of workflows) this.#addWorkflow(workflow)
    this.#addReadme(own?.name)
    return {
      api: own?.name ?? apiNameFor(this.#collection, this.#secrets),
      files: this.#files.map(finish),
      workflows: workflows.map(({ name }) => name),
      requests: this.#flat.size,
      operations: this.#operations,
      saved: this.#saved,
      losses: distinct(
        [...this.#losses, ...this.#variableLosses(), ...this.#secrets.losses].map((loss) =>
          this.#maskLoss(loss),
        ),
      ),
      unset: this.#apis.flatMap((api) => this.#unsetIn(api)),
      known: this.#variables.known,
    }
  }

  #lose = (where: string, what: string, reason: string): void =>
    void this.#losses.push({ where, what, reason })

  #variableLosses = (): readonly Loss[] =>
    this.#variables.losses.map((loss) => ({
      ...loss,
      where: `${this.#collection.root.where}: ${loss.where}`,
    }))

  /** Returns whether callsheet can send the request. Otherwise, the request is lost. */
  #isSendable({ where, method, url, operation }: Request): boolean {
    const isEmpty = url.base === "" && url.path.length === 0
    const [, scheme] = /^([A-Za-z][A-Za-z0-9+.-]*):\/\//.exec(url.base) ?? []
    const reason = !isHttpToken(method)
      ? operation === undefined
        ? reasons.invalidMethod()
        : reasons.unknownOperation(operation.name, operation.source)
      : isEmpty
        ? reasons.noUrl()
        : scheme !== undefined && !/^https?$/i.test(scheme)
          ? reasons.scheme()
          : undefined
    if (reason !== undefined) this.#lose(where, "request", reason)
    return reason === undefined
  }

  #renderIn(request: Request, text: Text, results: Results): string {
    const api = this.#apiOf.get(request)
    if (api === undefined) return ""
    const rendered = this.#render(text, { api, where: request.where, results, prefix: `env.${api.name}.` })
    this.#use({ rendered }, api)
    return rendered
  }

  #carry(request: Request, results: Results) {
    const flat = this.#flat.get(request)
    const api = this.#apiOf.get(request)
    const path = api?.origin.paths.get(request)
    if (flat === undefined || api === undefined || path === undefined) return undefined
    const match = api.find(request.method, path)
    const carried = carryRequest({
      flat,
      match,
      path,
      variables: this.#variables,
      render: (text) => this.#render(text, { api, where: request.where, results, prefix: "" }),
      resolve: (text, environment) => this.#scope.resolve(text, environment),
      isFromRun: (name) => results.has(name),
      secrets: this.#secrets,
      copyFile: (file) => this.#copyFile(file, api.name, request.where),
      lose: (loss) => this.#losses.push(loss),
    })
    if (match === undefined) this.#saved++
    else this.#operations++
    this.#use(carried, api)
    return targetOf(api.name, carried, carried.saved && this.#save(carried.saved, api, flat))
  }

  /** Converts a text to a template. Blocks other than requests read variables with `prefix`. */
  #render(text: Text, { api, where, results, prefix }: RenderContext): string {
    const clean = this.#secrets.text(text, { where, what: "value" })
    return renderText(clean, (name) => {
      const secret = this.#secrets.marked(name)
      if (secret !== undefined) return `{{${prefix}${this.#variableOf(secret, api)}}}`
      const result = results.get(name)
      if (result !== undefined) return `{{${result}}}`
      if (isDynamic(name)) {
        const dynamic = dynamicValue(name)
        if (dynamic.reason !== undefined) this.#lose(where, `dynamic value ${name}`, dynamic.reason)
        return dynamic.text
      }
      if (this.#setNames.has(name)) this.#lose(where, `variable ${name}`, reasons.setElsewhere())
      return `{{${prefix}${name === api.origin.variable ? BASE_URL : this.#variables.nameOf(name)}}}`
    })
  }

  /** Returns the variable of a secret. An API can't read variables of others, so it gets one of its own. */
  #variableOf({ value, holders }: Secret, api: CarriedApi): string {
    const [first] = holders
    // The source's own variables come first, because a later import finds them in the project, too.
    const own =
      holders.find((one) => one.is === "source") ??
      holders.find((one) => one.is === "project" && one.api === api.name) ??
      holders.find((one) => one.is !== "project")
    switch (own?.is) {
      case "source":
        return own.name === api.origin.variable ? BASE_URL : this.#variables.nameOf(own.name)
      case "project":
        return own.name
      case "found":
        return this.#variables.secret(own.hint, own.value)
      case undefined:
        return this.#variables.secret(first?.is === "project" ? first.name : "secret", value)
    }
  }

  /** Records the variables that a value uses. */
  #use(value: object, api: CarriedApi): void {
    for (const [, name = ""] of stringifyJson(value).matchAll(/\{\{(?:env\.[\w-]+\.)?([A-Za-z_][\w-]*)\}\}/g))
      if (name !== BASE_URL) api.used.add(name)
  }

  #save(request: object, api: CarriedApi, { request: { name, where }, folders }: FlatRequest) {
    const place = { where, what: "name" }
    const resource = this.#secrets.slug(folders.map((folder) => folder.name).join(" "), api.name, place)
    const names = api.instanceNames.get(resource) ?? new UniqueNames()
    api.instanceNames.set(resource, names)
    const instance = names.add(this.#secrets.slug(name, "request", place))
    this.#files.push({
      file: `apis/${api.name}/requests/${resource}/${instance}.json`,
      is: "json",
      value: request as JsonObject,
    })
    return { resource, instance }
  }

  #copyFile(path: string, api: string, where: string): string | undefined {
    const key = `${api}\0${path}`
    const read = this.#copies.has(key) ? undefined : this.#readFile(path)
    if (read?.ok === false) this.#lose(where, `file ${path}`, reasons[read.reason]())
    const secret = read?.ok === true ? this.#secrets.first(new TextDecoder().decode(read.bytes)) : undefined
    if (secret !== undefined) {
      this.#lose(where, `file ${path}`, reasons.secretFile(secret))
      this.#copies.set(key, undefined)
    } else if (read?.ok === true) {
      const given = this.#secrets.name(path.split(/[/\\]/).at(-1) ?? "", { where, what: "name of a file" })
      const name = given.replaceAll(/[^\w.-]+/g, "-").replace(/^[.-]+/, "")
      const file = `apis/${api}/files/${this.#fileNames.add(name === "" ? "file" : name)}`
      this.#files.push({ file, is: "bytes", bytes: read.bytes })
      this.#copies.set(key, file)
    }
    return this.#copies.get(key)
  }

  #addWorkflow({ name, workflow, scripts }: BuiltWorkflow): void {
    this.#files.push({
      file: `apis/workflow/${name}.json`,
      is: "json",
      value: workflow as object as JsonObject,
    })
    for (const [script, text] of scripts)
      this.#files.push({ file: `apis/workflow/scripts/${name}/${script}.ts`, is: "text", text })
  }

  /** Writes descriptions to the README, because the format has no field for them. */
  #addReadme(api: string | undefined): void {
    const { root } = this.#collection
    const folders = root.items.filter((item) => item.kind === "folder")
    const sections = [root, ...folders].flatMap(({ name, description, where }) =>
      description === undefined
        ? []
        : [
            `${name === root.name ? "#" : "##"} ${this.#secrets.name(name)}\n\n${this.#text(description, where)}\n`,
          ],
    )
    if (api !== undefined && sections.length > 0)
      this.#files.push({ file: `apis/${api}/README.md`, is: "text", text: sections.join("\n") })
  }

  #text = (description: Text, where: string): string =>
    this.#secrets.prose(plainText(description), { where, what: "description" }).trim()

  #addEnvironments({ name: api, document, origin, used }: CarriedApi): void {
    const { environments } = this.#scope
    const folder = `apis/${api}/environments`
    const declared = [...used].flatMap((name) => this.#variables.declared(name) ?? [])
    const hasFallback = document !== undefined && serverUrl(document) !== undefined
    const isRequired = !hasFallback || environments.every(({ name }) => origin.baseUrls.has(name))
    const isSecretBase = [...origin.baseUrls.values()].some(
      (url) => /^https?:\/\/[^/]*@/i.test(url) || this.#secrets.has(url),
    )
    const variables: Record<string, JsonValue> = {
      [BASE_URL]: {
        type: "string",
        required: isRequired,
        description: "Base URL of the API.",
        ...(isSecretBase ? { secret: true } : {}),
      },
    }
    for (const { name, type, isSecret, description, default: fallback } of declared)
      setOwn(variables, name, {
        type,
        required: false,
        ...(description === undefined ? {} : { description }),
        ...(isSecret ? { secret: true } : {}),
        ...(fallback === undefined ? {} : { default: fallback }),
      })
    this.#files.push({ file: `${folder}/schema.json`, is: "declarations", variables })
    for (const environment of environments) {
      const baseUrl = origin.baseUrls.get(environment.name)
      const given = baseUrl === undefined ? {} : { [BASE_URL]: baseUrl }
      const values: Record<string, Scalar> = isSecretBase ? {} : given
      const secrets: Record<string, string> = isSecretBase ? given : {}
      for (const { name, isSecret, values: own } of declared) {
        const value = own.get(environment.name)
        if (value === undefined) continue
        if (isSecret && !setSecret("", name, String(value)).ok)
          this.#lose(this.#collection.root.where, `secret ${name}`, reasons.unquotable())
        else if (isSecret) setOwn(secrets, name, String(value))
        else setOwn(values, name, value)
      }
      this.#files.push({ file: `${folder}/${environment.name}.json`, is: "json", value: values })
      if (Object.keys(secrets).length > 0)
        this.#files.push({
          file: `${folder}/${environment.name}.secrets.env`,
          is: "secrets",
          values: secrets,
        })
    }
  }

  #unsetIn({ name: api, document, origin, used }: CarriedApi): readonly string[] {
    // An empty text is a value. Secrets and variables of the process have none in the source.
    const given = new Set(
      this.#scope.names
        .filter((known) => this.#scope.declarations(known).some(({ value }) => value !== undefined))
        .map((known) => this.#variables.nameOf(known)),
    )
    const unset = [...used].filter((name) => {
      const declared = this.#variables.declared(name)
      const isUnknown = declared !== undefined && declared.values.size === 0 && declared.default === undefined
      return isUnknown && !given.has(name)
    })
    const hasBase = origin.baseUrls.size > 0 || (document !== undefined && serverUrl(document) !== undefined)
    return [...(hasBase ? [] : [BASE_URL]), ...unset].map((name) => `${api}.${name}`)
  }

  #maskLoss = ({ where, what, reason }: Loss): Loss => ({
    where: this.#secrets.prose(where),
    what: this.#secrets.prose(what),
    reason,
  })
}

const finish = (planned: DraftFile): PlannedFile =>
  planned.is === "json"
    ? { file: planned.file, is: "text", text: `${stringifyJson(planned.value, { indent: 2 })}\n` }
    : planned

/**
 * Splits a URL again if a secret is in several of its parts. Formats without names use the path as the name of a request,
 * without secrets.
 */
function withWholeUrls(folder: Folder, secrets: Secrets): Folder {
  const items = folder.items.map((item) =>
    item.kind === "folder" ? withWholeUrls(item, secrets) : withWholeUrl(item, secrets),
  )
  return { ...folder, items }
}

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

const distinct = (losses: readonly Loss[]): readonly Loss[] => [
  ...new Map(losses.map((loss) => [JSON.stringify([loss.where, loss.what, loss.reason]), loss])).values(),
]

function findUses(flat: readonly FlatRequest[]): VariableUses {
  const [unquoted, quoted, credentials] = [new Set<string>(), new Set<string>(), new Set<string>()]
  for (const { request, auth } of flat) {
    for (const name of credentialVariables(auth)) credentials.add(name)
    for (const { name, value } of [...request.headers, ...request.url.query])
      if (isSecretName(name)) for (const used of variablesIn(value)) credentials.add(used)
    const { body } = request
    const json = body?.kind === "text" ? readJsonBody(body.text) : undefined
    if (json === undefined) continue
    const uses = usesIn(json)
    for (const name of uses.unquoted) unquoted.add(name)
    for (const name of uses.quoted) quoted.add(name)
  }
  return { unquoted, quoted, credentials }
}

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
