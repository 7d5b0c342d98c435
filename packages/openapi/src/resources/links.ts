// Reads the links of responses, by which a document says where the parameters of other operations come from.

import { memo } from "@callsheet/format"
import type { OpenApiDocument } from "../document/document.ts"
import { listResponses } from "../document/content.ts"
import { findOperation, listOperations, type Operation } from "../document/operations.ts"
import type { Part } from "../document/part.ts"
import { readRuntimeExpression } from "../document/runtime-expression.ts"
import type { Steps } from "./resource-model.ts"

/** A value in the response of an operation that a later operation needs. */
export interface Link {
  readonly name: string
  readonly from: Operation
  readonly to: Operation
  /** The name of the parameter, without its location. */
  readonly parameter: string
  /** The path after `response`: `["body", "id"]`, `["headers", "location"]`. */
  readonly path: Steps
}

/** Returns the links of successful responses whose values are in the response. */
export const linksOf = memo((document: OpenApiDocument): readonly Link[] =>
  listOperations(document).flatMap((from) =>
    listResponses(from)
      .filter(({ status }) => status.startsWith("2"))
      .flatMap(({ response }) => response?.entries("links") ?? [])
      .flatMap(([name, written]) => readLink(from, name, written)),
  ),
)

function readLink(from: Operation, name: string, written: Part): readonly Link[] {
  const link = written.dereferenceObject()
  const to = link && targetOf(from.document, link)
  if (link === undefined || to === undefined) return []
  return Object.entries(link.object("parameters") ?? {}).flatMap(([key, expression]) => {
    const path = typeof expression === "string" ? responsePath(expression) : undefined
    return path === undefined ? [] : [{ name, from, to, parameter: key.replace(placePrefix, ""), path }]
  })
}

/** A key may name the location of a parameter: `path.orderId`. */
const placePrefix = /^(?:path|query|header|cookie)\./

function targetOf(document: OpenApiDocument, link: Part): Operation | undefined {
  const operation = link.text("operationId")
  if (operation !== undefined) {
    const found = findOperation(document, { operation })
    return found.status === "found" ? found.operation : undefined
  }
  const pointer = /^#(\/.*)$/.exec(link.text("operationRef") ?? "")?.[1]
  return pointer === undefined ? undefined : listOperations(document).find((one) => one.pointer === pointer)
}

/** Returns the path of an expression in the response. Undefined for those about the request. */
function responsePath(text: string): Steps | undefined {
  const expression = readRuntimeExpression(text)
  if (expression?.of !== "response") return undefined
  if (expression.part === "header") return ["headers", expression.name.toLowerCase()]
  return expression.part === "body" && expression.keys.length > 0 ? ["body", ...expression.keys] : undefined
}
