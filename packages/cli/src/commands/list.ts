// `callsheet list`: lists APIs, operations, workflows and suites.

import { createOutlineStore } from "@callsheet/engine"
import {
  CallsheetError,
  type ProcessEnvironment,
  type Problem,
  distinctProblems,
  inProject,
  ownOf,
} from "@callsheet/format"
import {
  listApiNames,
  listWorkflows,
  openProject,
  readEnvironments,
  readEnvironmentsIn,
  readProject,
  readSettings,
  type ProjectFolder,
} from "@callsheet/project"
import type { Command } from "../args/command.ts"
import { messages, notices } from "../messages.ts"
import { inEachProject, placeProblem } from "../projects/each-project.ts"
import { printProblems } from "../report-error.ts"
import { jsonDocument } from "../text/json-document.ts"
import { printable } from "../text/printable.ts"
import { tableText } from "../text/table.ts"

interface ListedEntry {
  readonly name?: string
  readonly file?: string | undefined
}

interface Part {
  readonly heads: readonly string[]
  readonly rows: readonly (readonly string[])[]
  readonly json: readonly ListedEntry[]
}

interface Wanted {
  readonly words: readonly string[]
  /** True to find the lines of operations, which takes time in a large document. */
  readonly lines: boolean
}

type ReadPart = (project: ProjectFolder, problems: Problem[], wanted: Wanted) => Part | Promise<Part>

const parts: Readonly<Record<string, ReadPart>> = {
  apis: (project, problems) => {
    const apis = listApiNames(project, problems).map((name) => ({
      name,
      environments: [...readEnvironments(project, name).environments.keys()],
    }))
    const rows = apis.map(({ name, environments }) => [name, environments.join(", ")])
    return { heads: ["API", "ENVIRONMENTS"], rows, json: apis }
  },
  operations: async (project, problems, { words, lines }) => {
    const wanted = words.map((word) => word.toLowerCase())
    const operations = (await listAllOperations(project, problems, lines)).filter((row) => {
      const { api, resources, operation, method, path, summary = "" } = row
      const text = [api, ...resources, operation, method, path, summary].join("\n").toLowerCase()
      return wanted.every((word) => text.includes(word))
    })
    return {
      heads: ["API", "RESOURCES", "OPERATION", "METHOD", "PATH", "SUMMARY"],
      rows: operations.map(({ api, resources, operation, method, path, summary = "" }) =>
        [api, resources.join(", "), operation, method, path, oneLine(summary)].map((cell) => printable(cell)),
      ),
      json: operations.map(({ summary: _, ...row }) => row),
    }
  },
  workflows: (project, problems) => {
    const names = [...listWorkflows(project, problems).keys()]
    return { heads: ["WORKFLOW"], rows: names.map((name) => [name]), json: names.map((name) => ({ name })) }
  },
  suites: (project, problems) => {
    const file = readSettings(project)
    problems.push(...(file?.problems ?? []))
    const suites = Object.entries(file?.settings?.suites ?? {}).map(([name, { description }]) => ({
      name,
      description,
    }))
    const rows = suites.map(({ name, description = "" }) => [name, printable(oneLine(description))])
    return { heads: ["SUITE", "DESCRIPTION"], rows, json: suites }
  },
}

/** Parts that are listed only by name, because they read more than names. */
const detailed: Readonly<Record<string, ReadPart>> = {
  tests: async ({ root }, problems) => {
    const { listTests } = await import("./list-tests.ts")
    return { heads: [], rows: [], json: await listTests(root, problems) }
  },
}

/** Lists everything, or one kind. Returns 2 if a document or callsheet.json of a project can't be read. */
export const list: Command = async (call) => {
  const { options, screen } = call
  const [what, ...words] = call.words
  if (words.length > 0 && what !== "operations") {
    throw new CallsheetError(messages.usage.words(words))
  }
  if (what === "tests" && !options.has("json")) throw new CallsheetError(messages.usage.needsJson("tests"))
  const lines = options.has("lines")
  if (lines && (what !== "operations" || !options.has("json")))
    throw new CallsheetError(messages.usage.needsJson("--lines"))
  const { results, exitCode } = await inEachProject(call, async ({ root, name }) => {
    const project = openProject(root)
    const problems: Problem[] = []
    const listed = await readParts(project, problems, { what, words, lines })
    const masked = await maskOwn(distinctProblems(problems), project, call.environment)
    return { listed, problems: masked.map((problem) => placeProblem(problem, name)) }
  })
  const listed = joinParts(results.map(({ project, value }) => [project.name, value.listed]))
  const text = options.has("json")
    ? jsonDocument(
        Object.fromEntries(
          listed
            // Most projects have no suites, so leave out the empty list.
            .filter(([name, { json }]) => name === what || name !== "suites" || json.length > 0)
            .map(([name, { json }]) => [name, json]),
        ),
      )
    : listed
        .filter(([, { rows }]) => rows.length > 0)
        .map(([, { heads, rows }]) => tableText(heads, rows, screen.out.style))
        .join("\n")
  if (text === "") screen.err.write(`${notices.nothingToList()}\n`)
  screen.out.write(text)
  const problems = results.flatMap(({ value }) => value.problems)
  printProblems(problems, screen.err)
  return problems.some(({ severity }) => severity === "error") ? 2 : exitCode
}

/** Masks the secrets of the project. A project without problems reads no environment for it. */
const maskOwn = async (
  problems: readonly Problem[],
  project: ProjectFolder,
  process: ProcessEnvironment,
): Promise<readonly Problem[]> => {
  if (problems.length === 0) return problems
  const { maskProblems } = await import("../mask-files.ts")
  return maskProblems(problems, readEnvironmentsIn(project), process)
}

type NamedPart = readonly [name: string, part: Part]

async function readParts(
  project: ProjectFolder,
  problems: Problem[],
  { what, ...wanted }: Wanted & { readonly what: string | undefined },
): Promise<readonly NamedPart[]> {
  const own = what === undefined ? undefined : ownOf(detailed, what)
  const listed: NamedPart[] = []
  for (const [name, read] of Object.entries(own === undefined ? parts : { [what ?? ""]: own }))
    if (what === undefined || what === name) listed.push([name, await read(project, problems, wanted)])
  return listed
}

/** Joins the parts of several projects. Each row starts with its project, and so do paths of files. */
function joinParts(
  listed: readonly (readonly [project: string | undefined, parts: readonly NamedPart[]])[],
): readonly NamedPart[] {
  const [[, first] = [undefined, []]] = listed
  return first.map(([name, { heads }], at) => {
    const own = listed.flatMap(([project, parts]) => {
      const part = parts[at]?.[1]
      return part === undefined ? [] : [project === undefined ? part : placePart(part, project)]
    })
    const rows = own.flatMap((part) => part.rows)
    return [name, { heads: own[0]?.heads ?? heads, rows, json: own.flatMap(({ json }) => json) }]
  })
}

const placePart = ({ heads, rows, json }: Part, project: string): Part => ({
  heads: ["PROJECT", ...heads],
  rows: rows.map((cells) => [printable(project), ...cells]),
  json: json.map((entry) => ({ project, ...inProject(entry, project) })),
})

async function listAllOperations({ root }: ProjectFolder, problems: Problem[], lines: boolean) {
  const { createPlaceFinder, readOperations } = await import("@callsheet/openapi")
  const outlines = createOutlineStore()
  const { apis } = readProject(root, { workflows: [], apis: "all" })
  const rows = []
  for (const { name: api, document: source, readFile, problems: ofApi } of apis.values()) {
    problems.push(...ofApi)
    if (source === undefined) continue
    const read = await readOperations({ source, readFile, outlines })
    problems.push(...read.problems)
    const find = lines && read.document !== undefined ? createPlaceFinder(read.document) : undefined
    for (const { name: operation, resources, method, path, summary, pointer } of read.operations) {
      const { file, line } = (await find?.(pointer)) ?? {}
      rows.push({ api, resources, operation, method, path, summary, file, line })
    }
  }
  return rows
}

const MAX_SUMMARY = 80

const oneLine = (text: string): string => {
  const characters = Array.from(text.trim().replaceAll(/\s+/g, " "))
  const isLong = characters.length > MAX_SUMMARY
  return isLong ? `${characters.slice(0, MAX_SUMMARY - 1).join("")}…` : characters.join("")
}
