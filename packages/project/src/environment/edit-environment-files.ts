// Checks the request of `env write` against the declarations, and edits the texts of the two files. Writes nothing.

import {
  anyValueFileShape,
  coerceText,
  formatMessages,
  isOfType,
  reservedKeys,
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
  /** Includes the file's byte order mark, if any; well-formed. */
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
  /**
   * `moved`: from the committed value file to the secrets file. `uncovered`: removed from the secrets file, where it hid the
   * value.
   */
  readonly did: "set" | "unset" | "moved" | "uncovered"
  readonly in: "values" | "secrets"
}

interface EditedTexts extends EnvironmentTexts {
  readonly edits: readonly EditedName[]
}

/** Makes all edits, or throws all problems: an `--unset` that finds nothing, secrets that can't be written. */
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
    // A secrets file can't express that a text has no value, and that is not a secret.
    if (!isSecret || value === null) {
      this.#values.set([name], value)
      this.#edits.push({ name, did: "set", in: "values" })
      // The line in the secrets file is a private override, and would still win.
      if (this.#dropSecret(name)) this.#edits.push({ name, did: "uncovered", in: "secrets" })
      return
    }
    const refusal = this.#secrets.set(name, text)
    if (refusal === undefined) {
      this.#edits.push({ name, did: this.#values.delete([name]) ? "moved" : "set", in: "secrets" })
      return
    }
    this.#problems.push(toProblem(messages["secret-unquotable"].given(name, refusal)))
  }

  unset(name: string): void {
    const places = [
      ...(this.#values.delete([name]) ? (["values"] as const) : []),
      ...(this.#dropSecret(name) ? (["secrets"] as const) : []),
    ]
    for (const place of places) this.#edits.push({ name, did: "unset", in: place })
    if (places.length > 0) return
    this.#problems.push(toProblem(messages.usage.unset(name)))
  }

  finish(): EditedTexts {
    throwIfAny(this.#problems)
    return { values: this.#values.text, secrets: this.#secrets.text, edits: this.#edits }
  }

  #dropSecret(name: string): boolean {
    const before = this.#secrets.text
    if (this.#secrets.unset(name)) return this.#secrets.text !== before
    this.#problems.push(toProblem(messages["dotenv-syntax"].openQuote(name)))
    return true
  }
}

export interface VariableText {
  readonly name: string
  /** The text as typed; coerced to the declared type. */
  readonly text: string
}

export interface VariableValue {
  readonly name: string
  /** A value of the declared type. Null means no value, not even an inherited one. */
  readonly value: Scalar | null
}

interface Assignment {
  readonly name: string
  readonly text: string
  readonly value: Scalar | null
  readonly isSecret: boolean
}

/** Types each value by its declaration. No problem contains a value. */
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

const isReserved = (name: string): boolean => (reservedKeys as readonly string[]).includes(name)

const reservedName = (name: string): Problem => toProblem(messages["variable-reserved"].reserved(name))
