// Reads a whole project, and finds misplaced files that callsheet doesn't read.

import { suggest, toProblem, type Finding, type Problem, type Project } from "@callsheet/format"
import { messages } from "../messages.ts"
import { listFolder, type Entry, type ProjectFolder } from "./project-folder.ts"
import { listApiNames, listWorkflows, openProject, readProject } from "./read-project.ts"

/** Reads all workflows and APIs, used or not, as `callsheet validate` does by default. Throws like `readProject`. */
export function readWholeProject(root: string, previous?: Project): Project {
  const project = readProject(root, { workflows: "all", apis: "all", previous })
  return { ...project, problems: [...project.problems, ...findStrays(openProject(root))] }
}

/** Returns the `file-stray` warnings for files that callsheet doesn't read. */
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

const stray = messages["file-stray"]

function straysIn(
  project: ProjectFolder,
  folder: string,
  findingFor: (entry: Entry) => Finding | undefined,
): readonly Problem[] {
  return listFolder(project, folder).entries.flatMap((entry): Problem[] => {
    const finding = findingFor(entry)
    return finding === undefined ? [] : [toProblem(finding, entry.file)]
  })
}

/** Checks an entry next to the script directories. Allows other directories, which may contain shared imports. */
function checkScripts({ name, kind }: Entry, workflows: readonly string[]): Finding | undefined {
  if (kind !== "folder" || workflows.includes(name)) return undefined
  const suggestion = suggest(name, workflows)
  return suggestion === undefined ? undefined : stray.scripts(name, suggestion)
}

function checkRequest({ name, kind }: Entry): Finding | undefined {
  if (kind !== "file" || !name.endsWith(".json")) return undefined
  return stray.request(name)
}

function checkEnvironment({ name, kind }: Entry): Finding | undefined {
  if (kind !== "file" || !/\.(?:ya?ml|env|jsonc|json5|toml)$/i.test(name) || name.endsWith(".secrets.env"))
    return undefined
  return stray.environment(name)
}
