// For tests: creates a project in memory from values.

import {
  checkEnvironmentFiles,
  checkProjectFile,
  checkSavedRequest,
  checkWorkflow,
  formatProblem,
  PROJECT_FILE,
  type Api,
  type Project,
} from "@callsheet/format"
import type { CheckFile, ScriptDescription } from "../names/scripts.ts"
import { validateProject } from "../validate/validate-project.ts"

export interface ApiFiles {
  readonly document?: unknown
  /** The environment files by name in `environments/`. */
  readonly environments?: Readonly<Record<string, unknown>>
  /** The saved requests by `<resource>/<instance>`. */
  readonly requests?: Readonly<Record<string, unknown>>
}

export interface ProjectFiles {
  readonly workflows: Readonly<Record<string, unknown>>
  readonly apis?: Readonly<Record<string, ApiFiles>>
  /** The contents of `callsheet.json`. */
  readonly settings?: unknown
  /** The exports of all workflows' scripts, by script name. */
  readonly scripts?: Readonly<Record<string, readonly string[]>>
}

const toText = (content: unknown): string =>
  typeof content === "string" ? content : JSON.stringify(content, undefined, 2)

export function projectOf({ workflows, apis = {}, scripts = {}, settings }: ProjectFiles): Project {
  const settingsSource = { file: PROJECT_FILE, text: toText(settings) }
  return {
    root: "/project",
    apiNames: Object.keys(apis),
    workflowNames: Object.keys(workflows),
    apis: new Map(Object.entries(apis).map(([name, files]) => [name, apiOf(name, files)])),
    workflows: new Map(
      Object.entries(workflows).map(([name, content]) => {
        const source = { file: `apis/workflow/${name}.json`, text: toText(content) }
        return [name, { name, ...source, ...checkWorkflow(source) }]
      }),
    ),
    scriptNames: new Map(Object.keys(workflows).map((name) => [name, Object.keys(scripts)])),
    settingsFile:
      settings === undefined ? undefined : { ...settingsSource, ...checkProjectFile(settingsSource) },
    problems: [],
  }
}

function apiOf(name: string, { document, environments = {}, requests = {} }: ApiFiles): Api {
  const files = Object.entries(environments).map(([file, content]) => ({
    file: `apis/${name}/environments/${file}`,
    text: toText(content),
  }))
  const instances = Object.entries(requests).map(([key, content]) => {
    const [resource = "", instance = ""] = key.split("/")
    const source = { file: `apis/${name}/requests/${key}.json`, text: toText(content) }
    return [key, { resource, name: instance, ...source, ...checkSavedRequest(source) }] as const
  })
  return {
    name,
    ...(document === undefined
      ? {}
      : { document: { file: `apis/${name}/openapi.json`, text: toText(document) } }),
    environments: checkEnvironmentFiles({ api: name, files }),
    instances: new Map(instances),
    problems: [],
  }
}

/** Returns the findings of `validate` as `severity code: message | hint`, without positions. */
export async function findingsOf(files: ProjectFiles): Promise<readonly string[]> {
  const problems = await validate(files)
  return problems.map(
    ({ severity, code, message, hint }) =>
      `${severity} ${code}: ${message}${hint === undefined ? "" : ` | ${hint}`}`,
  )
}

/** Returns the lines that the command prints, without hints. */
export const linesOf = async (files: ProjectFiles): Promise<readonly string[]> =>
  (await validate(files)).map(formatProblem)

function validate(files: ProjectFiles) {
  const describe = (file: string): Promise<ScriptDescription> => {
    const name = file.slice(file.lastIndexOf("/") + 1, -".ts".length)
    return Promise.resolve({
      ok: true,
      exports: files.scripts?.[name] ?? [],
      complete: true,
      values: {},
      imports: [],
      lazyImports: [],
      io: [],
    })
  }
  const checkFile: CheckFile = (path) =>
    path.startsWith("..")
      ? { code: "link-outside", message: "it is outside" }
      : path.startsWith("there/")
        ? undefined
        : { code: "file-unreadable", message: "it is not there" }
  return validateProject({ project: projectOf(files), describe, checkFile })
}
