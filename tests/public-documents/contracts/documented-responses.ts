// The documented responses, from the suite's own reading of the document.

import { follow, isObject, objectAt, type Raw } from "../raw-document.ts"
import { fromSwagger } from "../raw-swagger.ts"
import type { WalkedOperation } from "./walk-paths.ts"

export interface DocumentedResponse {
  readonly operation: WalkedOperation
  /** Its index in the list of all operations. */
  readonly index: number
  /** `200`, `4XX`, `default`. */
  readonly status: string
  /** All statuses of the operation. */
  readonly statuses: readonly string[]
  readonly headers: readonly DocumentedHeader[]
  readonly mediaType: string
  /** All media types of the response. */
  readonly mediaTypes: readonly string[]
  readonly schema: unknown
}

export interface DocumentedHeader {
  readonly name: string
  readonly required: boolean
  readonly schema: unknown
}

/** Every response with a body, once per media type, those of an operation's success first. */
export function documentedResponses(
  root: Raw,
  operations: readonly WalkedOperation[],
): readonly (readonly DocumentedResponse[])[] {
  return operations.map((operation, index) => {
    // The response to HEAD has no body, whatever its document says.
    if (operation.method === "HEAD") return []
    const responses = Object.entries(responsesOf(root, operation)).filter(
      ([status]) => !status.startsWith("x-"),
    )
    const statuses = responses.map(([status]) => status)
    const successFirst = [...responses].sort(([a], [b]) => rank(a) - rank(b))
    return successFirst.flatMap(([status, response]) => {
      const found = follow(root, response)
      if (!isObject(found) || ["204", "205", "304"].includes(status)) return []
      const headers = headersOf(root, found)
      return contentsOf(root, found).map(([mediaType, schema], _, all): DocumentedResponse => ({
        operation,
        index,
        status,
        statuses,
        headers,
        mediaType,
        mediaTypes: all.map(([name]) => name),
        schema,
      }))
    })
  })
}

const rank = (status: string): number => (status.startsWith("2") ? 0 : 1)

const responsesOf = (root: Raw, { operation }: WalkedOperation): Raw =>
  root["swagger"] === "2.0" ? fromSwagger(root, operation, []).responses : objectAt(operation, "responses")

const contentsOf = (root: Raw, response: Raw): readonly (readonly [string, unknown])[] =>
  Object.entries(objectAt(response, "content")).map(([name, value]) => {
    const media = follow(root, value)
    return [name, isObject(media) ? media["schema"] : undefined]
  })

const headersOf = (root: Raw, response: Raw): readonly DocumentedHeader[] =>
  Object.entries(objectAt(response, "headers")).flatMap(([name, value]) => {
    const header = follow(root, value)
    if (!isObject(header) || name.toLowerCase() === "content-type") return []
    const schema = root["swagger"] === "2.0" ? header : header["schema"]
    return [{ name, required: header["required"] === true, schema }]
  })
