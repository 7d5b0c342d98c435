// `callsheet validate`: everything that can be known to be wrong with the files, without sending anything or running a script.

import { setFlagsFromString } from "node:v8"
import { validateProject } from "@callsheet/language"
import { withScripts } from "@callsheet/engine"
import type { Problem, Project } from "@callsheet/format"
import { objectToProjectFile, readWholeProject } from "@callsheet/project"
import type { Command, CommandCall } from "../command.ts"
import { watchInterrupts, type Interrupts } from "../interrupts.ts"
import { openRoot } from "../open-root.ts"
import { problemFormats } from "../problem-formats/index.ts"
import type { ProblemFormatRow, Validation } from "../problem-formats/problem-format.ts"
import { readWorkflows } from "../read-workflows.ts"
import { chunks } from "../reporters/chunks.ts"
import { readValidateOptions, type ValidateWishes } from "./validate-options.ts"

/** Checks what is named, or everything, and returns 0, or 1 where there are errors or too many warnings. */
export const validate: Command = async (call) => {
  const wishes = readValidateOptions(call.options)
  optimiseLater()
  const root = await openRoot(call)
  const readAt = Date.now()
  const project = readWanted(root, call)
  const interrupts = watchInterrupts(call.exit)
  try {
    const problems = await findAll(project, { wishes, call, interrupts, readAt })
    const interrupted = interrupts.exitCode()
    if (interrupted !== undefined || problems === undefined) {
      call.screen.err.write("interrupted\n")
      return interrupted ?? 130
    }
    const validation = settle(project, problems, wishes)
    await print(validation, { wishes, call, root })
    await refresh(project, readAt)
    return validation.ok ? 0 : 1
  } finally {
    interrupts.stop()
  }
}

/** Without words everything is read: APIs that no workflow touches too. */
function readWanted(root: string, { words, cwd }: CommandCall): Project {
  if (words.length > 0) return readWorkflows({ root, cwd, wanted: words, named: [] }).project
  return readWholeProject(root)
}

interface Search {
  readonly wishes: ValidateWishes
  readonly call: CommandCall
  readonly interrupts: Interrupts
  readonly readAt: number
}

/** What callsheet finds, and the compiler where it is asked. Undefined where an interrupt came first. */
async function findAll(
  project: Project,
  { wishes, call, interrupts, readAt }: Search,
): Promise<readonly Problem[] | undefined> {
  const problems = await findProblems(project, call, interrupts)
  if (problems === undefined || !wishes.types) return problems
  const { checkScriptTypes } = await import("../script-types/check-script-types.ts")
  return [...problems, ...(await checkScriptTypes({ project, readAt, signal: interrupts.signal }))]
}

/** Types that were written once stay those of the files. */
async function refresh(project: Project, readAt: number): Promise<void> {
  const workflows = [...project.scriptNames].flatMap(([name, scripts]) => (scripts.length > 0 ? [name] : []))
  if (workflows.length === 0) return
  const { refreshScriptTypes } = await import("../script-types/refresh-script-types.ts")
  await refreshScriptTypes(project, workflows, readAt)
}

/** Undefined where an interrupt came first. */
async function findProblems(
  project: Project,
  { scriptEntry }: CommandCall,
  { signal }: Interrupts,
): Promise<readonly Problem[] | undefined> {
  const aborted = new Promise<undefined>((resolve) => {
    signal.addEventListener("abort", () => resolve(undefined), { once: true })
  })
  const objectToFile = (path: string) => objectToProjectFile(project.root, path)
  const problems = await withScripts({ root: project.root, scriptEntry }, (describe) =>
    Promise.race([validateProject({ project, describe, objectToFile }), aborted]),
  )
  // A signal that came while files were checked is heard only now.
  await new Promise((resolve) => setImmediate(resolve))
  return problems
}

function settle(
  project: Project,
  problems: readonly Problem[],
  { maxWarnings, quiet }: ValidateWishes,
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

interface Printing {
  readonly wishes: ValidateWishes
  readonly call: CommandCall
  readonly root: string
}

async function print(validation: Validation, { wishes, call, root }: Printing): Promise<void> {
  const { out } = call.screen
  const row: ProblemFormatRow = problemFormats[wishes.format]
  const format = await row.load()
  const context = { style: out.style, root, processEnvironment: call.environment }
  for (const chunk of chunks(format(validation, context))) out.write(chunk, row.writes)
}

/** Eight times V8's own: what a function must have cost before it is optimised. */
const BUDGET = 8 * 67_584

/**
 * Lets functions run longer before they are optimised. The V8 of Node 20 optimises so early that a large `validate` spends
 * half of its time on compiling; later ones do not, and have no such flag.
 */
function optimiseLater(): void {
  if (process.versions.node.startsWith("20.")) setFlagsFromString(`--interrupt-budget=${BUDGET}`)
}
