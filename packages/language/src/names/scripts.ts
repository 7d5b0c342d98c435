// Checks that the scripts of a workflow exist and export the functions that the workflow uses.

import {
  createProblemMaker,
  type Finding,
  getOrCreate,
  hasTokens,
  type JsonPointer,
  once,
  type Problem,
  type ProblemCode,
  type Project,
  scriptsOf,
  type ScriptTarget,
  type SourceFile,
  suggest,
  type Visit,
  walkBlocks,
  type WorkflowFile,
} from "@callsheet/format"
import { messages } from "../messages.ts"

export type Report = (pointer: JsonPointer, at: "key" | "value", finding: Finding) => void

/**
 * Returns a function that reports findings as problems of a file. Counts lines only at the first finding, because most
 * files don't have any.
 */
export function reportTo(file: SourceFile, add: (problem: Problem) => void): Report {
  const problemAt = once(() => createProblemMaker(file))
  return (pointer, at, finding) => add(problemAt()(pointer, at, finding))
}

export const inBlock =
  (report: Report, { pointer }: Pick<Visit, "pointer">): Report =>
  (inner, at, finding) =>
    report([...pointer(), ...inner], at, finding)

/** Reports only as many findings as somebody reads, because a file can have hundreds of thousands. */
export function reportFew(report: Report) {
  let left = 100
  return {
    isFull: (): boolean => left === 0,
    report: (...finding: Parameters<Report>): void => {
      if (left === 0) return
      left--
      report(...finding)
    },
  }
}

export type ScriptDescription =
  | {
      readonly ok: true
      readonly exports: readonly string[]
      /** False if `exports` may be incomplete, because of `export *` or CommonJS. */
      readonly complete: boolean
    }
  | {
      readonly ok: false
      readonly message: string
      /** The problem code. By default, `script-syntax`. */
      readonly code?: ProblemCode
      readonly line?: number
      readonly column?: number
    }

/** Parses a script without running it. `file` is an absolute path. */
export type DescribeScript = (file: string) => Promise<ScriptDescription>

const scriptFile = (workflow: string, script: string): string =>
  `apis/workflow/scripts/${workflow}/${script}.ts`

export const scriptPath = (project: Pick<Project, "root">, workflow: string, script: string): string =>
  `${project.root}/${scriptFile(workflow, script)}`

interface ScriptsCheck {
  readonly project: Pick<Project, "root" | "scriptNames">
  readonly file: WorkflowFile
  readonly describe: DescribeScript
}

/** Reports missing scripts, syntax errors and missing exports. Skips names with tokens, which a run checks. */
export async function checkScripts({ project, file, describe }: ScriptsCheck, report: Report): Promise<void> {
  const known = project.scriptNames.get(file.name) ?? []
  const descriptions = new Map<string, Promise<ScriptDescription>>()
  for (const { block, pointer } of walkBlocks(file.readable?.workflow.blocks ?? [])) {
    if (file.readable?.broken.has(block) === true) continue
    for (const script of scriptsOf(block)) {
      if (hasTokens(script.name)) continue
      if (!known.includes(script.name)) {
        report([...pointer(), "script", "name"], "value", missingScript(file.name, script.name, known))
        continue
      }
      const description = getOrCreate(descriptions, script.name, () =>
        describe(scriptPath(project, file.name, script.name)),
      )
      const finding = checkExport(script, await description, file.name)
      if (finding === undefined) continue
      const field = finding.code === "script-missing" ? "exportName" : "name"
      report([...pointer(), "script", field], "value", finding)
    }
  }
}

export const missingScript = (workflow: string, name: string, known: readonly string[]): Finding =>
  messages["script-missing"].unknown(scriptFile(workflow, name), known, suggest(name, known))

function checkExport(
  script: ScriptTarget,
  description: ScriptDescription,
  workflow: string,
): Finding | undefined {
  const file = scriptFile(workflow, script.name)
  if (!description.ok) {
    const position = description.line === undefined ? "" : `:${description.line}:${description.column ?? 1}`
    return {
      code: description.code ?? "script-syntax",
      message: `${file}${position}: ${description.message}`,
    }
  }
  const { exportName } = script
  const { complete, exports } = description
  if (hasTokens(exportName) || !complete || exports.includes(exportName)) return undefined
  return messages["script-missing"].noExport(file, exportName, exports, suggest(exportName, exports))
}
