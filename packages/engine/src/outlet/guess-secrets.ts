// Recognizes the credentials in a response by the names of its fields, before any request uses them.

import { isJsonArray, type Headers, type JsonValue } from "@callsheet/format"

export interface NamedCredential {
  readonly name: string
  readonly value: string | number | bigint
}

interface NamedResponse {
  readonly status: number
  readonly headers: Headers
  readonly body: JsonValue | undefined
}

type Fields = Iterable<readonly [name: string, value: JsonValue]>

const tokenNames: readonly string[] = ["access_token", "refresh_token", "id_token"]
const credentialNames: ReadonlySet<string> = new Set([
  ...tokenNames,
  "client_secret",
  "password",
  "api_key",
  "apiKey",
])

/** Returns whether a name often has another meaning, such as the cursor of a page or the date of a session. */
const isAmbiguous = (name: string): boolean => name === "token" || name.startsWith("session")

/** Returns the credentials of an OAuth token response (RFC 6749 section 5.1). */
export function tokenCredentials(response: NamedResponse): readonly NamedCredential[] {
  const fields = new Map(fieldsOf(response))
  if (typeof fields.get("access_token") !== "string" || typeof fields.get("token_type") !== "string")
    return []
  return tokenNames.flatMap((name) => {
    const value = fields.get(name)
    return typeof value === "string" ? [{ name, value }] : []
  })
}

/** Returns the values in a response, at any depth, whose names say that they are credentials. */
export function namedCredentials(response: NamedResponse): readonly NamedCredential[] {
  const { headers, body } = response
  const isError = response.status >= 400
  const found: NamedCredential[] = []
  const look = (name: string, value: JsonValue): void => {
    if (typeof value === "object" || typeof value === "boolean") return
    if (isCredential(name, value, isError)) found.push({ name, value })
  }
  for (const [name, value] of headerFields(headers)) look(name, value)
  if (typeof body === "string") for (const [name, value] of fieldsOf(response)) look(name, value)
  // Iterative, because a response may nest deeper than the stack.
  const work: JsonValue[] = [body ?? null]
  for (let here = work.pop(); here !== undefined; here = work.pop()) {
    if (typeof here !== "object" || here === null) continue
    if (isJsonArray(here)) {
      for (const child of here) if (typeof child === "object") work.push(child)
      continue
    }
    for (const [name, value] of Object.entries(here))
      if (typeof value === "object") work.push(value)
      else look(name, value)
  }
  return found
}

/** Returns the members of an object, or the fields of a form. */
function fieldsOf({ headers, body }: NamedResponse): Fields {
  if (typeof body === "string") return isForm(headers["content-type"]) ? new URLSearchParams(body) : []
  return typeof body === "object" && body !== null && !isJsonArray(body) ? Object.entries(body) : []
}

const isForm = (type: Headers[string] | undefined): boolean =>
  typeof type === "string" && /^\s*application\/x-www-form-urlencoded\s*(?:;|$)/i.test(type)

/** Yields headers and cookies by the names that they would have as members. */
function* headerFields(headers: Headers): Fields & Generator<readonly [string, string]> {
  for (const [name, given] of Object.entries(headers))
    for (const text of typeof given === "string" ? [given] : given)
      if (name === "set-cookie") {
        const [cookie = "", value = ""] = /^([^=;]*)=([^;]*)/.exec(text)?.slice(1) ?? []
        yield [cookie.trim(), value.trim()]
      } else yield [name.replaceAll("-", "_"), text]
}

/** The minimum number of characters of a credential. Shorter values are too common in other text. */
const MIN_LENGTH = 4
const MIN_TOKEN_LENGTH = 16

/** Matches what mocks and masks write in place of a credential. */
const placeholder = /^(?:[*•●.x]+|string|null|none|true|false|undefined|<.*>|\[.*\])$/i

function isCredential(name: string, value: string | number | bigint, isError: boolean): boolean {
  if (isAmbiguous(name)) return looksRandom(String(value))
  if (!credentialNames.has(name)) return false
  const text = String(value)
  if (text.length < MIN_LENGTH || placeholder.test(text)) return false
  // An error response names the field that is wrong: `"password": "is too short"`, or `"password": "required"`.
  return !isError || (/\d/.test(text) && !/\s/.test(text))
}

/** Returns whether text looks generated: a long word of letters between digits, or of often changing case. */
function looksRandom(text: string): boolean {
  if (text.length < MIN_TOKEN_LENGTH || /\s|:\/\/|^\d{4}-?\d\d-?\d\dT/.test(text)) return false
  return /^\d+$/.test(text) || /[a-z]\d|\d[a-z]/i.test(text) || (text.match(/[a-z][A-Z]/g) ?? []).length >= 3
}
