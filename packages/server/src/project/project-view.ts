// A project as the page shows it: names, descriptions and what belongs to what. No value of a variable is in it.

import { basename } from "node:path"
import {
  extendsChain,
  touchedApis,
  walkBlocks,
  type Api,
  type Block,
  type Environment,
  type EnvironmentFiles,
  type InstanceFile,
  type Problem,
  type Project,
  type WorkflowFile,
} from "@callsheet/format"
import type { Masker } from "@callsheet/engine"
import type { ApiView, EnvironmentView, ProjectView, SavedRequestView, WorkflowView } from "../calls/index.ts"

/** What people write freely, with secrets masked. */
type Shown = (text: string) => string

/** Links that lead out of the project are not listed; the problems name them. */
export function projectView(project: Project, revision: number, masker: Masker | undefined): ProjectView {
  const shown: Shown = masker?.text ?? ((text) => text)
  return {
    revision,
    name: basename(project.root),
    apis: [...project.apis.values()]
      .filter((api) => !leadsOutside(`apis/${api.name}`, api.problems))
      .map((api) => apiView(api, shown)),
    workflows: [...project.workflows.values()]
      .filter(({ file, problems }) => !leadsOutside(file, problems))
      .map(workflowView),
  }
}

const leadsOutside = (file: string, problems: readonly Problem[]): boolean =>
  problems.some((problem) => problem.code === "link-outside" && problem.file === file)

const apiView = ({ name, documentFile, environments, instances }: Api, shown: Shown): ApiView => ({
  name,
  ...(documentFile === undefined ? {} : { document: { file: documentFile } }),
  environments: environmentViews(environments),
  requests: [...instances.values()]
    .filter(({ file, problems }) => !leadsOutside(file, problems))
    .map((instance) => savedRequestView(instance, shown)),
})

/** Links that lead out of the project are not listed. */
export function environmentViews(files: EnvironmentFiles): readonly EnvironmentView[] {
  const linked = new Set(files.problems.flatMap(({ code, file }) => (code === "link-outside" ? [file] : [])))
  return [...files.environments.values()]
    .filter(({ valueFile }) => !linked.has(valueFile.file))
    .map((environment) => environmentView(files, environment))
}

const environmentView = (
  files: EnvironmentFiles,
  { name, extends: parent }: Environment,
): EnvironmentView => ({
  name,
  level: extendsChain(files.environments, name).find(({ level }) => level !== undefined)?.level ?? "local",
  extends: parent,
})

function savedRequestView({ resource, name, request }: InstanceFile, shown: Shown): SavedRequestView {
  if (request === undefined) return { resource, name }
  const { description, operation, method, path } = request
  const target = operation ?? [method, path].filter((part) => part !== undefined).join(" ")
  return {
    resource,
    name,
    description: description && shown(description),
    ...(target === "" ? {} : { target: shown(target) }),
  }
}

function workflowView({ name, readable }: WorkflowFile): WorkflowView {
  if (readable === undefined) return { name, apis: [] }
  const { blocks } = readable.workflow
  return {
    name,
    apis: [...touchedApis(blocks)].sort(),
    blocks: countBlocks(blocks),
  }
}

function countBlocks(blocks: readonly Block[]): number {
  let count = 0
  for (const _ of walkBlocks(blocks)) count++
  return count
}
