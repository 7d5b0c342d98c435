// Reads one workflow file and lists its scripts.

import { checkWorkflow, toProblem, type Problem, type WorkflowFile } from "@callsheet/format"
import { messages } from "../messages.ts"
import {
  createNameCheck,
  isInFolder,
  listFolder,
  checkKind,
  readText,
  type Entry,
  type Listing,
  type ProjectFolder,
} from "./project-folder.ts"

/** Reads and checks a workflow; `entry` is its file. An earlier result is reused if it has the same text. */
export function readWorkflow(name: string, entry: Entry, previous?: WorkflowFile): WorkflowFile {
  const read = readText(entry)
  if (!read.ok) return { name, file: entry.file, text: "", problems: [read.problem] }
  const { file, text } = read.value
  // An empty text may mean that the file was unreadable.
  if (text === "" || previous?.text !== text) return { name, ...read.value, ...checkWorkflow(read.value) }
  // Problems of its scripts may be fixed by now.
  const own = previous.problems.filter((problem) => problem.file === file)
  return own.length === previous.problems.length ? previous : { ...previous, problems: own }
}

/** Lists the `.ts` files of a workflow's directory without opening them. Links may lead only into that directory. */
export function listScripts(project: ProjectFolder, workflow: string) {
  const file = `apis/workflow/scripts/${workflow}`
  const top = listFolder(project, file)
  const names: string[] = []
  const problems: Problem[] = []
  const seen = new Set([top.realPath])
  const listings = [top]
  for (let listing = listings.pop(); listing !== undefined; listing = listings.pop()) {
    if (listing.problem !== undefined) problems.push(listing.problem)
    const checkName = createNameCheck("script-name", "a script")
    for (const entry of listing.entries) {
      if (isScriptFolder(entry)) {
        problems.push(...checkName(entry.name, entry.file))
        if (!isWithin(top, entry)) problems.push(linkedScript(entry.file))
        else if (!seen.has(entry.realPath)) listings.push(listFolder(project, entry.file))
        seen.add(entry.realPath)
      } else if (isNamedLikeScript(entry)) {
        const problem = isWithin(top, entry) ? checkKind(entry) : linkedScript(entry.file)
        problems.push(...checkName(entry.name, entry.file), ...(problem === undefined ? [] : [problem]))
        if (problem === undefined) names.push(entry.file.slice(file.length + 1, -".ts".length))
      }
    }
  }
  return { names: names.sort(), problems }
}

// The target of a link out of the project is not read: a name without an extension is assumed to be a directory.
const isScriptFolder = ({ name, kind }: Entry): boolean =>
  (kind === "folder" || (kind === "outside" && !name.includes("."))) && name !== "node_modules"

const isNamedLikeScript = ({ name }: Entry): boolean => name.endsWith(".ts") && !name.endsWith(".d.ts")

const isWithin = ({ realPath }: Listing, entry: Entry): boolean =>
  entry.kind !== "outside" && realPath !== undefined && isInFolder(realPath, entry.realPath)

const linkedScript = (file: string): Problem => toProblem(messages["link-outside"].script(), file)
