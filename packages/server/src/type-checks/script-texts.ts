// The texts that the compiler sees instead of files on disk: unsaved scripts, and the types and settings of a workflow's
// scripts.

import { existsSync } from "node:fs"
import * as system from "node:path"
import { join } from "node:path"
import { readSdkDeclarations } from "@callsheet/engine"
import {
  checkWorkflow,
  INBOX,
  readableApis,
  stringifyJson,
  wayBetween,
  withSlashes,
  type Project,
  type WorkflowFile,
} from "@callsheet/format"
import {
  scriptSettings,
  scriptsFolder,
  scriptTypes,
  sharedTypesFolder,
  typesFolder,
  typesManifest,
  typesPaths,
  type ApiSource,
} from "@callsheet/language"
import { nearestFolder, resolveFromProject } from "@callsheet/project"
import type { ScriptId } from "../calls/index.ts"
import { placeOf, type FileContext } from "../files/file-context.ts"

type Context = Pick<FileContext, "drafts" | "overview" | "sources">

interface ProjectState {
  readonly project: Project
  readonly draft: string | undefined
  readonly types: string
}

/** Creates a function that returns the texts for a script by absolute path, with `/`. `root` has its links resolved. */
export function createScriptTexts(root: string, { drafts, overview, sources }: Context) {
  const known = new Map<string, ProjectState>()
  const at = (file: string): string => withSlashes(join(root, file), system)

  const typesOf = async (workflow: string, project: Project): Promise<string> => {
    const draft = drafts.read({ kind: "workflow", workflow })?.text
    const kept = known.get(workflow)
    if (kept?.project === project && kept.draft === draft) return kept.types
    const edited = draft === undefined ? undefined : workflowOf(workflow, draft)
    const file = edited?.readable === undefined ? project.workflows.get(workflow) : edited
    const apis = new Map<string, ApiSource>()
    for (const api of readableApis(file?.readable?.workflow.blocks ?? [], project.apis.get(INBOX)))
      if (project.apis.has(api)) apis.set(api, await sources(api))
    const scriptNames = project.scriptNames.get(workflow) ?? []
    const types = file && scriptTypes({ file, apis, apiNames: project.apiNames, scriptNames, ...typesPaths })
    const settled = types ?? `export type * from ${JSON.stringify(typesPaths.sdk)}\n`
    known.set(workflow, { project, draft, types: settled })
    return settled
  }

  const settingsOf = (workflow: string, script: string): string => {
    const [scripts, folder] = [join(root, scriptsFolder(workflow)), join(root, typesFolder(workflow))]
    const above = nearestFolder(scripts, (here) => existsSync(join(here, "tsconfig.json")))
    const from = (path: string): string => wayBetween(system, folder, path)
    const settings = scriptSettings({
      config: above && from(join(above, "tsconfig.json")),
      hasNodeTypes: resolveFromProject(root, "@types/node/package.json") !== undefined,
      scripts: [from(join(scripts, `${script}.ts`))],
    })
    return stringifyJson(settings)
  }

  return {
    at,
    textsFor: async ({ workflow, script }: ScriptId, text: string) => {
      const { project } = await overview()
      const texts = new Map<string, string>()
      const manifest = JSON.stringify(typesManifest)
      for (const folder of [sharedTypesFolder, typesFolder(workflow)])
        texts.set(at(`${folder}/package.json`), manifest)
      for (const [name, declarations] of readSdkDeclarations())
        texts.set(at(`${sharedTypesFolder}/${name}`), declarations)
      texts.set(at(`${typesFolder(workflow)}/index.d.ts`), await typesOf(workflow, project))
      for (const { file } of drafts.list()) {
        const draft = file.kind === "script" ? drafts.read(file)?.text : undefined
        if (draft !== undefined) texts.set(at(placeOf(file).file), draft)
      }
      const file = at(placeOf({ kind: "script", workflow, script }).file)
      texts.set(file, text)
      const config = at(`${typesFolder(workflow)}/tsconfig.json`)
      texts.set(config, settingsOf(workflow, script))
      return { project, texts, file, config }
    },
  }
}

function workflowOf(name: string, text: string): WorkflowFile {
  const source = { ...placeOf({ kind: "workflow", workflow: name }), text }
  return { name, ...source, ...checkWorkflow(source) }
}
