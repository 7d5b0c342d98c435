// Joins the data of curl commands: `-d`, `--data-urlencode`, `--json` and `--url-query`. Some of it may be in files, which
// only the import may read, so the pieces stay apart until then.

import type { Body, DataPiece, Pair } from "../model.ts"
import { decodeForm, mapText, variableText, type Text } from "../text.ts"
import { splitUrl } from "./url.ts"

/** Returns the piece that an option adds. `value` is its argument. */
export function pieceOf([option, value]: readonly [option: string, value: Text]): DataPiece {
  if (option === "data-urlencode") return encodedPiece(value)
  if (option === "data-raw" || !value.startsWith("@")) return { text: value }
  // Only these two options keep the line breaks of a file.
  const isBinary = option === "data-binary" || option === "json"
  return { file: value.slice(1), removesBreaks: !isBinary }
}

/** Reads `content`, `=content`, `name=content`, `@file` and `name@file`. */
function encodedPiece(value: Text): DataPiece {
  const [, name = "", sign = "=", content = value] = /^([^=@]*)([=@])(.*)$/s.exec(value) ?? []
  const named = name === "" ? {} : { name }
  return sign === "@"
    ? { file: content, removesBreaks: false, encodes: true, ...named }
    : { text: content, encodes: true, ...named }
}

/** Returns the fields of a query or form. Files must have been read. */
export const fieldsOf = (pieces: readonly DataPiece[]): readonly Pair[] =>
  pieces.flatMap((piece): readonly Pair[] => {
    if (!("text" in piece)) return []
    const { text, name, encodes } = piece
    if (encodes !== true) return splitUrl(`?${text}`).query
    // Without a name, curl sends only the value.
    return name === undefined ? [{ name: text, value: "" }] : [{ name: decodeForm(name), value: text }]
  })

/** Returns the body of pieces. Files must have been read. */
export function bodyOfData({ pieces, mediaType, isJson }: Extract<Body, { kind: "data" }>): Body {
  const texts = pieces.flatMap((piece) => ("text" in piece ? [piece] : []))
  const isForm = /^application\/x-www-form-urlencoded/i.test(mediaType)
  const looksLikeForm = texts.every(({ text, name, encodes }) =>
    // A form always has a name and an equals sign.
    encodes === true ? name !== undefined : text.includes("=") && !/^\s*[[{]/.test(text),
  )
  const written = texts.map(writtenOf).join(isJson ? "" : "&")
  return isForm && looksLikeForm
    ? { kind: "form", fields: fieldsOf(texts), written }
    : { kind: "text", text: written, mediaType }
}

/** Returns a piece as curl sends it. */
function writtenOf({ text, name, encodes }: Extract<DataPiece, { text: Text }>): Text {
  if (encodes !== true) return text
  const content = mapText(text, encodeForm, variableText)
  return name === undefined ? content : `${name}=${content}`
}

const encodeForm = (text: string): string => encodeURIComponent(text).replaceAll("%20", "+")
