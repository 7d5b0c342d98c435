// Converts a sent request to a curl command.

import {
  isJsonArray,
  isJsonObject,
  parseJson,
  singleQuoted,
  stringifyJson,
  type BodyType,
  type JsonObject,
  type JsonValue,
  type RequestView,
} from "@callsheet/format"

interface CurlLine {
  readonly line: string
  /** True if the command contains secrets as `***`. */
  readonly hasSecrets: boolean
}

/**
 * Returns a command. Uses the content type if `bodyType` is unknown. Undefined if no command can express the request.
 */
export function curlLine(request: RequestView, bodyType?: BodyType): CurlLine | undefined {
  const { method, url, headers = {}, body } = request
  const type = contentTypeOf(headers)
  const data = body === undefined ? noBody : bodyWords(body, bodyType ?? guessedBodyType(body, type))
  if (data === undefined) return undefined
  const words = [
    ...methodWords(method, data.words.length > 0),
    ...(/[[\]{}]/.test(url) ? ["--globoff"] : []),
    quoted(url),
    ...Object.entries(headers).flatMap(([name, value]) =>
      isOwnHeader(name, value) || (data.isForm && name === "content-type")
        ? []
        : [value].flat().flatMap((text) => ["-H", quoted(headerText(name, text))]),
    ),
    // By default, curl declares the body as a form.
    ...(type === undefined && data.words.length > 0 && !data.isForm ? ["-H", quoted("content-type:")] : []),
    ...(headers["accept-encoding"] === undefined ? [] : ["--compressed"]),
    ...data.words,
  ]
  if (words.some((word) => word === undefined)) return undefined
  const line = `${data.before}curl ${words.join(" ")}`
  return { line, hasSecrets: line.includes("***") }
}

const headerText = (name: string, value: string): string => (value === "" ? `${name};` : `${name}: ${value}`)

/** Headers that curl adds itself. */
const isOwnHeader = (name: string, value: string | readonly string[]): boolean =>
  ["host", "content-length", "connection", "transfer-encoding", "accept-encoding"].includes(name) ||
  (name === "user-agent" && String(value).startsWith("callsheet"))

function methodWords(method: string, hasBody: boolean): readonly string[] {
  if (method === "HEAD" && !hasBody) return ["--head"]
  return method === (hasBody ? "POST" : "GET") ? [] : ["-X", quoted(method)]
}

function contentTypeOf(headers: NonNullable<RequestView["headers"]>): string | undefined {
  const type = headers["content-type"]
  return typeof type === "string" ? type.toLowerCase() : undefined
}

export function guessedBodyType(body: JsonValue, type = ""): BodyType {
  if (type.startsWith("multipart/")) return "multipart"
  if (type.startsWith("application/x-www-form-urlencoded") && isJsonObject(body)) return "form"
  if (typeof body !== "string") return "json"
  // Text that is already JSON was sent unchanged.
  return /[/+]json\b/.test(type) && !parseJson(body).ok ? "json" : "text"
}

interface BodyWords {
  readonly words: readonly string[]
  /** A command that writes to curl's standard input. */
  readonly before: string
  readonly isForm: boolean
}

const noBody: BodyWords = { words: [], before: "", isForm: false }

function bodyWords(body: JsonValue, type: BodyType): BodyWords | undefined {
  if (type === "json") return textWords(stringifyJson(body))
  if (type === "multipart") return isJsonObject(body) ? partWords(body) : undefined
  if (type === "form" && isJsonObject(body)) return textWords(formText(body))
  if (typeof body !== "string") return undefined
  if (type === "text") return textWords(body)
  const [, path = body] = /^([\s\S]*) \(\d+ bytes\)$/.exec(body) ?? []
  return hasControls(path) ? undefined : { ...noBody, words: ["--data-binary", quoted(`@${path}`)] }
}

/** A terminal may read control characters as keys, so no command contains them. Line breaks and tabs are safe. */
const hasControls = (text: string): boolean => /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/.test(text)

const textWords = (text: string): BodyWords =>
  hasControls(text)
    ? { ...noBody, before: `printf ${printed(text)} | `, words: ["--data-binary", "@-"] }
    : { ...noBody, words: ["--data-raw", quoted(text)] }

function partWords(body: JsonObject): BodyWords | undefined {
  const words: string[] = []
  for (const [name, value] of Object.entries(body)) {
    for (const part of isJsonArray(value) ? value : [value]) {
      const word = partWord(name, part)
      // `=` would end the name.
      if (hasControls(word) || name.includes("=")) return undefined
      words.push(typeof part === "string" ? "--form-string" : "-F", quoted(word))
    }
  }
  return { words, before: "", isForm: true }
}

function partWord(name: string, part: JsonValue): string {
  if (typeof part === "string") return `${name}=${part}`
  if (!isJsonObject(part) || typeof part["file"] !== "string") {
    const type = typeof part === "object" && part !== null ? ";type=application/json" : ""
    return `${name}=${inQuotes(stringifyJson(part))}${type}`
  }
  const { file, filename, contentType } = part
  return [
    `${name}=@${inQuotes(file)}`,
    typeof filename === "string" ? `;filename=${inQuotes(filename)}` : "",
    typeof contentType === "string" ? `;type=${contentType}` : "",
  ].join("")
}

/** Quotes the value of a part for curl. */
const inQuotes = (text: string): string => `"${text.replaceAll(/["\\]/g, "\\$&")}"`

function formText(body: JsonObject): string {
  const fields = new URLSearchParams()
  for (const [name, value] of Object.entries(body))
    for (const item of isJsonArray(value) ? value : [value])
      fields.append(name, typeof item === "string" ? item : item === null ? "" : stringifyJson(item))
  return fields.toString()
}

const quoted = (text: string): string =>
  /^[\w@%+:,./=-]+$/.test(text) && !text.startsWith("-") ? text : singleQuoted(text)

/** Escapes text for `printf`. Special characters become numbers. */
function printed(text: string): string {
  const bytes = [...new TextEncoder().encode(text)]
  const escaped = bytes.map((byte) => {
    const isPlain = byte > 31 && byte < 127 && !["'", "\\", "%"].includes(String.fromCharCode(byte))
    return isPlain ? String.fromCharCode(byte) : `\\${byte.toString(8).padStart(3, "0")}`
  })
  return `'${escaped.join("")}'`
}
