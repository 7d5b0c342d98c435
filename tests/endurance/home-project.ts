// A project in memory, of valid files, and the same with one file replaced.

import {
  checkEnvironmentFiles,
  checkSavedRequest,
  checkWorkflow,
  type Api,
  type InstanceFile,
  type Project,
  type SourceFile,
  type WorkflowFile,
} from "@callsheet/format"
import type { CorpusFile } from "./corpus.ts"

/** A file's position in a project. */
interface Place {
  readonly api: string
  readonly name: string
  readonly resource: string
}

export interface Home {
  readonly project: Project
  readonly files: ReadonlyMap<string, SourceFile>
  /** The length of the documents, which are the slow part. */
  readonly documentLength: number
}

export interface HomeFiles {
  readonly files: readonly CorpusFile[]
  readonly scriptNames: ReadonlyMap<string, readonly string[]>
}

/** The project of the corpus files in one directory. The first of several texts with one path counts. */
export function makeHome({ files, scriptNames }: HomeFiles): Home {
  const sources = new Map<string, SourceFile>()
  for (const { path, text } of files) {
    if (!sources.has(path)) sources.set(path, { file: path, text: text.replace(/^\ufeff/, "") })
  }
  const apiNames = [...new Set([...sources.keys()].map((path) => placeOf(path).api))]
    .filter((name) => name !== "workflow")
    .sort()
  const workflows = [...sources.values()]
    .filter(({ file }) => placeOf(file).api === "workflow")
    .map(readWorkflow)
  const apis = apiNames.map((name) => readApi(name, [...sources.values()]))
  const documentLength = apis.reduce((sum, { document }) => sum + (document?.text.length ?? 0), 0)
  const project: Project = {
    root: "/nowhere",
    apiNames,
    workflowNames: workflows.map(({ name }) => name),
    apis: new Map(apis.map((api) => [api.name, api])),
    workflows: new Map(workflows.map((workflow) => [workflow.name, workflow])),
    scriptNames,
    problems: [],
  }
  return { project, files: sources, documentLength }
}

/** The parts of a project that are checked with a file. */
export type Extent = "whole" | "part"

/**
 * Returns the project with `source` instead of the file at its path. `part` contains only files that the checks of this
 * file read. For environment files, these are neither documents nor workflows.
 */
export function withFile({ project, files }: Home, source: SourceFile, extent: Extent): Project {
  const { api: name } = placeOf(source.file)
  if (name === "workflow") {
    const workflow = readWorkflow(source)
    const others = extent === "whole" ? [...project.workflows] : []
    return { ...project, workflows: new Map([...others, [workflow.name, workflow]]) }
  }
  const api = withFileOf(project.apis.get(name), { name, files, source })
  if (extent === "whole") return { ...project, apis: new Map([...project.apis, [name, api]]) }
  const { document: _, ...undocumented } = api
  const isEnvironmentFile = source.file.includes("/environments/")
  return {
    ...project,
    apis: new Map([[name, isEnvironmentFile ? undocumented : api]]),
    workflows: new Map(),
  }
}

interface ApiChange {
  readonly name: string
  readonly files: ReadonlyMap<string, SourceFile>
  readonly source: SourceFile
}

/** The API with one file replaced. Parts that don't depend on it are not read again. */
function withFileOf(api: Api | undefined, { name, files, source }: ApiChange): Api {
  if (api === undefined) return readApi(name, [source])
  if (source.file.includes("/requests/")) {
    const instance = readInstance(source)
    const { resource } = instance
    return { ...api, instances: new Map([...api.instances, [`${resource}/${instance.name}`, instance]]) }
  }
  if (!source.file.includes("/environments/")) return { ...api, document: source }
  const near = [...files.values()].filter(
    ({ file }) => file !== source.file && file.startsWith(`apis/${name}/environments/`),
  )
  return { ...api, environments: checkEnvironmentFiles({ api: name, files: [...near, source] }) }
}

function placeOf(path: string): Place {
  const [, api = "", folder = "", third] = path.split("/")
  const last = path.slice(path.lastIndexOf("/") + 1)
  return { api, name: last.replace(/\.json$/, ""), resource: folder === "requests" ? (third ?? "") : "" }
}

function readWorkflow(source: SourceFile): WorkflowFile {
  return { name: placeOf(source.file).name, ...source, ...checkWorkflow(source) }
}

function readApi(name: string, all: readonly SourceFile[]): Api {
  const files = all.filter(({ file }) => file.startsWith(`apis/${name}/`))
  const document = files.find(({ file }) => /\/openapi\.(?:json|ya?ml)$/.test(file))
  const instances = files.filter(({ file }) => file.includes("/requests/")).map(readInstance)
  return {
    name,
    ...(document === undefined ? {} : { document }),
    environments: checkEnvironmentFiles({
      api: name,
      files: files.filter(({ file }) => file.includes("/environments/")),
    }),
    instances: new Map(instances.map((one) => [`${one.resource}/${one.name}`, one])),
    problems: [],
  }
}

function readInstance(source: SourceFile): InstanceFile {
  const { name, resource } = placeOf(source.file)
  return { name, resource, ...source, ...checkSavedRequest(source) }
}
