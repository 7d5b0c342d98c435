// The operations of one API as the page shows them.

import { createOutlineStore, type Masker } from "@callsheet/engine"
import { partOf } from "@callsheet/format"
import { readOperations, type OpenApiDocument, type Operation } from "@callsheet/openapi"
import type { OperationsView, OperationView } from "../calls/index.ts"
import { maskProblems } from "../secrets/mask-problems.ts"
import type { Dated, Moments } from "./moments.ts"
import { readOneApi } from "./read-parts.ts"

interface OperationsRequest {
  readonly root: string
  readonly api: string
  readonly moments: Moments
  readonly overview: () => Promise<{ readonly masker: Masker | undefined }>
}

/** Reads the document of one API, as far as its operations need it. Throws `api-unknown`. */
export async function readOperationsView(request: OperationsRequest): Promise<Dated<OperationsView>> {
  const { root, api: name, moments } = request
  const { revision, value: project } = await moments.read(() => readOneApi(root, name))
  const api = project.apis.get(name)
  const read =
    api?.document === undefined
      ? { operations: [], problems: [] }
      : await readOperations({
          source: api.document,
          readFile: api.readFile,
          outlines: createOutlineStore(),
        })
  const { masker } = await request.overview()
  const shown = masker?.text ?? ((text: string) => text)
  const value = {
    ...("document" in read && read.document !== undefined ? describeDocument(read.document, shown) : {}),
    operations: read.operations.map((operation) => operationView(operation, shown)),
    problems: maskProblems([...(api?.problems ?? []), ...read.problems], masker),
  }
  return { revision, value }
}

function describeDocument(
  document: OpenApiDocument,
  shown: (text: string) => string,
): Pick<OperationsView, "version" | "title"> {
  const title = (document.part ?? partOf(document.root)).member("info")?.member("title")?.value()
  return { version: document.version, ...(typeof title === "string" ? { title: shown(title) } : {}) }
}

function operationView(operation: Operation, shown: (text: string) => string): OperationView {
  const { name, method, path, resources, summary, isDeprecated } = operation
  return {
    name,
    method,
    path,
    resources,
    summary: summary && shown(summary),
    ...(isDeprecated ? { deprecated: true } : {}),
  }
}
