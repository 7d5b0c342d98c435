// Inputs for the next run of each workflow, and the order of a run that is built from them.

import { coerceText, type ScalarType, ownOf, setOwn } from "@callsheet/format"
import type { RunForm, RunOrder } from "@callsheet/server/calls"
import type { Fault } from "../../connection/fault-of.ts"
import {
  chosenEnvironment,
  useEnvironmentChoices,
  type EnvironmentChoices,
} from "../../environments/environment-choices.ts"
import { useRunForm } from "./use-run-queries.ts"
import { shellWord } from "../../ui/visible-text.ts"
import { create } from "zustand"

/** The inputs by name, as typed. */
type Draft = ReadonlyMap<string, string>

const empty: Draft = new Map()

const drafts = createKeyedStore(empty)
export const { use: useDraft, now: draftOf } = drafts

export const changeDraft = (workflow: string, input: string, value: string): void =>
  drafts.set(workflow, new Map(draftOf(workflow)).set(input, value))

export type FieldFaults = Readonly<Record<string, string>>

export const environmentField = (api: string): string => `environment ${api}`
export const inputField = (name: string): string => `input ${name}`

const typeFaults: { readonly [T in ScalarType]: string } = {
  string: "Enter text.",
  number: "This must be a number.",
  boolean: "This must be true or false.",
}

/** Returns the order of a run, or the form's problems. An input that the user didn't touch has its default. */
export function orderOf(
  form: RunForm,
  draft: Draft,
  choices: EnvironmentChoices,
): { readonly order: RunOrder; readonly faults: FieldFaults } {
  const faults: Record<string, string> = {}
  const environments: Record<string, string> = {}
  const inputs: Record<string, string> = {}
  for (const api of form.apis) {
    const environment = chosenEnvironment(api, choices, form.workflow)
    if (environment === undefined) setOwn(faults, environmentField(api.api), "Choose an environment.")
    else setOwn(environments, api.api, environment)
  }
  for (const { name, type, required, default: known } of form.inputs) {
    const text = draft.get(name) ?? ""
    if (text !== "") {
      setOwn(inputs, name, text)
      if (coerceText(text, type) === undefined) setOwn(faults, inputField(name), typeFaults[type])
    } else if (required && known === undefined) setOwn(faults, inputField(name), "Enter a value.")
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
    const field = input && inputField(input.name)
    if (field !== undefined && ownOf(faults, field) === undefined) setOwn(faults, field, message)
  }
  return faults
}

/**
 * Returns the options of the command that runs what the page would run, such as ` --env shop=local --input sku=TEA-01`.
 * Leaves out names that aren't safe in every terminal.
 */
export function useRunOptions(workflow: string): string {
  const { data: form } = useRunForm(workflow)
  const draft = useDraft(workflow)
  const choices = useEnvironmentChoices()
  if (form === undefined) return ""
  const { environments, inputs } = orderOf(form, draft, choices).order
  const options = [
    ...Object.entries(environments).map((choice) => ["--env", choice] as const),
    ...Object.entries(inputs).map((input) => ["--input", input] as const),
  ]
  return options
    .map(([option, [name, value]]) => [option, shellWord(`${name}=${value}`)])
    .flatMap(([option, word]) => (word === undefined ? [] : [` ${option} ${word}`]))
    .join("")
}

/** Creates a store with a value per key, such as a workflow. Kept while the page is open. */
export function createKeyedStore<T>(initial: T) {
  const store = create<{ readonly known: ReadonlyMap<string, T> }>(() => ({ known: new Map() }))
  const now = (key: string): T => store.getState().known.get(key) ?? initial
  return {
    now,
    use: (key: string): T => store(({ known }) => known.get(key) ?? initial),
    set: (key: string, value: T): void =>
      store.setState(({ known }) => ({ known: new Map(known).set(key, value) })),
  }
}
