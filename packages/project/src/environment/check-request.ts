// What is asked of `env write`, held against the declarations: all that is wrong with it, or typed assignments.

import {
  coerceText,
  isOfType,
  reservedKeys,
  suggest,
  typeHint,
  type EnvironmentFiles,
  type Problem,
  type Scalar,
  type ScalarType,
} from "@callsheet/format"

export interface VariableText {
  readonly name: string
  /** As it was typed; coerced to the declared type. */
  readonly text: string
}

export interface VariableValue {
  readonly name: string
  /** Of the declared type as it stands; null says that there is no value, and that none is inherited. */
  readonly value: Scalar | null
}

export interface Assignment {
  readonly name: string
  readonly text: string
  readonly value: Scalar | null
  readonly isSecret: boolean
}

interface CheckedAssignments {
  readonly assignments: readonly Assignment[]
  readonly problems: readonly Problem[]
}

/** Types each value by its declaration. No problem holds a value. */
export function checkAssignments(
  files: EnvironmentFiles,
  values: readonly (VariableText | VariableValue)[],
): CheckedAssignments {
  const assignments: Assignment[] = []
  const problems: Problem[] = []
  for (const given of values) {
    const { name } = given
    const text = "text" in given ? given.text : String(given.value)
    const declaration = files.variables.get(name)
    const value = declaration === undefined ? undefined : valueAs(given, declaration.type)
    if (declaration === undefined) problems.push(objectToName(files, name))
    else if (value === undefined) {
      problems.push({
        code: "variable-type",
        severity: "error",
        message: `the value of "${name}" is not a ${declaration.type}, as which it is declared`,
        hint: text === "" ? `to take its value away, use --unset ${name}` : typeHint[declaration.type],
      })
    } else assignments.push({ name, text, value, isSecret: declaration.secret === true })
  }
  return { assignments, problems }
}

function valueAs(given: VariableText | VariableValue, type: ScalarType): Scalar | null | undefined {
  if ("text" in given) return coerceText(given.text, type)
  return given.value === null || isOfType(given.value, type) ? given.value : undefined
}

/** What is wrong with the names of a call taken together. */
export function checkNames(
  values: readonly { readonly name: string }[],
  unset: readonly string[],
): readonly Problem[] {
  const names = [...values.map(({ name }) => name), ...unset]
  const repeated = new Set(names.filter((name, index) => names.indexOf(name) < index))
  const reserved = unset.filter(isReserved).map(reservedName)
  const twice = [...repeated].map((name): Problem => ({
    code: "usage",
    severity: "error",
    message: `${JSON.stringify(name)} is given more than once`,
  }))
  return [...reserved, ...twice]
}

function objectToName(files: EnvironmentFiles, name: string): Problem {
  if (isReserved(name)) return reservedName(name)
  const hint =
    suggest(name, files.variables.keys()) ?? `declare it in apis/${files.api}/environments/schema.json first`
  return {
    code: "variable-undeclared",
    severity: "error",
    message: `the API "${files.api}" declares no variable ${JSON.stringify(name)}`,
    hint,
  }
}

const isReserved = (name: string): boolean => (reservedKeys as readonly string[]).includes(name)

const reservedName = (name: string): Problem => ({
  code: "variable-reserved",
  severity: "error",
  message: `"${name}" is a key of value files and no variable`,
  hint:
    name === "extends"
      ? "use --extends <environment> or --no-extends"
      : "edit it in the application or in the file",
})
