// Reads Bruno collections in the form of OpenCollection. Files of `.bru` become this form first.

import {
  CallsheetError,
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  ownOf,
  plural,
} from "@callsheet/format"
import type { Reason } from "../losses.ts"
import { messages, reasons } from "../messages.ts"
import type {
  Auth,
  Body,
  BodyPart,
  Collection,
  Folder,
  Item,
  Loss,
  Pair,
  Script,
  SourceEnvironment,
  Variable,
} from "../model.ts"
import { decodeForm, mapText, mustacheText, variablesIn, variableText, type Text } from "../text.ts"
import { isTrue, list, member, object, text } from "./json.ts"
import { graphqlText, hasColor, mediaTypes, readPairs, withPathValues } from "./request-parts.ts"
import { splitUrl, stemOf } from "./url.ts"

const { "import-source": problem } = messages
const MAX_DEPTH = 100

export const isOpenCollection = (value: JsonValue): boolean => text(value, "opencollection") !== undefined

export const readOpenCollection = (value: JsonValue, file: string): Collection =>
  new BrunoReader(file).read(value)

/** The variables of folders and requests, which override those of environments. */
type Locals = ReadonlyMap<string, Text>

interface Inherited {
  readonly path: readonly string[]
  readonly locals: Locals
  readonly headers: readonly Pair[]
}

class BrunoReader {
  readonly #losses: Loss[] = []
  readonly #file: string
  #shared: ReadonlySet<string> = new Set()
  #inlined = 0

  constructor(file: string) {
    this.#file = file
  }

  lose(where: string, what: string, reason: Reason): void {
    this.#losses.push({ where, what, reason })
  }

  read(value: JsonValue): Collection {
    const config = object(value, "config")
    const environments = list(config, "environments").map((one) => this.#environment(one))
    if (text(object(config, "proxy"), "inherit") === "false")
      this.lose(this.#file, "proxy", reasons.setting())
    if (list(config, "clientCertificates").length > 0)
      this.lose(this.#file, "client certificates", reasons.setting())
    const own = this.#variables(list(object(value, "request"), "variables"), this.#file)
    const local = localVariables(value)
    const declared = new Set(
      [own, ...environments.map(({ variables }) => variables)].flat().map(({ name }) => name),
    )
    // A variable that is the same everywhere doesn't need to be replaced by its value.
    const shared = [...local].filter(([name, values]) => values.size === 1 && !declared.has(name))
    this.#shared = new Set(shared.map(([name]) => name))
    const name = text(object(value, "info"), "name") || stemOf(this.#file)
    const root = this.#folder(value, name, { path: [], locals: new Map(), headers: [] })
    const variables: readonly Variable[] = [
      ...own,
      ...shared.map(([name, [first = ""]]) => ({ name, value: mustacheText(first) })),
    ]
    return {
      source: "bruno",
      root,
      variables: [...variables, ...processVariables([root, variables, environments])],
      environments,
      losses: this.#losses,
    }
  }

  #environment(value: JsonValue): SourceEnvironment {
    const name = text(value, "name") ?? "environment"
    const where = `${this.#file}: ${name}`
    if (hasColor(value)) this.lose(where, "color", reasons.color())
    if (object(value, "externalSecrets") !== undefined)
      this.lose(where, "external secrets", reasons.externalSecrets())
    return { name, variables: this.#variables(list(value, "variables"), where) }
  }

  #variables = (values: readonly JsonValue[], where: string): readonly Variable[] =>
    values.flatMap((one): readonly Variable[] => {
      const name = text(one, "name") ?? ""
      if (name === "") return []
      if (isTrue(one, "disabled")) {
        this.lose(where, `variable ${name}`, reasons.disabled())
        return []
      }
      if (isTrue(one, "secret")) return [{ name, value: undefined, isSecret: true }]
      return [{ name, value: mustacheText(valueOf(one)), ...describe(text(one, "description")) }]
    })

  #folder(value: JsonValue, name: string, inherited: Inherited): Folder {
    const { path } = inherited
    if (path.length > MAX_DEPTH) throw new CallsheetError(problem.deep(this.#file, MAX_DEPTH))
    const where = this.#where(path)
    const request = object(value, "request")
    const isRoot = path.length === 0
    const locals = isRoot ? inherited.locals : this.#locals(request, inherited.locals, where)
    const headers = this.#headers(request, { ...inherited, locals }, where)
    const auth = this.#auth(member(request, "auth"), locals)
    return {
      kind: "folder",
      name,
      where,
      // A folder without its own authentication inherits it.
      auth: auth?.kind === "none" ? undefined : auth,
      scripts: this.#scripts(request, where),
      ...describe(docsOf(value)),
      items: list(value, "items").flatMap((item) => this.#item(item, { path, locals, headers })),
    }
  }

  #where = (path: readonly string[]): string =>
    path.length === 0 ? this.#file : `${this.#file}: ${path.join(" / ")}`

  #item(value: JsonValue, inherited: Inherited): readonly Item[] {
    const info = object(value, "info")
    const name = text(info, "name") ?? "request"
    const path = [...inherited.path, name]
    const where = this.#where(path)
    if (isJsonArray(member(value, "items"))) return [this.#folder(value, name, { ...inherited, path })]
    const isGraphql = object(value, "graphql") !== undefined
    const details = object(value, isGraphql ? "graphql" : "http")
    if (details === undefined) {
      this.lose(where, "request", reasons.kind())
      return []
    }
    // A file of `.bru` has its tags as one text.
    if (list(info, "tags").length > 0 || text(info, "tags")) this.lose(where, "tags", reasons.tags())
    const runtime = object(value, "runtime")
    const locals = this.#locals(runtime, inherited.locals, where)
    const read = (raw: string): Text => this.#text(raw, locals)
    const examples = list(value, "examples").length
    if (examples > 0) this.lose(where, plural(examples, "saved response"), reasons.response())
    const params = list(details, "params")
    const { base, path: segments, query } = splitUrl(read(text(details, "url") ?? ""))
    const given = params.filter((one) => text(one, "type") !== "path")
    const pathParams = new Map(
      params.flatMap((one) =>
        text(one, "type") === "path" ? [[text(one, "name") ?? "", text(one, "value") ?? ""] as const] : [],
      ),
    )
    const body = member(details, "body")
    return [
      {
        kind: "request",
        name,
        where,
        method: (text(details, "method") || (isGraphql ? "POST" : "GET")).toUpperCase(),
        url: {
          base,
          path: withPathValues(segments, (own) => read(pathParams.get(own) || `{{${own}}}`)),
          query:
            given.length === 0
              ? query
              : this.#pairs(given, "query parameter", where, (raw) => decodeForm(read(raw))),
        },
        headers: this.#headers(details, { ...inherited, locals }, where),
        body: this.#body(isGraphql && isJsonObject(body) ? { ...body, type: "graphql" } : body, where, read),
        auth: this.#auth(member(details, "auth"), locals),
        scripts: this.#scripts(runtime, where),
        ...describe(docsOf(value)),
        ...this.#settings(object(value, "settings"), where),
      },
    ]
  }

  /** Returns the variables that apply below an item. */
  #locals(holder: JsonObject | undefined, inherited: Locals, where: string): Locals {
    const own = this.#variables(list(holder, "variables"), where)
    if (own.length === 0) return inherited
    const locals = new Map(inherited)
    for (const { name, value } of own)
      if (!this.#shared.has(name)) locals.set(name, this.#inline(String(value), locals))
    return locals
  }

  #text = (raw: string, locals: Locals): Text => this.#inline(mustacheText(raw), locals)

  /** Replaces local variables by their values, up to a limit: values may repeat each other. */
  #inline = (written: Text, locals: Locals): Text =>
    mapText(
      written,
      (part) => part,
      (name) => {
        const value = this.#inlined < MAX_INLINED ? locals.get(name) : undefined
        this.#inlined += value?.length ?? 0
        return value ?? variableText(name)
      },
    )

  #pairs = (
    values: readonly JsonValue[],
    what: string,
    where: string,
    read: (raw: string) => Text,
  ): readonly Pair[] =>
    readPairs({ values, key: "name", what, where, read, lose: (loss) => this.#losses.push(loss) })

  /** Returns the headers with those of the folders that the holder doesn't set itself. */
  #headers(holder: JsonObject | undefined, { locals, headers }: Inherited, where: string): readonly Pair[] {
    const own = this.#pairs(list(holder, "headers"), "header", where, (raw) => this.#text(raw, locals))
    const names = new Set(own.map(({ name }) => name.toLowerCase()))
    return [...headers.filter(({ name }) => !names.has(name.toLowerCase())), ...own]
  }

  #settings(settings: JsonObject | undefined, where: string) {
    const timeout = Number(text(settings, "timeout"))
    const redirects = text(settings, "maxRedirects") ?? DEFAULT_REDIRECTS
    if (redirects !== DEFAULT_REDIRECTS) this.lose(where, "setting maxRedirects", reasons.setting())
    return {
      ...(text(settings, "followRedirects") === "false" ? { followRedirects: false } : {}),
      ...(timeout > 0 ? { timeoutMs: timeout } : {}),
    }
  }

  #auth(value: JsonValue | undefined, locals: Locals): Auth | undefined {
    if (value === "inherit") return undefined
    const type = text(value, "type")
    const get = (key: string): Text => this.#text(text(value, key) ?? "", locals)
    switch (type) {
      case undefined:
      case "none":
        return { kind: "none" }
      case "inherit":
        return undefined
      case "bearer":
        return { kind: "bearer", token: get("token") }
      case "basic":
        return { kind: "basic", username: get("username"), password: get("password") }
      case "apikey":
        return {
          kind: "apiKey",
          in: get("placement").startsWith("query") ? "query" : "header",
          name: get("key"),
          value: get("value"),
        }
      default:
        return { kind: "other", name: type === "oauth2" ? "OAuth 2 flows" : type }
    }
  }

  #body(written: JsonValue | undefined, where: string, read: (raw: string) => Text): Body | undefined {
    // If there are several bodies, Bruno sends the selected one.
    const variants = isJsonArray(written) ? written : []
    const body = isJsonArray(written)
      ? member(variants.find((one) => isTrue(one, "selected")) ?? variants[0], "body")
      : written
    const type = text(body, "type")
    const data = list(body, "data")
    switch (type) {
      case undefined:
        return undefined
      case "form-urlencoded":
        return { kind: "form", fields: this.#pairs(data, "form field", where, read) }
      case "multipart-form":
        return { kind: "multipart", parts: data.flatMap((part) => this.#part(part, where, read)) }
      case "graphql":
        return { kind: "text", text: graphqlText(body, read), mediaType: mediaTypes.get("json") }
      case "file": {
        const file = data.find((one) => isTrue(one, "selected"))
        const path = text(file, "filePath") ?? ""
        if (path === "") this.lose(where, "body", reasons.unnamedFile())
        return path === ""
          ? undefined
          : { kind: "file", path, mediaType: text(file, "contentType") || undefined }
      }
      default: {
        const content = text(body, "data") ?? ""
        if (content === "") return undefined
        return {
          kind: "text",
          text: read(type === "json" ? withoutComments(content) : content),
          mediaType: mediaTypes.get(type),
        }
      }
    }
  }

  #part(part: JsonValue, where: string, read: (raw: string) => Text): readonly BodyPart[] {
    const value = member(part, "value")
    const name = text(part, "name") ?? ""
    const files = (isJsonArray(value) ? value : [value]).filter(
      (file): file is string => typeof file === "string" && file !== "",
    )
    const [pair] = this.#pairs([part], "form field", where, read)
    if (pair === undefined) return []
    const contentType = text(part, "contentType") || undefined
    if (text(part, "type") !== "file")
      return [{ name: pair.name, content: { value: pair.value }, contentType }]
    if (files.length === 0) this.lose(where, `form field ${name}`, reasons.unnamedFile())
    return files.map((file) => ({ name: pair.name, content: { file }, contentType }))
  }

  /** Returns the scripts. Converts assertions and assigned variables to equivalent scripts. */
  #scripts(holder: JsonObject | undefined, where: string): readonly Script[] {
    const place = (name: string): string => `${where}${where === this.#file ? ":" : " /"} ${name}`
    const script = (code: string, name: string, when: Script["when"] = "after"): readonly Script[] =>
      code.trim() === "" ? [] : [{ when, code, where: place(name), dialect: "bru" }]
    const isEnabled = (one: JsonValue, what: string): boolean => {
      if (isTrue(one, "disabled")) this.lose(where, what, reasons.disabled())
      return !isTrue(one, "disabled")
    }
    const actions = list(holder, "actions").flatMap((action) => {
      const name = text(object(action, "variable"), "name") ?? ""
      const expression = text(object(action, "selector"), "expression") ?? ""
      return isEnabled(action, `variable ${name}`)
        ? script(`bru.setVar(${JSON.stringify(name)}, ${expression})`, "vars:post-response")
        : []
    })
    const assertions = list(holder, "assertions").flatMap((one) => {
      const expression = text(one, "expression") ?? ""
      return isEnabled(one, `assertion ${expression}`) ? script(claimOf(one, expression), "assert") : []
    })
    const scripts = list(holder, "scripts").flatMap((one) => {
      const type = text(one, "type") ?? ""
      const when = type === "before-request" ? "before" : "after"
      return script(text(one, "code") ?? "", type, when)
    })
    return [...actions, ...scripts, ...assertions]
  }
}

const MAX_INLINED = 16 * 1024 * 1024
const DEFAULT_REDIRECTS = "5"

const describe = (description: string | undefined): { readonly description?: string } =>
  description === undefined || description.trim() === "" ? {} : { description }

const docsOf = (value: JsonValue): string | undefined => {
  const docs = member(value, "docs")
  return typeof docs === "string" ? docs : text(docs, "content")
}

/** Returns the value of a variable: a text, a text with its type, or the selected one of several. */
function valueOf(variable: JsonValue): string {
  const value = member(variable, "value")
  if (isJsonArray(value)) {
    const selected = value.find((one) => isTrue(one, "selected")) ?? value[0]
    return selected === undefined ? "" : valueOf(selected)
  }
  return (isJsonObject(value) ? text(value, "data") : text(variable, "value")) ?? ""
}

/** Returns the values that folders and requests give to each variable. */
function localVariables(root: JsonValue): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>()
  const work = [...list(root, "items")]
  for (let item = work.pop(); item !== undefined; item = work.pop()) {
    for (const holder of [object(item, "request"), object(item, "runtime")])
      for (const one of list(holder, "variables")) {
        const name = text(one, "name") ?? ""
        if (name !== "" && !isTrue(one, "disabled"))
          found.set(name, (found.get(name) ?? new Set()).add(valueOf(one)))
      }
    for (const inner of list(item, "items")) work.push(inner)
  }
  return found
}

/** Declares the variables of the process that texts use, such as `process.env.TOKEN`. Bruno reads them from `.env`. */
function processVariables(values: readonly unknown[]): readonly Variable[] {
  const names = new Set(variablesIn(JSON.stringify(values)).filter((name) => name.startsWith("process.env.")))
  return [...names].map((name) => ({ name, value: undefined, isSecret: true }))
}

/** Bruno removes comments from JSON. */
const withoutComments = (json: string): string =>
  json.replaceAll(/"(?:\\[^]?|[^"\\])*(?:"|$)|\/\/[^\n]*|\/\*(?:[^]*?\*\/|[^]*)/g, (part) =>
    part.startsWith('"') ? part : "",
  )

const unary: Readonly<Record<string, string>> = {
  isNull: "be.null",
  isUndefined: "be.undefined",
  isDefined: "not.be.undefined",
  isEmpty: "be.empty",
  isNotEmpty: "not.be.empty",
  isTruthy: "be.true",
  isFalsy: "be.false",
  isJson: 'be.an("object")',
  isNumber: 'be.a("number")',
  isString: 'be.a("string")',
  isBoolean: 'be.a("boolean")',
  isArray: 'be.an("array")',
}
const binary: Readonly<Record<string, string>> = {
  eq: "eql",
  neq: "not.eql",
  gt: "be.above",
  gte: "be.at.least",
  lt: "be.below",
  lte: "be.at.most",
  contains: "include",
  notContains: "not.include",
  length: "have.lengthOf",
}
const lists: Readonly<Record<string, readonly [before: string, after: string]>> = {
  in: ["be.oneOf([", "])"],
  notIn: ["not.be.oneOf([", "])"],
  between: ["be.within(", ")"],
}
const patterns: Readonly<Record<string, (value: string) => string>> = {
  matches: (value) => `match(${regExpOf(value.replace(/^\/(.*)\/$/s, "$1"))})`,
  notMatches: (value) => `not.match(${regExpOf(value.replace(/^\/(.*)\/$/s, "$1"))})`,
  startsWith: (value) => `match(${regExpOf(`^${escapePattern(unquoted(value))}`)})`,
  endsWith: (value) => `match(${regExpOf(`${escapePattern(unquoted(value))}$`)})`,
}

const regExpOf = (pattern: string): string => `new RegExp(${JSON.stringify(pattern)})`
const escapePattern = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`)
const unquoted = (value: string): string => /^(["'])(.*)\1$/s.exec(value)?.[2] ?? value

/** Writes an assertion as code. */
function claimOf(assertion: JsonValue, expression: string): string {
  const operator = text(assertion, "operator") ?? "eq"
  const value = text(assertion, "value") ?? ""
  const verb = ownOf(binary, operator)
  const [before, after] = ownOf(lists, operator) ?? []
  const pattern = value.includes("{{") ? undefined : ownOf(patterns, operator)
  const items = value.replace(/^\[(.*)\]$/s, "$1").split(",")
  const claim =
    ownOf(unary, operator) ??
    (verb === undefined ? pattern?.(value) : `${verb}(${literalOf(value)})`) ??
    (before === undefined
      ? undefined
      : `${before}${items.map((item) => literalOf(item.trim())).join(", ")}${after}`)
  return claim === undefined
    ? `assert(${expression}, ${JSON.stringify(`${operator} ${value}`.trim())})`
    : `expect(${expression}).to.${claim}`
}

/** Writes a value as code: a number, a keyword, or a text with variables. */
function literalOf(value: string): string {
  if (/^(?:true|false|null|undefined|-?\d+(?:\.\d+)?)$/.test(value)) return value
  const code = mapText(
    mustacheText(unquoted(value)),
    (part) => part.replaceAll(/[\\`$]/g, String.raw`\$&`),
    (name) => `\${bru.getVar(${JSON.stringify(name)})}`,
  )
  return `\`${code}\``
}
