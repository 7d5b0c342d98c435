// What a saved request sends, as far as its text says. Pure.

import type { JsonObject, JsonValue } from "@callsheet/format"
import type { ParameterView } from "@callsheet/server/calls"

/** An operationId, or `METHOD /path`, which may be literally that of an operation. */
export function targetOf({ operation, method, path }: JsonObject): string | undefined {
  if (typeof operation === "string" && operation !== "") return operation
  return typeof method === "string" && typeof path === "string" ? `${method} ${path}` : undefined
}

/** The parameters that a path names in braces, which are no tokens. */
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
