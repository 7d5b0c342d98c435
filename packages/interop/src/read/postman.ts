// Reads Postman collections 2.0 and 2.1, and exported environments and globals.

import {
  CallsheetError,
  isJsonArray,
  isJsonObject,
  plural,
  stringifyJson,
  type JsonObject,
  type JsonValue,
} from "@callsheet/format"
import type { Reason } from "../losses.ts"
import { messages, reasons } from "../messages.ts"
import { isPostmanGuard } from "../postman-guard.ts"
import type {
  Auth,
  Body,
  BodyPart,
  Collection,
  Folder,
  Item,
  Loss,
  Pair,
  Request,
  Script,
  SourceEnvironment,
  Url,
  Variable,
} from "../model.ts"
import { decodeForm, mustacheText, type Text } from "../text.ts"
import { isTrue, list, member, object, text } from "./json.ts"
import { graphqlText, hasColor, mediaTypes, readPairs, withPathValues } from "./request-parts.ts"
import { nameOfRequest, splitUrl } from "./url.ts"

/** Returns the collection: the value itself, or its member `collection` as the API of Postman writes it. */
export function postmanCollectionIn(value: JsonValue): JsonValue | undefined {
  const inner = object(value, "collection") ?? value
  return isJsonObject(member(inner, "info")) && isJsonArray(member(inner, "item")) ? inner : undefined
}

export const isOldPostman = (value: JsonValue): boolean =>
  isJsonArray(member(value, "requests")) &&
  (isJsonArray(member(value, "order")) || text(value, "id") !== undefined)

export const isPostmanEnvironment = (value: JsonValue): boolean =>
  isJsonArray(member(value, "values")) &&
  (text(value, "_postman_variable_scope") !== undefined || text(value, "name") !== undefined)

export const isPostmanGlobals = (value: JsonValue): boolean =>
  text(value, "_postman_variable_scope") === "globals"

export function readPostmanEnvironment(
  value: JsonValue,
  file: string,
  lose: (loss: Loss) => void,
): SourceEnvironment {
  const name = text(value, "name") ?? "environment"
  const where = `${file}: ${name}`
  if (hasColor(value)) lose({ where, what: "color", reason: reasons.color() })
  return { name, variables: readVariables(list(value, "values"), where, lose) }
}

export function readPostman(value: JsonValue, file: string): Collection {
  const reader = new PostmanReader(file)
  const name = text(member(value, "info"), "name") ?? "collection"
  const root = reader.folder(value, name, [])
  const variables = readVariables(list(value, "variable"), file, (loss) => reader.losses.push(loss))
  return {
    source: "postman",
    root,
    variables: [...reader.variables, ...variables],
    environments: [],
    losses: reader.losses,
  }
}

/** Reads a request that a script sends, in the form that a collection has it. */
export function readSentRequest(
  value: JsonValue,
  where: string,
): { readonly request: Request; readonly losses: readonly Loss[] } {
  const reader = new PostmanReader(where)
  return { request: reader.sent(value, where), losses: reader.losses }
}

const MAX_DEPTH = 100

class PostmanReader {
  readonly losses: Loss[] = []
  /** The variables of folders and requests. Postman shares them with the whole collection. */
  readonly variables: Variable[] = []
  readonly #file: string

  constructor(file: string) {
    this.#file = file
  }

  folder(value: JsonValue, name: string, path: readonly string[], inherited: JsonObject = {}): Folder {
    if (path.length > MAX_DEPTH)
      throw new CallsheetError(messages["import-source"].deep(this.#file, MAX_DEPTH))
    const where = this.#where(path)
    const behavior = { ...inherited, ...object(value, "protocolProfileBehavior") }
    if (hasColor(value)) this.#lose(where, "color", reasons.color())
    return {
      kind: "folder",
      name,
      where,
      description: descriptionOf(path.length === 0 ? member(value, "info") : value),
      auth: this.#auth(value),
      scripts: this.#scripts(value, where),
      items: list(value, "item").flatMap((item) => this.#item(item, path, behavior)),
    }
  }

  sent(value: JsonValue, where: string): Request {
    const method = (text(value, "method") ?? "GET").toUpperCase()
    const url = this.#url(member(value, "url"), where)
    return {
      kind: "request",
      name: nameOfRequest(method, url),
      where,
      auth: this.#auth(value),
      scripts: [],
      method,
      url,
      headers: this.#headers(value, where),
      body: this.#body(value, { where, method, keepsBody: false }),
      isSent: true,
    }
  }

  #where = (path: readonly string[]): string =>
    path.length === 0 ? this.#file : `${this.#file}: ${path.join(" / ")}`

  #lose(where: string, what: string, reason: Reason): void {
    this.losses.push({ where, what, reason })
  }

  #item(value: JsonValue, parents: readonly string[], inherited: JsonObject): readonly Item[] {
    const request = member(value, "request")
    const name = text(value, "name") ?? (typeof request === "string" ? request : "request")
    const path = [...parents, name]
    const where = this.#where(path)
    if (parents.length > 0 || request === undefined)
      for (const one of readVariables(list(value, "variable"), where, (loss) => this.losses.push(loss)))
        this.variables.push(one)
    if (isJsonArray(member(value, "item"))) return [this.folder(value, name, path, inherited)]
    if (request === undefined || request === null) {
      this.#lose(where, "item", reasons.noUrl())
      return []
    }
    const responses = list(value, "response").length
    if (responses > 0) this.#lose(where, plural(responses, "saved response"), reasons.response())
    const method = (text(request, "method") ?? "GET").toUpperCase()
    const behavior = { ...inherited, ...object(value, "protocolProfileBehavior") }
    return [
      {
        kind: "request",
        name,
        where,
        description: descriptionOf(request) ?? descriptionOf(value),
        auth: this.#auth(request),
        scripts: this.#scripts(value, where),
        method,
        url: this.#url(typeof request === "string" ? request : member(request, "url"), where),
        headers: this.#headers(request, where),
        body: this.#body(request, {
          where,
          method,
          keepsBody: isTrue(behavior, "disableBodyPruning"),
        }),
        ...this.#settings(behavior, request, where),
      },
    ]
  }

  #settings(behavior: JsonObject, request: JsonValue, where: string) {
    for (const key of Object.keys(behavior))
      if (key !== "followRedirects" && key !== "disableBodyPruning")
        this.#lose(where, `setting ${key}`, reasons.setting())
    for (const key of ["proxy", "certificate"])
      if (isJsonObject(member(request, key))) this.#lose(where, key, reasons.setting())
    return member(behavior, "followRedirects") === false ? { followRedirects: false } : {}
  }

  #url(value: JsonValue | undefined, where: string): Url {
    if (typeof value === "string") return splitUrl(mustacheText(value))
    const raw = mustacheText(text(value, "raw") ?? "")
    const host = joined(member(value, "host"), ".")
    const whole = host === undefined ? raw : addressOf(value, host)
    const { base, path, query, written } = splitUrl(whole)
    const given = member(value, "query")
    return {
      base,
      path: withPathValues(path, pathVariables(list(value, "variable"))),
      query: isJsonArray(given) ? this.#pairs(given, "query parameter", where) : query,
      ...(written === undefined ? {} : { written }),
    }
  }

  #pairs = (values: readonly JsonValue[], what: string, where: string): readonly Pair[] =>
    readPairs({
      values,
      key: "key",
      what,
      where,
      read: what === "query parameter" ? (raw) => decodeForm(mustacheText(raw)) : mustacheText,
      lose: (loss) => this.losses.push(loss),
    })

  #headers(request: JsonValue, where: string): readonly Pair[] {
    const written = member(request, "header")
    if (typeof written !== "string") return this.#pairs(list(request, "header"), "header", where)
    return written.split(/\r?\n/).flatMap((line) => {
      const cut = line.indexOf(":")
      return cut < 1
        ? []
        : [{ name: mustacheText(line.slice(0, cut).trim()), value: mustacheText(line.slice(cut + 1).trim()) }]
    })
  }

  #body(
    request: JsonValue,
    {
      where,
      method,
      keepsBody,
    }: { readonly where: string; readonly method: string; readonly keepsBody: boolean },
  ): Body | undefined {
    const body = object(request, "body")
    const mode = text(body, "mode")
    if (body === undefined || mode === undefined || isEmpty(body, mode)) return undefined
    if (isTrue(body, "disabled")) {
      this.#lose(where, "body", reasons.disabled())
      return undefined
    }
    if (!keepsBody && ["GET", "HEAD", "COPY", "PURGE", "UNLOCK"].includes(method)) {
      this.#lose(where, "body", reasons.bodyPruned(method))
      return undefined
    }
    switch (mode) {
      case "raw": {
        const language = text(object(object(body, "options"), "raw"), "language") ?? "text"
        return {
          kind: "text",
          text: mustacheText(text(body, "raw") ?? ""),
          mediaType: mediaTypes.get(language),
        }
      }
      case "urlencoded": {
        const written = member(body, "urlencoded")
        const fields =
          typeof written === "string"
            ? splitUrl(mustacheText(`?${written}`)).query
            : this.#pairs(list(body, "urlencoded"), "form field", where)
        return {
          kind: "form",
          fields,
          ...(typeof written === "string" ? { written: mustacheText(written) } : {}),
        }
      }
      case "formdata":
        return { kind: "multipart", parts: list(body, "formdata").flatMap((part) => this.#part(part, where)) }
      case "graphql":
        return { kind: "text", text: graphqlText(member(body, "graphql")), mediaType: "application/json" }
      case "file": {
        const path = text(object(body, "file"), "src")
        if (path !== undefined) return { kind: "file", path }
        this.#lose(where, "body", reasons.unnamedFile())
        return undefined
      }
      default:
        this.#lose(where, `body of mode ${mode}`, reasons.bodyMode())
        return undefined
    }
  }

  #part(value: JsonValue, where: string): readonly BodyPart[] {
    const key = text(value, "key") ?? ""
    if (key === "") return []
    if (isTrue(value, "disabled")) {
      this.#lose(where, `form field ${key}`, reasons.disabled())
      return []
    }
    const contentType = text(value, "contentType")
    const part = { name: mustacheText(key), ...(contentType ? { contentType } : {}) }
    if (text(value, "type") !== "file")
      return [{ ...part, content: { value: mustacheText(text(value, "value") ?? "") } }]
    const source = member(value, "src")
    const files = (isJsonArray(source) ? source : [source]).filter(
      (file): file is string => typeof file === "string" && file !== "",
    )
    if (files.length === 0) this.#lose(where, `form field ${key}`, reasons.unnamedFile())
    const filename = text(value, "fileName")
    return files.map((file) => ({
      ...part,
      content: { file, ...(filename === undefined ? {} : { filename }) },
    }))
  }

  #scripts(value: JsonValue, where: string): readonly Script[] {
    return list(value, "event").flatMap((event): readonly Script[] => {
      const listen = text(event, "listen") ?? ""
      const place = `${where}${where === this.#file ? ":" : " /"} event[${listen}]`
      const script = member(event, "script")
      const code = typeof script === "string" ? script : (joined(member(script, "exec"), "\n") ?? "")
      if (text(script, "src") !== undefined && code.trim() === "")
        this.#lose(place, "script", reasons.sourceFile())
      if (code.trim() === "" || isPostmanGuard(code)) return []
      if (isTrue(event, "disabled")) {
        this.#lose(place, "script", reasons.disabled())
        return []
      }
      return [{ when: listen === "prerequest" ? "before" : "after", code, where: place, dialect: "pm" }]
    })
  }

  #auth(value: JsonValue): Auth | undefined {
    const auth = object(value, "auth")
    const type = text(auth, "type")
    if (auth === undefined || type === undefined) return undefined
    const settings = member(auth, type)
    const get = (key: string): Text => {
      const listed = isJsonArray(settings) ? settings.find((one) => text(one, "key") === key) : undefined
      return mustacheText((isJsonArray(settings) ? text(listed, "value") : text(settings, key)) ?? "")
    }
    switch (type) {
      case "noauth":
        return { kind: "none" }
      case "bearer":
        return { kind: "bearer", token: get("token") }
      case "basic":
        return { kind: "basic", username: get("username"), password: get("password") }
      case "apikey":
        return {
          kind: "apiKey",
          in: get("in") === "query" ? "query" : "header",
          name: get("key"),
          value: get("value"),
        }
      case "oauth2": {
        const token = get("accessToken")
        if (token === "") return { kind: "other", name: "OAuth 2 flows" }
        if (get("addTokenTo") === "queryParams")
          return { kind: "apiKey", in: "query", name: "access_token", value: token }
        return { kind: "bearer", token, prefix: get("headerPrefix").trim() || "Bearer" }
      }
      default:
        return { kind: "other", name: type }
    }
  }
}

/** Reads variables. Disabled ones are lost. */
function readVariables(
  values: readonly JsonValue[],
  where: string,
  lose: (loss: Loss) => void,
): readonly Variable[] {
  return values.flatMap((one) => {
    const name = text(one, "key") ?? text(one, "id") ?? ""
    if (name === "") return []
    if (isTrue(one, "disabled") || member(one, "enabled") === false) {
      lose({ where, what: `variable ${name}`, reason: reasons.disabled() })
      return []
    }
    const description = descriptionOf(one)
    return [
      {
        name,
        value: valueOf(member(one, "value"), text(one, "type")),
        isSecret: text(one, "type") === "secret",
        ...(description === undefined ? {} : { description }),
      },
    ]
  })
}

/** A collection may declare the type of a value that it writes as text. */
function valueOf(value: JsonValue | undefined, type: string | undefined): Variable["value"] {
  if (value === undefined || value === null) return undefined
  if (typeof value === "string") {
    if (type === "boolean" && /^(?:true|false)$/.test(value)) return value === "true"
    if (type === "number" && value !== "" && String(Number(value)) === value) return Number(value)
    return mustacheText(value)
  }
  return typeof value === "object" ? mustacheText(stringifyJson(value)) : value
}

/** Returns a function that returns the value of a path variable. Of several with a name, the first one counts. */
function pathVariables(variables: readonly JsonValue[]): (name: string) => Text {
  const values = new Map<string, string>()
  for (const one of variables.toReversed())
    values.set(text(one, "key") ?? text(one, "id") ?? "", text(one, "value") ?? "")
  return (name) => mustacheText(values.get(name) || `{{${name}}}`)
}

function descriptionOf(value: JsonValue | undefined): Text | undefined {
  const written = member(value, "description")
  const description = typeof written === "string" ? written : text(written, "content")
  return description === undefined || description.trim() === "" ? undefined : description
}

/** Joins the parts of a host, a path or a script. Undefined if there are none. */
function joined(value: JsonValue | undefined, separator: string): string | undefined {
  if (typeof value === "string") return value
  if (!isJsonArray(value)) return undefined
  return value
    .map((part) => (isJsonObject(part) ? (text(part, "value") ?? "") : typeof part === "string" ? part : ""))
    .join(separator)
}

function addressOf(url: JsonValue | undefined, host: string): Text {
  const protocol = text(url, "protocol")
  const port = text(url, "port")
  const path = joined(member(url, "path"), "/")
  const [, query = ""] = (text(url, "raw") ?? "").split("?")
  const scheme = protocol === undefined ? "" : `${protocol.replace(/(?<!\/)\/+$/, "").replace(/:$/, "")}://`
  const address = `${scheme}${host}${port === undefined ? "" : `:${port}`}`
  // A list may start with an empty part, as that of `//a`.
  const parts = member(url, "path")
  const isDouble = isJsonArray(parts) && parts.length > 1 && parts[0] === ""
  const rest = path === undefined ? "" : `/${isDouble ? path : path.replace(/^\//, "")}`
  return mustacheText(`${address}${rest}${query === "" ? "" : `?${query}`}`)
}

function isEmpty(body: JsonValue, mode: string): boolean {
  const content = member(body, mode)
  if (content === undefined || content === null || content === "") return true
  return isJsonArray(content) && content.length === 0
}
