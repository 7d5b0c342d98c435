// `callsheet list`: the APIs, operations and workflows of a project.

import { CallsheetError, type Problem } from "@callsheet/format"
import {
  listApiNames,
  listWorkflows,
  openProject,
  readEnvironments,
  readProject,
  type ProjectFolder,
} from "@callsheet/project"
import type { Command } from "../command.ts"
import { openRoot } from "../open-root.ts"
import { printProblems } from "../report-error.ts"
import type { Style } from "../screen.ts"
import { jsonDocument } from "../text/json-document.ts"
import { printable } from "../text/printable.ts"
import { tableLines } from "../text/table.ts"

interface ApiRow {
  readonly name: string
  readonly environments: readonly string[]
}

interface OperationRow {
  readonly api: string
  readonly resources: readonly string[]
  readonly operation: string
  readonly method: string
  readonly path: string
  /** Shown to people alone. */
  readonly summary: string | undefined
}

interface WorkflowRow {
  readonly name: string
}

interface Contents {
  readonly apis: readonly ApiRow[] | undefined
  readonly operations: readonly OperationRow[] | undefined
  readonly workflows: readonly WorkflowRow[] | undefined
}

/** Lists all three, or the one that is asked for; 2 where a document cannot be read, and its operations are missing. */
export const list: Command = async (call) => {
  const { options, screen } = call
  const [what, ...filter] = call.words
  if (filter.length > 0 && what !== "operations") {
    throw new CallsheetError("usage", `only operations are listed by words`, {
      hint: `callsheet list operations ${filter.join(" ")}`,
    })
  }
  const project = openProject(await openRoot(call))
  const wants = (part: string) => what === undefined || what === part
  const problems: Problem[] = []
  const contents: Contents = {
    apis: wants("apis") ? listApis(project, problems) : undefined,
    operations: wants("operations")
      ? findByWords(await listAllOperations(project, problems), filter)
      : undefined,
    workflows: wants("workflows") ? listWorkflowRows(project, problems) : undefined,
  }
  const text = options.has("json") ? jsonDocument(toJson(contents)) : toText(contents, screen.out.style)
  if (text === "") screen.err.write("nothing to list\n")
  screen.out.write(text)
  const distinct = [...new Map(problems.map((problem) => [JSON.stringify(problem), problem])).values()]
  printProblems(distinct, screen.err)
  return distinct.some(({ severity }) => severity === "error") ? 2 : 0
}

const listApis = (project: ProjectFolder, problems: Problem[]): ApiRow[] =>
  listApiNames(project, problems).map((name) => ({
    name,
    environments: [...readEnvironments(project, name).environments.keys()],
  }))

const listWorkflowRows = (project: ProjectFolder, problems: Problem[]): WorkflowRow[] =>
  [...listWorkflows(project, problems).keys()].map((name) => ({ name }))

async function listAllOperations({ root }: ProjectFolder, problems: Problem[]): Promise<OperationRow[]> {
  const { readOperations } = await import("@callsheet/openapi")
  const { createOutlineStore } = await import("@callsheet/engine")
  const outlines = createOutlineStore()
  const { apis } = readProject(root, { workflows: [], apis: "all" })
  const rows: OperationRow[] = []
  for (const { name: api, document: source, readFile, problems: ofApi } of apis.values()) {
    problems.push(...ofApi)
    if (source === undefined) continue
    const read = await readOperations({ source, readFile, outlines })
    problems.push(...read.problems)
    for (const { name: operation, resources, method, path, summary } of read.operations) {
      rows.push({ api, resources, operation, method, path, summary })
    }
  }
  return rows
}

/** The operations that have every word somewhere, whatever its case. */
function findByWords(operations: readonly OperationRow[], words: readonly string[]): readonly OperationRow[] {
  const wanted = words.map((word) => word.toLowerCase())
  return operations.filter(({ api, resources, operation, method, path, summary = "" }) => {
    const text = [api, ...resources, operation, method, path, summary].join("\n").toLowerCase()
    return wanted.every((word) => text.includes(word))
  })
}

const toJson = ({ apis, operations, workflows }: Contents): object => ({
  apis,
  operations: operations?.map(({ summary: _, ...row }) => row),
  workflows,
})

function toText({ apis, operations, workflows }: Contents, style: Style): string {
  const tables = [
    apis && {
      heads: ["API", "ENVIRONMENTS"],
      rows: apis.map(({ name, environments }) => [name, environments.join(", ")]),
    },
    operations && {
      heads: ["API", "RESOURCES", "OPERATION", "METHOD", "PATH", "SUMMARY"],
      rows: operations.map(operationCells),
    },
    workflows && { heads: ["WORKFLOW"], rows: workflows.map(({ name }) => [name]) },
  ].filter((table) => table !== undefined)
  return tables
    .filter(({ rows }) => rows.length > 0)
    .map(({ heads, rows }) => `${tableLines(heads, rows, style).join("\n")}\n`)
    .join("\n")
}

const operationCells = ({ api, resources, operation, method, path, summary = "" }: OperationRow): string[] =>
  [api, resources.join(", "), operation, method, path, oneLine(summary)].map((cell) => printable(cell))

const MAX_SUMMARY = 80

const oneLine = (text: string): string => {
  const line = text.trim().replaceAll(/\s+/g, " ")
  const characters = Array.from(line)
  return characters.length > MAX_SUMMARY ? `${characters.slice(0, MAX_SUMMARY - 1).join("")}…` : line
}
