// One workflow file, and the names of the scripts that belong to it.

import { checkWorkflow, type Problem, type WorkflowFile } from "@callsheet/format"
import {
  isInFolder,
  listFolder,
  readText,
  type Entry,
  type Listing,
  type ProjectFolder,
} from "./project-folder.ts"

/** Reads and checks a workflow; `entry` is its file. */
export function readWorkflow(name: string, entry: Entry): WorkflowFile {
  const read = readText(entry)
  return read.ok
    ? { name, ...read.value, ...checkWorkflow(read.value) }
    : { name, file: entry.file, text: "", problems: [read.problem] }
}

/**
 * Names of the `.ts` files below `apis/workflow/scripts/<workflow>/`, without `.ts` and sorted: `pay`, `checks/total`.
 * No file is opened. Links are followed inside that folder alone, and each folder once.
 */
export function listScripts(
  project: ProjectFolder,
  workflow: string,
  problems: Problem[],
): readonly string[] {
  const file = `apis/workflow/scripts/${workflow}`
  const top = listFolder(project, file)
  const names: string[] = []
  const seen = new Set([top.realPath])
  const listings = [top]
  for (let listing = listings.pop(); listing !== undefined; listing = listings.pop()) {
    if (listing.problem !== undefined) problems.push(listing.problem)
    for (const entry of listing.entries) {
      if (isScriptFolder(entry) && !seen.has(entry.realPath) && isWithin(top, entry)) {
        seen.add(entry.realPath)
        listings.push(listFolder(project, entry.file))
      } else if (isScript(entry)) {
        if (isWithin(top, entry)) names.push(entry.file.slice(file.length + 1, -".ts".length))
        else problems.push(linkedScript(entry.file))
      }
    }
  }
  return names.sort()
}

const isScriptFolder = ({ name, kind }: Entry): boolean => kind === "folder" && name !== "node_modules"

const isScript = ({ name, kind }: Entry): boolean =>
  (kind === "file" || kind === "outside") && name.endsWith(".ts") && !name.endsWith(".d.ts")

const isWithin = ({ realPath }: Listing, entry: Entry): boolean =>
  realPath !== undefined && isInFolder(realPath, entry.realPath)

const linkedScript = (file: string): Problem => ({
  code: "link-outside",
  severity: "error",
  file,
  message: `the script is a link that leads out of the folder of its workflow's scripts`,
  hint: "put the function into a file in that folder, and let it import what it shares",
})
