// Builds the order of a run from the form, or returns the form's problems.

import { coerceText, type ScalarType } from "@callsheet/format"
import type { RunForm, RunOrder } from "@callsheet/server/calls"
import type { Fault } from "../connection/fault-of.ts"
import type { Draft } from "./drafts.ts"

export type FieldFaults = Readonly<Record<string, string>>

export const environmentField = (api: string): string => `environment ${api}`
export const inputField = (name: string): string => `input ${name}`

/** Returns the user's choice. Without one, returns the server's. */
export const chosenEnvironment = (
  { api, chosen, environments }: RunForm["apis"][number],
  draft: Draft,
): string | undefined => {
  const own = draft.environments.get(api)
  return environments.some(({ name }) => name === own) ? own : chosen
}

const typeFaults: { readonly [T in ScalarType]: string } = {
  string: "Enter text.",
  number: "This must be a number.",
  boolean: "This must be true or false.",
}

/** An input that the user didn't touch has its default. */
export function orderOf(
  form: RunForm,
  draft: Draft,
): { readonly order: RunOrder; readonly faults: FieldFaults } {
  const faults: Record<string, string> = {}
  const environments: Record<string, string> = {}
  const inputs: Record<string, string> = {}
  for (const api of form.apis) {
    const environment = chosenEnvironment(api, draft)
    if (environment === undefined) faults[environmentField(api.api)] = "Choose an environment."
    else environments[api.api] = environment
  }
  for (const { name, type, required, default: known } of form.inputs) {
    const text = draft.inputs.get(name) ?? ""
    if (text !== "") {
      inputs[name] = text
      if (coerceText(text, type) === undefined) faults[inputField(name)] = typeFaults[type]
    } else if (required && known === undefined) faults[inputField(name)] = "Enter a value."
  }
  return { order: { workflow: form.workflow, environments, inputs }, faults }
}

/** Assigns the server's problems to the fields that they name. The others have no field. */
export function faultsOf(form: RunForm, problems: readonly Pick<Fault, "code" | "message">[]): FieldFaults {
  const faults: Record<string, string> = {}
  for (const { code, message } of problems) {
    const input = form.inputs.find(
      ({ name }) => code?.startsWith("input-") === true && message.includes(`"${name}"`),
    )
    if (input !== undefined) faults[inputField(input.name)] ??= message
  }
  return faults
}
