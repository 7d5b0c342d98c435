// The target of a saved request, if its text determines it. Pure.

import type { JsonObject, JsonValue } from "@callsheet/format"
import type { ParameterView } from "@callsheet/server/calls"

/** Returns the operation in the text: an operationId or `METHOD /path`. */
export function targetOf({ operation, method, path }: JsonObject): string | undefined {
  if (typeof operation === "string" && operation !== "") return operation
  return typeof method === "string" && typeof path === "string" ? `${method} ${path}` : undefined
}

/** Returns the path parameters in braces. Ignores placeholders. */
export function templateParameters(path: JsonValue | undefined): readonly ParameterView[] {
  if (typeof path !== "string") return []
  const names = path.replace(/\{\{.*?\}\}/gs, "").matchAll(/\{([^{}]+)\}/g)
  return [...new Set([...names].map(([, name = ""]) => name))].map((name) => ({
    name,
    in: "path",
    required: true,
    words: "",
  }))
}
