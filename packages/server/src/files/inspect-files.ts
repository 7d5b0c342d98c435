// Answers calls that read more files than the one they name: `files.check`, `files.list`, `files.uses` and `files.places`.

import { withScripts } from "@callsheet/engine"
import {
  blocksThatName,
  importedScripts,
  suitesNeeding,
  scriptPath,
  usesOf,
  type ApiSource,
} from "@callsheet/language"
import {
  checkSavedRequest,
  getOrCreate,
  type Api,
  type Problem,
  type Project,
  type SourceFile,
} from "@callsheet/format"
import { listScriptNames, checkProjectFile, openProject, readEnvironments } from "@callsheet/project"
import {
  fileAt,
  type FileName,
  type FileUses,
  type Input,
  type Output,
  type ScriptId,
} from "../calls/index.ts"
import { withoutOutsidePaths } from "../project/read-parts.ts"
import { maskProblems } from "../secrets/mask-json-text.ts"
import { isOfEnvironments, placeOf, type FileContext } from "./file-context.ts"
import { problemsInFile, withFileText } from "./file-in-project.ts"
import { textAt } from "./read-and-save.ts"
import { problemsOfScript } from "./script-parser.ts"

/** Checks text against the project on disk. Fast enough to run whenever the user stops typing. */
export async function checkFile(
  context: FileContext,
  input: Input<"files.check">,
): Promise<Output<"files.check">> {
  const { file, text } = input
  const { project, masker } = await context.overview()
  const source = { file: placeOf(file).file, text }
  return { problems: maskProblems(await validate(context, file, { source, project }), masker) }
}

interface Check {
  readonly source: SourceFile
  readonly project: Project
}

async function validate(context: FileContext, file: FileName, { source, project }: Check) {
  if (file.kind === "script") return validateScript(context, file, source)
  const now = withFileText(project, file, source)
  const scriptNames =
    file.kind === "workflow"
      ? new Map([[file.workflow, listScriptNames(context.root, file.workflow)]])
      : now.scriptNames
  const { root, scriptEntry } = context
  const found = await withScripts({ root, scriptEntry }, (describe) =>
    problemsInFile(
      { file, path: source.file },
      {
        project: { ...now, scriptNames },
        describe,
        checkFile: (path) => checkProjectFile(root, path),
        sources: async (names) => current(now, await sourcesOf(context, now, [...names])),
      },
    ),
  )
  return found ?? problemsAlone(context, file, source)
}

/** Returns the problems that the text of a file has, whose API the project doesn't have. */
function problemsAlone({ root }: FileContext, file: FileName, source: SourceFile): readonly Problem[] {
  if (file.kind === "request") return checkSavedRequest(source).problems
  if (!isOfEnvironments(file)) return []
  const { problems } = readEnvironments(openProject(root), file.api, source)
  return problems.filter((problem) => problem.file === source.file)
}

/** Checks the syntax and, if it is valid and the user allowed it, the types. */
async function validateScript({ parser, types }: FileContext, id: ScriptId, source: SourceFile) {
  const problems = problemsOfScript(source, await parser.describe(source.text))
  return problems.length > 0 ? problems : types.problemsOf(id, source)
}

/** Returns the sources with the saved requests and environments of `project`. Documents are those on disk. */
const current = (
  { apis }: Project,
  sources: ReadonlyMap<string, ApiSource>,
): ReadonlyMap<string, ApiSource> =>
  new Map([...sources].map(([name, source]) => [name, withParts(source, apis.get(name))]))

const withParts = (source: ApiSource, api: Api | undefined): ApiSource =>
  api === undefined
    ? source
    : { ...source, api: { ...source.api, instances: api.instances, environments: api.environments } }

async function sourcesOf(
  { sources }: FileContext,
  { apiNames }: Project,
  names: readonly string[],
): Promise<ReadonlyMap<string, ApiSource>> {
  const known = [...new Set(names)].filter((name) => apiNames.includes(name))
  return new Map(await Promise.all(known.map(async (name) => [name, await sources(name)] as const)))
}

/** Lists the scripts of a workflow. Parses them but never runs them. A script with syntax errors has no exports. */
export async function listScripts(context: FileContext, workflow: string): Promise<Output<"files.list">> {
  const { root, scriptEntry, isRemote } = context
  const names = withoutOutsidePaths(() => listScriptNames(root, workflow))
  const { workflows } = (await context.overview()).project
  const importers = importersOf(root, new Set([workflow, ...workflows.keys()]))
  const scripts = await withScripts({ root, scriptEntry }, (describe) =>
    Promise.all(
      names.map(async (script) => {
        const description = await describe(scriptPath({ root }, workflow, script))
        const importedBy = importers.get(placeOf({ kind: "script", workflow, script }).file) ?? []
        return { script, exports: description.ok ? description.exports : [], importedBy }
      }),
    ),
  )
  return { scripts, isReadOnly: isRemote() }
}

function importersOf(root: string, workflows: Iterable<string>): ReadonlyMap<string, readonly ScriptId[]> {
  const ids = [...workflows].flatMap((workflow) =>
    listScriptNames(root, workflow).map((script) => ({ workflow, script })),
  )
  const scripts = new Map(ids.map((id) => [placeOf({ kind: "script", ...id }), id]))
  const known = new Set([...scripts.keys()].map(({ file }) => file))
  const importers = new Map<string, ScriptId[]>()
  for (const [place, id] of scripts) {
    const text = textAt(root, place) ?? ""
    for (const target of importedScripts({ file: place.file, text }, known))
      getOrCreate(importers, target, () => []).push(id)
  }
  return importers
}

const MAX_PLACES = 300

/** Lists the places that use something. Only an operation needs its document. */
export async function findPlaces(
  context: FileContext,
  { of }: Input<"files.places">,
): Promise<Output<"files.places">> {
  const { project, masker } = await context.overview()
  const api = of.kind === "operation" && project.apiNames.includes(of.api) ? of.api : undefined
  const uses = [...usesOf(project, of, api === undefined ? undefined : await context.sources(api))]
  const places = uses.slice(0, MAX_PLACES).flatMap(({ file: path, block, ...place }) => {
    const file = fileAt(path)
    return file === undefined ? [] : [{ ...place, file, block: block && masker.text(block) }]
  })
  return { places, omitted: uses.length - places.length }
}

/** Finds the blocks and entries that use a file. Doesn't find names with placeholders. */
export function findUses(project: Project, file: FileName): FileUses {
  if (file.kind === "workflow") return { uses: [], suites: suitesNeeding(project, file.workflow) }
  if (file.kind !== "script" && file.kind !== "request") return { uses: [], suites: [] }
  const byWorkflow = new Map<string, string[]>()
  for (const { workflow, visit, isSure } of blocksThatName(project, file)) {
    if (!isSure) continue
    getOrCreate(byWorkflow, workflow.name, () => []).push(visit.block.id)
  }
  return { uses: [...byWorkflow].map(([workflow, blocks]) => ({ workflow, blocks })), suites: [] }
}
