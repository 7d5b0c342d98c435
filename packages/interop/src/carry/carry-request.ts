// Carries one request over: as an operation with overrides, or as a saved request.

import {
  attempt,
  formatPath,
  getOrCreate,
  isArrayIndex,
  isHttpToken,
  isJsonObject,
  type Block,
  type BodyType,
  type JsonValue,
  type PlannedFile,
  type RequestTarget,
  type SavedRequest,
  ownOf,
  setOwn,
  stringifyJson,
  toBase64,
  isSecretName,
  UniqueNames,
} from "@callsheet/format"
import { findOperation, requestMediaType, writerOf, type Operation } from "@callsheet/openapi"
import type { Reason } from "../losses.ts"
import { reasons } from "../messages.ts"
import type { Auth, Body, DataPiece, Loss, Pair, Request, Segment } from "../model.ts"
import { decodePercent, hasVariables, plainText, variablesIn, type Text } from "../text.ts"
import { bodyOfData, fieldsOf } from "../read/curl-data.ts"
import { splitUrl } from "../read/url.ts"
import { describeItem } from "./describe-item.ts"
import type { FlatRequest } from "./flatten.ts"
import { mapStrings, readJsonBody, usesIn, withoutMark } from "./json-body.ts"
import type { Match } from "./match.ts"
import { camelCase } from "./names.ts"
import { jsonFile, type CarriedApi, type Names, type SavedName } from "./read-names.ts"
import { addUses, renderValue, type RenderContext, type Results } from "./render.ts"
import { secretCause } from "./secret-values.ts"
import type { Place, Secrets } from "./secrets.ts"
import type { ScopeEnvironment } from "./scope.ts"
import type { Variables } from "./variables.ts"

/** A line feed, a carriage return and a null character. */
const BREAKS: ReadonlySet<number> = new Set([10, 13, 0])

type TextMap = Record<string, string>

/** A request with everything that carrying it over adds to the project. */
export interface CarriedRequest {
  /** What the block of the request sends: an operation with overrides, or a saved request. */
  readonly target: Block<"request">["request"]
  readonly isSaved: boolean
  readonly files: readonly PlannedFile[]
  readonly losses: readonly Loss[]
  /** The header or query parameter for the authentication of a folder or collection that no security scheme replaces. */
  readonly sharedAuth: SharedAuth | undefined
}

export interface SharedAuth {
  /** The place of the folder or collection. */
  readonly where: string
  /** Such as `header authorization`. */
  readonly what: string
  /** The variables of the API that have the value. */
  readonly variables: readonly string[]
}

/** Carries a request over. Undefined if it can't be sent. `results` has the variables that earlier blocks set. */
export function carryRequest(names: Names, request: Request, results: Results): CarriedRequest | undefined {
  const flat = names.flat.get(request)
  const api = names.apiOf.get(request)
  const path = api?.origin.paths.get(request)
  if (flat === undefined || api === undefined || path === undefined) return undefined
  return new RequestCarrier({ names, flat, api, path, results }).carry()
}

interface RequestContext {
  readonly names: Names
  readonly flat: FlatRequest
  readonly api: CarriedApi
  /** The path after the base URL. */
  readonly path: readonly Segment[]
  readonly results: Results
}

interface CarriedBody {
  readonly value: JsonValue
  readonly type: BodyType
  readonly mediaType?: string | undefined
}

class RequestCarrier {
  readonly #context: RequestContext
  readonly #match: Match | undefined
  readonly #rendering: RenderContext
  readonly #secrets: Secrets
  readonly #variables: Variables
  readonly #files: PlannedFile[] = []
  readonly #losses: Loss[] = []
  readonly #query: TextMap = {}
  readonly #header: TextMap = {}
  readonly #pathParams: TextMap = {}
  #sharedAuth: SharedAuth | undefined

  constructor(context: RequestContext) {
    const { names, api, flat, path, results } = context
    this.#context = context
    this.#rendering = { names, api, where: flat.request.where, results, prefix: "", losses: this.#losses }
    this.#match = api.find(flat.request.method, path)
    this.#secrets = names.secrets
    this.#variables = names.variables
  }

  carry(): CarriedRequest {
    const { api, names } = this.#context
    const content = this.#content()
    addUses(content, api)
    const target = "saved" in content ? this.#save(content.saved) : content.target
    return {
      target: { api: api.name, ...target } as Block<"request">["request"],
      isSaved: this.#match === undefined || names.savesRequests,
      files: this.#files,
      losses: this.#losses,
      sharedAuth: this.#sharedAuth,
    }
  }

  /** Returns the operation and its overrides, or a saved request if only that can express the request. */
  #content(): { readonly target: Omit<RequestTarget, "api"> } | { readonly saved: SavedRequest } {
    const { request, auth } = this.#context.flat
    const match = this.#match
    this.#addHeaders(request.headers)
    this.#addAuth(auth)
    const { query, data = [] } = request.url
    this.#addQuery([...query, ...fieldsOf(this.#readPieces(data))])
    const body = request.body === undefined ? undefined : this.#body(request.body)
    this.#addContentType(body)
    for (const [name, text] of match?.params ?? []) setOwn(this.#pathParams, name, this.#render(text))
    const path = match === undefined ? this.#openPath() : ""
    const params = withoutEmpty({ query: this.#query, path: this.#pathParams, header: this.#header })
    const settings = {
      ...(request.followRedirects === false ? { followRedirects: false } : {}),
      ...(request.timeoutMs === undefined ? {} : { timeoutMs: request.timeoutMs }),
    }
    const isPlain = Object.keys(settings).length === 0
    const mayOverride = isPlain && !this.#context.names.savesRequests
    const overrides =
      match !== undefined && mayOverride ? this.#bodyOverrides(body, match.operation) : undefined
    if (match !== undefined && overrides !== undefined)
      return {
        target: {
          operation: operationName(match.operation),
          ...withoutEmpty({ overrides: withoutEmpty({ params, body: overrides }) }),
        },
      }
    const target =
      match === undefined
        ? { method: this.#secrets.name(request.method, this.#place("method")), path }
        : { operation: operationName(match.operation) }
    const content =
      body === undefined ? {} : { body: body.value, ...(body.type === "json" ? {} : { bodyType: body.type }) }
    return {
      saved: {
        version: 1,
        ...target,
        ...withoutEmpty({ params }),
        ...content,
        ...settings,
      },
    }
  }

  #lose(what: string, reason: Reason): void {
    this.#losses.push({ where: this.#context.flat.request.where, what, reason })
  }

  #render = (text: Text): string => renderValue(text, this.#rendering)

  /** Saves a request. Equal copies of one are saved once. */
  #save(request: SavedRequest): SavedName {
    const { api, flat, names: all } = this.#context
    const place = this.#place("name")
    const { copyOf } = flat.request
    const copies = copyOf && getOrCreate(api.savedCopies, copyOf, () => new Map<string, SavedName>())
    const saved = copies?.get(stringifyJson(request))
    if (saved !== undefined) return saved
    const folders = flat.folders.map((folder) => folder.name).join(" ")
    const resource = this.#secrets.unicodeSlug(folders, api.name, place)
    const names = getOrCreate(api.instanceNames, resource, () => new UniqueNames())
    const instance = names.add(this.#secrets.unicodeSlug(flat.request.name, "request", place))
    const file = `apis/${api.name}/requests/${resource}/${instance}.json`
    const { version, ...content } = request
    // Who saves a single request names its file.
    const text = all.savesRequests ? flat.request.description : describeItem(flat.request, instance)
    const description =
      text === undefined
        ? {}
        : { description: this.#render(this.#secrets.prose(text, this.#place("description"))) }
    this.#files.push(jsonFile(file, { version, ...description, ...content }))
    copies?.set(stringifyJson(request), { resource, instance })
    return { resource, instance }
  }

  /** Reads a file that the source names. Undefined if it can't. */
  #readFile(path: string): Uint8Array | undefined {
    const read = this.#context.names.readFile(path)
    if (read.ok) return read.bytes
    this.#lose(`file ${path}`, reasons[read.reason]())
    return undefined
  }

  /** Reads a file as text. Undefined if it can't, or if the file isn't UTF-8. */
  #readText(path: string): Text | undefined {
    const bytes = this.#readFile(path)
    const text =
      bytes && attempt(() => new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes))
    if (bytes !== undefined && text === undefined) this.#lose(`file ${path}`, reasons.notText())
    return text === undefined ? undefined : plainText(text)
  }

  #readPieces = (pieces: readonly DataPiece[]): readonly DataPiece[] =>
    pieces.flatMap((piece): readonly DataPiece[] => {
      if (!("file" in piece)) return [piece]
      const { file, removesBreaks, ...others } = piece
      const text = this.#readText(file)
      if (text === undefined) return []
      return [{ ...others, text: removesBreaks ? text.replaceAll(/[\r\n\0]/g, "") : text }]
    })

  /** Copies a file that the source names into the project. Undefined if it can't. */
  #copyFile(path: string, removesBreaks = false): string | undefined {
    const { names, api } = this.#context
    const key = `${api.name}\0${path}\0${removesBreaks}`
    if (names.copies.has(key)) return names.copies.get(key)
    const read = this.#readFile(path)
    if (read === undefined) return undefined
    const bytes = removesBreaks ? read.filter((byte) => !BREAKS.has(byte)) : read
    const secret = this.#secrets.first(new TextDecoder().decode(bytes))
    if (secret !== undefined) this.#lose(`file ${path}`, reasons.secretFile(secret))
    const file = secret === undefined ? this.#addFile(path, bytes) : undefined
    names.copies.set(key, file)
    return file
  }

  #addFile(path: string, bytes: Uint8Array): string {
    const { names, api } = this.#context
    const given = this.#secrets.name(path.split(/[/\\]/).at(-1) ?? "", this.#place("name of a file"))
    const name = given
      .normalize("NFC")
      .replaceAll(/[^\p{L}\p{M}\p{N}_.-]+/gu, "-")
      .replace(/^[.-]+/, "")
    const file = `apis/${api.name}/files/${names.fileNames.add(name === "" ? "file" : name)}`
    this.#files.push({ file, is: "bytes", bytes })
    return file
  }

  #place = (what: string): Place => ({ where: this.#context.flat.request.where, what })

  /** Fills in the variables of a name if they have the same value in each environment, and no script sets them. */
  #knownName(written: Text): Text {
    const { scope, setNames } = this.#context.names
    const isOpen = (name: string): boolean =>
      !setNames.has(name) &&
      this.#secrets.marked(name) === undefined &&
      scope.declarations(name).every(({ isSecret }) => isSecret !== true)
    return variablesIn(written).every(isOpen) ? (scope.resolveEverywhere(written) ?? written) : written
  }

  /** Returns the name if it contains no variables. Otherwise, reports a loss. */
  #plainName(written: Text, what: string): string | undefined {
    const name = this.#secrets.unmark(this.#knownName(written))
    if (!hasVariables(name)) return this.#secrets.name(name, this.#place(`name of a ${what}`))
    this.#lose(`${what} ${variablesIn(name).join(", ")}`, reasons.variableInName())
    return undefined
  }

  /** Writes the value of a field. A literal secret becomes a variable. */
  #value(name: string, text: Text, place: "header" | "query" | "body"): string {
    const variables = this.#variables
    // A secret that is known already has a variable.
    const isKnown = !isSecretName(name) && this.#secrets.has(text)
    const cause =
      text === "" || hasVariables(text) || isKnown
        ? undefined
        : secretCause(name, text, place === "body" ? "data" : "credential")
    if (cause === undefined) return this.#render(text)
    const why = place === "header" && cause === "name" ? "credential" : cause
    const [, scheme = "", secret = text] = /^([A-Za-z][\w-]*\s+)(\S.*)$/s.exec(text) ?? []
    const isCredential = /^(?:proxy-)?authorization$/i.test(name)
    const request = this.#context.flat.request.name
    if (!isCredential)
      return `{{${variables.secret({ hint: camelCase(name), request, value: text, cause: why })}}}`
    const hint = scheme === "" ? "authorization" : camelCase(`${scheme.trim()} credential`)
    return `${scheme}{{${variables.secret({ hint, request, value: secret, cause: "credential" })}}}`
  }

  #addHeaders(headers: readonly Pair[]): void {
    const seen = new Map<string, string>()
    for (const { name: written, value } of headers) {
      const name = this.#plainName(written, "header")
      if (name === undefined || /^(?:content-length|connection|transfer-encoding)$/i.test(name)) continue
      if (/^host$/i.test(name)) {
        const { base } = this.#context.flat.request.url
        if (base.replace(/^.*:\/\//, "") !== value) this.#lose("header host", reasons.host())
        continue
      }
      if (!isHttpToken(name)) {
        this.#lose(`header ${name}`, reasons.headerName())
        continue
      }
      const key = name.toLowerCase()
      const own = seen.get(key) ?? name
      const text = this.#value(written, value, "header")
      // HTTP joins repeated headers with commas, and cookies with semicolons.
      const before = ownOf(this.#header, own)
      setOwn(
        this.#header,
        own,
        before === undefined ? text : `${before}${key === "cookie" ? "; " : ", "}${text}`,
      )
      seen.set(key, own)
    }
  }

  #setAuthHeader(name: string, text: string): void {
    if (this.#headerOf(name) !== undefined) return
    setOwn(this.#header, name, text)
    this.#shareAuth(`header ${name}`, text)
  }

  #shareAuth(what: string, text: string): void {
    const { flat, api } = this.#context
    const variables = [...text.matchAll(/\{\{([\w-]+)\}\}/g)].map(([, name = ""]) => `${api.name}.${name}`)
    if (flat.authOf !== undefined) this.#sharedAuth = { where: flat.authOf.where, what, variables }
  }

  #headerOf = (name: string): string | undefined =>
    Object.keys(this.#header).find((one) => one.toLowerCase() === name)

  #addAuth(auth: Auth): void {
    const { names, api, flat } = this.#context
    const scheme = names.schemes.get(flat.request)
    if (scheme !== undefined) {
      api.used.add(scheme)
      return
    }
    switch (auth.kind) {
      case "none":
        return
      case "bearer":
        if (auth.token !== "")
          this.#setAuthHeader(
            "authorization",
            `${this.#secrets.name(auth.prefix ?? "Bearer", this.#place("header authorization"))} ${this.#credential("bearerToken", auth.token)}`,
          )
        return
      case "basic":
        return this.#addBasic(auth.username, auth.password)
      case "apiKey": {
        const name = this.#plainName(auth.name, `API key in ${auth.in}`)
        if (name === undefined || name === "") return
        const text = this.#credential(camelCase(name), auth.value)
        if (auth.in === "header") this.#setAuthHeader(name.toLowerCase(), text)
        else if (ownOf(this.#query, name) === undefined) {
          setOwn(this.#query, name, text)
          this.#shareAuth(`query parameter ${name}`, text)
        }
        return
      }
      case "other":
        this.#lose(`${auth.name} authentication`, reasons.authMethod(auth.name))
    }
  }

  #credential(hint: string, text: Text): string {
    if (hasVariables(text)) return this.#render(text)
    const { request, authOf } = this.#context.flat
    const owner = authOf?.name ?? request.name
    return `{{${this.#variables.secret({ hint, request: owner, value: text, cause: "credential" })}}}`
  }

  /** No template encodes Base64, so each environment gets the encoded pair as a secret. */
  #addBasic(username: Text, password: Text): void {
    const { scope, variables } = this.#context.names
    let isComplete = true
    const pairIn = (environment: ScopeEnvironment): string | undefined => {
      const [name, word] = [scope.resolve(username, environment), scope.resolve(password, environment)]
      isComplete &&= name !== undefined && word !== undefined
      return name === undefined || word === undefined ? undefined : toBase64(`${name}:${word}`)
    }
    const variable = variables.computed({
      hint: "basicCredential",
      key: `${username}\0${password}`,
      cause: "credential",
      valueIn: pairIn,
    })
    if (variables.declared(variable)?.values.size === 0 || !isComplete)
      this.#lose("basic authentication", reasons.basicUnknown(variable))
    this.#setAuthHeader("authorization", `Basic {{${variable}}}`)
  }

  #addQuery(query: readonly Pair[]): void {
    const match = this.#match
    const byName = new Map<string, { readonly written: string; readonly values: Text[] }>()
    for (const { name: written, value } of query) {
      const name = this.#plainName(written, "query parameter")
      if (name === undefined || name === "") continue
      getOrCreate(byName, name, () => ({ written, values: [] })).values.push(value)
    }
    for (const [name, { written, values }] of byName) {
      const [first = ""] = values
      const parameter = match && writerOf(match.operation, { in: "query", name })
      const repeats =
        parameter?.list === true && parameter.parameter.style === "form" && parameter.parameter.explode
      if (values.length > 1 && repeats) setOwn(this.#query, name, JSON.stringify(values.map(this.#render)))
      else {
        if (values.length > 1) this.#lose(`query parameter ${name}`, reasons.repeatedQuery())
        setOwn(this.#query, name, this.#value(written, first, "query"))
      }
    }
  }

  /** Returns the path of a saved request. Segments with variables become path parameters. */
  #openPath(): string {
    const names = new UniqueNames()
    const secrets = this.#secrets
    const segments = secrets.path(this.#context.path, this.#place("path")).map(({ text, name }) => {
      if (!hasVariables(text) && name === undefined) return text.replaceAll(/[{}]/g, encodeURIComponent)
      const [first = "value"] = variablesIn(text)
      const shown = secrets.marked(first) === undefined ? first.replace(/^\$/, "") : "secret"
      const own = names.add(secrets.variableName(name ?? shown, this.#place("path")))
      setOwn(this.#pathParams, own, this.#render(decodePercent(text)))
      return `{${own}}`
    })
    return `/${segments.join("/")}`
  }

  #body(body: Body): CarriedBody | undefined {
    switch (body.kind) {
      case "text":
        return this.#textBody(body.text, this.#mediaType() ?? body.mediaType)
      case "form":
        return {
          value: this.#fields(this.#wholeFields(body)),
          type: "form",
          mediaType: "application/x-www-form-urlencoded",
        }
      case "data": {
        const pieces = this.#readPieces(body.pieces)
        return pieces.length === 0 ? undefined : this.#body(bodyOfData({ ...body, pieces }))
      }
      case "multipart": {
        const parts: Record<string, JsonValue[]> = {}
        for (const { name: written, content: given, contentType } of body.parts) {
          const name = this.#plainName(written, "form field")
          const content = "textOf" in given ? this.#textContent(given.textOf) : given
          if (name === undefined || content === undefined) continue
          if ("value" in content && contentType !== undefined)
            this.#lose(`content type of form field ${name}`, reasons.setting())
          const file = "file" in content ? this.#copyFile(content.file) : undefined
          if ("file" in content && file === undefined) continue
          const filename = "file" in content ? content.filename : undefined
          const value =
            "value" in content
              ? this.#value(written, content.value, "body")
              : {
                  file: file ?? "",
                  ...(filename ? { filename: this.#secrets.name(filename, this.#place("file name")) } : {}),
                  ...(contentType
                    ? { contentType: this.#secrets.name(contentType, this.#place("content type")) }
                    : {}),
                }
          addTo(parts, name, value)
        }
        return { value: collapse(parts), type: "multipart", mediaType: "multipart/form-data" }
      }
      case "file": {
        const file = this.#copyFile(body.path, body.removesBreaks)
        return file === undefined
          ? undefined
          : {
              value: this.#render(file),
              type: "file",
              mediaType: body.mediaType && this.#secrets.name(body.mediaType, this.#place("content type")),
            }
      }
    }
  }

  #textContent(path: string): { readonly value: Text } | undefined {
    const value = this.#readText(path)
    return value === undefined ? undefined : { value }
  }

  /** Splits the text of a form again if a secret is in several of its fields. */
  #wholeFields({ fields, written = "" }: Extract<Body, { kind: "form" }>): readonly Pair[] {
    return this.#secrets.isParted(written)
      ? splitUrl(`?${this.#secrets.text(written, this.#place("body"))}`).query
      : fields
  }

  #fields(fields: readonly Pair[]): JsonValue {
    const values: Record<string, JsonValue[]> = {}
    for (const { name: written, value } of fields) {
      const name = this.#plainName(written, "form field")
      if (name !== undefined) addTo(values, name, this.#value(written, value, "body"))
    }
    return collapse(values)
  }

  #textBody(text: Text, mediaType: string | undefined): CarriedBody {
    const { results, names } = this.#context
    const { variables } = names
    const isJson = mediaType !== undefined && /[/+]json\b/i.test(mediaType)
    const value = isJson ? readJsonBody(text) : undefined
    const asText = (): CarriedBody => ({
      value: this.#render(isJson ? this.#secrets.json(text, this.#place("body")) : text),
      type: "text",
      mediaType,
    })
    if (value === undefined || this.#needsText(value)) return asText()
    const uses = usesIn(value)
    // As text, a value would be sent as a JSON string.
    const keepsTypes =
      uses.unquoted.every((name) => results.has(name) || variables.typeOf(name) !== "string") &&
      uses.quoted.every((name) => results.has(name) || variables.typeOf(name) === "string")
    if (!keepsTypes) return asText()
    return {
      value: mapStrings(value, (one, key) => this.#value(key, withoutMark(one), "body")),
      type: "json",
      mediaType,
    }
  }

  /** Returns whether JSON has a secret as a key or as a number, where only a text can have a placeholder. */
  #needsText(value: JsonValue): boolean {
    const { has } = this.#secrets
    const work = [value]
    for (let one = work.pop(); one !== undefined; one = work.pop()) {
      if (typeof one === "number" || typeof one === "bigint") {
        if (has(String(one))) return true
      } else if (typeof one === "object" && one !== null) {
        if (!Array.isArray(one) && Object.keys(one).some((key) => key.length >= 4 && has(key))) return true
        for (const inner of Object.values(one) as JsonValue[]) work.push(inner)
      }
    }
    return false
  }

  #mediaType(): string | undefined {
    const name = this.#headerOf("content-type")
    return name === undefined ? undefined : ownOf(this.#header, name)
  }

  /** Keeps or adds the header if callsheet would send another type, and removes it otherwise. */
  #addContentType(body: CarriedBody | undefined): void {
    const written = this.#headerOf("content-type")
    if (body === undefined) return
    if (body.type === "multipart" || body.type === "form") {
      if (written !== undefined) delete this.#header[written]
    } else if (body.type === "json") {
      const isUsual = /^application\/json\s*(?:;\s*charset=utf-8\s*)?$/i.test(
        this.#mediaType() ?? "application/json",
      )
      if (written !== undefined && isUsual) delete this.#header[written]
    } else if (written === undefined && body.mediaType !== undefined)
      this.#header["content-type"] = this.#secrets.name(body.mediaType, this.#place("content type"))
  }

  /** Returns the body as overrides. Undefined if only a saved request can express it. */
  #bodyOverrides(body: CarriedBody | undefined, operation: Operation): Record<string, JsonValue> | undefined {
    if (body === undefined) return {}
    const documented = requestMediaType(operation)?.kind ?? "json"
    const { value, type } = body
    const keys = isJsonObject(value) ? Object.keys(value) : []
    const isExpressible = keys.length > 0 && !keys.some((key) => key === "" || isArrayIndex(key))
    if (!isExpressible || documented !== type || (type !== "json" && type !== "form")) return undefined
    return Object.fromEntries(
      Object.entries(value as object).map(([key, inner]) => [formatPath([key]), inner]),
    )
  }
}

/** Returns the operationId or, if there is none or several operations share it, `METHOD /path`. */
function operationName(operation: Operation): string {
  const { name, method, path, document } = operation
  const found = findOperation(document, { operation: name })
  return found.status === "found" && found.operation.path === path ? name : `${method} ${path}`
}

function addTo(lists: Record<string, JsonValue[]>, name: string, value: JsonValue): void {
  const list = ownOf(lists, name)
  if (list === undefined) setOwn(lists, name, [value])
  else list.push(value)
}

function withoutEmpty<T extends object>(fields: T): Partial<T> {
  const kept = Object.entries(fields).filter(([, value]) => Object.keys(value as object).length > 0)
  return Object.fromEntries(kept) as Partial<T>
}

/** A field that doesn't repeat has a single value. */
const collapse = (fields: Readonly<Record<string, readonly JsonValue[]>>): JsonValue =>
  Object.fromEntries(
    Object.entries(fields).map(([name, values]) => [name, values.length === 1 ? (values[0] ?? "") : values]),
  )
