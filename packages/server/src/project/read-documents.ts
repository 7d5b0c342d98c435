// What is read of the document of an API: the document itself, and the list of its operations.

import { createOutlineStore } from "@callsheet/engine"
import { partOf } from "@callsheet/format"
import type { ApiSource } from "@callsheet/language"
import { readDocument, readOperations, type OpenApiDocument, type Operation } from "@callsheet/openapi"
import type { OperationsView, OperationView } from "../calls/index.ts"
import { maskProblems } from "../secrets/mask-problems.ts"
import type { Dated, Moments } from "./moments.ts"
import { readOneApi, type KnownProject } from "./read-parts.ts"

/** Throws `api-unknown`. Without a document if the API has none, or none that can be read. */
export async function readApiSource(root: string, name: string, moments: Moments): Promise<Dated<ApiSource>> {
  const { revision, value: project } = await moments.read(() => readOneApi(root, name))
  const api = project.apis.get(name)
  if (api === undefined) throw new Error("an API that was asked for was not read")
  if (api.document === undefined) return { revision, value: { api } }
  const { readFile } = api
  const { document } = await readDocument(api.document, { readFile, outlines: createOutlineStore() })
  return { revision, value: { api, document } }
}

interface OperationsRequest extends Pick<KnownProject, "overview"> {
  readonly root: string
  readonly api: string
  readonly moments: Moments
}

/** Reads the document as far as its operations need it. Throws `api-unknown`. */
export async function readOperationsView(request: OperationsRequest): Promise<Dated<OperationsView>> {
  const { root, api: name, moments, overview } = request
  const { revision, value: project } = await moments.read(() => readOneApi(root, name))
  const { document: source, readFile, problems = [] } = project.apis.get(name) ?? {}
  const read =
    source === undefined
      ? { operations: [], problems: [] }
      : await readOperations({ source, readFile, outlines: createOutlineStore() })
  const { masker } = await overview()
  const value = {
    ...("document" in read && read.document !== undefined ? describe(read.document, masker.text) : {}),
    operations: read.operations.map((operation) => operationView(operation, masker.text)),
    problems: maskProblems([...problems, ...read.problems], masker),
  }
  return { revision, value }
}

type Show = (text: string) => string

function describe(document: OpenApiDocument, show: Show): Pick<OperationsView, "version" | "title"> {
  const title = (document.part ?? partOf(document.root)).member("info")?.member("title")?.value()
  return { version: document.version, title: typeof title === "string" ? show(title) : undefined }
}

export function operationView(operation: Operation, show: Show): OperationView {
  const { name, method, path, resources, summary, isDeprecated } = operation
  return {
    name,
    method,
    path,
    resources,
    summary: summary && show(summary),
    deprecated: isDeprecated || undefined,
  }
}
