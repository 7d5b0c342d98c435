// Parses and checks the two files of an environment. No message contains a value or a line of a secrets file.

import { parseJson } from "../json/parse-json.ts"
import { isJsonObject, type JsonObject, type JsonValue } from "../json/value.ts"
import { messages } from "../messages.ts"
import type { Finding, Problem } from "../problems.ts"
import { checkShape } from "../shape/check-shape.ts"
import { createProblemMaker, problemsAtOffsets, type SourceFile } from "../source.ts"
import type { CheckedSchema } from "./check-schema.ts"
import { coerceText } from "./coerce-text.ts"
import { parseSecretsFile, type ParsedSecretsFile, type SecretsEntry } from "./parse-secrets-file.ts"
import { isReserved, reservedKeys } from "./schema-shape.ts"
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
    if (isGiven(values.get(key)))
      problems.push(makeProblem([key], "key", messages["secret-committed"].committed(key)))
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

export function checkSecretsFile(source: SourceFile, schema: CheckedSchema) {
  const parsed = parseSecretsFile(source.text)
  // The last of several assignments wins, so only that one is checked against the declaration.
  const last = [...new Map(parsed.entries.map((entry) => [entry.name, entry])).values()]
  const findings = last.flatMap((entry) => findingFor(entry, schema, parsed) ?? [])
  return {
    secrets: new Map(last.map(({ name, value }) => [name, value])),
    problems: problemsAtOffsets(source, [...parsed.findings, ...findings]),
  }
}

function findingFor(
  { name, value, nameStart, valueStart }: SecretsEntry,
  schema: CheckedSchema,
  { findings }: ParsedSecretsFile,
): (Finding & { offset: number }) | undefined {
  const { variables, names } = schema
  const declaration = variables.get(name)
  if (declaration === undefined) {
    if (names === undefined || names.has(name)) return undefined
    return { ...undeclared(name, schema, findings.length > 0), offset: nameStart }
  }
  const { type } = declaration
  // In a secrets file, an empty text is the only way to give a number or boolean no value.
  if (type === "string" || value === "" || coerceText(value, type) !== undefined) return undefined
  return { ...messages["variable-type"].text(name, type), offset: valueStart }
}

/** A "name" may be part of a secret: a value on its own line, or the rest of a key with missing quotes. */
function undeclared(name: string, schema: CheckedSchema, isBroken: boolean): Finding {
  const { hidden, reserved, undeclared: named } = messages["variable-undeclared"]
  if (isBroken) return hidden(undefined)
  if (isReserved(name)) return reserved(name)
  const near = schema.suggest(name)
  return near === undefined ? hidden("declare") : named(name, near)
}
