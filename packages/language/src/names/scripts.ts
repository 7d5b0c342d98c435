// Checks that the scripts of a workflow exist and export the functions that the workflow uses.

import {
  createProblemMaker,
  type Finding,
  getOrCreate,
  hasTokens,
  type JsonPointer,
  once,
  ownOf,
  joinPath,
  type Problem,
  type ProblemCode,
  type Project,
  type RowInputs,
  scriptsOf,
  type ScriptTarget,
  type SourceFile,
  suggest,
  withReplacement,
  toProblem,
  type Visit,
  walkBlocks,
  type WorkflowFile,
} from "@callsheet/format"
import { messages } from "../messages.ts"

/** `within`: the index of the character in the string at the pointer. */
export type Report = (pointer: JsonPointer, at: "key" | "value", finding: Finding, within?: number) => void

/**
 * Returns a function that reports findings as problems of a file. Counts lines at the first finding, because most files
 * have none.
 */
export function reportTo(file: SourceFile, add: (problem: Problem) => void): Report {
  const problemAt = once(() => createProblemMaker(file))
  return (...finding) => add(problemAt()(...finding))
}

export const inBlock =
  (report: Report, { pointer }: Pick<Visit, "pointer">): Report =>
  (inner, ...finding) =>
    report([...pointer(), ...inner], ...finding)

/** Limits the number of reported findings, because a file can have hundreds of thousands. */
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

/** The facts about a script that its syntax shows without running it. */
export interface ScriptModule {
  readonly exports: readonly string[]
  /** False if `exports` may be incomplete, because of `export *` or CommonJS. */
  readonly complete: boolean
  /** The exports that are certainly not functions, each with the kind of its value: "a number". */
  readonly values: Readonly<Record<string, string>>
  /** The modules that the script always imports, and the position of each import. */
  readonly imports: readonly { readonly specifier: string; readonly line: number; readonly column: number }[]
  /** The lines where `callsheet import` left code to translate. Absent if there are none. */
  readonly todos?: readonly number[]
  /** The modules that the script may import while it runs. */
  readonly lazyImports: readonly string[]
  /**
   * The modules and globals with which the script reaches files, the network or processes, such as `node:fs` or
   * `fetch`.
   */
  readonly io: readonly { readonly what: string; readonly line: number; readonly column: number }[]
}

export type ScriptDescription =
  | ({ readonly ok: true } & ScriptModule)
  | {
      readonly ok: false
      readonly message: string
      /** By default, `script-syntax`. */
      readonly code?: ProblemCode
      readonly line?: number
      readonly column?: number
      /** The line, and a line below it that marks the column. */
      readonly excerpt?: string | undefined
    }

/** Parses a script without running it. `file` is an absolute path. */
export type DescribeScript = (file: string) => Promise<ScriptDescription>

export const SCRIPTS_FOLDER = "apis/workflow/scripts"

export const scriptsFolder = (workflow: string): string => `${SCRIPTS_FOLDER}/${workflow}`

export const scriptFile = (workflow: string, script: string): string =>
  `${scriptsFolder(workflow)}/${script}.ts`

export const scriptPath = (project: Pick<Project, "root">, workflow: string, script: string): string =>
  `${project.root}/${scriptFile(workflow, script)}`

interface ScriptsCheck {
  readonly project: Pick<Project, "root" | "scriptNames">
  readonly file: WorkflowFile
  readonly describe: DescribeScript
  /** Enables checks that a run makes only when it calls a script: of the values of exports, and of imported files. */
  readonly thorough?: Thorough
}

/** Returns the problem with a file of the project, if any. `path` starts at the project root. */
export type CheckFile = (path: string) => Finding | undefined

/** Returns the problems of the rows in a data file of the project. */
export type CheckRows = (path: string, inputs: RowInputs) => Promise<readonly Problem[]>

interface Thorough {
  readonly checkFile: CheckFile
  readonly add: (problem: Problem) => void
  /** Receives exports that are not functions. By default, like a missing export. */
  readonly report?: Report
}

/** Reports missing scripts, syntax errors and missing exports. Skips names with tokens, which a run checks. */
export async function checkScripts(
  { project, file, describe, thorough }: ScriptsCheck,
  report: Report,
): Promise<void> {
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
      const description = await getOrCreate(descriptions, scriptFile(file.name, script.name), () =>
        describe(scriptPath(project, file.name, script.name)),
      )
      for (const todo of todosIn(description, scriptFile(file.name, script.name))) thorough?.add(todo)
      const isValue = thorough !== undefined && description.ok
      const value = isValue ? ownOf(description.values, script.exportName) : undefined
      const finding =
        value === undefined
          ? checkExport(script, description, file.name)
          : messages["script-missing"].notFunction(
              scriptFile(file.name, script.name),
              script.exportName,
              value,
            )
      if (finding === undefined) continue
      const field = finding.code === "script-missing" ? "exportName" : "name"
      const to = value === undefined ? report : (thorough?.report ?? report)
      to([...pointer(), "script", field], "value", finding)
    }
  }
  if (thorough !== undefined) await checkImports({ project, describe, descriptions, ...thorough })
}

const todosIn = (description: ScriptDescription, file: string): readonly Problem[] =>
  ((description.ok ? description.todos : undefined) ?? []).map((line) => ({
    ...toProblem(messages["import-todo"].todo(), file),
    line,
    column: 1,
  }))

interface ImportsCheck extends Thorough, Pick<ScriptsCheck, "describe"> {
  readonly project: Pick<Project, "root">
  /** The workflow's scripts, by path from the root. Imported scripts are added. */
  readonly descriptions: Map<string, Promise<ScriptDescription>>
}

/**
 * Reports imports of missing files, and syntax errors in imported scripts. Adds scripts to the map while iterating over
 * it.
 */
async function checkImports({
  project,
  describe,
  descriptions,
  checkFile,
  add,
}: ImportsCheck): Promise<void> {
  for (const [file, describing] of descriptions) {
    const description = await describing
    for (const { specifier, ...place } of description.ok ? description.imports : []) {
      const path = /^\.{1,2}(?:\/|$)/.test(specifier) ? pathFrom(file, specifier) : undefined
      if (path === undefined) continue
      const found = [path, ...importCandidates(path), `${path}/package.json`].find(
        (candidate) => checkFile(candidate) === undefined,
      )
      if (found === undefined)
        add({ ...toProblem(messages["script-missing"].import(specifier), file), ...place })
      else if (/^apis\/workflow\/scripts\/.*\.[cm]?ts$/.test(found) && !descriptions.has(found)) {
        const imported = describe(`${project.root}/${found}`)
        descriptions.set(found, imported)
        for (const todo of todosIn(await imported, found)) add(todo)
        const { line, column, code = "script-syntax", message, excerpt } = { ...(await imported) } as Refusal
        if (line !== undefined) add({ code, severity: "error", file: found, line, column, message, excerpt })
      }
    }
  }
}

type Refusal = Extract<ScriptDescription, { readonly ok: false }>

/** Returns the path from the root to which a relative import leads. Undefined outside the project. */
export const pathFrom = (file: string, specifier: string): string | undefined =>
  joinPath(file, specifier.replace(/[?#].*$/, ""))

const endings = ["ts", "mts", "cts", "tsx", "js", "mjs", "cjs", "jsx", "json", "node", "wasm"]
const isLoadable = new RegExp(`\\.(?:${endings.join("|")})$`)

/** Returns the files that an import may refer to. `./x`, `./x.ts` and `./x.js` may be `x.ts` or a directory's `index`. */
export function importCandidates(path: string): readonly string[] {
  const written = isLoadable.test(path) ? [path] : []
  const source = path.replace(/\.([cm]?)js$/, ".$1ts")
  return [
    ...written,
    ...(source === path ? [] : [source]),
    ...endings.flatMap((ending) => [`${path}.${ending}`, `${path}/index.${ending}`]),
  ]
}

export const missingScript = (workflow: string, name: string, known: readonly string[]): Finding =>
  withReplacement(
    messages["script-missing"].unknown(scriptFile(workflow, name), known, suggest(name, known)),
    { is: "value", from: name, known },
  )

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
      excerpt: description.excerpt,
    }
  }
  const { exportName } = script
  const { complete, exports } = description
  if (hasTokens(exportName) || !complete || exports.includes(exportName)) return undefined
  const finding = messages["script-missing"].noExport(file, exportName, exports, suggest(exportName, exports))
  return withReplacement(finding, { is: "value", from: exportName, known: exports })
}
