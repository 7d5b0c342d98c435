// Writes a Postman Collection 2.1. Values of earlier responses become collection variables that test scripts set.

import {
  decodePercent,
  isJsonArray,
  isJsonObject,
  operators,
  ownOf,
  stringifyJson,
  toText,
  type JsonObject,
  type JsonValue,
} from "@callsheet/format"
import type { Reason } from "../losses.ts"
import { findResponses, identifiers, linearSteps, type LinearStep } from "./linear-steps.ts"
import { identifierCode, joinCode } from "./code.ts"
import { js, jsArray, jsObject, jsScalar, jsString, type Js } from "./js-code.ts"
import { exportReasons as reasons } from "./messages.ts"
import { postmanGuard } from "../postman-guard.ts"
import { valueOfRef, displayText } from "./display-text.ts"
import type {
  Check,
  CheckStep,
  Exported,
  ExportBody,
  ExportRequest,
  Part,
  Ref,
  RequestStep,
  Slot,
  Template,
  Writer,
} from "./model.ts"

const SCHEMA = "https://schema.getpostman.com/json/collection/v2.1.0/collection.json"

export const writePostman: Writer = (exported) => {
  const writer = new PostmanWriter(exported)
  const items = writer.items()
  const collection = {
    info: { name: exported.source.name, schema: SCHEMA },
    item: items,
    ...writer.guard(),
    variable: writer.variables(),
  }
  return { text: `${stringifyJson(collection, { indent: 2 })}\n`, requests: items.length }
}

class PostmanWriter {
  readonly #exported: Exported
  readonly #steps: readonly LinearStep[]
  readonly #responseAt: ReturnType<typeof findResponses>
  readonly #nameOf = identifiers()
  readonly #isSingle: boolean
  /** The lines of each request's test script. */
  readonly #scripts = new Map<RequestStep, Set<Js>>()
  /** The names of variables by the paths of their values. */
  readonly #names = new Map<string, string>()
  readonly #requests: RequestStep[] = []
  /** The variables that test scripts set. */
  readonly #results = new Set<string>()

  constructor(exported: Exported) {
    this.#exported = exported
    const linear = linearSteps(exported, "Postman")
    this.#steps = linear.steps
    this.#responseAt = findResponses(linear)
    this.#isSingle = exported.source.hasOneApi
  }

  items(): readonly JsonObject[] {
    const made = this.#steps.map((step) => {
      if (step.kind === "check") this.#checks(step)
      return step.kind === "send" ? this.#item(step) : undefined
    })
    return made.flatMap((item) => {
      if (item === undefined) return []
      const lines = [...(this.#scripts.get(item.step) ?? [])]
      const event = { listen: "test", script: { type: "text/javascript", exec: lines } }
      return [lines.length === 0 ? item.value : { ...item.value, event: [event] }]
    })
  }

  guard(): JsonObject {
    if (this.#results.size === 0) return {}
    const script = { type: "text/javascript", exec: postmanGuard([...this.#results]) }
    return { event: [{ listen: "prerequest", script }] }
  }

  variables(): readonly JsonObject[] {
    const { used } = this.#exported
    const known = used().filter(
      ({ kind, path }) => (kind === "variable" || kind === "input") && this.#names.has(path),
    )
    const given = known.map((ref): JsonObject => {
      const key = this.#names.get(ref.path) ?? ""
      const value = valueOfRef(ref, this.#exported)
      if (ref.isSecret) return { key, value: toText(value ?? ""), type: "secret" }
      const isScalar = typeof value === "string" || typeof value === "number" || typeof value === "boolean"
      return { key, value: value ?? "", type: isScalar ? typeof value : "any" }
    })
    const results = [...this.#names].filter(([path]) => !known.some((ref) => ref.path === path))
    const keys = new Set(results.map(([, name]) => name))
    return [...given, ...[...keys].map((key): JsonObject => ({ key, value: "", type: "any" }))]
  }

  #item(step: RequestStep): { readonly step: RequestStep; readonly value: JsonObject } | undefined {
    const { where, description } = step
    const { lose } = this.#exported
    const request = this.#escaped(step.request)
    if (!this.#isKnown(step)) return undefined
    if (this.#isMisread(request)) return lose(where, "text", reasons.looksLikeVariable())
    this.#requests.push(step)
    this.#scripts.set(step, new Set())
    if (request.auth !== undefined)
      lose(where, `${request.auth.kind} authentication`, reasons.auth("Postman"))
    const sent = request.cookies.filter(({ value }) => value.length > 0)
    if (sent.length < request.cookies.length) lose(where, "empty cookie", reasons.emptyCookie("Postman"))
    const cookie = sent.map(({ name, value }) => `${name}=${this.#text(value, where)}`).join("; ")
    const headers = request.headers.map(({ name, value }) => ({ key: name, value: this.#text(value, where) }))
    const behavior = {
      ...(request.followRedirects ? {} : { followRedirects: false }),
      ...(request.verifyTls ? {} : { strictSSL: false }),
    }
    const value = {
      name: this.#plain(step.id),
      ...(Object.keys(behavior).length === 0 ? {} : { protocolProfileBehavior: behavior }),
      request: {
        method: request.method,
        ...(description === undefined ? {} : { description }),
        header: cookie === "" ? headers : [...headers, { key: "Cookie", value: cookie }],
        url: this.#text(request.url, where),
        ...(request.body === undefined ? {} : { body: this.#body(request.body, where) }),
      },
    }
    return { step, value }
  }

  /** Returns whether each value of a request is known in Postman. */
  #isKnown({ request, where }: RequestStep): boolean {
    const { url, headers, cookies, body } = request
    const texts =
      body === undefined || body.kind === "file"
        ? []
        : body.kind === "multipart"
          ? body.parts.map(({ content }) => ("file" in content ? [] : content))
          : [body.text]
    const slots = [
      url,
      ...headers.map(({ value }) => value),
      ...cookies.map(({ value }) => value),
      ...texts,
    ].flat()
    const missing = slots.filter((slot) => typeof slot === "object" && !this.#canRead(slot.ref))
    for (const slot of missing)
      if (typeof slot === "object") this.#lose(where, "request", reasons.later(this.#plain(slot.ref.path)))
    return missing.length === 0
  }

  #lose(where: string, what: string, reason: Reason): undefined {
    return this.#exported.lose(where, what, reason)
  }

  #canRead(ref: Ref): boolean {
    if (ref.kind === "dynamic") return Object.hasOwn(dynamicValues, ref.path)
    return ref.kind === "variable" || ref.kind === "input" || this.#place(ref) !== undefined
  }

  #place(ref: Ref) {
    const isPlain =
      ref.kind === "result" && this.#exported.split(ref.path).every((part) => typeof part === "string")
    const place = isPlain ? this.#responseAt(ref.path) : undefined
    return place !== undefined && this.#requests.includes(place.step) ? place : undefined
  }

  #text(template: Template, where: string): string {
    return template.map((part) => (typeof part === "string" ? part : this.#slot(part, where))).join("")
  }

  /** Escapes braces that Postman would read as its own. */
  #escaped(request: ExportRequest): ExportRequest {
    const escape = (template: Template, how: (literal: string) => string): Template =>
      this.#isVariable(template)
        ? template.map((part) => (typeof part === "string" ? how(part) : part))
        : template
    const { url, body } = request
    return {
      ...request,
      url: escape(url, percentBraces),
      body: body?.kind === "json" ? { ...body, text: escape(body.text, escapeBraces) } : body,
    }
  }

  /** Returns whether Postman would still read braces as its own. */
  #isMisread({ url, headers, cookies, body }: ExportRequest): boolean {
    const names = [...headers, ...cookies].map(({ name }): Template => [name])
    const values = [...headers, ...cookies].map(({ value }) => value)
    return [url, ...names, ...values, ...textsOf(body)].some((template) => this.#isVariable(template))
  }

  /**
   * Returns whether braces of the text would become a variable of Postman, which also reads braces in the values of
   * variables, or only together with the response of a server.
   */
  #isVariable(template: Template): boolean {
    const parts = template.map((part) => {
      if (typeof part === "string") return part
      const value = valueOfRef(part.ref, this.#exported)
      return value === undefined ? unknown : toText(value)
    })
    const text = parts.join("")
    const fromServer = template.some(
      (part) => typeof part === "object" && this.#place(part.ref) !== undefined,
    )
    return /\{\{[^{}]*\}\}/.test(text) || (fromServer && /\{\{|\{\ue000/.test(text))
  }

  #slot({ ref, as }: Slot, where: string): string {
    const dynamic = ref.kind === "dynamic" ? ownOf(dynamicValues, ref.path) : undefined
    if (ref.path === "$randomInt") this.#lose(where, "$randomInt", reasons.randomInteger())
    const isText =
      as === "json" &&
      (dynamic === undefined
        ? typeof ref.value === "string"
        : ref.path !== "$timestamp" && ref.path !== "$randomInt")
    const name = dynamic ?? this.#variable(ref, as === "json")
    if (as === "base64") this.#lose(where, "Basic authentication", reasons.base64(name))
    const isEncoded =
      as === "url" || as === "form"
        ? /[^A-Za-z0-9._~-]/
        : as === "jsonText" || isText
          ? /["\\\u0000-\u001f]/
          : undefined
    if (ref.name !== "baseUrl" && isEncoded?.test(toText(ref.value ?? "")) === true && !ref.isSecret)
      this.#lose(where, `variable ${name}`, reasons.encoding("Postman"))
    return isText ? `"{{${name}}}"` : `{{${name}}}`
  }

  /** Returns the name of the variable of a value. `asJson` is for values of responses in place of a JSON value. */
  #variable(ref: Ref, asJson = false): string {
    const place = this.#place(ref)
    if (place === undefined) {
      const { api = "", name = "", path } = ref
      const isNested = ref.kind === "input" && path !== name
      const own = ref.kind === "input" ? (isNested ? path : name) : this.#isSingle ? name : `${api}_${name}`
      const given = this.#nameOf(own, ref.path)
      this.#names.set(ref.path, given)
      return given
    }
    const own = `${place.step.id}_${place.path.join("_")}${asJson ? "_json" : ""}`
    const name = this.#nameOf(own, JSON.stringify([place.step.id, place.path, asJson]))
    this.#names.set(`${ref.path}${asJson ? " json" : ""}`, name)
    this.#results.add(name)
    const value = isBody(place.path) && !asJson ? BODY_TEXT : responseCode(place.path)
    const set = asJson ? js`JSON.stringify(${value})` : value
    this.#scripts.get(place.step)?.add(js`pm.collectionVariables.set(${jsString(name)}, ${set});`)
    return name
  }

  #body(body: ExportBody, where: string): JsonObject {
    if (body.kind === "file")
      return { mode: "file", file: { src: this.#exported.source.relative(body.file) } }
    if (body.kind === "multipart") {
      if (!/^multipart\/form-data$/i.test(body.mediaType))
        this.#lose(where, `media type ${body.mediaType}`, reasons.mediaType("Postman"))
      return { mode: "formdata", formdata: body.parts.map((part) => this.#part(part, where)) }
    }
    const text = this.#text(body.text, where)
    if (body.kind === "form")
      return {
        mode: "urlencoded",
        urlencoded: [...new URLSearchParams(text)].map(([key, value]) => ({ key, value })),
      }
    const options = body.kind === "json" ? { options: { raw: { language: "json" } } } : {}
    return { mode: "raw", raw: text, ...options }
  }

  #part({ name, filename, contentType, content }: Part, where: string): JsonObject {
    const type = contentType === undefined ? {} : { contentType }
    if (!("file" in content)) return { key: name, type: "text", value: this.#text(content, where), ...type }
    if (filename !== undefined && filename !== content.file.slice(content.file.lastIndexOf("/") + 1))
      this.#lose(where, `file name ${filename}`, reasons.filename("Postman"))
    return { key: name, type: "file", src: this.#exported.source.relative(content.file), ...type }
  }

  /** Adds the tests of a block to the last request that they read. */
  #checks({ checks, where, id }: CheckStep): void {
    for (const check of checks) {
      const { source, operator, value } = check
      const refs = [source, ...refsIn(value, this.#exported)]
      const places = refs.map((ref) => this.#place(ref)?.step)
      const step = this.#requests.findLast((request) => places.includes(request)) ?? this.#requests.at(-1)
      const title = jsString(`${this.#plain(id)}: ${this.#plain(source.path)} ${operator}`)
      if (step === undefined || !refs.every((ref) => ref.kind !== "dynamic" && this.#canRead(ref)))
        this.#lose(
          where,
          `assertion ${this.#plain(source.path)}`,
          reasons.later(this.#plain(refs.find((ref) => !this.#canRead(ref))?.path ?? source.path)),
        )
      else this.#scripts.get(step)?.add(js`pm.test(${title}, () => { ${this.#expectation(check, step)}; });`)
    }
  }

  #expectation({ source, operator, value }: Check, step: RequestStep): Js {
    const { postman, takesValue } = operators[operator]
    const expected = takesValue && value !== undefined ? js`(${this.#code(value, step)})` : js``
    const place = this.#place(source)
    // A body that is compared with a text may not be JSON.
    const isText = typeof value === "string" && place?.step === step && isBody(place.path)
    const actual = isText ? BODY_TEXT : this.#ref(source, step)
    const chain = postman.split(".").map((word) => identifierCode<"js">(word))
    return js`${joinCode([js`pm.expect(${actual})`, ...chain], ".")}${expected}`
  }

  #ref(ref: Ref, step: RequestStep): Js {
    const place = this.#place(ref)
    if (place?.step === step) return responseCode(place.path)
    return js`pm.collectionVariables.get(${jsString(this.#variable(ref))})`
  }

  #code(value: JsonValue, step: RequestStep): Js {
    if (typeof value === "string") {
      const parts = this.#exported
        .split(value)
        .map((part) => (typeof part === "string" ? jsString(part) : this.#ref(part, step)))
      return parts.length === 0 ? js`""` : joinCode(parts, " + ")
    }
    if (isJsonArray(value)) return jsArray(value.map((item) => this.#code(item, step)))
    if (!isJsonObject(value)) return jsScalar(value)
    return jsObject(Object.entries(value).map(([name, item]) => [name, this.#code(item, step)]))
  }

  /** Returns a text in which placeholders stand for values. */
  #plain(text: string): string {
    return displayText(this.#exported.split, text)
  }
}

function refsIn(value: JsonValue | undefined, exported: Exported): readonly Ref[] {
  if (typeof value === "string") return exported.split(value).filter((part) => typeof part === "object")
  if (isJsonArray(value)) return value.flatMap((item) => refsIn(item, exported))
  return isJsonObject(value) ? Object.values(value).flatMap((item) => refsIn(item, exported)) : []
}

/** Stands for a value that only a run knows. */
const unknown = "\ue000"

/** Writes braces of a URL that Postman would read as its own. */
const percentBraces = (literal: string): string => literal.replaceAll("{", "%7B").replaceAll("}", "%7D")

/** Writes braces inside the strings of a JSON text that Postman would read as its own. */
const escapeBraces = (literal: string): string => literal.replaceAll(/(?<=\{)\{|\{$/g, String.raw`\u007b`)

/** Returns the texts in which Postman looks for variables. */
function textsOf(body: ExportBody | undefined): readonly Template[] {
  if (body === undefined || body.kind === "file") return []
  if (body.kind === "multipart")
    return body.parts.flatMap(({ name, content }) => ("file" in content ? [[name]] : [[name], content]))
  return [
    body.kind === "form"
      ? body.text.map((part) => (typeof part === "string" ? decodeForm(part) : part))
      : body.text,
  ]
}

const decodeForm = (text: string): string => decodePercent(text.replaceAll("+", " ")) ?? text

const BODY_TEXT = js`pm.response.text()`

const isBody = (path: readonly string[]): boolean => path.length === 1 && path[0] === "body"

function responseCode([part, ...path]: readonly string[]): Js {
  if (part === "status") return js`pm.response.code`
  if (part === "headers") return js`pm.response.headers.get(${jsString(path[0] ?? "")})`
  if (part === "durationMs") return js`pm.response.responseTime`
  const members = path.map((segment) =>
    /^[A-Za-z_]\w*$/.test(segment) ? js`?.${identifierCode(segment)}` : js`?.[${jsString(segment)}]`,
  )
  return joinCode([js`pm.response.json()`, ...members], "")
}

const dynamicValues: Readonly<Record<string, string>> = {
  $uuid: "$guid",
  $timestamp: "$timestamp",
  $isoTimestamp: "$isoTimestamp",
  $randomInt: "$randomInt",
}
