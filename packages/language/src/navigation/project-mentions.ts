// Finds every mention of a thing in the files of a project, and where the thing gets its name.

import {
  type Api,
  hasResponse,
  type InstanceFile,
  joinPath,
  locateJson,
  type LocatedJson,
  memo,
  PROJECT_FILE,
  type Project,
  type SourceFile,
  type WorkflowFile,
  walkBlocks,
} from "@callsheet/format"
import type { Operation } from "@callsheet/openapi"
import { maySend } from "../references/block-uses.ts"
import { scriptFile } from "../names/scripts.ts"
import { WorkflowNames } from "../scope/places.ts"
import { schemaMentions, secretsMentions, valueMentions } from "./environment-mentions.ts"
import { isSameNamed, type Mention, type Named } from "./named.ts"
import { requestMentions } from "./request-mentions.ts"
import { rowMentions, rowFilesOf } from "./row-mentions.ts"
import { scriptMentions } from "./script-mentions.ts"
import { settingsMentions } from "./settings-mentions.ts"
import { workflowMentions } from "./workflow-mentions.ts"

export interface ProjectTexts {
  readonly project: Project
  /** Returns the text of a script or data file, by its path from the root. */
  readonly textOf: (file: string) => string | undefined
}

export interface PlacedMention extends Mention {
  /** The path from the root. */
  readonly file: string
}

/** A place without a name, such as a whole file. */
export interface NamedPlace {
  readonly file: string
  readonly from: number
  readonly to: number
}

/** Not kept, because it is ten times as large as the text, and the mentions in a file are kept. */
const located = (source: SourceFile): LocatedJson => locateJson(source.text)

type FileMentions = (texts: ProjectTexts) => readonly Mention[]

interface MentioningFile {
  readonly file: string
  readonly mentions: FileMentions
}

const cached = new WeakMap<SourceFile, readonly Mention[]>()

function keep(source: SourceFile, find: () => Iterable<Mention>): MentioningFile {
  return {
    file: source.file,
    mentions: () => {
      const known = cached.get(source)
      if (known !== undefined) return known
      const found = [...find()]
      cached.set(source, found)
      return found
    },
  }
}

/** Lists the files of a project that may mention something, without scripts and data files. */
const filesOf = memo((project: Project): readonly MentioningFile[] => [
  ...[...project.workflows.values()].map((file) =>
    keep(file, () => workflowMentions(file.name, located(file))),
  ),
  ...[...project.apis.values()].flatMap(filesOfApi),
  ...(project.settingsFile === undefined ? [] : [settingsOf(project.settingsFile)]),
])

const settingsOf = (source: SourceFile): MentioningFile =>
  keep(source, () => settingsMentions(located(source)))

const rowFiles = memo((settings: SourceFile) => [...rowFilesOf(located(settings).value)])

function filesOfApi({ name, environments, instances }: Api): readonly MentioningFile[] {
  const { schemaFile } = environments
  return [
    ...[...instances.values()].map((file) => keep(file, () => requestMentions(name, file, located(file)))),
    ...(schemaFile === undefined ? [] : [keep(schemaFile, () => schemaMentions(name, located(schemaFile)))]),
    ...[...environments.environments.values()].flatMap(({ valueFile, secretsFile }) => [
      keep(valueFile, () => valueMentions(name, located(valueFile))),
      ...(secretsFile === undefined
        ? []
        : [keep(secretsFile, () => secretsMentions(name, secretsFile.text))]),
    ]),
  ]
}

const workflowNames = memo((source: SourceFile) => new WorkflowNames(located(source).value))

function scriptsOf({ project, textOf }: ProjectTexts, workflow: string): readonly MentioningFile[] {
  const source = project.workflows.get(workflow)
  const names = source === undefined ? undefined : workflowNames(source)
  return (project.scriptNames.get(workflow) ?? []).map((script) => {
    const file = scriptFile(workflow, script)
    return {
      file,
      mentions: () => [...scriptMentions({ workflow, script, text: textOf(file) ?? "" }, names)],
    }
  })
}

function rowsOf({ project, textOf }: ProjectTexts): readonly MentioningFile[] {
  const { settingsFile } = project
  if (settingsFile === undefined) return []
  return rowFiles(settingsFile).map(([file, workflows]) => ({
    file,
    mentions: () => [...rowMentions(file, textOf(file) ?? "", workflows)],
  }))
}

/** Returns the mentions in a file, in any order. */
export function mentionsInFile(texts: ProjectTexts, file: string): readonly PlacedMention[] {
  const [, workflow] = /^apis\/workflow\/scripts\/([^/]+)\//.exec(file) ?? []
  const files =
    workflow === undefined ? [...filesOf(texts.project), ...rowsOf(texts)] : scriptsOf(texts, workflow)
  return files
    .filter((each) => each.file === file)
    .flatMap((each) => each.mentions(texts).map((mention) => ({ ...mention, file })))
}

/** Returns the innermost mention at an offset, or one that ends there. */
export function mentionAtOffset(
  texts: ProjectTexts,
  file: string,
  offset: number,
): PlacedMention | undefined {
  return mentionsInFile(texts, file)
    .filter(({ from, to }) => from <= offset && offset <= to)
    .toSorted((a, b) => a.to - a.from - (b.to - b.from))[0]
}

/** Returns every mention of a thing. */
export function mentionsOf(texts: ProjectTexts, named: Named): readonly PlacedMention[] {
  const { project } = texts
  const isMeant = createMeaningTest(project, named)
  return placed(texts, [...filesNaming(project, named), ...filesOnDisk(texts, named)], isMeant)
}

/** Returns the mentions of an operation by its id, or by its method and path, which may mean another one. */
export function operationMentions(
  texts: ProjectTexts,
  { operationId, method, path }: Pick<Operation, "operationId" | "method" | "path">,
  api: string,
): readonly PlacedMention[] {
  const isMeant = (named: Named): boolean => {
    if (named.is !== "operation" || named.api !== api) return false
    return named.name === operationId || (named.name.endsWith(path) && hasMethod(named.name, method))
  }
  return placed(texts, filesOf(texts.project), isMeant)
}

const hasMethod = (name: string, method: string): boolean =>
  name.slice(0, method.length).toUpperCase() === method.toUpperCase()

const placed = (
  texts: ProjectTexts,
  files: readonly MentioningFile[],
  isMeant: (named: Named) => boolean,
): readonly PlacedMention[] =>
  files.flatMap(({ file, mentions }) =>
    mentions(texts)
      .filter((mention) => isMeant(mention.named))
      .map((mention) => ({ ...mention, file })),
  )

/** Leaves out other workflows if the thing is inside one. */
function filesNaming(project: Project, named: Named): readonly MentioningFile[] {
  const all = filesOf(project)
  if (!("workflow" in named)) return all
  const own = project.workflows.get(named.workflow)?.file
  return all.filter(({ file }) => file === own || !file.startsWith("apis/workflow/"))
}

/** Returns scripts and data files only if they may mention the thing, because they are read each time. */
function filesOnDisk(texts: ProjectTexts, named: Named): readonly MentioningFile[] {
  if (named.is === "variable" || named.is === "api")
    return [...texts.project.scriptNames.keys()].flatMap((workflow) => scriptsOf(texts, workflow))
  const rows = named.is === "input" ? rowsOf(texts) : []
  return "workflow" in named ? [...scriptsOf(texts, named.workflow), ...rows] : rows
}

function createMeaningTest(project: Project, wanted: Named): (named: Named) => boolean {
  return (named) => {
    if (named.is !== "open") return isSameNamed(named, wanted)
    if (named.name !== wanted.name) return false
    return wanted.is === "open"
      ? isSameNamed(named, wanted)
      : openMeanings(project, named).some((meaning) => isSameNamed(meaning, wanted))
  }
}

type OpenName = Extract<Named, { readonly is: "open" }>

/** Returns what a name in a saved request means for the workflows that send it, and for the request on its own. */
export function openMeanings(project: Project, { api, resource, request, name }: OpenName): readonly Named[] {
  const file = project.apis.get(api)?.instances.get(`${resource}/${request}`)
  const meanings =
    file === undefined
      ? []
      : sendersOf(project, { api, file }).flatMap((workflow) => meaningIn(project, workflow, name))
  const variable: Named = { is: "variable", api, name }
  const isDeclared = project.apis.get(api)?.environments.variables.has(name) === true
  return isDeclared || meanings.length === 0 ? [...meanings, variable] : meanings
}

function meaningIn(project: Project, workflow: string, name: string): readonly Named[] {
  const source = project.workflows.get(workflow)
  const found = source === undefined ? undefined : workflowNames(source).meaningOf(name, { block: {} })
  if (found?.is === "input") return [{ is: "input", workflow, name }]
  if (found?.is !== "result" || typeof found.block["id"] !== "string") return []
  return [{ is: "block", workflow, name: found.block["id"] }]
}

/** Returns the workflows that may send a saved request. */
function sendersOf(
  project: Project,
  { api, file }: { readonly api: string; readonly file: InstanceFile },
): readonly string[] {
  return [...project.workflows.values()]
    .filter((workflow) =>
      sendingBlocks(workflow).some((block) => block.request.api === api && maySend(block, file)),
    )
    .map(({ name }) => name)
}

const sendingBlocks = memo((file: WorkflowFile) =>
  [...walkBlocks(file.readable?.workflow.blocks ?? [])]
    .map(({ block }) => block)
    .filter((block) => hasResponse(block))
    .filter((block) => block.request.instance !== undefined),
)

/** Returns where a thing gets its name: mentions that declare it, or the start of its file. */
export function declarationsOf(texts: ProjectTexts, named: Named): readonly NamedPlace[] {
  const { project } = texts
  if (named.is === "open")
    return openMeanings(project, named).flatMap((meaning) => declarationsOf(texts, meaning))
  if (named.is === "part")
    return declarationsOf(texts, { is: "block", workflow: named.workflow, name: named.block })
  const files = ownFiles(project, named)
  if (files.length > 0) return files.map((file) => ({ file, from: 0, to: 0 }))
  const declared = mentionsOf(texts, named).filter((mention) => mention.declares)
  if (declared.length > 0 || named.is !== "export") return declared
  return declarationsOf(texts, { is: "script", workflow: named.workflow, name: named.script })
}

/** Returns the files that a thing consists of, if it is a file. */
export function ownFiles(project: Project, named: Named): readonly string[] {
  switch (named.is) {
    case "workflow":
      return [project.workflows.get(named.name)?.file ?? []].flat()
    case "script": {
      const isKnown = project.scriptNames.get(named.workflow)?.includes(named.name) === true
      return isKnown ? [scriptFile(named.workflow, named.name)] : []
    }
    case "request":
      return requestFiles(project, named).map(({ file }) => file)
    case "environment":
      return [environmentOf(project, named)?.valueFile.file ?? []].flat()
    case "api": {
      const { documentFile, environments } = project.apis.get(named.name) ?? {}
      return [documentFile ?? environments?.schemaFile?.file ?? []].flat()
    }
    case "file":
      return [joinPath(PROJECT_FILE, named.name) ?? []].flat()
    default:
      return []
  }
}

const environmentOf = ({ apis }: Project, { api, name }: { readonly api: string; readonly name: string }) =>
  apis.get(api)?.environments.environments.get(name)

export function requestFiles(
  { apis }: Project,
  named: Extract<Named, { readonly is: "request" }>,
): readonly InstanceFile[] {
  return [...(apis.get(named.api)?.instances.values() ?? [])].filter(({ name, resource }) =>
    isSameNamed({ is: "request", api: named.api, resource, name }, named),
  )
}
