// `callsheet validate`: checks files without sending requests or running scripts.

import { validateProject, type CheckRows } from "@callsheet/language"
import { createOutlineStore, withScripts } from "@callsheet/engine"
import { CallsheetError, type EnvironmentFiles, type Problem, type Project } from "@callsheet/format"
import { checkProjectFile, openProject, readAllEnvironments, readWholeProject } from "@callsheet/project"
import type { Command, CommandCall } from "../args/command.ts"
import { withInterrupts } from "../interrupts.ts"
import type { Fix } from "../fix/fix-project.ts"
import { problemMask } from "../mask-files.ts"
import { messages, notices } from "../messages.ts"
import { knownApi } from "../open-root.ts"
import type { Options } from "../args/options.ts"
import { problemFormatNames, problemFormats, type ProblemFormatName } from "../problem-formats/index.ts"
import type { PlacedProblem, Validation, ValidationCounts } from "../problem-formats/text.ts"
import { inEachProject, placeProblem, type CallProject } from "../projects/each-project.ts"
import { readName, readMaxWarnings } from "../args/read-option.ts"
import { readWorkflows } from "../session/read-workflows.ts"
import { chunks } from "../reporters/chunks.ts"
import { refreshTypes } from "../script-types/scripted-workflows.ts"
import { findSurrounding, findUnread } from "../validate/find-surrounding.ts"

/**
 * Checks the named workflows, or whole projects. Returns 1 if there are errors or too many warnings, 2 if a project
 * can't be checked, otherwise 0.
 */
export const validate: Command = async (call) => {
  const wanted = readOptions(call.options)
  return withInterrupts(call.exit, async ({ signal, ended, exitCode }) => {
    const check = { wanted, call, signal, ended }
    const checked = await inEachProject(call, (project) => checkProject(project, check), {
      isAbsence: ({ code }) =>
        (code === "workflow-unknown" && call.words.length > 0) ||
        (code === "api-unknown" && call.options.has("api")),
      isOver: () => signal.aborted,
    })
    if (signal.aborted) {
      call.screen.err.write(`${notices.interrupted()}\n`)
      return exitCode() ?? 130
    }
    const validation = await settle(checked, { wanted, call })
    await print(validation, { wanted, call, root: rootOf(checked, call) })
    return validation.ok ? 0 : Math.max(1, checked.exitCode)
  })
}

/** The whole project includes APIs that no workflow uses. */
const readChecked = (root: string, { words, cwd }: CommandCall): Project =>
  words.length > 0 ? readWorkflows({ root, cwd, wanted: words, named: [] }).project : readWholeProject(root)

interface Check {
  readonly wanted: ValidateOptions
  readonly call: CommandCall
  readonly signal: AbortSignal
  /** Resolves when the signal aborts. */
  readonly ended: Promise<void>
}

interface Checked extends Pick<ValidationCounts, "workflows" | "apis" | "environments"> {
  readonly problems: readonly Problem[]
  readonly fixed: readonly Fix[] | undefined
  readonly files: readonly EnvironmentFiles[]
}

type CheckedProjects = Awaited<ReturnType<typeof inEachProject<Checked>>>

/** Finds the problems of a project, and repairs it if asked to. */
async function checkProject({ root, name }: CallProject, check: Check): Promise<Checked> {
  const { call, wanted } = check
  if (name !== undefined && call.options.has("api"))
    knownApi(openProject(root), call.options.value("api") ?? "")
  const readAt = Date.now()
  const search = { ...check, name, readAt, read: () => readChecked(root, call) }
  const first = search.read()
  const found = await findAll(first, search)
  const fixing = wanted.fix ? await fix(search, first, found) : undefined
  const { project, problems, fixed } = { project: first, problems: found, fixed: undefined, ...fixing }
  if (!check.signal.aborted) await refreshTypes(project, project.scriptNames.keys(), readAt)
  const apis = [...project.apis.values()]
  return {
    problems,
    fixed,
    files: readAllEnvironments(project),
    workflows: project.workflows.size,
    apis: apis.length,
    environments: apis.reduce((sum, api) => sum + api.environments.environments.size, 0),
  }
}

interface Search extends Check {
  readonly name: string | undefined
  readonly readAt: number
  readonly read: () => Project
}

/** Repairs the project, and checks the repaired one. */
async function fix(search: Search, project: Project, problems: readonly Problem[]) {
  const { call, wanted, read, signal, name } = search
  if (signal.aborted) return undefined
  const { findFixes, placeFixes, printFixes, writeFixes } = await import("../fix/fix-project.ts")
  const found = await findFixes({ call, project, problems })
  if (signal.aborted) return undefined
  if (!wanted.dryRun) await writeFixes(project.root, found)
  const { out, err } = call.screen
  const placed = placeFixes(found, name)
  const isNews = name === undefined || found.fixes.length > 0
  if (wanted.format !== "json" && isNews)
    printFixes(placed, wanted.dryRun, wanted.format === "text" ? out : err)
  const fixed = placed.fixes
  if (wanted.dryRun || found.files.length === 0) return { project, problems, fixed }
  const repaired = read()
  return { project: repaired, problems: await findAll(repaired, search), fixed }
}

/** Several projects have paths from the working directory. */
const rootOf = ({ results: [first] }: CheckedProjects, { cwd }: CommandCall): string =>
  first === undefined || first.project.name !== undefined ? cwd : first.project.root

interface Printing {
  readonly wanted: ValidateOptions
  readonly call: CommandCall
  readonly root: string
}

async function print(validation: Validation, { wanted, call, root }: Printing): Promise<void> {
  const { out } = call.screen
  const row = problemFormats[wanted.format]
  const format = await row.load()
  const context = { style: out.style, root, processEnvironment: call.environment }
  for (const chunk of chunks(format(validation, context))) out.write(chunk, row.writes)
}

type ValidateOptions = ReturnType<typeof readOptions>

const readOptions = (options: Options) => ({
  format: readFormat(options),
  quiet: options.has("quiet"),
  types: options.has("types"),
  ...readFixOptions(options),
  maxWarnings: readMaxWarnings(options, "validate"),
})

const { usage } = messages

function readFixOptions(options: Options) {
  const fix = options.has("fix")
  for (const name of ["dry-run", "against", "against-file", "api"])
    if (!fix && options.has(name)) throw new CallsheetError(usage.needsFix(`--${name}`))
  if (options.has("against") && options.has("against-file"))
    throw new CallsheetError(usage.contradiction("--against", "--against-file"))
  return { fix, dryRun: options.has("dry-run") }
}

function readFormat(options: Options): ProblemFormatName {
  const given = options.value("format")
  if (given === undefined) return options.has("json") ? "json" : "text"
  const name = readName("format", given, problemFormatNames)
  if (options.has("json") && name !== "json")
    throw new CallsheetError(usage.contradiction("--json", `--format ${name}`))
  return name
}

/**
 * Collects the problems that callsheet finds and, with `--types`, those that the compiler finds. Returns none if
 * interrupted.
 */
async function findAll(project: Project, search: Search): Promise<readonly Problem[]> {
  const { wanted, call, signal, readAt, name } = search
  const { environment, scriptEntry } = call
  const checkFile = (path: string) => checkProjectFile(project.root, path)
  const checkRows: CheckRows = async (path, inputs) => {
    const { openRows } = await import("../session/open-rows.ts")
    return (await openRows(project.root, { path }).check(inputs)).problems
  }
  const problems = await withScripts({ root: project.root, scriptEntry }, (describe) =>
    Promise.race([
      validateProject({
        project,
        describe,
        checkFile,
        checkRows,
        processEnvironment: environment,
        outlines: createOutlineStore(),
      }),
      search.ended,
    ]),
  )
  // Lets Node deliver a signal that arrived during the checks.
  await new Promise((resolve) => setImmediate(resolve))
  if (problems === undefined || signal.aborted) return []
  const isWhole = call.words.length === 0
  const around = await findSurrounding(project, { environment, isWhole, isOneOfSeveral: name !== undefined })
  if (!wanted.types) return [...problems, ...around]
  const { checkScriptTypes } = await import("../script-types/check-script-types.ts")
  return [...problems, ...around, ...(await checkScriptTypes(project, readAt, signal))]
}

/** Joins what was found in each project, with secrets masked. Limits hold for each project. */
async function settle(
  { results, exitCode }: CheckedProjects,
  { wanted: { maxWarnings, quiet, fix: isFixing }, call: { environment } }: Pick<Check, "wanted" | "call">,
): Promise<Validation> {
  const files = results.flatMap(({ value }) => value.files)
  const hasProblems = results.some(({ value }) => value.problems.length > 0)
  // A project without problems loads nothing to mask them.
  const mask = hasProblems ? await problemMask(files, environment) : (problem: Problem) => problem
  const isSeveral = results.some(({ project: { name } }) => name !== undefined)
  const all: PlacedProblem[] = []
  const excessive: string[] = []
  for (const { project, value } of results) {
    const { name } = project
    for (const problem of value.problems) all.push({ ...placeProblem(mask(problem), name), project: name })
    const warnings = value.problems.filter(({ severity }) => severity === "warning").length
    if (maxWarnings !== undefined && warnings > maxWarnings) excessive.push(name ?? "")
  }
  if (isSeveral) all.push(...findUnread(environment, () => files))
  const errors = all.filter(({ severity }) => severity === "error")
  const sum = (name: "workflows" | "apis" | "environments"): number =>
    results.reduce((total, { value }) => total + value[name], 0)
  return {
    ok: errors.length === 0 && excessive.length === 0 && exitCode === 0,
    problems: quiet ? errors : all,
    fixed: isFixing
      ? results.flatMap(({ project, value }) =>
          (value.fixed ?? []).map((each) => ({ project: project.name, ...each })),
        )
      : undefined,
    counts: {
      errors: errors.length,
      warnings: all.length - errors.length,
      files: new Set(all.map(({ file }) => file)).size,
      workflows: sum("workflows"),
      apis: sum("apis"),
      environments: sum("environments"),
      allowedWarnings: excessive.length > 0 ? maxWarnings : undefined,
      projects: isSeveral ? { count: results.length, excessive } : undefined,
    },
  }
}
