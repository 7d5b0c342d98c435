// For tests: the same document in every version, as JSON and YAML.

import { describe } from "vitest"
import { stringifyJson, type JsonObject } from "@callsheet/format"
import type { OpenApiDocument } from "../document/document.ts"
import { listOperations, type Operation } from "../document/operations.ts"
import { readDocument } from "../document/read-document.ts"
import { swaggerOf } from "./swagger-of.ts"

export type Version = "2.0" | "3.0" | "3.1" | "3.2"

interface Content extends JsonObject {
  readonly paths: JsonObject
}

type Asked = Partial<Content> & { readonly version?: Version; readonly as?: "json" | "yaml" }

/** Reads a document with this content as JSON or YAML. A 2.0 document uses the keywords of 2.0. */
export async function documentOf({
  version = "3.0",
  as = "json",
  ...content
}: Asked): Promise<OpenApiDocument> {
  const info = { title: "t", version: "1" }
  const root = (
    version === "2.0"
      ? { swagger: version, info, ...swaggerOf(content as JsonObject) }
      : { openapi: `${version}.0`, info, paths: {}, ...content }
  ) as JsonObject
  const text = as === "json" ? stringifyJson(root, { indent: 2 }) : await yamlOf(root)
  const { document, problems } = await readDocument({ file: `apis/t/openapi.${as}`, text })
  if (document === undefined) throw new Error(JSON.stringify(problems))
  return document
}

/** Returns the only operation of a document. */
export async function operationOf(
  own: JsonObject,
  { path = "/a", method = "get", item = {}, ...more }: Asked & Partial<Place> = {},
): Promise<{ readonly document: OpenApiDocument; readonly operation: Operation }> {
  const document = await documentOf({ ...more, paths: { [path]: { ...item, [method]: own } } })
  return { document, operation: listOperations(document)[0]! }
}

interface Place {
  readonly path: string
  readonly method: string
  /** The other fields of the path item. */
  readonly item: JsonObject
}

/** Writes YAML. js-yaml can't write bigint, so those values get a mark that is removed afterwards. */
async function yamlOf(root: JsonObject): Promise<string> {
  const { dump } = await import("js-yaml")
  const marked = JSON.stringify(root, (_, value: unknown) =>
    typeof value === "bigint" ? `<bigint ${value}>` : value,
  )
  return dump(JSON.parse(marked)).replaceAll(/<bigint (-?\d+)>/g, "$1")
}

export function describeVersions(name: string, suite: (version: Version, as: "json" | "yaml") => void): void {
  describe.each([
    ["2.0", "json"],
    ["2.0", "yaml"],
    ["3.0", "json"],
    ["3.0", "yaml"],
    ["3.1", "json"],
    ["3.1", "yaml"],
    ["3.2", "json"],
  ] as const)(`${name} (OpenAPI %s, %s)`, suite)
}
