// All that a project holds, and files that stand where nothing reads them: most were meant to be read.

import { suggest, type Problem, type Project } from "@callsheet/format"
import { listFolder, type Entry, type ProjectFolder } from "./project-folder.ts"
import { listApiNames, listWorkflows, openProject, readProject } from "./read-project.ts"

/** What `callsheet validate` checks where no workflow is named: every workflow and API, used or not. Throws as `readProject`. */
export function readWholeProject(root: string, previous?: Project): Project {
  const project = readProject(root, { workflows: "all", apis: "all", previous })
  return { ...project, problems: [...project.problems, ...findStrays(openProject(root))] }
}

/** Warnings of `file-stray`: scripts without a workflow, saved requests without a resource, environments that are no JSON. */
export function findStrays(project: ProjectFolder): readonly Problem[] {
  const workflows = [...listWorkflows(project).keys()]
  return [
    ...straysIn(project, "apis/workflow/scripts", (entry) => checkScripts(entry, workflows)),
    ...listApiNames(project).flatMap((api) => [
      ...straysIn(project, `apis/${api}/requests`, checkRequest),
      ...straysIn(project, `apis/${api}/environments`, checkEnvironment),
    ]),
  ]
}

type Finding = Pick<Problem, "message" | "hint">

function straysIn(
  project: ProjectFolder,
  folder: string,
  findingFor: (entry: Entry) => Finding | undefined,
): readonly Problem[] {
  return listFolder(project, folder).entries.flatMap((entry): Problem[] => {
    const finding = findingFor(entry)
    return finding === undefined
      ? []
      : [{ code: "file-stray", severity: "warning", file: entry.file, ...finding }]
  })
}

/** Other folders may hold what the scripts of several workflows import. */
function checkScripts({ name, kind }: Entry, workflows: readonly string[]): Finding | undefined {
  if (kind !== "folder" || workflows.includes(name)) return undefined
  const hint = suggest(name, workflows)
  return hint === undefined
    ? undefined
    : { message: `there is no workflow "${name}" that could use these scripts`, hint }
}

function checkRequest({ name, kind }: Entry): Finding | undefined {
  if (kind !== "file" || !name.endsWith(".json")) return undefined
  return {
    message: "a saved request stands in no resource's folder",
    hint: `move it to requests/<resource>/${name}`,
  }
}

function checkEnvironment({ name, kind }: Entry): Finding | undefined {
  if (kind !== "file" || !/\.(?:ya?ml|env|jsonc|json5|toml)$/i.test(name) || name.endsWith(".secrets.env"))
    return undefined
  return {
    message: "environments are .json files, and their secrets .secrets.env files",
    hint: `write the values into ${name.replace(/\.[^.]+$/, "")}.json`,
  }
}
