// Answers `scripts.types`: what an editor completes in the scripts of a workflow.

import type { ApiSource } from "@callsheet/language"
import type { Masker } from "@callsheet/engine"
import { CallsheetError, touchedApis, type Project } from "@callsheet/format"
import type { Handlers } from "../handlers.ts"
import type { ApiSources } from "../project/api-sources.ts"

export interface ScriptReaderOptions {
  readonly sources: ApiSources
  readonly overview: () => Promise<{ readonly project: Project; readonly masker: Masker | undefined }>
}

/** Throws `workflow-unknown`. Of a workflow that cannot be read it knows nothing. */
export function createScriptReader({ sources, overview }: ScriptReaderOptions): Handlers["scripts.types"] {
  return async ({ workflow }) => {
    const { project, masker } = await overview()
    const file = project.workflows.get(workflow)
    if (file === undefined)
      throw new CallsheetError("workflow-unknown", `there is no workflow ${JSON.stringify(workflow)}`)
    const apis = new Map<string, ApiSource>()
    for (const name of touchedApis(file.readable?.workflow.blocks ?? []))
      if (project.apis.has(name)) apis.set(name, await sources(name))
    const { scriptScope, scriptTypesView } = await import("./loaded-late.ts")
    return scriptTypesView(scriptScope({ file, apis, apiNames: project.apiNames }), masker)
  }
}
