// Writes a value as the body of a response, by its content type.

import {
  essence,
  isJsonArray,
  isJsonObject,
  isTextType,
  isXmlType,
  ownOf,
  stringifyJson,
  toText,
  type JsonValue,
} from "@callsheet/format"
import { bodyKindOf, formText } from "@callsheet/openapi"

export function encodeBody(value: JsonValue, contentType: string): Buffer {
  const type = essence(contentType)
  if (bodyKindOf(type) === "json") return Buffer.from(stringifyJson(value))
  if (typeof value === "string") return Buffer.from(value)
  const items = isJsonArray(value) ? value : [value]
  if (type === "text/event-stream") return Buffer.from(items.map(eventText).join(""))
  if (type === "application/json-seq")
    return Buffer.from(items.map((item) => `\u001e${stringifyJson(item)}\n`).join(""))
  if (jsonLines.test(type)) return Buffer.from(items.map((item) => `${stringifyJson(item)}\n`).join(""))
  if (isJsonObject(value) && bodyKindOf(type) === "form") return Buffer.from(formText(value, undefined))
  if (isXmlType(type)) return Buffer.from(xmlText(value))
  return Buffer.from(toText(value))
}

const jsonLines = /^application\/(?:x-)?(?:ndjson|jsonl|jsonlines|json-lines)$/

/** Writes an event. A value without `data` is the data. */
function eventText(event: JsonValue): string {
  const fields = isJsonObject(event) && Object.hasOwn(event, "data") ? event : { data: event }
  const lines = ["event", "id", "data"].flatMap((name) => {
    const value = ownOf(fields, name)
    if (value === undefined) return []
    return toText(value)
      .split(/\r\n|\r|\n/)
      .map((line) => `${name}: ${line}`)
  })
  return `${lines.join("\n")}\n\n`
}

/** Writes a value as XML with the names of its members. Contracts check XML only for being well-formed. */
function xmlText(value: JsonValue): string {
  return `<?xml version="1.0"?>${element("root", value, 0)}`
}

const MAX_DEPTH = 50

function element(name: string, value: JsonValue, depth: number): string {
  const tag = /^[A-Za-z_][\w.-]*$/.test(name) ? name : "item"
  const inner =
    depth === MAX_DEPTH
      ? ""
      : isJsonArray(value)
        ? value.map((item) => element("item", item, depth + 1)).join("")
        : isJsonObject(value)
          ? Object.entries(value)
              .map(([key, item]) => element(key, item, depth + 1))
              .join("")
          : escapeXml(toText(value))
  return `<${tag}>${inner}</${tag}>`
}

const escapeXml = (text: string): string =>
  text
    .replaceAll(/[<>&]/g, (character) => `&#${character.charCodeAt(0)};`)
    .replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g, "")

/** Returns the value that a report shows for bytes of a type: JSON, text, or base64. */
export function shownBody(bytes: Buffer, contentType: string | undefined, value: JsonValue): JsonValue {
  const type = essence(contentType ?? "")
  if (bodyKindOf(type) === "json") return value
  return isTextType(type) ? bytes.toString() : bytes.toString("base64")
}
