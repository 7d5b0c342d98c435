// Checks recorded responses against the current documents: what really breaks.

import { resolve } from "node:path"
import { MASK } from "@callsheet/engine"
import {
  CallsheetError,
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
import { messages } from "../messages.ts"

export interface RecordedViolation extends ContractProblem {
  /** Set if the command compared the documents of several projects. */
  readonly project?: string
  readonly api: string
  readonly operation: string
  readonly workflow: string
  readonly block: string
}

interface CheckedProject {
  readonly root: string
  readonly name: string | undefined
  readonly versions: readonly Version[]
}

interface RecordsRequest {
  readonly cwd: string
  readonly projects: readonly CheckedProject[]
}

/** Returns the violations in the order of the records. Throws `record-invalid`. */
export async function checkRecords(
  records: readonly string[],
  { cwd, projects }: RecordsRequest,
): Promise<readonly RecordedViolation[]> {
  const find = createFind(projects, cwd)
  const checkers = new Map<OpenApiDocument, ContractChecker>()
  const found: RecordedViolation[] = []
  for (const shown of records) {
    const side = await openSide(cwd, shown)
    const others = new Set<string>()
    let isOurs = false
    try {
      for (let next = await side.blocks.next(); next.done !== true; next = await side.blocks.next()) {
        const { operation: sent, report, run, block } = next.value
        const project = find(run.project)
        if (project === undefined) others.add(run.project ?? run.workflow)
        isOurs ||= project !== undefined
        const document = sent && project?.documents.get(sent.api)
        if (sent === undefined || document === undefined || report.response === undefined) continue
        const checker = getOrCreate(checkers, document, createContractChecker)
        const name = `${sent.method.toUpperCase()} ${sent.path}`
        const place = { ...project?.place, api: sent.api, operation: name, workflow: run.workflow, block }
        for (const problem of await problemsOf(checker, { document, ...sent, response: report.response }))
          found.push({ ...place, ...problem })
      }
    } finally {
      await side.close()
    }
    if (others.size > 0 && !isOurs)
      throw new CallsheetError(messages["record-invalid"].otherProjects(shown, [...others].sort()))
  }
  return found
}

/**
 * Returns a function that finds the project of a run. A run of a single project doesn't name it. One of several names
 * its path from the working directory.
 */
function createFind(projects: readonly CheckedProject[], cwd: string) {
  const found = new Map(
    projects.map(({ root, name, versions }) => [
      root,
      {
        place: name === undefined ? {} : { project: name },
        documents: new Map(versions.map(({ api, after }) => [api.name, after])),
      },
    ]),
  )
  const [only] = projects
  const single = only?.name === undefined ? only?.root : undefined
  return (project: string | undefined) => {
    const root = project === undefined ? single : resolve(cwd, project)
    return root === undefined ? undefined : found.get(root)
  }
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
