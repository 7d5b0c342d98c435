// Checks a document from text, for tests.

import { formatProblem, type JsonObject, type ReadFile } from "@callsheet/format"
import { readDocument } from "../document/read-document.ts"
import { checkDocument } from "../standard/check-document.ts"

export type Files = Readonly<Record<string, string>>

export const readerOf =
  (files: Files, asked: string[] = []): ReadFile =>
  (path) => {
    asked.push(path)
    const text = files[path]
    return text === undefined
      ? {
          ok: false,
          problem: { code: "file-unreadable", message: "can't read the file: it does not exist" },
        }
      : { ok: true, value: { file: path, text } }
  }

export async function problemsIn(
  text: string,
  files: Files = {},
  file = "apis/shop/openapi.yaml",
): Promise<readonly string[]> {
  const { document, problems } = await readDocument({ file, text }, { readFile: readerOf(files) })
  if (document === undefined) throw new Error(problems.map(formatProblem).join("\n"))
  return (await checkDocument(document)).map(
    (problem) =>
      `${problem.severity === "warning" ? "warning: " : ""}${formatProblem(problem)}${problem.hint === undefined ? "" : ` hint: ${problem.hint}`}`,
  )
}

export const componentsOf = (schemas: JsonObject, version = "3.1.0"): string =>
  JSON.stringify({ openapi: version, paths: {}, components: { schemas } }, undefined, 1)

/** Returns what is said about a schema, each without its place. */
export async function saidOf(schema: unknown, version = "3.0.3"): Promise<readonly string[]> {
  const isSwagger = version === "2.0"
  const root = isSwagger
    ? { swagger: "2.0", paths: {}, definitions: { A: schema, B: {} } }
    : { openapi: version, paths: {}, components: { schemas: { A: schema, B: {} } } }
  const text = JSON.stringify(root, undefined, 1)
  const written = isSwagger ? text.replaceAll("#/components/schemas", "#/definitions") : text
  return (await problemsIn(written, {}, "a.json")).map((line) =>
    line.replace(/^(warning: )?a\.json:\d+:\d+: #\/(?:components\/schemas|definitions)\/A/, "$1"),
  )
}
