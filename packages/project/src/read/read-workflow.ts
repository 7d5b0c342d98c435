// One workflow file, and the names of the scripts that belong to it.

import { checkWorkflow, type Problem, type WorkflowFile } from "@callsheet/format"
import { linkOutside, listFolder, readText, type Entry, type ProjectFolder } from "./project-folder.ts"

/** Reads and checks a workflow; `entry` is its file. */
export function readWorkflow(name: string, entry: Entry): WorkflowFile {
  const read = readText(entry)
  return read.ok
    ? { name, ...read.value, ...checkWorkflow(read.value) }
    : { name, file: entry.file, text: "", problems: [read.problem] }
}

/**
 * Names of the `.ts` files below `apis/workflow/scripts/<workflow>/`, without `.ts` and sorted: `pay`, `checks/total`.
 * No file is opened. Folders are followed through links once each, so that a link to a folder above it ends.
 */
export function listScripts(
  project: ProjectFolder,
  workflow: string,
  problems: Problem[],
): readonly string[] {
  const top = `apis/workflow/scripts/${workflow}`
  const names: string[] = []
  const seen = new Set<string>()
  const folders = [top]
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const { entries, problem } = listFolder(project, folder)
    if (problem !== undefined) problems.push(problem)
    for (const { name, file, kind, realPath } of entries) {
      if (kind === "folder") {
        if (name !== "node_modules" && !seen.has(realPath)) folders.push(file)
        seen.add(realPath)
      } else if (name.endsWith(".ts") && !name.endsWith(".d.ts")) {
        if (kind === "file") names.push(file.slice(top.length + 1, -".ts".length))
        else if (kind === "outside") problems.push(linkOutside(file))
      }
    }
  }
  return names.sort()
}
