// Finds the values that a project gives to the inputs of its workflows: defaults, suites and data files.

import {
  getOrCreate,
  isSingleToken,
  type JsonValue,
  type LineColumn,
  ownOf,
  parseTemplateOnce,
  type Project,
  type WorkflowFile,
} from "@callsheet/format"
import { entriesIn, suiteIn } from "../suites/resolve-suite.ts"
import type { FilePlace } from "./reads.ts"

interface InputValue extends FilePlace {
  readonly value: JsonValue
}

/** A row of a data file that a suite gives to a workflow. */
export interface DataRow {
  readonly workflow: string
  readonly file: string
  readonly place: LineColumn
  readonly inputs: Readonly<Record<string, JsonValue>>
}

/** Returns the known values of an input. None if nothing in the project gives one. */
export type ValuesOf = (workflow: WorkflowFile, input: string) => readonly InputValue[]

/** Collects the values. `rows` are those of the data files of suites. */
export function collectInputValues(
  project: Pick<Project, "settingsFile" | "workflowNames">,
  rows: readonly DataRow[],
): ValuesOf {
  const given = new Map<string, InputValue[]>()
  const add = (workflow: string, input: string, value: InputValue): void =>
    void getOrCreate(given, JSON.stringify([workflow, input]), () => []).push(value)
  const { settingsFile } = project
  for (const name of Object.keys(settingsFile?.settings?.suites ?? {}))
    for (const { workflow, inputs, pointer } of entriesIn(suiteIn(project, name).suite))
      for (const [input, value] of Object.entries(inputs))
        if (settingsFile !== undefined)
          add(workflow, input, { value, source: settingsFile, at: [...pointer, "inputs", input] })
  for (const { workflow, file, place, inputs } of rows)
    for (const [input, value] of Object.entries(inputs))
      add(workflow, input, { value, source: { file, text: "" }, at: () => place })
  return (workflow, input) => {
    const declared = ownOf(workflow.readable?.workflow.inputs ?? {}, input)?.default
    const own: readonly InputValue[] =
      declared === undefined ? [] : [{ value: declared, source: workflow, at: ["inputs", input, "default"] }]
    return [...own, ...(given.get(JSON.stringify([workflow.name, input])) ?? [])]
  }
}

/** Returns the input that a text consists of, as in `{{sku}}`. Undefined for any other text. */
export function inputIn(text: JsonValue, { readable }: WorkflowFile): string | undefined {
  if (typeof text !== "string") return undefined
  const template = parseTemplateOnce(text)
  if (!template.ok || !isSingleToken(template.parts)) return undefined
  const [name, more] = template.parts[0].inner
  const isInput =
    typeof name === "string" &&
    more === undefined &&
    Object.hasOwn(readable?.workflow.inputs ?? {}, name.trim())
  return isInput ? name.trim() : undefined
}
