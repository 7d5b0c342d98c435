// What a workflow and its environments declare, as types: inputs and variables.

import { touchedApis, type ReadableWorkflow } from "@callsheet/format"
import type { ApiSource } from "../requests/target.ts"
import { inputType } from "../types/static-scope.ts"
import { propertyName, type TypeTexts } from "./type-texts.ts"

/** An input that is neither required nor has a default may be missing. */
export function inputsText({ workflow, brokenInputs }: ReadableWorkflow, types: TypeTexts): string {
  const lines = Object.entries(workflow.inputs ?? {}).map(([name, input]) => {
    const isCertain = input.required === true || input.default !== undefined
    const type = brokenInputs.has(name) ? "unknown" : types.text(inputType(input), `input ${name}`)
    return `  readonly ${propertyName(name)}${isCertain ? "" : "?"}: ${type}\n`
  })
  return block(lines)
}

/** Of a schema that cannot be read nothing is known; variables that are not required may have no value. */
export function environmentsText(
  { workflow }: ReadableWorkflow,
  apis: ReadonlyMap<string, ApiSource>,
): string {
  const lines = touchedApis(workflow.blocks).map(
    (api) => `  readonly ${propertyName(api)}: ${variablesText(apis.get(api))}\n`,
  )
  return block(lines)
}

function variablesText(source: ApiSource | undefined): string {
  const { declared, variables } = source?.api.environments ?? {}
  if (declared === undefined) return "Readonly<Record<string, sdk.VariableValue>>"
  const members = [...declared].map((name) => {
    const { type, required } = variables?.get(name) ?? {}
    return `readonly ${propertyName(name)}${required === true ? "" : "?"}: ${type ?? "sdk.VariableValue"}`
  })
  return members.length === 0 ? "{}" : `{ ${members.join("; ")} }`
}

const block = (lines: readonly string[]): string => (lines.length === 0 ? "{}" : `{\n${lines.join("")}}`)
