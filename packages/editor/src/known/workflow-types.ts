// The types of paths in a workflow, which may be half-written.

import { checkWorkflow, stringifyJson, apisOfFile, type WorkflowFile } from "@callsheet/format"
import { pathTypes, type PathTypes } from "@callsheet/language"
import type { CheckedView } from "../project/project-state.ts"
import type { JsonSpot } from "./json-file.ts"

const kept = new WeakMap<CheckedView, Map<string, Promise<PathTypes | undefined>>>()

/** Returns undefined for other files, and if the workflow has no list of blocks. Keeps the answer until a file changes. */
export function workflowTypes(spot: JsonSpot): Promise<PathTypes | undefined> {
  const { view, file } = spot
  if (file.is.kind !== "workflow") return Promise.resolve(undefined)
  const ofView = kept.get(view) ?? new Map<string, Promise<PathTypes | undefined>>()
  kept.set(view, ofView)
  const types = ofView.get(file.path) ?? readTypes(spot, file.is.workflow)
  ofView.set(file.path, types)
  return types
}

async function readTypes(spot: JsonSpot, name: string): Promise<PathTypes | undefined> {
  const { view } = spot
  const file = readableFile(spot, name)
  const apis = await view.sources(apisOfFile(file))
  return pathTypes({ file, apis, apiNames: view.project.apiNames })
}

function readableFile(spot: JsonSpot, name: string): WorkflowFile {
  const known = spot.view.project.workflows.get(name)
  if (known?.readable !== undefined) return known
  const source = { file: spot.file.path, text: stringifyJson(spot.value()) }
  return { name, ...source, ...checkWorkflow(source) }
}
