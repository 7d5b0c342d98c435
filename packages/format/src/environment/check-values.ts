// The two files of an environment: text -> values, and everything that is wrong with them. No message holds a value or a
// line of a secrets file.

import { parseJson } from "../json/parse-json.ts"
import { isJsonObject, type JsonObject, type JsonValue } from "../json/value.ts"
import type { Problem } from "../problems.ts"
import { checkShape } from "../shape/check-shape.ts"
import { createProblemMaker, problemsAtOffsets, type Finding, type SourceFile } from "../source.ts"
import type { CheckedSchema } from "./check-schema.ts"
import { coerceText, typeHint } from "./coerce-text.ts"
import { parseSecretsFile, type ParsedSecretsFile, type SecretsEntry } from "./parse-secrets-file.ts"
import { isReserved, reservedKeys, UNDECLARED_HINT } from "./schema-shape.ts"
import type { Environment } from "./types.ts"

interface CheckedValues extends Pick<Environment, "extends" | "level" | "tls" | "values"> {
  readonly problems: readonly Problem[]
  readonly problemAt: (key: string, finding: Finding) => Problem
}

export function checkValueFile(source: SourceFile, schema: CheckedSchema): CheckedValues {
  const makeProblem = createProblemMaker(source)
  const problemAt = (key: string, finding: Finding) => makeProblem([key], "value", finding)
  const parsed = parseJson(source.text)
  if (!parsed.ok) {
    return { values: new Map(), problems: problemsAtOffsets(source, parsed.findings), problemAt }
  }
  const problems: Problem[] = []
  const broken = new Set<string | number | undefined>()
  for (const finding of checkShape(schema.valueFile, parsed.value)) {
    problems.push(makeProblem(finding.pointer, finding.at, finding))
    if (finding.severity !== "warning") broken.add(finding.pointer[0])
  }
  if (!isJsonObject(parsed.value)) return { values: new Map(), problems, problemAt }
  const values = new Map<string, JsonValue>(Object.entries(parsed.value))
  for (const key of reservedKeys) values.delete(key)
  for (const key of schema.secrets) {
    if (isGiven(values.get(key))) problems.push(makeProblem([key], "key", secretCommitted(key)))
  }
  return { ...reservedValues(parsed.value, broken), values, problems, problemAt }
}

function reservedValues(
  file: JsonObject,
  broken: ReadonlySet<unknown>,
): Pick<Environment, "extends" | "level" | "tls"> {
  const sound = reservedKeys.filter((key) => Object.hasOwn(file, key) && !broken.has(key))
  return Object.fromEntries(sound.map((key) => [key, file[key]]))
}

const isGiven = (value: JsonValue | undefined): boolean =>
  value !== undefined && value !== null && value !== ""

const secretCommitted = (key: string): Finding => ({
  code: "secret-committed",
  severity: "warning",
  message: `the value of the secret "${key}" stands in a file that is in version control`,
  hint: "move it to the secrets file, and replace the secret: who can read the repository knows it",
})

export function checkSecretsFile(source: SourceFile, schema: CheckedSchema) {
  const parsed = parseSecretsFile(source.text)
  // The last of several assignments counts, and only it is held against the declaration.
  const last = [...new Map(parsed.entries.map((entry) => [entry.name, entry])).values()]
  const findings = last.flatMap((entry) => objectTo(entry, schema, parsed) ?? [])
  return {
    secrets: new Map(last.map(({ name, value }) => [name, value])),
    problems: problemsAtOffsets(source, [...parsed.findings, ...findings]),
  }
}

function objectTo(
  { name, value, nameStart, valueStart }: SecretsEntry,
  schema: CheckedSchema,
  { findings }: ParsedSecretsFile,
): (Finding & { offset: number }) | undefined {
  const { variables, names } = schema
  const declaration = variables.get(name)
  if (declaration === undefined) {
    if (names === undefined || names.has(name)) return undefined
    // A "name" may be a piece of a secret: a value that stands alone, the rest of a key whose quotes are missing.
    const near = findings.length === 0 && !isReserved(name) ? schema.suggest(name) : undefined
    const isNearMiss = findings.length === 0 && (isReserved(name) || near !== undefined)
    const shown = isNearMiss ? JSON.stringify(name) : "a name in this line"
    return {
      offset: nameStart,
      code: "variable-undeclared",
      message: `${shown} is not declared in schema.json`,
      hint: findings.length > 0 ? undefined : undeclaredHint(name, near),
    }
  }
  const { type } = declaration
  // Empty text is the one way that the dialect has to say "no value" of a number.
  if (type === "string" || value === "" || coerceText(value, type) !== undefined) return undefined
  return {
    offset: valueStart,
    code: "variable-type",
    message: `the value of "${name}" is not a ${type}, as which it is declared`,
    hint: typeHint[type],
  }
}

const undeclaredHint = (name: string, near: string | undefined): string =>
  isReserved(name) ? `"${name}" belongs into the value file of the environment` : (near ?? UNDECLARED_HINT)
