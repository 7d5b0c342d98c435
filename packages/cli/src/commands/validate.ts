// `callsheet validate`: checks files without sending requests or running scripts.

import { validateProject, type CheckRows } from "@callsheet/language"
import { createOutlineStore, withScripts } from "@callsheet/engine"
import { CallsheetError, type Problem, type Project } from "@callsheet/format"
import { checkProjectFile, readAllEnvironments, readWholeProject } from "@callsheet/project"
import type { Command, CommandCall } from "../args/command.ts"
import { withInterrupts } from "../interrupts.ts"
import { maskProblems } from "../mask-files.ts"
import { messages, notices } from "../messages.ts"
import { openRoot } from "../open-root.ts"
import type { Options } from "../args/options.ts"
import { problemFormatNames, problemFormats, type ProblemFormatName } from "../problem-formats/index.ts"
import type { Validation } from "../problem-formats/text.ts"
import { readName, readMaxWarnings } from "../args/read-option.ts"
import { readWorkflows } from "../session/read-workflows.ts"
import { chunks } from "../reporters/chunks.ts"
import { refreshTypes } from "../script-types/scripted-workflows.ts"
import { findSurrounding } from "../validate/find-surrounding.ts"

/**
 * Checks the named workflows, or the whole project. Returns 1 if there are errors or too many warnings, otherwise 0.
 */
export const validate: Command = async (call) => {
  const wanted = readOptions(call.options)
  const root = await openRoot(call)
  const read = () => readChecked(root, call)
  const readAt = Date.now()
  const first = read()
  return withInterrupts(call.exit, async ({ signal, exitCode }) => {
    const check = { wanted, call, signal, readAt, exitCode }
    const found = await findAll(first, check)
    const fixing = found && wanted.fix ? await fix({ ...check, read }, first, found) : undefined
    const { project, problems } = { project: first, problems: found, ...fixing }
    const interrupted = exitCode()
    if (interrupted !== undefined || problems === undefined) {
      call.screen.err.write(`${notices.interrupted()}\n`)
      return interrupted ?? 130
    }
    const environments = readAllEnvironments(project)
    const masked = await maskProblems(problems, environments, call.environment)
    const validation = { ...settle(project, masked, wanted), fixed: fixing?.fixed }
    await print(validation, { wanted, call, root })
    await refreshTypes(project, project.scriptNames.keys(), readAt)
    return validation.ok ? 0 : 1
  })
}

/** The whole project includes APIs that no workflow uses. */
const readChecked = (root: string, { words, cwd }: CommandCall): Project =>
  words.length > 0 ? readWorkflows({ root, cwd, wanted: words, named: [] }).project : readWholeProject(root)

interface Fixing extends Search {
  readonly read: () => Project
  readonly exitCode: () => number | undefined
}

/** Repairs the project, and checks the repaired one. `problems` is undefined if interrupted. */
async function fix(search: Fixing, project: Project, problems: readonly Problem[]) {
  const { call, wanted, read, exitCode } = search
  const { findFixes, printFixes, writeFixes } = await import("../fix/fix-project.ts")
  const found = await findFixes({ call, project, problems })
  if (exitCode() !== undefined) return { project, problems: undefined, fixed: [] }
  if (!wanted.dryRun) await writeFixes(project.root, found)
  const { out, err } = call.screen
  if (wanted.format !== "json") printFixes(found, wanted.dryRun, wanted.format === "text" ? out : err)
  if (wanted.dryRun || found.files.length === 0) return { project, problems, fixed: found.fixes }
  const repaired = read()
  return { project: repaired, problems: await findAll(repaired, search), fixed: found.fixes }
}

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

interface Search {
  readonly wanted: ValidateOptions
  readonly call: CommandCall
  readonly signal: AbortSignal
  readonly readAt: number
}

/**
 * Collects the problems that callsheet finds and, with `--types`, those that the compiler finds. Returns undefined if
 * interrupted.
 */
async function findAll(project: Project, { wanted, call, signal, readAt }: Search) {
  const { environment, scriptEntry } = call
  const aborted = new Promise<undefined>((resolve) => {
    signal.addEventListener("abort", () => resolve(undefined), { once: true })
  })
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
      aborted,
    ]),
  )
  // Lets Node deliver a signal that arrived during the checks.
  await new Promise((resolve) => setImmediate(resolve))
  if (problems === undefined) return undefined
  let all = [
    ...problems,
    ...(await findSurrounding(project, { environment, isWhole: call.words.length === 0 })),
  ]
  if (wanted.types) {
    const { checkScriptTypes } = await import("../script-types/check-script-types.ts")
    all = [...all, ...(await checkScriptTypes(project, readAt, signal))]
  }
  return all
}

function settle(
  project: Project,
  problems: readonly Problem[],
  { maxWarnings, quiet }: ValidateOptions,
): Validation {
  const errors = problems.filter(({ severity }) => severity === "error")
  const warnings = problems.length - errors.length
  const tooMany = maxWarnings !== undefined && warnings > maxWarnings
  const apis = [...project.apis.values()]
  return {
    ok: errors.length === 0 && !tooMany,
    problems: quiet ? errors : problems,
    counts: {
      errors: errors.length,
      warnings,
      files: new Set(problems.map(({ file }) => file)).size,
      workflows: project.workflows.size,
      apis: apis.length,
      environments: apis.reduce((sum, api) => sum + api.environments.environments.size, 0),
      allowedWarnings: tooMany ? maxWarnings : undefined,
    },
  }
}
