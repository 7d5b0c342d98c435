// Runs the project's own TypeScript compiler on its scripts. Uses only options that all versions have.

import { existsSync } from "node:fs"
import * as system from "node:path"
import { dirname, join, resolve } from "node:path"
import {
  CallsheetError,
  getOrCreate,
  stringifyJson,
  member,
  wayBetween,
  type JsonObject,
  type Problem,
  type Project,
} from "@callsheet/format"
import { ownFiles, readProgram, thisNode } from "@callsheet/engine"
import { scriptSettings, scriptsFolder, sharedTypesFolder } from "@callsheet/language"
import { nearestFolder, resolveFromProject, writeFiles, type FileEdit } from "@callsheet/project"
import { messages } from "../messages.ts"
import { readObject } from "./freshness.ts"
import { functionsWithoutResult, problemsOfResults, resultChecks } from "./result-checks.ts"
import { scriptedWorkflows } from "./scripted-workflows.ts"
import { writeScriptTypes } from "./write-script-types.ts"

/** Updates the types, and returns the compiler's errors. Throws `compiler-missing` and `compiler-failed`. */
export async function checkScriptTypes(
  project: Project,
  readAt: number,
  signal: AbortSignal,
): Promise<readonly Problem[]> {
  const workflows = scriptedWorkflows(project)
  if (workflows.length === 0) return []
  const compiler = findCompiler(project.root)
  await writeScriptTypes({ project, workflows, readAt })
  const groups = groupByConfig(project, workflows)
  const functions = groups.map(({ scripts }) => functionsWithoutResult(project, scripts))
  const edits: FileEdit[] = groups.flatMap(({ config, scripts }, at) => [
    {
      file: configFile(at),
      edit: () =>
        `${stringifyJson(configOf(project.root, config, [...scripts, resultsFile(at)]), { indent: 2 })}\n`,
    },
    { file: resultsFile(at), edit: () => resultChecks(functions[at] ?? []) },
  ])
  await writeFiles({ root: project.root, title: "write compiler settings for scripts", edits })
  const problems: Problem[] = []
  for (const at of groups.keys()) {
    const output = await compile({ compiler, root: project.root, config: configFile(at), signal })
    const isAboutResults = ({ file }: Problem): boolean => file === resultsFile(at)
    const others = output.filter((problem) => !isAboutResults(problem))
    const results = problemsOfResults(project.root, functions[at] ?? [], output.filter(isAboutResults))
    // Another error in a script may be the cause of a wrong type.
    problems.push(...others, ...results.filter(({ file }) => !others.some((other) => other.file === file)))
  }
  return problems
}

const resultsFile = (at: number): string => `${sharedTypesFolder}/results${at === 0 ? "" : `.${at}`}.ts`
const configFile = (at: number): string => `${sharedTypesFolder}/tsconfig${at === 0 ? "" : `.${at}`}.json`

/** Returns the path of the compiler's command. Looks for it from the project's directory, as Node does. */
function findCompiler(root: string): string {
  const manifest = resolveFromProject(root, "typescript/package.json")
  const { bin } = manifest === undefined ? {} : readObject(manifest)
  const path = member(bin, "tsc")
  if (manifest !== undefined && typeof path === "string") return join(dirname(manifest), path)
  throw new CallsheetError(messages["compiler-missing"].missing())
}

/** Groups scripts by the nearest `tsconfig.json` above them, as editors do. */
function groupByConfig(project: Project, workflows: readonly string[]) {
  const groups = new Map<string | undefined, { readonly config: string | undefined; scripts: string[] }>()
  for (const workflow of workflows) {
    const folder = scriptsFolder(workflow)
    const start = join(project.root, folder)
    const above = nearestFolder(start, (here) => existsSync(join(here, "tsconfig.json")))
    const config = above && join(above, "tsconfig.json")
    const group = getOrCreate(groups, config, () => ({ config, scripts: [] }))
    for (const name of project.scriptNames.get(workflow) ?? []) group.scripts.push(`${folder}/${name}.ts`)
  }
  return [...groups.values()]
}

function configOf(root: string, config: string | undefined, scripts: readonly string[]): JsonObject {
  const folder = join(root, sharedTypesFolder)
  const from = (path: string): string => wayBetween(system, folder, resolve(root, path))
  return scriptSettings({
    config: config && from(config),
    hasNodeTypes: resolveFromProject(root, "@types/node/package.json") !== undefined,
    scripts: scripts.map(from),
  })
}

interface Compilation {
  readonly compiler: string
  readonly root: string
  readonly config: string
  readonly signal: AbortSignal
}

const MAX_OUTPUT = 64 * 1024 * 1024

async function compile({ compiler, root, config, signal }: Compilation): Promise<readonly Problem[]> {
  const words = [...ownFiles.wordsToRun(compiler), "-p", config, "--pretty", "false"]
  const { exitCode, output } = await readProgram(thisNode(), words, {
    cwd: root,
    environment: process.env,
    maxBytes: MAX_OUTPUT,
    signal,
  })
  const problems = readMessages(output.toString(), root)
  // With the exit codes 1 and 2, the compiler has found errors.
  if (exitCode === 0 || signal.aborted || ((exitCode === 1 || exitCode === 2) && problems.length > 0))
    return problems
  throw new CallsheetError(messages["compiler-failed"].failed(config))
}

const located = /^(.+)\((\d+),(\d+)\): error (TS\d+: .*)$/
const unlocated = /^error (TS\d+: .*)$/
const MAX_MESSAGE = 2_000

/** Parses the compiler's messages: `file(line,column): error TS2345: …`, with indented lines below. */
function readMessages(output: string, root: string): readonly Problem[] {
  const problems: { place: Partial<Problem>; lines: string[] }[] = []
  for (const line of output.split(/\r?\n/)) {
    const [, path, row, column, message] = located.exec(line) ?? []
    const unplaced = unlocated.exec(line)?.[1]
    if (path !== undefined && message !== undefined) {
      const file = wayBetween(system, root, resolve(root, path))
      problems.push({ place: { file, line: Number(row), column: Number(column) }, lines: [message] })
    } else if (unplaced !== undefined) problems.push({ place: {}, lines: [unplaced] })
    else if (/^\s+\S/.test(line)) problems.at(-1)?.lines.push(line.trim())
  }
  return problems.map(({ place, lines }) => ({
    code: "script-type",
    severity: "error",
    ...place,
    message: shortened(lines.join(" ")),
  }))
}

const shortened = (text: string): string =>
  text.length > MAX_MESSAGE ? `${text.slice(0, MAX_MESSAGE)}…` : text
