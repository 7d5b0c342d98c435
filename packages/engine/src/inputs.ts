// The inputs of a run: what was given, coerced to what the workflow declares, and its defaults.

import {
  CallsheetError,
  coerceText,
  suggest,
  type InputDeclaration,
  type JsonValue,
  type Problem,
  type Workflow,
} from "@callsheet/format"

interface SettledInputs {
  /** Inputs that have a value; the others do not resolve. */
  readonly inputs: ReadonlyMap<string, JsonValue>
  readonly problems: readonly Problem[]
}

/** Gives each declared input its value. Inputs that this workflow does not declare are another workflow's. */
export function settleInputs(workflow: Workflow, given: Readonly<Record<string, JsonValue>>): SettledInputs {
  const inputs = new Map<string, JsonValue>()
  const problems: Problem[] = []
  for (const [name, declaration] of Object.entries(workflow.inputs ?? {})) {
    const asked = Object.hasOwn(given, name) ? given[name] : undefined
    if (asked !== undefined) {
      const value = coerce(declaration, asked)
      if (value === undefined) problems.push(wrongType(name, declaration))
      else inputs.set(name, value)
    } else if (declaration.default !== undefined) inputs.set(name, declaration.default)
    else if (declaration.required === true) problems.push(missing(name, declaration))
  }
  return { inputs, problems }
}

function coerce(declaration: InputDeclaration, value: JsonValue): JsonValue | undefined {
  if (typeof value === "string") return coerceText(value, declaration.type)
  const isNumber = Number.isFinite(value) || typeof value === "bigint"
  return (declaration.type === "number" && isNumber) || typeof value === declaration.type ? value : undefined
}

const wrongType = (name: string, declaration: InputDeclaration): Problem => ({
  code: "input-type",
  severity: "error",
  message: `the input "${name}" must be a ${declaration.type}`,
  hint: declaration.type === "boolean" ? "write true or false" : `for example --input ${name}=12`,
})

const missing = (name: string, declaration: InputDeclaration): Problem => ({
  code: "input-missing",
  severity: "error",
  message: `the input "${name}" has no value and no default${declaration.description === undefined ? "" : ` (${declaration.description})`}`,
  hint: `give it with --input ${name}=<${declaration.type}>`,
})

/** Throws where an input is given that no workflow of the session declares. */
export function refuseUnknownInputs(
  workflows: readonly Workflow[],
  given: Readonly<Record<string, unknown>>,
): void {
  const declared = new Set(workflows.flatMap((workflow) => Object.keys(workflow.inputs ?? {})))
  for (const name of Object.keys(given)) {
    if (declared.has(name)) continue
    throw new CallsheetError("input-unknown", `no workflow of this run declares an input "${name}"`, {
      hint:
        suggest(name, declared) ??
        (declared.size === 0 ? "no input is declared" : `declared: ${[...declared].join(", ")}`),
    })
  }
}
