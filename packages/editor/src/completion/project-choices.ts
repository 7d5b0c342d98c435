// The names of the project in `callsheet.json`, value files and the baseline.

import { isJsonObject, ownOf, valueAt } from "@callsheet/format"
import { keysInSettings, namesInSettings } from "@callsheet/language"
import { listOperations } from "@callsheet/openapi"
import { valuePointer, type JsonSpot } from "../known/json-file.ts"
import type { View } from "../project/view.ts"
import { itemKinds, type Choice } from "./choice.ts"
import { apiChoices, nameChoice } from "./request-choices.ts"

const namesOf = ({ project }: View) => ({
  apis: [...project.apis.values()].map(({ name, environments }) => ({
    name,
    environments: [...environments.environments.values()],
  })),
  workflows: project.workflowNames.map((name) => ({ name })),
})

export function projectKeys(spot: JsonSpot): readonly Choice[] {
  const { file, place, view } = spot
  if (file.is.kind !== "project") return []
  const taken = new Set(place.takenKeys)
  const inputs = place.parent.at(-1) === "inputs" ? inputNames(spot) : []
  return [...keysInSettings(place.parent, namesOf(view)), ...inputs]
    .filter((name) => !taken.has(name))
    .map((label) => ({ label, kind: itemKinds.module, write: { is: "key", after: { is: "string" } } }))
}

/** The inputs of the workflow that an entry of a suite runs. */
function inputNames(spot: JsonSpot): readonly string[] {
  const entry = valueAt(spot.value(), spot.place.parent.slice(0, -1))
  const name = isJsonObject(entry) ? ownOf(entry, "workflow") : undefined
  const workflow = typeof name === "string" ? spot.view.project.workflows.get(name) : undefined
  return Object.keys(workflow?.readable?.workflow.inputs ?? {})
}

export async function projectValues(spot: JsonSpot): Promise<readonly Choice[]> {
  const { file, view } = spot
  const pointer = valuePointer(spot)
  if (file.is.kind === "project")
    return namesInSettings(pointer, namesOf(view)).map((name) => nameChoice(name, { kind: itemKinds.module }))
  if (file.is.kind === "environment") {
    const { api, environment } = file.is
    const others = [...(view.project.apis.get(api)?.environments.environments.keys() ?? [])]
    return pointer.length === 1 && pointer[0] === "extends"
      ? others
          .filter((name) => name !== environment)
          .map((name) => nameChoice(name, { kind: itemKinds.module }))
      : []
  }
  return file.is.kind === "baseline" && pointer[0] === "violations" ? baselineValues(spot) : []
}

async function baselineValues(spot: JsonSpot): Promise<readonly Choice[]> {
  const [, index = 0, field] = valuePointer(spot)
  if (field === "api") return apiChoices(spot)
  const entry = valueAt(spot.value(), ["violations", index])
  const api = isJsonObject(entry) ? ownOf(entry, "api") : undefined
  if (field !== "operation" || typeof api !== "string") return []
  const document = (await spot.view.source(api))?.document
  return (document === undefined ? [] : listOperations(document)).map(({ method, path, summary }) =>
    nameChoice(`${method} ${path}`, {
      kind: itemKinds.method,
      detail: summary === undefined ? undefined : spot.view.masker().text(summary),
    }),
  )
}
