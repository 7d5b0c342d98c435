// Reads a whole project. Finds files that callsheet doesn't read because of their location or name.

import { suggest, toProblem, type Finding, type Problem, type Project, ownOf } from "@callsheet/format"
import { messages } from "../messages.ts"
import { documentNameFor, hasKey, isData, looksLikeDocument } from "./looks-like-document.ts"
import { listFolder, type Entry, type ProjectFolder, type UnsavedTexts } from "./project-folder.ts"
import { listWorkflows, openProject, readProject } from "./read-project.ts"

const { scripts, folder: misnamed, misplaced, misnamedDocument } = messages["file-stray"]

const isJson = ({ name }: Entry): boolean => name.endsWith(".json")
const stemOf = (name: string): string => name.replace(/\.[^.]+$/, "")

/** Returns the `file-stray` warnings for files and directories that callsheet doesn't read. */
export function findStrays(project: ProjectFolder): readonly Problem[] {
  const workflows = [...listWorkflows(project).keys()]
  const problems: Problem[] = []
  const seen = new Set<string>()
  const folders = ["apis"]
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const { entries, realPath } = listFolder(project, folder)
    if (realPath === undefined || seen.has(realPath)) continue
    seen.add(realPath)
    for (const entry of entries) {
      const finding = checkEntry(entry, entries, workflows)
      if (finding !== undefined) problems.push(toProblem(finding, entry.file))
      else if (entry.kind === "folder" && !isOwnedByScripts(entry)) folders.push(entry.file)
    }
  }
  return problems
}

/** Returns whether a directory contains scripts. It may contain any file, because scripts may import it. */
const isOwnedByScripts = ({ name, file }: Entry): boolean =>
  name === "node_modules" || file.startsWith("apis/workflow/scripts/")

/** Checks one entry below `apis/`. `siblings` are the entries of its directory. */
function checkEntry(
  entry: Entry,
  siblings: readonly Entry[],
  workflows: readonly string[],
): Finding | undefined {
  const [, area = "", ...path] = entry.file.split("/")
  if (area === "workflow") return checkInWorkflows(entry, path, workflows)
  if (path.length === 0) return checkInApis(entry)
  return checkInApi(entry, path, siblings)
}

function checkInWorkflows(
  entry: Entry,
  [first = "", ...rest]: readonly string[],
  workflows: readonly string[],
): Finding | undefined {
  const { name, kind } = entry
  const isDirect = rest.length === 0
  if (first === "scripts") {
    // Other directories may contain shared imports.
    if (rest.length !== 1 || kind !== "folder" || workflows.includes(name)) return undefined
    const suggestion = suggest(name, workflows)
    return suggestion === undefined ? undefined : scripts(name, suggestion)
  }
  if (kind === "folder") return isDirect ? checkFolder(name, ["scripts"]) : undefined
  if (!isData(entry) || (isDirect && isJson(entry))) return undefined
  return isDirect || hasKey(entry, "blocks") ? misplacedWorkflow(entry) : undefined
}

const misplacedWorkflow = ({ name }: Entry): Finding =>
  misplaced("workflow", name, `apis/workflow/${stemOf(name)}.json`)

/** Checks a file next to the directories of the APIs. */
function checkInApis(entry: Entry): Finding | undefined {
  if (!isData(entry)) return undefined
  return hasKey(entry, "blocks") ? misplacedWorkflow(entry) : checkDocument(entry, "<api>")
}

function checkInApi(entry: Entry, path: readonly string[], siblings: readonly Entry[]): Finding | undefined {
  const { name, kind, file } = entry
  const [first = "", ...rest] = path
  if (isData(entry) && /\/workflows?\//i.test(file) && hasKey(entry, "blocks"))
    return misplacedWorkflow(entry)
  if (rest.length === 0) {
    if (kind === "folder") return checkFolder(name, ["environments", "requests"])
    const isDocumented = siblings.some((other) => /^openapi\.(?:json|ya?ml)$/.test(other.name))
    return isDocumented || !isData(entry) ? undefined : checkDocument(entry, file.split("/")[1] ?? "")
  }
  if (first === "environments") return rest.length === 1 ? checkEnvironment(entry) : undefined
  if (first === "requests") return checkRequest(entry, rest)
  return undefined
}

/** Checks a directory's name for a likely misspelling. Other names are allowed. */
function checkFolder(name: string, known: readonly string[]): Finding | undefined {
  if (known.includes(name)) return undefined
  const suggestion = suggest(ownOf(otherNames, name.toLowerCase()) ?? name, known)
  return suggestion === undefined ? undefined : misnamed(name, suggestion)
}

const otherNames: Readonly<Record<string, string>> = {
  env: "environments",
  envs: "environments",
  instances: "requests",
}

/** Checks a file of an API without a document. */
function checkDocument(entry: Entry, api: string): Finding | undefined {
  if (!looksLikeDocument(entry)) return undefined
  const target = documentNameFor(entry.name)
  const isBeside = entry.file === `apis/${api}/${entry.name}`
  return isBeside ? misnamedDocument(target) : misplaced("document", entry.name, `apis/${api}/${target}`)
}

function checkEnvironment(entry: Entry): Finding | undefined {
  const { name, kind } = entry
  if (kind === "file" && (isJson(entry) || name.endsWith(".secrets.env"))) return undefined
  const [, environment] = /^(.+)\.secrets?(?:\.env)?$/i.exec(name) ?? []
  if (environment !== undefined) return misplaced("environment", name, `${environment}.secrets.env`)
  // Tools with dotenv files keep secrets in them, so the values don't belong in the committed file.
  if (/\.env$/i.test(name)) return misplaced("environment", name, `${stemOf(name)}.secrets.env`)
  if (kind === "folder" || isData(entry)) return misplaced("environment", name, `${stemOf(name)}.json`)
  return undefined
}

function checkRequest(entry: Entry, path: readonly string[]): Finding | undefined {
  if (!isData(entry) || (path.length === 2 && isJson(entry))) return undefined
  // Requests may send any other file as a body.
  if (!hasKey(entry, "operation|method")) return undefined
  const resource = path.length === 1 ? "<resource>" : path[0]
  return misplaced("request", entry.name, `requests/${resource}/${stemOf(entry.name)}.json`)
}

/** Reads all workflows and APIs, used or not, as `callsheet validate` does. Throws like `readProject`. */
export function readWholeProject(root: string, previous?: Project, unsaved?: UnsavedTexts): Project {
  const project = readProject(root, { workflows: "all", apis: "all", previous, unsaved })
  return { ...project, problems: [...project.problems, ...findStrays(openProject(root, unsaved))] }
}
