// Checks one file of a project at once, while the check of all files is still running.

import { touchedApis, type Problem } from "@callsheet/format"
import {
  validateEnvironmentFile,
  validateInstanceFile,
  validateSettingsFile,
  validateWorkflowFile,
} from "@callsheet/language"
import type { EditorFile } from "../file/editor-file.ts"
import { surroundingsOf, type View } from "../project/view.ts"

/** Returns the problems in the file. Undefined if only a check of the whole project finds them. */
export async function checkOneFile(
  view: View,
  { path, is: file }: EditorFile,
): Promise<readonly Problem[] | undefined> {
  const { project } = view
  switch (file.kind) {
    case "workflow": {
      const workflow = project.workflows.get(file.workflow)
      if (workflow === undefined) return undefined
      const apis = await view.sources(touchedApis(workflow.readable?.workflow.blocks ?? []))
      return validateWorkflowFile(workflow, surroundingsOf(view, apis))
    }
    case "request": {
      const { api, resource, request } = file
      const instance = project.apis.get(api)?.instances.get(`${resource}/${request}`)
      if (instance === undefined) return undefined
      const senders = [...project.workflows.values()].map(({ readable }) =>
        touchedApis(readable?.workflow.blocks ?? []),
      )
      const touched = senders.filter((names) => names.includes(api)).flat()
      return validateInstanceFile(instance, surroundingsOf(view, await view.sources([api, ...touched])))
    }
    case "schema":
    case "environment": {
      const source = await view.source(file.api)
      return source && validateEnvironmentFile(path, source, project)
    }
    case "project": {
      if (project.settingsFile === undefined) return undefined
      const apis = await view.sources(project.apiNames)
      return validateSettingsFile(project.settingsFile, surroundingsOf(view, apis))
    }
    default:
      return undefined
  }
}
