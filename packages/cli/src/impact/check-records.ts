// Checks recorded responses against the current documents: what really breaks.

import { MASK } from "@callsheet/engine"
import {
  getOrCreate,
  isJsonArray,
  isJsonObject,
  ownOf,
  pointerKeys,
  type ContractProblem,
  type JsonValue,
  type ResponseView,
} from "@callsheet/format"
import {
  createContractChecker,
  findOperationByPath,
  type ContractChecker,
  type OpenApiDocument,
} from "@callsheet/openapi"
import type { Version } from "@callsheet/server"
import { openSide } from "../diff/read-side.ts"

export interface RecordedViolation extends ContractProblem {
  readonly api: string
  readonly operation: string
  readonly workflow: string
  readonly block: string
}

/** Returns the violations in the order of the records. Throws `record-invalid`. */
export async function checkRecords(
  records: readonly string[],
  { cwd, versions }: { readonly cwd: string; readonly versions: readonly Version[] },
): Promise<readonly RecordedViolation[]> {
  const documents = new Map(versions.map(({ api, after }) => [api.name, after]))
  const checkers = new Map<OpenApiDocument, ContractChecker>()
  const found: RecordedViolation[] = []
  for (const shown of records) {
    const side = await openSide(cwd, shown)
    try {
      for (let next = await side.blocks.next(); next.done !== true; next = await side.blocks.next()) {
        const { operation: sent, report, run, block } = next.value
        const document = sent && documents.get(sent.api)
        if (sent === undefined || document === undefined || report.response === undefined) continue
        const checker = getOrCreate(checkers, document, createContractChecker)
        const name = `${sent.method.toUpperCase()} ${sent.path}`
        for (const problem of await problemsOf(checker, { document, ...sent, response: report.response }))
          found.push({ api: sent.api, operation: name, workflow: run.workflow, block, ...problem })
      }
    } finally {
      await side.close()
    }
  }
  return found
}

interface Recorded {
  readonly document: OpenApiDocument
  readonly method: string
  readonly path: string
  readonly response: ResponseView
}

async function problemsOf(checker: ContractChecker, recorded: Recorded): Promise<readonly ContractProblem[]> {
  const { document, method, path, response } = recorded
  const operation = findOperationByPath(document, method, path)
  // The change that removed an operation is listed with the others.
  if (operation === undefined) return []
  const { status, headers = {}, body } = response
  const { problems } = await checker.check({ operation, method, status, headers, body, isWellFormed: true })
  return problems.filter((problem) => !isMasked(problem.path, response))
}

/** Returns whether a violation is about a value that the record masks. Such a value has no verdict. */
function isMasked(path: string, { body, headers = {} }: ResponseView): boolean {
  const [part = "", ...keys] = pointerKeys(path)
  let value: JsonValue | undefined = part === "body" ? body : part === "headers" ? { ...headers } : undefined
  for (const key of keys) {
    if (isJsonArray(value)) value = value[Number(key)]
    else if (isJsonObject(value)) value = ownOf(value, key)
    else return false
  }
  return typeof value === "string" && value.includes(MASK)
}
