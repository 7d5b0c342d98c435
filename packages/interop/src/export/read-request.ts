// Turns a request that the engine built into templates, in which each value knows how it is encoded.

import { attempt, isEqual, parseJson, stringifyJson } from "@callsheet/format"
import { exportReasons as reasons } from "./messages.ts"
import type { Marks } from "./marks.ts"
import type {
  Encoding,
  ExportBody,
  Exported,
  ExportRequest,
  Field,
  ParamLocation,
  Part,
  Ref,
  Slot,
  SourceRequest,
  Template,
} from "./model.ts"

interface Context extends Pick<Exported, "lose"> {
  readonly nonce: string
  readonly api: string
  readonly where: string
  readonly marks: Marks
}

type Built = Extract<SourceRequest, { readonly ok: true }>

export function requestOf(built: Built, context: Context): ExportRequest | undefined {
  const { wire, params, operation } = built
  const { api, marks, where, lose } = context
  const shown = (name: string): string => marks.name(name)
  const raw = (text: string): Template => templateOf(marks, text, "raw")
  const url = urlOf(wire.url, context)
  const headers = wire.headers.map(([name, value]): Field => ({
    name: shown(name),
    value: headerOf(marks, value),
  }))
  const body = built.body === undefined ? undefined : bodyOf(built, headers, context)
  if (body === "unreadable") return lose(where, "body", reasons.body())
  if (built.auth?.kind === "oauth2") {
    const { variable } = built.auth
    const token: Ref = {
      kind: "variable",
      path: `env.${api}.${variable}`,
      api,
      name: variable,
      isSecret: true,
    }
    headers.push({ name: "authorization", value: ["Bearer ", { ref: marks.use(token), as: "raw" }] })
    lose(where, "OAuth 2 authorization", reasons.token(`${api}.${variable}`))
  }
  const secret = (variable: string): Ref =>
    marks.use(
      marks.variable(api, variable) ?? { kind: "variable", path: "", api, name: variable, isSecret: true },
    )
  return {
    api,
    method: wire.method,
    url,
    headers: body?.kind === "multipart" ? headers.filter(({ name }) => !isContentType(name)) : headers,
    cookies: Object.entries(wire.cookies).flatMap(([name, values]) =>
      [values].flat().map((value): Field => ({ name: shown(name), value: raw(value) })),
    ),
    body,
    bodyValue: built.bodyValue === undefined ? undefined : marks.keys(built.bodyValue),
    params: (Object.keys(params) as ParamLocation[]).flatMap((location) =>
      [...params[location]].map(([name, { text }]) => ({
        in: location,
        name: shown(name),
        value: raw(text),
      })),
    ),
    operation,
    auth: authOf(built, secret),
    followRedirects: wire.followRedirects,
    timeoutMs: wire.timeoutMs,
    verifyTls: wire.verifyTls,
  }
}

/** Returns how to authorize the request. AWS Signature Version 4 has no variable of the scheme's own name. */
function authOf({ auth }: Built, secret: (variable: string) => Ref): ExportRequest["auth"] {
  if (auth?.kind === "digest") return { kind: auth.kind, variable: secret(auth.variable) }
  return auth?.kind === "sigv4" ? { kind: auth.kind } : undefined
}

function urlOf(text: string, { marks, nonce }: Context): Template {
  // A marked base URL has a scheme only because the engine requires one.
  const [base, ...rest] = templateOf(marks, text.replace(new RegExp(`^http://(?=${nonce}\\d+z)`), ""), "url")
  if (base === undefined) return []
  return typeof base === "object" && base.ref.name === "baseUrl"
    ? [{ ...base, as: "raw" }, ...rest]
    : [base, ...rest]
}

const isContentType = (name: string): boolean => name.toLowerCase() === "content-type"

function templateOf(marks: Marks, text: string, as: Encoding): Template {
  return marks.split(text).map((part) => (typeof part === "string" ? part : { ref: part, as }))
}

/** Returns the template of a header. The marks in a Basic credential are encoded in Base64. */
function headerOf(marks: Marks, value: string): Template {
  const pair = /^Basic ([A-Za-z0-9+/]+=*)$/.exec(value)?.[1]
  const decoded = pair === undefined ? undefined : attempt(() => atob(pair))
  const [only, ...others] = decoded === undefined ? [] : marks.split(decoded)
  if (typeof only === "object" && others.length === 0) return ["Basic ", { ref: only, as: "base64" }]
  return templateOf(marks, value, "raw")
}

function bodyOf(built: Built, headers: readonly Field[], { marks }: Context): ExportBody | "unreadable" {
  const { body = "", bodyValue } = built
  const given = headers.find(({ name }) => isContentType(name))?.value ?? []
  const mediaType = given.map((part) => (typeof part === "string" ? part : "")).join("")
  const [only, ...others] = marks.split(body)
  if (typeof only === "object" && only.kind === "file" && others.length === 0)
    return { kind: "file", mediaType, file: only.path }
  const boundary = /^multipart\/.*boundary="?([^";]+)/i.exec(mediaType)?.[1]
  if (boundary !== undefined && typeof bodyValue !== "string") {
    const parts = partsOf(body, boundary, marks)
    if (parts === undefined) return "unreadable"
    return { kind: "multipart", mediaType: mediaType.replace(/;\s*boundary=.*/i, ""), parts }
  }
  if (body === bodyValue) return { kind: "text", mediaType, text: templateOf(marks, body, "raw") }
  if (/^application\/x-www-form-urlencoded/i.test(mediaType))
    return { kind: "form", mediaType, text: templateOf(marks, body, "form") }
  return { kind: "json", mediaType, text: jsonOf(marks, body) }
}

/** Returns the template of a JSON text. A string that is only a mark becomes the value, with its type. */
function jsonOf(marks: Marks, text: string): Template {
  const parts = marks.split(withoutSecretNames(marks, text))
  return parts.map((part, at) => {
    if (typeof part === "object") {
      const isWhole = isQuoted(parts, at)
      return { ref: part, as: isWhole ? "json" : "jsonText" } satisfies Slot
    }
    const isBefore = isQuoted(parts, at + 1)
    const isAfter = isQuoted(parts, at - 1)
    return part.slice(isAfter ? 1 : 0, isBefore ? -1 : undefined)
  })
}

/** Masks the names in a JSON text. Masked as a text, two names of an object could become the same. */
function withoutSecretNames(marks: Marks, text: string): string {
  const parsed = parseJson(text, { allowDuplicateKeys: true })
  if (!parsed.ok) return text
  const shown = marks.keys(parsed.value)
  return isEqual(shown, parsed.value) ? text : stringifyJson(shown)
}

function isQuoted(parts: readonly (string | Ref)[], at: number): boolean {
  const [before, mark, after] = [parts[at - 1], parts[at], parts[at + 1]]
  if (typeof mark !== "object" || typeof before !== "string" || typeof after !== "string") return false
  return /(?:^|[^\\])"$/.test(before) && after.startsWith('"')
}

/** Reads the parts of a multipart body as the engine wrote it. */
function partsOf(body: string, boundary: string, marks: Marks): readonly Part[] | undefined {
  const texts = body.split(`--${boundary}`).slice(1, -1)
  const parts = texts.map((text): Part | undefined => {
    const cut = text.indexOf("\r\n\r\n")
    const head = text.slice(0, cut)
    const name = /[;\s]name="([^"]*)"/.exec(head)?.[1]
    if (cut === -1 || name === undefined) return undefined
    const filename = /; filename="([^"]*)"/.exec(head)?.[1]
    const contentType = /\r\ncontent-type: ([^\r]*)/.exec(head)?.[1]
    const value = text.slice(cut + 4, -2)
    const content = /^[^;]*[/+]json\b/i.test(contentType ?? "")
      ? jsonOf(marks, value)
      : templateOf(marks, value, "raw")
    const [only] = content
    const isFile = typeof only === "object" && only.ref.kind === "file" && content.length === 1
    return {
      name: plainOf(marks, name),
      ...(filename === undefined ? {} : { filename: plainOf(marks, filename) }),
      ...(contentType === undefined ? {} : { contentType: plainOf(marks, contentType) }),
      content: isFile ? { file: only.ref.path } : content,
    }
  })
  return parts.every((part) => part !== undefined) ? parts : undefined
}

/** Returns a name as written in the workflow: a name can't contain values of the run. */
const plainOf = (marks: Marks, text: string): string =>
  marks
    .split(text)
    .map((part) => (typeof part === "string" ? part : `{{${part.path}}}`))
    .join("")
    .replaceAll("%22", '"')
    .replaceAll("%0A", "\n")
    .replaceAll("%0D", "\r")
