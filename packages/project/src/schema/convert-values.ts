// The values of a variable in all environments, made to fit its declaration: of another type, or in the other kind of file.

import {
  hints,
  coerceText,
  createProblemMaker,
  isJsonArray,
  isJsonObject,
  isOfType,
  jsonRangeAt,
  parseSecretsFile,
  type Environment,
  type JsonValue,
  type Problem,
  type Scalar,
  type ScalarType,
  type SourceFile,
} from "@callsheet/format"
import { entangled } from "../environment/edit-environment-files.ts"
import type { EditedTexts, OpenEnvironment } from "./edited-texts.ts"

export interface Conversion {
  readonly texts: EditedTexts
  readonly name: string
  readonly type: ScalarType
  readonly problems: Problem[]
}

/** A number keeps its digits as they are written. */
function textOf({ text }: SourceFile, key: readonly [string, ...string[]], value: Scalar): string {
  const range = typeof value === "string" ? undefined : jsonRangeAt(text, key)
  return range === undefined ? String(value) : text.slice(range.from, range.to)
}

export function convert(
  source: SourceFile,
  key: readonly [string, ...string[]],
  value: JsonValue,
  type: ScalarType,
): Scalar | null | undefined {
  if (value === null || isOfType(value, type)) return value
  if (isJsonArray(value) || isJsonObject(value)) return undefined
  const text = textOf(source, key, value)
  return type === "string" ? text : typeof value === "string" ? coerceText(text, type) : undefined
}

export function retypeValues(conversion: Conversion): void {
  const { texts, name, type, problems } = conversion
  for (const environment of texts.environments) {
    const { values, valueFile, valuesText } = environment
    const value = values.get(name)
    if (value !== undefined) {
      const converted = convert(valueFile, [name], value, type)
      if (converted === undefined) problems.push(misfit(valueFile, name, type))
      else valuesText.set([name], converted)
    }
    checkSecret(conversion, environment)
  }
}

function checkSecret({ name, type, problems }: Conversion, { secretsFile }: Environment): void {
  const entry = parseSecretsFile(secretsFile?.text ?? "").entries.findLast((each) => each.name === name)
  if (entry === undefined || secretsFile === undefined) return
  if (type === "string" || entry.value === "" || coerceText(entry.value, type) !== undefined) return
  problems.push({ ...wrongType(name, type), file: secretsFile.file, line: entry.line, column: 1 })
}

/** Moves values out of value files, which are in version control; the files that they leave. A null stays: it is no secret. */
export function hideValues({ texts, name, type, problems }: Conversion) {
  const left: string[] = []
  // Value files whose value the secrets file has hidden already: it is removed.
  const hidden: string[] = []
  for (const { values, secrets, valueFile, valuesText, secretsText } of texts.environments) {
    const value = values.get(name)
    if (value === undefined || value === null) continue
    if (isJsonArray(value) || isJsonObject(value)) {
      problems.push(misfit(valueFile, name, type))
      continue
    }
    left.push(valueFile.file)
    if (secrets.has(name)) hidden.push(valueFile.file)
    else if (secretsText.set(name, textOf(valueFile, [name], value)) !== undefined)
      problems.push(unquotable(valueFile, name))
    valuesText.delete([name])
  }
  return { left, hidden }
}

/** Moves values out of secrets files into value files; the value files that have them now. */
export function showValues({ texts, name, type, problems }: Conversion): readonly string[] {
  const shown: string[] = []
  for (const environment of texts.environments) {
    const text = environment.secrets.get(name)
    if (text === undefined) continue
    const value = text === "" && type !== "string" ? null : coerceText(text, type)
    // `retypeValues` has said so.
    if (value === undefined) continue
    if (!dropSecret(environment, { name, problems })) continue
    environment.valuesText.set([name], value)
    shown.push(environment.valueFile.file)
  }
  return shown
}

export function dropValues({ texts, name, problems }: Omit<Conversion, "type">): void {
  for (const environment of texts.environments) {
    environment.valuesText.delete([name])
    dropSecret(environment, { name, problems })
  }
}

function dropSecret(
  { secretsText, secretsFile }: OpenEnvironment,
  { name, problems }: Pick<Conversion, "name" | "problems">,
): boolean {
  const isGone = secretsText.unset(name)
  if (!isGone) problems.push(entangled(name, { file: secretsFile?.file, hint: "close that quote first" }))
  return isGone
}

const wrongType = (name: string, type: ScalarType) =>
  ({
    code: "variable-type",
    severity: "error",
    message: `the value of "${name}" is not a ${type}, as which it is to be declared`,
    hint: `change the value first: ${hints.scalar[type]}`,
  }) as const

const misfit = (source: SourceFile, name: string, type: ScalarType): Problem =>
  createProblemMaker(source)([name], "value", wrongType(name, type))

const unquotable = (source: SourceFile, name: string): Problem =>
  createProblemMaker(source)([name], "value", {
    code: "secret-unquotable",
    message: `the value of "${name}" cannot be written into a secrets file`,
    hint: "change the value first: one without quotes of all three kinds can be",
  })
