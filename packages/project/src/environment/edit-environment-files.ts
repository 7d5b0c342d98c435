// Checks the request of `env write` against the declarations, and edits the contents of the two files in memory.

import {
  anyValueFileShape,
  coerceText,
  formatMessages,
  isOfType,
  isReserved,
  toProblem,
  type EnvironmentFiles,
  type Problem,
  type Scalar,
  type ScalarType,
} from "@callsheet/format"
import { messages } from "../messages.ts"
import { JsonText, SecretsText } from "./edited-text.ts"
import { throwIfAny } from "./environment-files.ts"

interface EnvironmentTexts {
  /** The value file, which is valid JSON and may start with a byte order mark. */
  readonly values: string
  readonly secrets: string
}

interface EnvironmentEdits {
  readonly assignments: readonly Assignment[]
  readonly unset: readonly string[]
  readonly extends: string | null | undefined
}

export interface EditedName {
  readonly name: string
  /** `moved` puts a value into the secrets file. `uncovered` removes a secret that hid the value. */
  readonly did: "set" | "unset" | "moved" | "uncovered"
  readonly in: "values" | "secrets"
}

/**
 * Makes all edits in memory. Throws all problems at once, such as an `--unset` without effect or a secret that can't be
 * written.
 */
export function editEnvironmentTexts(texts: EnvironmentTexts, wanted: EnvironmentEdits) {
  const values = new JsonText(texts.values)
  const secrets = new SecretsText(texts.secrets)
  const edits: EditedName[] = []
  const problems: Problem[] = []
  const dropSecret = (name: string): boolean => {
    const before = secrets.text
    if (secrets.unset(name)) return secrets.text !== before
    problems.push(toProblem(messages["dotenv-syntax"].openQuote(name)))
    return true
  }
  if (wanted.extends !== undefined) values.set(["extends"], wanted.extends ?? undefined, anyValueFileShape)
  for (const { name, text, value, isSecret } of wanted.assignments) {
    // Null isn't a secret, and a secrets file can't express it for a string.
    if (!isSecret || value === null) {
      values.set([name], value)
      edits.push({ name, did: "set", in: "values" })
      // A line in the secrets file would override the value.
      if (dropSecret(name)) edits.push({ name, did: "uncovered", in: "secrets" })
      continue
    }
    const refusal = secrets.set(name, text)
    if (refusal === undefined)
      edits.push({ name, did: values.delete([name]) ? "moved" : "set", in: "secrets" })
    else problems.push(toProblem(messages["secret-unquotable"].given(name, refusal)))
  }
  for (const name of wanted.unset) {
    const [isInValues, isInSecrets] = [values.delete([name]), dropSecret(name)]
    if (isInValues) edits.push({ name, did: "unset", in: "values" })
    if (isInSecrets) edits.push({ name, did: "unset", in: "secrets" })
    if (!isInValues && !isInSecrets) problems.push(toProblem(messages.usage.unset(name)))
  }
  throwIfAny(problems)
  return { values: values.text, secrets: secrets.text, edits }
}

export interface VariableText {
  readonly name: string
  /** The text as typed. It will be converted to the declared type. */
  readonly text: string
}

export interface VariableValue {
  readonly name: string
  /** A value of the declared type. Null hides an inherited value. */
  readonly value: Scalar | null
}

interface Assignment {
  readonly name: string
  readonly text: string
  readonly value: Scalar | null
  readonly isSecret: boolean
}

/** Converts each value to its declared type. Problems never contain a value. */
export function checkAssignments(files: EnvironmentFiles, values: readonly (VariableText | VariableValue)[]) {
  const assignments: Assignment[] = []
  const problems: Problem[] = []
  for (const given of values) {
    const { name } = given
    const text = "text" in given ? given.text : String(given.value)
    const declaration = files.variables.get(name)
    const value = declaration === undefined ? undefined : valueAs(given, declaration.type)
    if (declaration === undefined) problems.push(checkName(files, name))
    else if (value === undefined) {
      const of = text === "" ? messages["variable-type"].empty : formatMessages["variable-type"].text
      problems.push(toProblem(of(name, declaration.type)))
    } else assignments.push({ name, text, value, isSecret: declaration.secret === true })
  }
  return { assignments, problems }
}

function valueAs(given: VariableText | VariableValue, type: ScalarType): Scalar | null | undefined {
  if ("text" in given) return coerceText(given.text, type)
  return given.value === null || isOfType(given.value, type) ? given.value : undefined
}

export function checkNames(
  values: readonly { readonly name: string }[],
  unset: readonly string[],
): readonly Problem[] {
  const names = [...values.map(({ name }) => name), ...unset]
  const repeated = new Set(names.filter((name, index) => names.indexOf(name) < index))
  const reserved = unset.filter(isReserved).map(reservedName)
  const twice = [...repeated].map((name) => toProblem(messages.usage.repeated(name)))
  return [...reserved, ...twice]
}

function checkName(files: EnvironmentFiles, name: string): Problem {
  if (isReserved(name)) return reservedName(name)
  return toProblem(messages["variable-undeclared"].undeclared(files.api, name, files.variables.keys()))
}

const reservedName = (name: string): Problem => toProblem(messages["variable-reserved"].reserved(name))
