// The names of the project in `callsheet.json`, value files and the baseline.

import {
  baselineSchema,
  isJsonObject,
  member,
  ownOf,
  textMember,
  valueAt,
  type JsonValue,
} from "@callsheet/format"
import { keysInSettings, namesInSettings } from "@callsheet/language"
import {
  findOperationByPath,
  listOperations,
  responseRules,
  responseTypes,
  type OpenApiDocument,
  type Operation,
} from "@callsheet/openapi"
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
  if (typeof api !== "string") return []
  const document = (await spot.view.source(api))?.document
  if (document === undefined) return []
  return field === "operation"
    ? operationChoices(document, spot)
    : violationChoices(entry, { api, document, field, spot })
}

const operationChoices = (document: OpenApiDocument, { view }: JsonSpot): readonly Choice[] =>
  listOperations(document).map(({ method, path, summary }) =>
    nameChoice(`${method} ${path}`, {
      kind: itemKinds.method,
      detail: summary === undefined ? undefined : view.masker().text(summary),
    }),
  )

interface Entry {
  readonly api: string
  readonly document: OpenApiDocument
  readonly field: unknown
  readonly spot: JsonSpot
}

/** Returns what the document of the entry's operation allows: its statuses, the places of a response, and their rules. */
function violationChoices(
  entry: JsonValue | undefined,
  { api, document, field, spot }: Entry,
): readonly Choice[] {
  const [method = "", path = ""] = (textMember(entry, "operation") ?? "").split(" ")
  const operation = findOperationByPath(document, method, path)
  if (operation === undefined) return []
  const status = Number(member(entry, "status"))
  const { text } = spot.view.masker()
  if (field === "status") return statusChoices(operation, text)
  const rules = responseRules(operation, status)
  const at = textMember(entry, "path")
  const names =
    field === "path"
      ? rules.map((rule) => rule.path)
      : field === "schema"
        ? rules
            .filter((rule) => at === undefined || rule.path === at)
            .map(({ file, pointer }) => baselineSchema(api, file, pointer))
        : []
  // A name that contains a secret would be written masked.
  return [...new Set(names)]
    .filter((name) => text(name) === name)
    .map((name) => nameChoice(name, { kind: itemKinds.property }))
}

const statusChoices = (operation: Operation, show: (text: string) => string): readonly Choice[] =>
  responseTypes(operation)
    .map(({ status, description }) => ({ status: Number(status), description }))
    .filter(({ status }) => Number.isInteger(status))
    .map(({ status, description }) => ({
      label: String(status),
      kind: itemKinds.value,
      detail: description && show(description),
      write: { is: "value", value: status },
    }))
