// Encodings and types in which a server repeats a secret.

import { createDraw, generateWriting } from "./generator.ts"
import { seed } from "./seed.ts"

export interface Said {
  readonly type: string
  readonly bytes: Buffer
}

const json = (text: string): Said => ({
  type: "application/json",
  bytes: Buffer.from(JSON.stringify({ text, list: [text, { [text]: text }] })),
})
const plain = (text: string): Said => ({ type: "text/plain; charset=utf-8", bytes: Buffer.from(text) })
const percent = (text: string): string =>
  [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join("")
const base64 = (text: string, before: number): string =>
  Buffer.from(`${"~".repeat(before)}${text}${"~".repeat(before)}`).toString("base64")
const entities = (text: string): string =>
  Array.from(text, (character) =>
    /[A-Za-z0-9 ]/.test(character) ? character : `&#${character.codePointAt(0)};`,
  ).join("")
const xml = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;")

/** Up to three nested encoders, different ones for each canary and each seed. */
const composed = (text: string, index: number, form: number): string =>
  generateWriting(createDraw((seed * 100 + index) * 10 + form), text).text

export const encodings: Readonly<Record<string, (text: string, index: number) => Said>> = {
  raw: json,
  json: (text) => json(JSON.stringify({ inner: text })),
  "percent-upper": (text) => json(`a=${percent(text).toUpperCase()}`),
  "percent-lower": (text) => plain(`a=${percent(text)}&b=1`),
  "percent-partial": (text) => json(encodeURI(text)),
  form: (text) => plain(new URLSearchParams({ a: text, b: text }).toString()),
  "base64-0": (text) => json(base64(text, 0)),
  "base64-1": (text) => json(base64(text, 1)),
  "base64-2": (text) => plain(base64(text, 2)),
  base64url: (text) => json(Buffer.from(`~${text}`).toString("base64url")),
  basic: (text) => json(`Basic ${Buffer.from(`user:${text}`).toString("base64")}`),
  html: (text) => ({
    type: "text/html",
    bytes: Buffer.from(`<p title='${entities(text)}'>${entities(text)}</p>`),
  }),
  xml: (text) => ({ type: "application/xml", bytes: Buffer.from(`<a b="${xml(text)}">${xml(text)}</a>`) }),
  utf16: (text) => ({ type: "application/octet-stream", bytes: Buffer.from(text, "utf16le") }),
  "utf16-text": (text) => ({ type: "text/plain; charset=utf-16le", bytes: Buffer.from(text, "utf16le") }),
  lines: (text) => plain(base64(text, 1).replaceAll(/.{20}/g, "$&\r\n")),
  binary: (text) => ({ type: "application/octet-stream", bytes: Buffer.from(`~~${text}~`) }),
  "composed-1": (text, index) => json(composed(text, index, 1)),
  "composed-2": (text, index) => json(composed(text, index, 2)),
  "composed-3": (text, index) => plain(composed(text, index, 3)),
  "composed-4": (text, index) => plain(composed(text, index, 4)),
  // A failure's excerpt of a body is truncated at 4,000 characters.
  cut: (text) => json(`${".".repeat(3990)}${text}${".".repeat(3990)}`),
}
