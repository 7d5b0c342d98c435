// Makes the types of the scripts of a workflow from its files.

import { readDocument } from "@callsheet/openapi"
import { scriptTypes, type ApiSource } from "@callsheet/language"
import { touchedApis, type Api, type Project } from "@callsheet/format"
import { SCRIPTS_FOLDER, SDK_MODULE } from "./script-types-folders.ts"

interface MadeTypes {
  readonly text: string
  readonly from: ReadonlySet<string>
}

/** Documents are read once, for all workflows of a call. */
export class ScriptTypesMaker {
  readonly #project: Project
  readonly #sources = new Map<string, Promise<ApiSource>>()
  readonly #files = new Map<string, Set<string>>()

  constructor(project: Project) {
    this.#project = project
  }

  /** Undefined where the workflow cannot be read. */
  async make(workflow: string): Promise<MadeTypes | undefined> {
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
