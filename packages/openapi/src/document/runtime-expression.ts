// Reads runtime expressions, by which links and callbacks name values of an exchange (OpenAPI 3.x, "Runtime Expressions").

import { pointerKeys } from "./located.ts"

export type RuntimeExpression =
  | { readonly of: "exchange"; readonly part: "url" | "method" | "statusCode" }
  | {
      readonly of: "request" | "response"
      readonly part: "header" | "query" | "path"
      readonly name: string
    }
  | { readonly of: "request" | "response"; readonly part: "body"; readonly keys: readonly string[] }

const pattern =
  /^\$(?:(url|method|statusCode)|(request|response)\.(?:(header|query|path)\.(.+)|body(?:#(\/.*)?)?))$/s

/** Reads an expression such as `$response.body#/id`, without braces. */
export function readRuntimeExpression(text: string): RuntimeExpression | undefined {
  const [, single, of, part, name, pointer = ""] = pattern.exec(text) ?? []
  if (single === "url" || single === "method" || single === "statusCode")
    return { of: "exchange", part: single }
  if (of !== "request" && of !== "response") return undefined
  if (part === "header" || part === "query" || part === "path") return { of, part, name: name ?? "" }
  return { of, part: "body", keys: pointer === "" ? [] : pointerKeys(pointer) }
}
