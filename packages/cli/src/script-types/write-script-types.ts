// Generates the script types of workflows. Writes those that have changed.

import { readSdkDeclarations } from "@callsheet/engine"
import { INBOX, memo, readableApis, stringifyJson, type Api, type Project } from "@callsheet/format"
import { scriptTypes, sharedTypesFolder, typesFolder, typesPaths, type ApiSource } from "@callsheet/language"
import { readDocument } from "@callsheet/openapi"
import { writeFiles, type FileEdit } from "@callsheet/project"
import { inTheWay, packageFiles, STAMP_FILE, stampOf, standingOf } from "./freshness.ts"

interface WriteTypesRequest {
  readonly project: Project
  readonly workflows: readonly string[]
  /** The time before the project was read. */
  readonly readAt: number
  readonly waitMs?: number
}

/** Writes the types. Throws the errors of `writeFiles`, and `types-in-the-way` before it writes anything. */
export async function writeScriptTypes(request: WriteTypesRequest) {
  const { project, workflows, readAt, waitMs } = request
  for (const folder of [sharedTypesFolder, ...workflows.map(typesFolder)])
    if (standingOf(project.root, folder) === "other") throw inTheWay(folder)
  const sourceOf = memo(readSource)
  const edits: FileEdit[] = folderEdits(sharedTypesFolder, readSdkDeclarations())
  const made: string[] = []
  for (const workflow of workflows) {
    const types = await makeTypes(project, workflow, sourceOf)
    if (types === undefined) continue
    made.push(workflow)
    const stamp = stampOf(project, workflow, { files: types.from, readAt })
    const stampText = `${stringifyJson(stamp, { indent: 2 })}\n`
    edits.push(
      ...folderEdits(typesFolder(workflow), [
        ["index.d.ts", types.text],
        [STAMP_FILE, stampText],
      ]),
    )
  }
  const { files } = await writeFiles(
    { root: project.root, title: "write script types", edits },
    { lock: { waitMs } },
  )
  return { made, unreadable: workflows.filter((workflow) => !made.includes(workflow)), files }
}

const folderEdits = (folder: string, texts: Iterable<readonly [string, string]>): FileEdit[] =>
  [...packageFiles, ...texts].map(([name, text]) => ({ file: `${folder}/${name}`, edit: () => text }))

async function makeTypes(project: Project, workflow: string, sourceOf: typeof readSource) {
  const file = project.workflows.get(workflow)
  const blocks = file?.readable?.workflow.blocks
  if (file === undefined || blocks === undefined) return undefined
  const apis = new Map<string, ApiSource>()
  const read: ReadonlySet<string>[] = []
  for (const name of readableApis(blocks, project.apis.get(INBOX))) {
    const api = project.apis.get(name)
    if (api === undefined) continue
    const { source, files } = await sourceOf(api)
    apis.set(name, source)
    read.push(files)
  }
  const text = scriptTypes({
    file,
    apis,
    apiNames: project.apiNames,
    scriptNames: project.scriptNames.get(workflow) ?? [],
    ...typesPaths,
  })
  // Generating types reads more files, to which schemas refer, so collect them afterwards.
  const from = new Set([file.file, ...read.flatMap((files) => [...files])])
  return text === undefined ? undefined : { text, from }
}

/** Reads an API with its document. Records the files that are used, some of which are read later. */
async function readSource(api: Api): Promise<{ source: ApiSource; files: ReadonlySet<string> }> {
  const { name, instances, document, readFile } = api
  const folder = `apis/${name}`
  // A directory changes when files are added or removed.
  const files = new Set([folder, `${folder}/requests`, `${folder}/environments/schema.json`])
  for (const { file, resource } of instances.values()) files.add(file).add(`${folder}/requests/${resource}`)
  if (document === undefined) return { source: { api }, files }
  const read = await readDocument(document, {
    readFile:
      readFile &&
      ((file) => {
        files.add(file)
        return readFile(file)
      }),
  })
  return { source: { api, document: read.document }, files: files.add(document.file) }
}
