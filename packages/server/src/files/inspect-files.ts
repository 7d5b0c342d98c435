// Answers calls that read more files than the one they name: `files.check`, `files.list`, `files.uses` and `files.places`.

import { withScripts } from "@callsheet/engine"
import {
  blocksThatName,
  importedScripts,
  suitesNeeding,
  scriptPath,
  usesOf,
  validateEnvironmentFile,
  validateInstanceFile,
  validateSettingsFile,
  validateWorkflowFile,
  type ApiSource,
  type Surroundings,
} from "@callsheet/language"
import {
  checkProjectFile as checkSettingsFile,
  checkSavedRequest,
  checkWorkflow,
  getOrCreate,
  touchedApis,
  type InstanceFile,
  type Problem,
  type Project,
  type SourceFile,
  type WorkflowFile,
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
import { placeOf, type FileContext } from "./file-context.ts"
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

async function validate(context: FileContext, file: FileName, check: Check): Promise<readonly Problem[]> {
  switch (file.kind) {
    case "workflow":
      return validateWorkflow(context, file.workflow, check)
    case "script":
      return validateScript(context, file, check.source)
    case "request":
      return validateRequest(context, file, check)
    case "schema":
    case "environment":
      return validateEnvironment(context, file.api, check)
    case "project":
      return validateSettings(context, check)
  }
}

/** Checks the syntax and, if it is valid and the user allowed it, the types. */
async function validateScript({ parser, types }: FileContext, id: ScriptId, source: SourceFile) {
  const problems = problemsOfScript(source, await parser.describe(source.text))
  return problems.length > 0 ? problems : types.problemsOf(id, source)
}

async function validateWorkflow(context: FileContext, name: string, { source, project }: Check) {
  const workflow: WorkflowFile = { name, ...source, ...checkWorkflow(source) }
  const apis = await sourcesOf(context, project, touchedApis(workflow.readable?.workflow.blocks ?? []))
  const scriptNames = new Map([[name, listScriptNames(context.root, name)]])
  return withSurroundings(context, { project: { ...project, scriptNames }, apis }, (surroundings) =>
    validateWorkflowFile(workflow, surroundings),
  )
}

/** Checks a saved request in every workflow that sends it. */
async function validateRequest(
  context: FileContext,
  { api: name, resource, request }: Extract<FileName, { readonly kind: "request" }>,
  { source, project }: Check,
) {
  const instance: InstanceFile = { resource, name: request, ...source, ...checkSavedRequest(source) }
  const senders = [...project.workflows.values()].map(({ readable }) =>
    touchedApis(readable?.workflow.blocks ?? []),
  )
  const touched = senders.filter((apis) => apis.includes(name)).flat()
  const apis = new Map(await sourcesOf(context, project, [name, ...touched]))
  const known = apis.get(name)
  if (known === undefined) return instance.problems
  const instances = new Map(known.api.instances).set(`${resource}/${request}`, instance)
  apis.set(name, { ...known, api: { ...known.api, instances } })
  return withSurroundings(context, { project, apis }, async (surroundings) =>
    validateInstanceFile(instance, surroundings),
  )
}

async function validateEnvironment(context: FileContext, name: string, { source, project }: Check) {
  const environments = readEnvironments(openProject(context.root), name, source)
  const known = (await sourcesOf(context, project, [name])).get(name)
  if (known === undefined) return environments.problems.filter((problem) => problem.file === source.file)
  return validateEnvironmentFile(source.file, { ...known, api: { ...known.api, environments } }, project)
}

async function validateSettings(context: FileContext, { source, project }: Check) {
  const file = { ...source, ...checkSettingsFile(source) }
  const apis = await sourcesOf(context, project, project.apiNames)
  return validateSettingsFile(file, {
    project,
    apis,
    checkFile: (path) => checkProjectFile(context.root, path),
  })
}

async function sourcesOf(
  { sources }: FileContext,
  { apiNames }: Project,
  names: readonly string[],
): Promise<ReadonlyMap<string, ApiSource>> {
  const known = [...new Set(names)].filter((name) => apiNames.includes(name))
  return new Map(await Promise.all(known.map(async (name) => [name, await sources(name)] as const)))
}

async function withSurroundings(
  { root, scriptEntry }: FileContext,
  around: Pick<Surroundings, "project" | "apis">,
  use: (surroundings: Surroundings) => Promise<readonly Problem[]>,
): Promise<readonly Problem[]> {
  const checkFile = (path: string) => checkProjectFile(root, path)
  return withScripts({ root, scriptEntry }, (describe) => use({ ...around, describe, checkFile }))
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
