// Finds the operations that a source refers to by name, and completes requests with their methods, paths and bodies.

import { isJsonArray, isJsonObject, stringifyJson, toText, type JsonValue } from "@callsheet/format"
import {
  bodyKindOf,
  findOperation,
  requestMediaType,
  type OpenApiDocument,
  type Operation,
} from "@callsheet/openapi"
import type { Body, OperationReference, Pair, Request, Segment } from "../model.ts"
import { mapText, variableText, type Text } from "../text.ts"
import { splitUrl } from "../read/url.ts"

/** Completes a request. One whose operation can't be found keeps an empty method. */
export function bindOperation(request: Request, documents: ReadonlyMap<string, OpenApiDocument>): Request {
  const { operation: reference } = request
  const document = reference && documents.get(reference.source)
  const found = document && findOperation(document, { operation: reference.name })
  if (reference === undefined || found?.status !== "found") return request
  const { operation } = found
  const path = segmentsOf(operation.path, reference.params)
  return {
    ...request,
    method: operation.method,
    url: { ...request.url, base: variableText(reference.source), path },
    body: reference.body && bodyOf(reference.body, operation),
  }
}

/** Fills in path parameters. One without a value becomes a variable. */
const segmentsOf = (path: string, params: ReadonlyMap<string, Text>): readonly Segment[] =>
  path
    .replace(/[#?].*$/s, "")
    .slice(1)
    .split("/")
    .map((segment) => {
      const [, name] = /^\{([^{}]+)\}$/.exec(segment) ?? []
      const text = segment.replaceAll(/\{([^{}]+)\}/g, (_, own: string) =>
        mapText(params.get(own) ?? variableText(own), encodeURIComponent, variableText),
      )
      return name === undefined ? { text } : { text, name }
    })

type Payload = NonNullable<OperationReference["body"]>

function bodyOf({ payload, mediaType }: Payload, operation: Operation): Body {
  const documented = requestMediaType(operation)?.mediaType
  const type = mediaType ?? documented ?? (typeof payload === "string" ? "text/plain" : "application/json")
  const kind = bodyKindOf(type)
  if (kind === "form" && typeof payload === "string")
    return { kind, fields: splitUrl(`?${payload}`).query, written: payload }
  if (kind === "form") return { kind, fields: pairsOf(payload) }
  if (kind === "multipart")
    return { kind, parts: pairsOf(payload).map(({ name, value }) => ({ name, content: { value } })) }
  // Only in JSON, a value keeps its type. Everywhere else, it is a text.
  const text = kind === "json" ? jsonText(payload) : stringifyJson(payload)
  return { kind: "text", text: typeof payload === "string" ? payload : text, mediaType: type }
}

const pairsOf = (value: JsonValue): readonly Pair[] =>
  Object.entries(isJsonObject(value) ? value : {}).flatMap(([name, inner]) =>
    (isJsonArray(inner) ? inner : [inner]).map((one) => ({
      name,
      value: typeof one === "object" && one !== null ? stringifyJson(one) : toText(one),
    })),
  )

/** Writes JSON in which a text that is only a variable stands for its value. */
const jsonText = (value: JsonValue): Text =>
  stringifyJson(value).replaceAll(/"(\ue000[^\ue000\ue001"]*\ue001)"/g, "$1")
