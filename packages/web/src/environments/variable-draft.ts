// A declaration as it is typed, and the change of the schema that it comes to. Pure.

import { checkVariableName, type ScalarType } from "@callsheet/format"
import type { CellValue, NewDeclaration, SchemaChange, VariableView } from "@callsheet/server/calls"
import { readTyped, textOfValue } from "./value-text.ts"

export interface VariableDraft {
  readonly name: string
  readonly type: ScalarType
  readonly required: boolean
  readonly secret: boolean
  readonly description: string
  /** As typed; empty: none, unless it is kept. */
  readonly default: string
  /** The default stays as the file has it, `null` and the empty text too. */
  readonly keepsDefault: boolean
  /** Of a secret that is to be one no longer. */
  readonly secretValues: "keep" | "move"
}

export const emptyVariable: VariableDraft = {
  name: "",
  type: "string",
  required: false,
  secret: false,
  description: "",
  default: "",
  keepsDefault: false,
  secretValues: "keep",
}

export const draftOf = (variable: VariableView): VariableDraft => ({
  name: variable.name,
  type: variable.type,
  required: variable.required,
  secret: variable.secret,
  description: variable.description ?? "",
  default: variable.isDefaultMasked === true ? "" : textOfValue(variable.default),
  keepsDefault: variable.default !== undefined || variable.hasSecretDefault === true,
  secretValues: "keep",
})

/** The default, as far as it can be typed. */
export function changedDefault(draft: VariableDraft, text: string): VariableDraft {
  return { ...draft, default: text, keepsDefault: false }
}

/** What is wrong with the name of a variable; an empty one is not wrong yet. */
export function checkVariable(name: string, others: readonly VariableView[]): string | undefined {
  if (name === "") return undefined
  const finding = checkVariableName(name)
  if (finding !== undefined)
    return `${finding.message}${finding.hint === undefined ? "" : `: ${finding.hint}`}`
  return others.some((other) => other.name === name) ? `"${name}" is declared already.` : undefined
}

/** What is wrong with the default that was typed. */
export function checkDefault(draft: VariableDraft): string | undefined {
  if (draft.secret || draft.keepsDefault || draft.default === "") return undefined
  const typed = readTyped(draft.default, draft.type)
  return "fault" in typed ? `${typed.fault} ${typed.hint}.` : undefined
}

/** The change that makes a new variable of it, or of a known one what was typed. */
export function changeOfDraft(draft: VariableDraft, known: VariableView | undefined): SchemaChange {
  const { name } = draft
  if (known === undefined) return { do: "add", name, declaration: declarationOf(draft, undefined) }
  const isSeen = draft.type !== known.type && known.isDefaultMasked !== true
  const keepsText = draft.keepsDefault && !isSeen && !(draft.secret && !known.secret)
  return {
    do: "change",
    name,
    declaration: declarationOf(draft, keepsText ? undefined : defaultOf(draft, known)),
    ...(keepsText ? { keepDefault: true as const } : {}),
    ...(known.secret && !draft.secret ? { secretValues: draft.secretValues } : {}),
  }
}

/** A default that is kept goes as its text where the type is another: the server reads it as that. */
function defaultOf(draft: VariableDraft, known: VariableView): CellValue | undefined {
  if (draft.secret || !draft.keepsDefault || known.default === undefined) return undefined
  return known.default === null ? null : textOfValue(known.default)
}

function declarationOf(draft: VariableDraft, kept: CellValue | undefined): NewDeclaration {
  const { type, required, secret, description } = draft
  const value = kept ?? typedDefault(draft)
  return {
    type,
    required,
    ...(description === "" ? {} : { description }),
    ...(secret ? { secret } : {}),
    ...(value === undefined ? {} : { default: value }),
  }
}

function typedDefault(draft: VariableDraft): CellValue | undefined {
  if (draft.secret || draft.keepsDefault || draft.default === "") return undefined
  const typed = readTyped(draft.default, draft.type)
  return "value" in typed ? typed.value : draft.default
}
