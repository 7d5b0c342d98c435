// Makes the types of the scripts of workflows from their files, and writes them where anything of them has changed.

import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { stringifyJson, touchedApis, type Api, type Project } from "@callsheet/format"
import { scriptTypes, type ApiSource } from "@callsheet/language"
import { readDocument } from "@callsheet/openapi"
import { writeFiles, type FileEdit } from "@callsheet/project"
import { stampOf, STAMP_FILE } from "./freshness.ts"
import {
  inTheWay,
  packageFiles,
  SCRIPTS_FOLDER,
  SDK_MODULE,
  sharedFolder,
  standingOf,
  typesFolder,
} from "./script-types-folders.ts"

interface WriteTypesRequest {
  readonly project: Project
  readonly workflows: readonly string[]
  /** A time before the project was read. */
  readonly readAt: number
  readonly waitMs?: number
}

/** Throws `types-in-the-way` before anything is written, and what `writeFiles` throws. */
export async function writeScriptTypes(request: WriteTypesRequest) {
  const { project, workflows, readAt, waitMs } = request
  for (const folder of [sharedFolder, ...workflows.map(typesFolder)])
    if (standingOf(project.root, folder) === "other") throw inTheWay(folder)
  const maker = new ScriptTypesMaker(project)
  const edits: FileEdit[] = folderEdits(sharedFolder, sharedDeclarations())
  const made: string[] = []
  for (const workflow of workflows) {
    const types = await maker.make(workflow)
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
    { root: project.root, title: "write the types of scripts", edits },
    { lock: { waitMs } },
  )
  return { made, unreadable: workflows.filter((workflow) => !made.includes(workflow)), files }
}

const folderEdits = (folder: string, texts: Iterable<readonly [string, string]>): FileEdit[] =>
  [...packageFiles, ...texts].map(([name, text]) => ({ file: `${folder}/${name}`, edit: () => text }))

function sharedDeclarations(): readonly (readonly [string, string])[] {
  const manifest = createRequire(import.meta.url).resolve("@callsheet/sdk/package.json")
  return ["index.d.ts", "paths.d.ts"].map((name) => [
    name,
    readFileSync(join(dirname(manifest), "src", name), "utf8").replaceAll("\r\n", "\n"),
  ])
}

/** Documents are read once, for all workflows of a call. */
class ScriptTypesMaker {
  readonly #project: Project
  readonly #sources = new Map<string, Promise<ApiSource>>()
  readonly #files = new Map<string, Set<string>>()

  constructor(project: Project) {
    this.#project = project
  }

  async make(workflow: string) {
    const file = this.#project.workflows.get(workflow)
    const blocks = file?.readable?.workflow.blocks
    if (file === undefined || blocks === undefined) return undefined
    const apis = new Map<string, ApiSource>()
    for (const name of touchedApis(blocks)) {
      const api = this.#project.apis.get(name)
      if (api !== undefined) apis.set(name, await this.#sourceOf(api))
    }
    const text = scriptTypes({
      file,
      apis,
      apiNames: this.#project.apiNames,
      scriptNames: this.#project.scriptNames.get(workflow) ?? [],
      sdk: SDK_MODULE,
      scriptsFolder: SCRIPTS_FOLDER,
    })
    // What the schemas refer to is read while the text is made.
    const from = new Set([
      file.file,
      ...[...apis.keys()].flatMap((name) => [...(this.#files.get(name) ?? [])]),
    ])
    return text === undefined ? undefined : { text, from }
  }

  #sourceOf(api: Api): Promise<ApiSource> {
    let source = this.#sources.get(api.name)
    if (source === undefined) {
      source = this.#read(api)
      this.#sources.set(api.name, source)
    }
    return source
  }

  async #read(api: Api): Promise<ApiSource> {
    const folder = `apis/${api.name}`
    // Folders change when files come and go.
    const files = new Set([folder, `${folder}/requests`, `${folder}/environments/schema.json`])
    for (const { file, resource } of api.instances.values())
      files.add(file).add(`${folder}/requests/${resource}`)
    this.#files.set(api.name, files)
    if (api.document === undefined) return { api }
    files.add(api.document.file)
    const { readFile } = api
    const { document } = await readDocument(api.document, {
      readFile:
        readFile === undefined
          ? undefined
          : (file) => {
              files.add(file)
              return readFile(file)
            },
    })
    return { api, document }
  }
}
