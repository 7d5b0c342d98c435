// Reads one API: its OpenAPI document, its environments and its saved requests.

import {
  checkEnvironmentFiles,
  checkSavedRequest,
  toProblem,
  type Api,
  type EnvironmentFiles,
  type InstanceFile,
  type Problem,
  type Project,
  type SourceFile,
} from "@callsheet/format"
import { messages } from "../messages.ts"
import { createFileReader, documentNames, findSharedDocuments } from "./document-folders.ts"
import { looksLikeDocument } from "./looks-like-document.ts"
import {
  createNameCheck,
  listFolder,
  checkKind,
  openProjectFolder,
  readDocumentText,
  readText,
  type Entry,
  type ProjectFolder,
} from "./project-folder.ts"

export type DocumentMode = "read" | "named"

/** Reads and checks `apis/<name>/`. Doesn't parse the document. `name` must be one of `apiNames`. */
export function readApi(
  project: ProjectFolder,
  name: string,
  { documents }: { readonly documents?: DocumentMode },
): Api {
  const folder = listFolder(project, `apis/${name}`)
  if (folder.problem !== undefined) {
    const environments = checkEnvironmentFiles({ api: name, files: [] })
    return { name, environments, instances: new Map(), problems: [folder.problem] }
  }
  const problems: Problem[] = []
  const found = findDocument(folder.entries, problems) ?? findShared(project, name, problems)
  const document =
    found === undefined || documents === "named" ? undefined : readDocument(project, found, problems)
  return {
    name,
    ...(found === undefined ? misnamedDocument(folder.entries, documents) : { documentFile: found.file }),
    ...(document === undefined ? {} : { document, readFile: createFileReader(project) }),
    environments: readEnvironments(project, name),
    instances: readInstances(project, name, problems),
    problems,
  }
}

/** Finds a document with another name. Isn't needed if no caller opens documents. */
function misnamedDocument(entries: readonly Entry[], documents: DocumentMode | undefined) {
  const misnamed = documents === "named" ? undefined : entries.find(looksLikeDocument)
  return misnamed === undefined ? {} : { misnamedDocument: misnamed.file }
}

/** Returns the document to read. Ignores broken links and links out of the project. */
function findDocument(entries: readonly Entry[], problems: Problem[]): Entry | undefined {
  const [document, other] = entries.filter(({ name }) => documentNames.includes(name))
  if (document === undefined) return undefined
  if (other !== undefined) {
    problems.push(toProblem(messages["document-ambiguous"].two(document.name, other.name), other.file))
  }
  const finding = checkKind(document)
  if (finding === undefined) return document
  problems.push(finding)
  return undefined
}

/** Returns the document in the directories that `documents` in `callsheet.json` names. */
function findShared(project: ProjectFolder, api: string, problems: Problem[]): Entry | undefined {
  const [document, other] = findSharedDocuments(project, api)
  if (document === undefined || other === undefined) return document
  problems.push(toProblem(messages["document-ambiguous"].two(document.file, other.file), other.file))
  return document
}

function readDocument(project: ProjectFolder, document: Entry, problems: Problem[]): SourceFile | undefined {
  const read = readDocumentText(project, document)
  if (read.ok) return read.value
  problems.push(read.problem)
  return undefined
}

function readInstances(
  project: ProjectFolder,
  api: string,
  problems: Problem[],
): ReadonlyMap<string, InstanceFile> {
  const instances = new Map<string, InstanceFile>()
  const list = (file: string): readonly Entry[] => {
    const { entries, problem } = listFolder(project, file)
    if (problem !== undefined) problems.push(problem)
    return entries
  }
  const checkResource = createNameCheck("instance-name", "a directory of saved requests")
  for (const resource of list(`apis/${api}/requests`)) {
    if (resource.kind !== "folder" && resource.kind !== "outside") continue
    problems.push(...checkResource(resource.name, resource.file))
    const checkInstance = createNameCheck("instance-name", "a saved request")
    for (const entry of list(resource.file)) {
      if (!entry.name.endsWith(".json")) continue
      const name = entry.name.slice(0, -".json".length)
      const instance = readInstance(resource.name, name, entry)
      const ofName = checkInstance(name, entry.file)
      instances.set(`${resource.name}/${name}`, { ...instance, problems: [...ofName, ...instance.problems] })
    }
  }
  return instances
}

function readInstance(resource: string, name: string, entry: Entry): InstanceFile {
  const read = readText(entry)
  if (!read.ok) return { resource, name, file: entry.file, text: "", problems: [read.problem] }
  return { resource, name, ...read.value, ...checkSavedRequest(read.value) }
}

/** Returns the environments of every API. Even an API that no workflow uses has secrets that a message might quote. */
export function readAllEnvironments({ root, apiNames, apis }: Project): readonly EnvironmentFiles[] {
  const project = openProjectFolder(root)
  return apiNames.map((name) => apis.get(name)?.environments ?? readEnvironments(project, name))
}

/** Reads and checks `apis/<api>/environments/`. `text` replaces one of the files. */
export function readEnvironments(project: ProjectFolder, api: string, text?: SourceFile): EnvironmentFiles {
  const { entries, problem } = listFolder(project, `apis/${api}/environments`)
  const files: SourceFile[] = text === undefined ? [] : [text]
  const unreadable: Problem[] = problem === undefined ? [] : [problem]
  for (const entry of entries) {
    if (entry.file === text?.file) continue
    if (!entry.name.endsWith(".json") && !entry.name.endsWith(".secrets.env")) continue
    const read = readText(entry)
    if (read.ok) files.push(read.value)
    else unreadable.push(read.problem)
  }
  return checkEnvironmentFiles({ api, files, unreadable })
}
