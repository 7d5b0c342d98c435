// A body as a value -> bytes of a media type, and the value that a reader of the report sees.

import { isJsonArray, isJsonObject, stringifyJson, type BodyType, type JsonValue } from "@callsheet/format"
import type { FilePort, Random } from "../ports.ts"

export interface EncodedBody {
  readonly bytes: Uint8Array
  readonly contentType: string
  /** What the report shows; files by their path. */
  readonly view: JsonValue
}

export type EncodeBody =
  | { readonly ok: true; readonly body: EncodedBody }
  | { readonly ok: false; readonly message: string; readonly hint?: string }

export interface BodyRequest {
  readonly value: JsonValue
  readonly type: BodyType
  /** A media type that was chosen by a header or by the document; its parameters stay. */
  readonly mediaType: string | undefined
  readonly files: FilePort
  readonly random: Random
}

const encoders: { readonly [T in BodyType]: (request: BodyRequest) => EncodeBody | Promise<EncodeBody> } = {
  json: ({ value, mediaType }) => encoded(stringifyJson(value), mediaType ?? "application/json", value),
  form: encodeForm,
  multipart: encodeMultipart,
  text: ({ value, mediaType }) =>
    typeof value === "string"
      ? encoded(value, mediaType ?? "text/plain; charset=utf-8", value)
      : refused("a text body must be a string"),
  file: encodeFile,
}

export const encodeBody = async (request: BodyRequest): Promise<EncodeBody> => encoders[request.type](request)

const encoder = new TextEncoder()

const encoded = (text: string, contentType: string, view: JsonValue): EncodeBody => ({
  ok: true,
  body: { bytes: encoder.encode(text), contentType, view },
})

const refused = (message: string, hint?: string): EncodeBody => ({
  ok: false,
  message,
  ...(hint === undefined ? {} : { hint }),
})

const textOf = (value: JsonValue): string => (typeof value === "string" ? value : stringifyJson(value))

/** Each value of a name: arrays repeat the name. */
function* fieldsOf(value: Readonly<Record<string, JsonValue>>): Generator<[name: string, value: JsonValue]> {
  for (const [name, field] of Object.entries(value)) {
    if (isJsonArray(field)) for (const item of field) yield [name, item]
    else yield [name, field]
  }
}

/** `application/x-www-form-urlencoded` as the WHATWG URL Standard serializes it. */
function encodeForm({ value, mediaType }: BodyRequest): EncodeBody {
  if (!isJsonObject(value)) return refused("a form body must be an object of names and values")
  const form = new URLSearchParams()
  for (const [name, field] of fieldsOf(value)) form.append(name, textOf(field))
  return encoded(form.toString(), mediaType ?? "application/x-www-form-urlencoded", value)
}

interface Part {
  readonly head: string
  readonly bytes: Uint8Array
}

/** `multipart/form-data` by RFC 7578. */
async function encodeMultipart({ value, files, random, mediaType }: BodyRequest): Promise<EncodeBody> {
  if (!isJsonObject(value)) return refused("a multipart body must be an object of names and parts")
  const parts: Part[] = []
  for (const [name, field] of fieldsOf(value)) {
    const part = await encodePart(name, field, files)
    if ("message" in part) return refused(part.message)
    parts.push(part)
  }
  const boundary = /boundary="?([^";]+)/i.exec(mediaType ?? "")?.[1] ?? `callsheet-${random.uuid()}`
  const chunks = parts.flatMap((part) => [
    encoder.encode(`--${boundary}\r\n${part.head}\r\n\r\n`),
    part.bytes,
    encoder.encode("\r\n"),
  ])
  chunks.push(encoder.encode(`--${boundary}--\r\n`))
  const base =
    mediaType === undefined || mediaType === "*/*"
      ? "multipart/form-data"
      : mediaType.replace(/;\s*boundary=[^;]*/i, "")
  return {
    ok: true,
    body: { bytes: concat(chunks), contentType: `${base}; boundary=${boundary}`, view: value },
  }
}

async function encodePart(
  name: string,
  field: JsonValue,
  files: FilePort,
): Promise<Part | { message: string }> {
  const disposition = `content-disposition: form-data; name="${escapeName(name)}"`
  if (!isJsonObject(field) || typeof field["file"] !== "string") {
    const type = typeof field === "object" && field !== null ? "\r\ncontent-type: application/json" : ""
    return { head: `${disposition}${type}`, bytes: encoder.encode(textOf(field)) }
  }
  const path = field["file"]
  const bytes = await readBodyFile(path, files)
  if (typeof bytes === "string") return { message: bytes }
  const filename =
    typeof field["filename"] === "string" ? field["filename"] : path.slice(path.lastIndexOf("/") + 1)
  const contentType =
    typeof field["contentType"] === "string" ? field["contentType"] : "application/octet-stream"
  if (/[\r\n\0]/.test(contentType))
    return { message: `the content type of the part "${name}" holds a line break` }
  return { head: `${disposition}; filename="${escapeName(filename)}"\r\ncontent-type: ${contentType}`, bytes }
}

/** HTML Standard, "multipart/form-data encoding algorithm": the three characters that would end the name. */
const escapeName = (name: string): string =>
  name.replaceAll("\n", "%0A").replaceAll("\r", "%0D").replaceAll('"', "%22")

async function encodeFile({ value, mediaType, files }: BodyRequest): Promise<EncodeBody> {
  if (typeof value !== "string") return refused("a file body must be the path of a file in the project")
  const bytes = await readBodyFile(value, files)
  if (typeof bytes === "string") return refused(bytes)
  return {
    ok: true,
    body: {
      bytes,
      contentType: mediaType ?? "application/octet-stream",
      view: `${value} (${bytes.length} bytes)`,
    },
  }
}

/** The bytes, or why there are none. */
async function readBodyFile(path: string, files: FilePort): Promise<Uint8Array | string> {
  try {
    return await files.read(path)
  } catch (error) {
    return `the file ${JSON.stringify(path)} cannot be read: ${error instanceof Error ? error.message : "unknown reason"}`
  }
}

function concat(chunks: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(chunks.reduce((size, chunk) => size + chunk.length, 0))
  let at = 0
  for (const chunk of chunks) {
    bytes.set(chunk, at)
    at += chunk.length
  }
  return bytes
}
