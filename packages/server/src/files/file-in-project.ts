// Puts the text of one file into a project that was read before, and checks that file. For the app's drafts and for the
// documents of editors.

import {
  checkBaseline,
  checkProjectFile,
  checkSavedRequest,
  checkWorkflow,
  apisOfFile,
  type Api,
  type Problem,
  type ProcessEnvironment,
  type Project,
  type SourceFile,
} from "@callsheet/format"
import {
  validateBaselineFile,
  validateEnvironmentFile,
  validateInstanceFile,
  validateSettingsFile,
  validateWorkflowFile,
  type ApiSource,
  type Surroundings,
} from "@callsheet/language"
import { openProject, readEnvironments } from "@callsheet/project"
import type { FileName } from "../calls/index.ts"

/** Returns the project with the text instead of the file's. A new file is added. Scripts have no text in a project. */
export function withFileText(project: Project, file: FileName, source: SourceFile): Project {
  switch (file.kind) {
    case "workflow": {
      const ofOthers = project.workflows
        .get(file.workflow)
        ?.problems.filter((one) => one.file !== source.file)
      const checked = checkWorkflow(source)
      const problems = [...checked.problems, ...(ofOthers ?? [])]
      const workflow = { name: file.workflow, ...source, ...checked, problems }
      return { ...project, workflows: new Map(project.workflows).set(file.workflow, workflow) }
    }
    case "request": {
      const { resource, request: name } = file
      const { problems, ...checked } = checkSavedRequest(source)
      return withApi(project, file.api, ({ instances }) => {
        const key = `${resource}/${name}`
        // The text doesn't change what is wrong with the name.
        const ofName = instances.get(key)?.problems.filter(({ code }) => code === "instance-name") ?? []
        const instance = { resource, name, ...source, ...checked, problems: [...ofName, ...problems] }
        return { instances: new Map(instances).set(key, instance) }
      })
    }
    case "schema":
    case "environment":
      return withApi(project, file.api, ({ name }) => ({
        environments: readEnvironments(openProject(project.root), name, source),
      }))
    case "project":
      return { ...project, settingsFile: { ...source, ...checkProjectFile(source) } }
    case "baseline":
      return { ...project, baselineFile: source }
    case "script":
      return project
  }
}

function withApi(project: Project, name: string, change: (api: Api) => Partial<Api>): Project {
  const api = project.apis.get(name)
  if (api === undefined) return project
  return { ...project, apis: new Map(project.apis).set(name, { ...api, ...change(api) }) }
}

interface CheckedIn extends Pick<Surroundings, "describe" | "checkFile"> {
  readonly project: Project
  /** The process variables, which may set variables that no file sets. */
  readonly processEnvironment?: ProcessEnvironment
  /** Returns the APIs that the project has of these, with their documents. */
  readonly sources: (apis: Iterable<string>) => Promise<ReadonlyMap<string, ApiSource>>
}

/** Returns the problems in a file of the project. Undefined for a script, and for a file that the project doesn't have. */
export async function problemsInFile(
  { file, path }: { readonly file: FileName; readonly path: string },
  { project, sources, describe, checkFile, processEnvironment }: CheckedIn,
): Promise<readonly Problem[] | undefined> {
  const around = { project, describe, checkFile }
  switch (file.kind) {
    case "workflow": {
      const workflow = project.workflows.get(file.workflow)
      if (workflow === undefined) return undefined
      const apis = await sources(apisOfFile(workflow))
      return validateWorkflowFile(workflow, { ...around, apis })
    }
    case "request": {
      const instance = project.apis.get(file.api)?.instances.get(`${file.resource}/${file.request}`)
      if (instance === undefined) return undefined
      return validateInstanceFile(instance, { ...around, apis: await sources(apisWith(project, file.api)) })
    }
    case "schema":
    case "environment": {
      const source = (await sources([file.api])).get(file.api)
      return source && validateEnvironmentFile(path, source, { ...project, processEnvironment })
    }
    case "project": {
      if (project.settingsFile === undefined) return undefined
      return validateSettingsFile(project.settingsFile, { ...around, apis: await sources(project.apiNames) })
    }
    case "baseline": {
      const { baselineFile } = project
      if (baselineFile === undefined) return undefined
      const { entries = [] } = checkBaseline(baselineFile)
      return validateBaselineFile(baselineFile, {
        project,
        apis: await sources(entries.map(({ api }) => api)),
      })
    }
    case "script":
      return undefined
  }
}

/** Returns an API, and those of all workflows that send its requests. */
function apisWith({ workflows }: Project, api: string): readonly string[] {
  const touched = [...workflows.values()].map(apisOfFile)
  return [api, ...touched.filter((names) => names.includes(api)).flat()]
}
