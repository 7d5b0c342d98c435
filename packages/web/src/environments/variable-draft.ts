// A variable's declaration as entered, and the change of the schema that it makes. Pure.

import { checkVariableName, type ScalarType } from "@callsheet/format"
import type { CellValue, NewDeclaration, SchemaChange, VariableView } from "@callsheet/server/calls"
import { readTyped, formatCellValue } from "./value-text.ts"

export interface VariableDraft {
  readonly name: string
  readonly type: ScalarType
  readonly required: boolean
  readonly secret: boolean
  readonly description: string
  /** The default as typed. Empty means no default, unless `keepsDefault` is set. */
  readonly default: string
  /** Keeps the default in the file, including `null` and the empty text. */
  readonly keepsDefault: boolean
  /** Set only if the variable stops being a secret. */
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
  default: variable.isDefaultMasked === true ? "" : formatCellValue(variable.default),
  keepsDefault: variable.default !== undefined || variable.hasSecretDefault === true,
  secretValues: "keep",
})

/** Returns the draft with the new default, if the text is valid. */
export function changedDefault(draft: VariableDraft, text: string): VariableDraft {
  return { ...draft, default: text, keepsDefault: false }
}

/** Returns the problem of a variable's name. An empty name has no problem yet. */
export function checkVariable(name: string, others: readonly VariableView[]): string | undefined {
  if (name === "") return undefined
  const finding = checkVariableName(name)
  if (finding !== undefined)
    return `${finding.message}${finding.hint === undefined ? "" : `: ${finding.hint}`}`
  return others.some((other) => other.name === name) ? `"${name}" is already declared.` : undefined
}

export function checkDefault(draft: VariableDraft): string | undefined {
  if (draft.secret || draft.keepsDefault || draft.default === "") return undefined
  const typed = readTyped(draft.default, draft.type)
  return "fault" in typed ? `${typed.fault} ${typed.hint}.` : undefined
}

/** Returns the change that creates the variable, or updates a known one. */
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

/** If the type changes, an unchanged default is sent as text. The server parses it as the new type. */
function defaultOf(draft: VariableDraft, known: VariableView): CellValue | undefined {
  if (draft.secret || !draft.keepsDefault || known.default === undefined) return undefined
  return known.default === null ? null : formatCellValue(known.default)
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
