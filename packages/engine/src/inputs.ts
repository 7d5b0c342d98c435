// Coerces the given inputs to their declared types and adds the defaults.

import {
  CallsheetError,
  coerceText,
  suggest,
  toProblem,
  type InputDeclaration,
  type JsonValue,
  type Problem,
  type Workflow,
} from "@callsheet/format"
import { messages } from "./messages.ts"

interface SettledInputs {
  /** Inputs that have a value; the others don't resolve. */
  readonly inputs: ReadonlyMap<string, JsonValue>
  readonly problems: readonly Problem[]
}

/** Gives each declared input its value. Undeclared inputs belong to other workflows of the session. */
export function settleInputs(workflow: Workflow, given: Readonly<Record<string, JsonValue>>): SettledInputs {
  const inputs = new Map<string, JsonValue>()
  const problems: Problem[] = []
  for (const [name, declaration] of Object.entries(workflow.inputs ?? {})) {
    const asked = Object.hasOwn(given, name) ? given[name] : undefined
    if (asked !== undefined) {
      const value = coerce(declaration, asked)
      if (value === undefined) problems.push(toProblem(messages["input-type"].wrong(name, declaration.type)))
      else inputs.set(name, value)
    } else if (declaration.default !== undefined) inputs.set(name, declaration.default)
    else if (declaration.required === true)
      problems.push(
        toProblem(messages["input-missing"].missing(name, declaration.type, declaration.description)),
      )
  }
  return { inputs, problems }
}

function coerce(declaration: InputDeclaration, value: JsonValue): JsonValue | undefined {
  if (typeof value === "string") return coerceText(value, declaration.type)
  const isNumber = Number.isFinite(value) || typeof value === "bigint"
  return (declaration.type === "number" && isNumber) || typeof value === declaration.type ? value : undefined
}

/** Throws if no workflow of the session declares a given input. */
export function refuseUnknownInputs(
  workflows: readonly Workflow[],
  given: Readonly<Record<string, unknown>>,
): void {
  const declared = new Set(workflows.flatMap((workflow) => Object.keys(workflow.inputs ?? {})))
  for (const name of Object.keys(given)) {
    if (declared.has(name)) continue
    throw new CallsheetError(messages["input-unknown"].unknown(name, [...declared], suggest(name, declared)))
  }
}
