// Builds the page's view of a project: names, descriptions and relations. Contains no values of variables.

import { basename } from "node:path"
import {
  extendsChain,
  levelOf,
  ownOf,
  touchedApis,
  walkBlocks,
  type Api,
  type EnvironmentFiles,
  type InstanceFile,
  type Problem,
  type Project,
  type WorkflowFile,
  isHalfWritten,
} from "@callsheet/format"
import { findHelpers } from "@callsheet/language"
import { isProjectRoot } from "@callsheet/project"
import type { ApiView, EnvironmentView, ProjectView, SavedRequestView, WorkflowView } from "../calls/index.ts"
import type { Masker } from "../secrets/secrets-masker.ts"

/** Builds the view. Links that lead out of the project have problems instead. */
export function projectView(project: Project, revision: number, masker: Masker): ProjectView {
  return {
    revision,
    name: basename(project.root),
    isNew: !isProjectRoot(project.root) || undefined,
    apis: [...project.apis.values()]
      .filter((api) => !leadsOutside(`apis/${api.name}`, api.problems))
      .map((api) => ({ ...apiView(api, masker), source: sourceOf(project, api.name, masker) })),
    workflows: [...project.workflows.values()]
      .filter(({ file, problems }) => !leadsOutside(file, problems))
      .map(workflowView),
    helpers: helpersOf(project),
    hasBaseline: project.baselineFile === undefined ? undefined : true,
    suites: project.settingsFile && Object.keys(project.settingsFile.settings?.suites ?? {}),
  }
}

/** An address with a secret can't be used, and isn't shown. */
function sourceOf({ settingsFile }: Project, api: string, masker: Masker): string | undefined {
  const source = ownOf(settingsFile?.settings?.sources, api)
  return source === undefined || masker.text(source) !== source ? undefined : source
}

function helpersOf({ settingsFile, workflowNames }: Project): ProjectView["helpers"] {
  const helpers = findHelpers(settingsFile?.settings ?? {}, workflowNames)
  return helpers.size === 0 ? undefined : [...helpers]
}

const leadsOutside = (file: string, problems: readonly Problem[]): boolean =>
  problems.some((problem) => problem.code === "link-outside" && problem.file === file)

const apiView = ({ name, documentFile, environments, instances }: Api, masker: Masker): ApiView => ({
  name,
  ...(documentFile === undefined ? {} : { document: { file: documentFile } }),
  environments: environmentViews(environments),
  requests: [...instances.values()]
    .filter(({ file, problems }) => !leadsOutside(file, problems))
    .map((instance) => savedRequestView(instance, masker)),
})

export function environmentViews(files: EnvironmentFiles): readonly EnvironmentView[] {
  const linked = new Set(files.problems.flatMap(({ code, file }) => (code === "link-outside" ? [file] : [])))
  return [...files.environments.values()]
    .filter(({ valueFile }) => !linked.has(valueFile.file))
    .map(({ name, extends: parent }) => ({
      name,
      level: levelOf(extendsChain(files.environments, name)),
      extends: parent,
    }))
}

function savedRequestView({ resource, name, request }: InstanceFile, masker: Masker): SavedRequestView {
  if (request === undefined) return { resource, name }
  const { description, operation, method, path } = request
  const target = operation ?? [method, path].filter((part) => part !== undefined).join(" ")
  return {
    resource,
    name,
    description: description && masker.text(description),
    target: target === "" ? undefined : masker.text(target),
  }
}

function workflowView(file: WorkflowFile): WorkflowView {
  const { name, readable } = file
  if (readable === undefined || isHalfWritten(file)) return { name, apis: [] }
  const { blocks } = readable.workflow
  return { name, apis: [...touchedApis(blocks)].sort(), blocks: [...walkBlocks(blocks)].length }
}
