// What is asked of `env write`, held against the declarations, and the texts of the two files after it. Nothing is written here.

import {
  hints,
  anyValueFileShape,
  coerceText,
  isOfType,
  reservedKeys,
  suggest,
  type EnvironmentFiles,
  type Problem,
  type Scalar,
  type ScalarType,
} from "@callsheet/format"
import { JsonText, SecretsText } from "./edited-text.ts"
import { throwIfAny } from "./environment-files.ts"

interface EnvironmentTexts {
  /** With a byte order mark if the file has one; well-formed. */
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
  /** `moved`: out of the committed value file into the secrets file. `uncovered`: removed from the secrets file, where it hid the value. */
  readonly did: "set" | "unset" | "moved" | "uncovered"
  readonly in: "values" | "secrets"
}

interface EditedTexts extends EnvironmentTexts {
  readonly edits: readonly EditedName[]
}

/** Makes all edits, or throws with all the problems that there are: of `--unset` that finds nothing, of unwritable secrets. */
export function editEnvironmentTexts(texts: EnvironmentTexts, wanted: EnvironmentEdits): EditedTexts {
  const editor = new Editor(texts)
  if (wanted.extends !== undefined) editor.extend(wanted.extends)
  for (const assignment of wanted.assignments) editor.assign(assignment)
  for (const name of wanted.unset) editor.unset(name)
  return editor.finish()
}

class Editor {
  readonly #values: JsonText
  readonly #secrets: SecretsText
  readonly #edits: EditedName[] = []
  readonly #problems: Problem[] = []

  constructor({ values, secrets }: EnvironmentTexts) {
    this.#values = new JsonText(values)
    this.#secrets = new SecretsText(secrets)
  }

  extend(parent: string | null): void {
    this.#values.set(["extends"], parent ?? undefined, anyValueFileShape)
  }

  assign({ name, text, value, isSecret }: Assignment): void {
    // A secrets file cannot say "no value" of a text; that there is none is no secret.
    if (!isSecret || value === null) {
      this.#values.set([name], value)
      this.#edits.push({ name, did: "set", in: "values" })
      // The line in the secrets file is a private override, and would go on winning.
      if (this.#dropSecret(name)) this.#edits.push({ name, did: "uncovered", in: "secrets" })
      return
    }
    const refusal = this.#secrets.set(name, text)
    if (refusal === undefined) {
      this.#edits.push({ name, did: this.#values.delete([name]) ? "moved" : "set", in: "secrets" })
      return
    }
    this.#problems.push({
      code: "secret-unquotable",
      severity: "error",
      message: `the value of "${name}" cannot be written into a secrets file: ${refusal}`,
      hint: `such a value can be given as a process variable or with --var`,
    })
  }

  unset(name: string): void {
    const places = [
      ...(this.#values.delete([name]) ? (["values"] as const) : []),
      ...(this.#dropSecret(name) ? (["secrets"] as const) : []),
    ]
    for (const place of places) this.#edits.push({ name, did: "unset", in: place })
    if (places.length > 0) return
    this.#problems.push({
      code: "usage",
      severity: "error",
      message: `--unset ${name}: the environment's own files give ${JSON.stringify(name)} no value`,
      hint: "a value that comes from a parent or a default is unset there",
    })
  }

  finish(): EditedTexts {
    throwIfAny(this.#problems)
    return { values: this.#values.text, secrets: this.#secrets.text, edits: this.#edits }
  }

  #dropSecret(name: string): boolean {
    const before = this.#secrets.text
    if (this.#secrets.unset(name)) return this.#secrets.text !== before
    this.#problems.push(
      entangled(name, { hint: "close that quote first: callsheet validate names its line" }),
    )
    return true
  }
}

export const entangled = (name: string, more: Pick<Problem, "file" | "hint">): Problem => ({
  code: "dotenv-syntax",
  severity: "error",
  message: `"${name}" cannot be removed from the secrets file: with its line gone, a quote that is not closed would take in other lines`,
  ...more,
})

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

interface Assignment {
  readonly name: string
  readonly text: string
  readonly value: Scalar | null
  readonly isSecret: boolean
}

/** Types each value by its declaration. No problem holds a value. */
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
      problems.push({
        code: "variable-type",
        severity: "error",
        message: `the value of "${name}" is not a ${declaration.type}, as which it is declared`,
        hint: text === "" ? `to take its value away, use --unset ${name}` : hints.scalar[declaration.type],
      })
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
  const twice = [...repeated].map((name): Problem => ({
    code: "usage",
    severity: "error",
    message: `${JSON.stringify(name)} is given more than once`,
  }))
  return [...reserved, ...twice]
}

function checkName(files: EnvironmentFiles, name: string): Problem {
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
