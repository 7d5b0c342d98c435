// Reads Insomnia exports: version 4 (JSON) and version 5 (YAML).
// cspell:ignore socketio

import {
  CallsheetError,
  getOrCreate,
  isJsonArray,
  isJsonObject,
  stringifyJson,
  type JsonObject,
  type JsonValue,
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
  SourceEnvironment,
  Variable,
} from "../model.ts"
import { plainText, variableText, type Text } from "../text.ts"
import { isTrue, list, member, object, text } from "./json.ts"
import { hasColor, readPairs, withPathValues } from "./request-parts.ts"
import { splitUrl, stemOf } from "./url.ts"

export const isInsomnia4 = (value: JsonValue): boolean =>
  text(value, "_type") === "export" && isJsonArray(member(value, "resources"))

export const isInsomnia5 = (value: JsonValue): boolean =>
  (text(value, "type") ?? "").startsWith("collection.insomnia.rest/5")

/** Version 4 lists all resources, each with the id of its parent. Version 5 nests them. Both become nodes. */
interface Node {
  readonly value: JsonValue
  readonly children: readonly Node[]
}

const MAX_DEPTH = 100

/** Reads an export. Throws `import-source` for version 1 to 3, and for folders that are nested too deep. */
export function readInsomnia(value: JsonValue, file: string): Collection {
  return isInsomnia5(value) ? readVersion5(value, file) : readVersion4(value, file)
}

function readVersion4(value: JsonValue, file: string): Collection {
  const version = Number(text(value, "__export_format"))
  if (version !== 4) throw new CallsheetError(messages["import-source"].oldInsomnia(file))
  const resources = list(value, "resources")
  const byParent = new Map<string, JsonValue[]>()
  for (const resource of resources) {
    const parent = text(resource, "parentId") ?? ""
    getOrCreate(byParent, parent, () => []).push(resource)
  }
  const ofType = (type: string): readonly JsonValue[] =>
    resources.filter((one) => text(one, "_type") === type)
  const nodesOf = (parent: string, depth: number): readonly Node[] => {
    if (depth > MAX_DEPTH) throw new CallsheetError(messages["import-source"].deep(file, MAX_DEPTH))
    return (byParent.get(parent) ?? [])
      .filter((one) => ["request", "request_group"].includes(text(one, "_type") ?? ""))
      .sort((a, b) => sortKey(a) - sortKey(b))
      .map((one) => ({ value: one, children: nodesOf(text(one, "_id") ?? "?", depth + 1) }))
  }
  const reader = new InsomniaReader(file)
  if (ofType("cookie_jar").some((jar) => list(jar, "cookies").length > 0))
    reader.lose(file, "cookie jar", reasons.cookies())
  for (const type of ["grpc_request", "websocket_request", "socketio_request", "unit_test", "proto_file"])
    for (const one of ofType(type))
      reader.lose(`${file}: ${text(one, "name") ?? type}`, type.replace("_", " "), reasons.kind())
  if (ofType("api_spec").some((one) => text(one, "contents") !== ""))
    reader.lose(file, "api spec", reasons.apiSpec())
  if (ofType("mock_server").length > 0) reader.lose(file, "mock server", reasons.kind())
  const ids = new Set(resources.map((one) => text(one, "_id")))
  for (const one of ofType("request"))
    if (!ids.has(text(one, "parentId")))
      reader.lose(`${file}: ${text(one, "name") ?? "request"}`, "request", reasons.orphan())
  for (const one of ofType("environment").filter(hasColor))
    reader.lose(`${file}: ${text(one, "name") ?? "environment"}`, "color", reasons.color())
  const workspaces = ofType("workspace")
  const name = text(workspaces[0], "name") ?? stemOf(file)
  const roots = workspaces.flatMap((workspace) => nodesOf(text(workspace, "_id") ?? "?", 0))
  const all = ofType("environment")
  const isBase = (one: JsonValue): boolean =>
    !all.some((other) => text(other, "_id") === text(one, "parentId"))
  return reader.collection({
    name,
    nodes: roots,
    base: all.filter(isBase).flatMap((one) => Object.entries(object(one, "data") ?? {})),
    environments: all
      .filter((one) => !isBase(one))
      .map((one) => [text(one, "name") ?? "environment", object(one, "data") ?? {}]),
  })
}

function readVersion5(value: JsonValue, file: string): Collection {
  const nodesOf = (items: readonly JsonValue[], depth: number): readonly Node[] => {
    if (depth > MAX_DEPTH) throw new CallsheetError(messages["import-source"].deep(file, MAX_DEPTH))
    return items
      .toSorted((a, b) => sortKey(a) - sortKey(b))
      .map((one) => ({ value: one, children: nodesOf(list(one, "children"), depth + 1) }))
  }
  const environments = object(value, "environments")
  const reader = new InsomniaReader(file)
  if (list(object(value, "cookieJar"), "cookies").length > 0)
    reader.lose(file, "cookie jar", reasons.cookies())
  for (const one of [environments, ...list(environments, "subEnvironments")])
    if (hasColor(one)) reader.lose(`${file}: ${text(one, "name") ?? "environment"}`, "color", reasons.color())
  return reader.collection({
    name: text(value, "name") ?? stemOf(file),
    nodes: nodesOf(list(value, "collection"), 0),
    base: Object.entries(object(environments, "data") ?? {}),
    environments: list(environments, "subEnvironments").map((one) => [
      text(one, "name") ?? "environment",
      object(one, "data") ?? {},
    ]),
  })
}

const sortKey = (value: JsonValue): number =>
  Number(text(value, "metaSortKey") ?? text(object(value, "meta"), "sortKey") ?? 0)

interface Parts {
  readonly name: string
  readonly nodes: readonly Node[]
  readonly base: readonly (readonly [string, JsonValue])[]
  readonly environments: readonly (readonly [string, JsonObject])[]
}

class InsomniaReader {
  readonly #losses: Loss[] = []
  /** The variables of folders. */
  readonly #variables: (Variable & { readonly where: string })[] = []
  readonly #file: string

  constructor(file: string) {
    this.#file = file
  }

  lose(where: string, what: string, reason: Reason): void {
    this.#losses.push({ where, what, reason })
  }

  collection({ name, nodes, base, environments }: Parts): Collection {
    const root: Folder = {
      kind: "folder",
      name,
      where: this.#file,
      scripts: [],
      items: nodes.flatMap((node) => this.#item(node, { path: [], headers: [] })),
    }
    const named: readonly SourceEnvironment[] = environments.map(([own, data]) => ({
      name: own,
      variables: this.#variablesIn(Object.entries(data), `${this.#file}: ${own}`),
    }))
    const shared = this.#variablesIn(base, this.#file)
    const values = new Map<string, Set<Variable["value"]>>()
    for (const one of [shared, this.#variables, ...named.map(({ variables }) => variables)].flat())
      getOrCreate(values, one.name, () => new Set()).add(one.value)
    for (const { name: own, where } of this.#variables)
      if ((values.get(own)?.size ?? 0) > 1) this.lose(where, `variable ${own}`, reasons.folderVariable())
    return {
      source: "insomnia",
      root,
      variables: [...shared, ...this.#variables],
      environments: named,
      losses: this.#losses,
    }
  }

  #item({ value, children }: Node, parent: Inherited): readonly Item[] {
    const name = text(value, "name") ?? "request"
    const path = [...parent.path, name]
    const where = `${this.#file}: ${path.join(" / ")}`
    const isFolder = text(value, "_type") === "request_group" || isJsonArray(member(value, "children"))
    const scripts = this.#scripts(value, where)
    const auth = this.#auth(object(value, "authentication"), where)
    const description = text(value, "description") ?? text(object(value, "meta"), "description")
    const common = { name, where, scripts, auth, description: description === "" ? undefined : description }
    const own = this.#pairs(list(value, "headers"), "header", where)
    const names = new Set(own.map((header) => header.name.toLowerCase()))
    const headers = [...parent.headers.filter((header) => !names.has(header.name.toLowerCase())), ...own]
    if (isFolder) {
      if (hasColor(value)) this.lose(where, "color", reasons.color())
      const data = Object.entries(object(value, "environment") ?? {})
      for (const one of this.#variablesIn(data, where)) this.#variables.push({ ...one, where })
      const items = children.flatMap((child) => this.#item(child, { path, headers }))
      return [{ ...common, kind: "folder", items }]
    }
    const method = text(value, "method")
    if (method === undefined) {
      this.lose(where, "request", reasons.kind())
      return []
    }
    const url = splitUrl(this.#text(text(value, "url") ?? "", where))
    const query = this.#pairs(list(value, "parameters"), "query parameter", where)
    const params = new Map(
      list(value, "pathParameters").map((one) => [text(one, "name") ?? "", text(one, "value") ?? ""]),
    )
    return [
      {
        ...common,
        kind: "request",
        method: method.toUpperCase(),
        url: {
          ...url,
          path: withPathValues(url.path, (param) => {
            const given = params.get(param)
            const written = given === undefined ? undefined : this.#text(given, where)
            // A path needs a value.
            return written === "" ? variableText(param) : written
          }),
          query: [...url.query, ...query],
        },
        headers,
        body: this.#body(object(value, "body"), where),
        ...this.#settings(value, where),
      },
    ]
  }

  /** Reads `{{ _.name }}`, `{{ name }}` and `{{ _['name'] }}`. Template tags and filters are lost. */
  #text(raw: string, where: string): Text {
    return replaceTags(plainText(raw), (whole, inner) => {
      const names = /^(?:_\.)?([\p{L}\p{M}\p{N}_.-]+|\$\w+)$|^_\[\s*(['"])(.+)\2\s*\]$/u.exec(
        inner?.trim() ?? "",
      )
      const name = names?.[1] ?? names?.[3]
      if (name !== undefined) return variableText(name)
      this.lose(where, `template tag ${/[\w.]+/.exec(whole)?.[0] ?? ""}`, reasons.templateTag())
      return ""
    })
  }

  #settings(value: JsonValue, where: string) {
    const settings = object(value, "settings")
    for (const kind of ["send", "store"])
      if (
        text(object(settings, "cookies"), kind) === "false" ||
        text(value, `setting${kind === "send" ? "Send" : "Store"}Cookies`) === "false"
      )
        this.lose(where, `setting ${kind} cookies`, reasons.setting())
    const redirects = text(settings, "followRedirects") ?? text(value, "settingFollowRedirects")
    return redirects === "off" ? { followRedirects: false } : {}
  }

  #variablesIn = (entries: readonly (readonly [string, JsonValue])[], where: string): readonly Variable[] =>
    entries.flatMap(([key, value]) => variablesOf(key, value, (raw) => this.#text(raw, `${where} / ${key}`)))

  #pairs = (values: readonly JsonValue[], what: string, where: string): readonly Pair[] =>
    readPairs({
      values,
      key: "name",
      what,
      where,
      read: (raw) => this.#text(raw, where),
      lose: (loss) => this.#losses.push(loss),
    })

  #body(body: JsonObject | undefined, where: string): Body | undefined {
    const mediaType = text(body, "mimeType")
    const params = list(body, "params")
    const file = text(body, "fileName")
    if (file !== undefined && file !== "") return { kind: "file", path: file, mediaType }
    if (mediaType === "application/x-www-form-urlencoded")
      return { kind: "form", fields: this.#pairs(params, "form field", where) }
    if (mediaType === "multipart/form-data")
      return { kind: "multipart", parts: params.flatMap((param) => this.#part(param, where)) }
    const content = text(body, "text") ?? ""
    if (content === "") return undefined
    const type = mediaType === "application/graphql" ? "application/json" : mediaType
    return { kind: "text", text: this.#text(content, where), mediaType: type === "" ? undefined : type }
  }

  #part(param: JsonValue, where: string): readonly BodyPart[] {
    const [pair] = this.#pairs([param], "form field", where)
    if (pair === undefined) return []
    const multiline = text(param, "multiline") ?? ""
    const contentType = multiline.includes("/") && multiline !== "text/plain" ? multiline : undefined
    if (text(param, "type") !== "file")
      return [{ name: pair.name, content: { value: pair.value }, contentType }]
    const file = text(param, "fileName") ?? ""
    if (file === "") this.lose(where, `form field ${text(param, "name") ?? ""}`, reasons.unnamedFile())
    return file === "" ? [] : [{ name: pair.name, content: { file } }]
  }

  #scripts(value: JsonValue, where: string) {
    const own = object(value, "scripts")
    const before = text(value, "preRequestScript") ?? text(own, "preRequest") ?? ""
    const after = text(value, "afterResponseScript") ?? text(own, "afterResponse") ?? ""
    return [
      { when: "before" as const, code: before, where: `${where} / preRequest`, dialect: "insomnia" as const },
      {
        when: "after" as const,
        code: after,
        where: `${where} / afterResponse`,
        dialect: "insomnia" as const,
      },
    ].filter(({ code }) => code.trim() !== "")
  }

  #auth(auth: JsonObject | undefined, where: string): Auth | undefined {
    const type = text(auth, "type")
    if (auth === undefined || type === undefined) return undefined
    if (isTrue(auth, "disabled")) {
      this.lose(where, `${type} authentication`, reasons.disabled())
      return { kind: "none" }
    }
    const get = (key: string): Text => this.#text(text(auth, key) ?? "", where)
    switch (type) {
      case "none":
        return { kind: "none" }
      case "bearer":
        return { kind: "bearer", token: get("token"), prefix: get("prefix") || "Bearer" }
      case "basic":
        return { kind: "basic", username: get("username"), password: get("password") }
      case "apikey":
        if (get("addTo") === "cookie")
          return { kind: "apiKey", in: "header", name: "Cookie", value: `${get("key")}=${get("value")}` }
        return {
          kind: "apiKey",
          in: get("addTo") === "queryParams" ? "query" : "header",
          name: get("key"),
          value: get("value"),
        }
      default:
        return { kind: "other", name: type }
    }
  }
}

/** Replaces `{% … %}` and `{{ … }}`, with what is inside the braces. Looks only once for the end of the last ones. */
function replaceTags(raw: string, convert: (whole: string, inner?: string) => string): string {
  const opening = /\{[%{]/g
  const unclosed = new Set<string>()
  let replaced = ""
  let from = 0
  for (let found = opening.exec(raw); found !== null; found = opening.exec(raw)) {
    const [open] = found
    const end = unclosed.has(open) ? -1 : raw.indexOf(open === "{{" ? "}}" : "%}", found.index + 2)
    if (end === -1) {
      unclosed.add(open)
      opening.lastIndex = found.index + 1
      continue
    }
    const whole = raw.slice(found.index, end + 2)
    replaced += raw.slice(from, found.index) + convert(whole, open === "{{" ? whole.slice(2, -2) : undefined)
    from = end + 2
    opening.lastIndex = from
  }
  return replaced + raw.slice(from)
}

interface Inherited {
  readonly path: readonly string[]
  /** The headers of the folders around. */
  readonly headers: readonly Pair[]
}

/** Nested data has a variable for each value: `{{ _.api.host }}` reads `api.host`. */
function variablesOf(
  name: string,
  value: JsonValue,
  read: (raw: string) => Text,
  depth = 0,
): readonly Variable[] {
  if (isJsonObject(value) && depth < MAX_DEPTH)
    return Object.entries(value).flatMap(([key, inner]) =>
      variablesOf(`${name}.${key}`, inner, read, depth + 1),
    )
  if (value === null) return [{ name, value: undefined }]
  if (typeof value === "object") return [{ name, value: plainText(stringifyJson(value)) }]
  return [{ name, value: typeof value === "string" ? read(value) : value }]
}
