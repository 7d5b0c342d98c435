// Encodes a body for a media type. Returns the bytes, and the value that reports show.

import {
  describeType,
  isJsonObject,
  stringifyJson,
  type BodyType,
  type Finding,
  type JsonValue,
} from "@callsheet/format"
import {
  contentTypeFor,
  fieldText,
  formFields,
  formText,
  type FieldEncodings,
  type FormField,
} from "@callsheet/openapi"
import { messages } from "../messages.ts"
import type { FilePort, Random } from "../ports.ts"

export interface EncodedBody {
  readonly bytes: Uint8Array
  readonly contentType: string
  /** The value that reports show. A file is shown by its path. */
  readonly view: JsonValue
  /** Returns the text of a form or a multipart body, with a size in place of each file. */
  readonly text?: (() => string) | undefined
}

export type EncodeBody =
  | { readonly ok: true; readonly body: EncodedBody }
  | { readonly ok: false; readonly finding: Refusal }

type Refusal = Finding<"request-failed">

interface BodyRequest {
  readonly value: JsonValue
  readonly type: BodyType
  /** The media type of a header or of the document, with its parameters. */
  readonly mediaType: string | undefined
  /** The document's encodings of form fields. */
  readonly encodings: FieldEncodings | undefined
  readonly files: FilePort
  readonly random: Random
}

const encoders: { readonly [T in BodyType]: (request: BodyRequest) => EncodeBody | Promise<EncodeBody> } = {
  json: ({ value, mediaType }) => encoded(stringifyJson(value), mediaType ?? "application/json", value),
  form: encodeForm,
  multipart: encodeMultipart,
  text: encodeText,
  file: encodeFile,
}

/** Encodes a body. Rejects text that UTF-8 can't encode. */
export const encodeBody = (request: BodyRequest): EncodeBody | Promise<EncodeBody> =>
  encoders[request.type](request)

const encoder = new TextEncoder()

const encoded = (text: string, contentType: string, view: JsonValue): EncodeBody => ({
  ok: true,
  body: { bytes: encoder.encode(text), contentType, view },
})

const decoder = new TextDecoder("utf-8", { ignoreBOM: true })

const refused = (finding: Refusal): EncodeBody => ({ ok: false, finding })

const says = messages["request-failed"]

const halves = /\p{Surrogate}/u

function encodeText({ value, mediaType }: BodyRequest): EncodeBody {
  if (typeof value !== "string") return refused(says.bodyType("text", describeType(value)))
  if (halves.test(value)) return refused(says.halfCharacter("body"))
  return encoded(value, mediaType ?? "text/plain; charset=utf-8", value)
}

/** Encodes `application/x-www-form-urlencoded` by the WHATWG URL Standard, except for fields with a style. */
function encodeForm({ value, mediaType, encodings }: BodyRequest): EncodeBody {
  if (!isJsonObject(value)) return refused(says.bodyType("form", describeType(value)))
  try {
    const bytes = encoder.encode(formText(value, encodings))
    const contentType = mediaType ?? "application/x-www-form-urlencoded"
    return { ok: true, body: { bytes, contentType, view: value, text: () => decoder.decode(bytes) } }
  } catch (error) {
    if (error instanceof URIError) return refused(says.halfCharacter("form"))
    throw error
  }
}

interface Part {
  readonly head: string
  readonly bytes: Uint8Array
  /** The text of the part, or the size of its file. */
  readonly shown: string
}

/** Encodes `multipart/form-data` by RFC 7578. */
async function encodeMultipart(request: BodyRequest): Promise<EncodeBody> {
  const { value, files, random, mediaType, encodings } = request
  if (!isJsonObject(value)) return refused(says.bodyType("multipart", describeType(value)))
  const parts: Part[] = []
  for (const field of formFields(value, encodings, { parts: true, isWhole: isFile })) {
    const part = await encodePart(field, files)
    if ("code" in part) return refused(part)
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
  const shown = parts.map((part) => `--${boundary}\n${part.head.replaceAll("\r\n", "\n")}\n\n${part.shown}\n`)
  const text = (): string => `${shown.join("")}--${boundary}--`
  return {
    ok: true,
    body: { bytes: concat(chunks), contentType: `${base}; boundary=${boundary}`, view: value, text },
  }
}

type FileValue = JsonValue & {
  readonly file: string
  readonly filename?: JsonValue
  readonly contentType?: JsonValue
}

const isFile = (value: JsonValue): value is FileValue =>
  isJsonObject(value) && typeof value["file"] === "string"

async function encodePart(field: FormField, files: FilePort): Promise<Part | Refusal> {
  const { value, name, encoding } = field
  const documented = encoding?.contentTypes ?? []
  const disposition = `content-disposition: form-data; name="${escapeName(name)}"`
  const more = (encoding?.headers ?? []).map(([header, text]) => `\r\n${header}: ${text}`).join("")
  if (!isFile(value)) {
    const type = field.text === undefined ? partType(value, documented) : undefined
    const text = fieldText(field)
    if (halves.test(name) || halves.test(text)) return says.halfCharacter({ part: name })
    return {
      head: `${disposition}${type === undefined ? "" : `\r\ncontent-type: ${type}`}${more}`,
      bytes: encoder.encode(text),
      shown: text,
    }
  }
  const bytes = await readBodyFile(value.file, files)
  if ("code" in bytes) return bytes
  const filename =
    typeof value.filename === "string" ? value.filename : value.file.slice(value.file.lastIndexOf("/") + 1)
  const contentType =
    typeof value.contentType === "string"
      ? value.contentType
      : (contentTypeFor(value, documented, filename) ?? "application/octet-stream")
  if (halves.test(filename) || halves.test(name)) return says.halfCharacter({ part: name })
  if (/[\r\n\0]/.test(contentType)) return says.partLineBreak(name)
  return {
    head: `${disposition}; filename="${escapeName(filename)}"\r\ncontent-type: ${contentType}${more}`,
    bytes,
    shown: sizeOf(value.file, bytes),
  }
}

const sizeOf = (path: string, { length }: Uint8Array): string => `${path} (${length} bytes)`

/** Returns the content type of a part. As in browsers, a string has none. Lists and objects are JSON. */
const partType = (value: JsonValue, documented: readonly string[]): string | undefined =>
  contentTypeFor(value, documented) ??
  (typeof value === "object" && value !== null ? "application/json" : undefined)

/** Escapes the three characters that would end the name (HTML Standard, "multipart/form-data encoding algorithm"). */
const escapeName = (name: string): string =>
  name.replaceAll("\n", "%0A").replaceAll("\r", "%0D").replaceAll('"', "%22")

async function encodeFile({ value, mediaType, files }: BodyRequest): Promise<EncodeBody> {
  if (typeof value !== "string") return refused(says.bodyType("file", describeType(value)))
  const bytes = await readBodyFile(value, files)
  if ("code" in bytes) return refused(bytes)
  return {
    ok: true,
    body: {
      bytes,
      contentType: mediaType ?? "application/octet-stream",
      view: sizeOf(value, bytes),
    },
  }
}

async function readBodyFile(path: string, files: FilePort): Promise<Uint8Array | Refusal> {
  try {
    return await files.read(path)
  } catch (error) {
    return says.bodyFile(path, error instanceof Error ? error.message : "unknown reason")
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
