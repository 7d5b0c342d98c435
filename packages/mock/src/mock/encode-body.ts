// Writes a value as the body of a response, by its content type.

import {
  essence,
  isJsonArray,
  isJsonObject,
  isTextType,
  isXmlType,
  streamFormatOf,
  streamItems,
  streamText,
  stringifyJson,
  toText,
  type JsonValue,
  type StreamFormat,
} from "@callsheet/format"
import { bodyKindOf, formText } from "@callsheet/openapi"

export function encodeBody(value: JsonValue, contentType: string): Buffer {
  const type = essence(contentType)
  if (bodyKindOf(type) === "json") return Buffer.from(stringifyJson(value))
  if (typeof value === "string") return Buffer.from(value)
  const format = streamFormatOf(type)
  if (format !== undefined) return Buffer.from(streamText(format, itemsToSend(format, value)))
  if (isJsonObject(value) && bodyKindOf(type) === "form") return Buffer.from(formText(value, undefined))
  if (isXmlType(type)) return Buffer.from(xmlText(value))
  return Buffer.from(toText(value))
}

/** Returns the items that a value stands for. A value that isn't a list is the only one, and one without `data` is the data. */
function itemsToSend(format: StreamFormat, value: JsonValue): readonly JsonValue[] {
  const items = isJsonArray(value) ? value : [value]
  return format === "events"
    ? items.map((item) => (isJsonObject(item) && Object.hasOwn(item, "data") ? item : { data: item }))
    : items
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

/** Returns the value that a report shows for bytes of a type: JSON, the items of a stream, text, or base64. */
export function shownBody(bytes: Buffer, contentType: string | undefined, value: JsonValue): JsonValue {
  const type = essence(contentType ?? "")
  if (bodyKindOf(type) === "json") return value
  const format = streamFormatOf(type)
  if (format !== undefined) return streamItems(format, bytes.toString(), (item) => item.value)
  return isTextType(type) ? bytes.toString() : bytes.toString("base64")
}
