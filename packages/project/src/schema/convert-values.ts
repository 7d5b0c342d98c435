// Converts a variable's values in all environments to another type, or moves them between value files and secrets
// files.

import {
  coerceText,
  createProblemMaker,
  isJsonArray,
  isJsonObject,
  isOfType,
  jsonRangeAt,
  parseSecretsFile,
  toProblem,
  type Environment,
  type JsonValue,
  type Problem,
  type Scalar,
  type ScalarType,
  type SourceFile,
} from "@callsheet/format"
import { messages } from "../messages.ts"
import type { EditedTexts, OpenEnvironment } from "./edited-texts.ts"

export interface Conversion {
  readonly texts: EditedTexts
  readonly name: string
  readonly type: ScalarType
  readonly problems: Problem[]
}

/** Formats a value as text. Keeps the digits of a number as written. */
function formatScalar({ text }: SourceFile, key: readonly [string, ...string[]], value: Scalar): string {
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
  const text = formatScalar(source, key, value)
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
  const wrongType = toProblem(messages["variable-type"].retyped(name, type), secretsFile.file)
  problems.push({ ...wrongType, line: entry.line, column: 1 })
}

/** Moves values out of value files, and returns those files. Null stays, because it isn't a secret. */
export function hideValues({ texts, name, type, problems }: Conversion) {
  const left: string[] = []
  // Value files from which the value is only removed: the secrets file already overrides it.
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
    else {
      const refusal = secretsText.set(name, formatScalar(valueFile, [name], value))
      if (refusal !== undefined) problems.push(unquotable(valueFile, name, refusal))
    }
    valuesText.delete([name])
  }
  return { left, hidden }
}

/** Moves values from secrets files to value files and returns those value files. */
export function showValues({ texts, name, type, problems }: Conversion): readonly string[] {
  const shown: string[] = []
  for (const environment of texts.environments) {
    const text = environment.secrets.get(name)
    if (text === undefined) continue
    const value = text === "" && type !== "string" ? null : coerceText(text, type)
    // `retypeValues` has already reported a value of the wrong type.
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
  if (!isGone) problems.push(toProblem(messages["dotenv-syntax"].openQuote(name), secretsFile?.file))
  return isGone
}

const misfit = (source: SourceFile, name: string, type: ScalarType): Problem =>
  createProblemMaker(source)([name], "value", messages["variable-type"].retyped(name, type))

const unquotable = (source: SourceFile, name: string, reason: string): Problem =>
  createProblemMaker(source)([name], "value", messages["secret-unquotable"].moved(name, reason))
