// What a document offers: its operations, and what keeps some of them from being found.

import type { Problem, ReadFile, SourceFile } from "@callsheet/format"
import { checkPaths } from "./check-document.ts"
import type { OpenApiDocument } from "./document.ts"
import { listOperations, type Operation } from "./operations.ts"
import type { OutlineStore } from "./outline-store.ts"
import { readDocument } from "./read-document.ts"

export interface ReadOperationsRequest {
  readonly source: SourceFile
  readonly readFile?: ReadFile | undefined
  readonly outlines?: OutlineStore | undefined
}

export interface ReadOperations {
  /** Absent where the document cannot be read. */
  readonly document?: OpenApiDocument
  readonly operations: readonly Operation[]
  readonly problems: readonly Problem[]
}

/** Every operation of a document, in its order. Nothing else of it is looked at. */
export async function readOperations(request: ReadOperationsRequest): Promise<ReadOperations> {
  const { source, readFile, outlines } = request
  const { document, problems } = await readDocument(source, { readFile, outlines })
  if (document === undefined) return { operations: [], problems }
  return {
    document,
    operations: listOperations(document),
    problems: [...problems, ...(await checkPaths(document))],
  }
}
