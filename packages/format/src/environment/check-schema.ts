// Parses and checks `schema.json`.

import { parseJson } from "../json/parse-json.ts"
import { isJsonObject, type JsonObject, type JsonValue } from "../json/value.ts"
import { messages } from "../messages.ts"
import type { Finding, Problem } from "../problems.ts"
import { checkShape } from "../shape/check-shape.ts"
import type { Shape } from "../shape/shape.ts"
import { createProblemMaker, problemsAtOffsets, type SourceFile } from "../source.ts"
import { createSuggester } from "../text/did-you-mean.ts"
import { environmentSchemaShape, reservedKeys } from "./schema-shape.ts"
import type { VariableDeclaration } from "./types.ts"
import { valueFileShape } from "./value-file-shape.ts"

export interface CheckedSchema {
  /** Declarations without errors, in file order. */
  readonly variables: ReadonlyMap<string, VariableDeclaration>
  /** Every declared name, valid or not. Absent if the schema cannot be read. */
  readonly names: ReadonlySet<string> | undefined
  readonly problems: readonly Problem[]
  /** Returns a hint with the declared name or reserved key that an undeclared name probably meant. */
  readonly suggest: (name: string) => string | undefined
  readonly secrets: readonly string[]
  /** The shape of this API's value files, built once for all of them. */
  readonly valueFile: Shape
}

/** Returns an empty schema (`names: []`) if the file is missing, and unknown names if the file cannot be read. */
export function schemaOf(
  names: readonly string[] | undefined,
  problems: readonly Problem[] = [],
  variables: ReadonlyMap<string, VariableDeclaration> = new Map(),
): CheckedSchema {
  const suggest = createSuggester([...variables.keys(), ...reservedKeys])
  return {
    variables,
    names: names === undefined ? undefined : new Set(names),
    problems,
    suggest,
    secrets: [...variables].filter(([, { secret }]) => secret === true).map(([name]) => name),
    valueFile: valueFileShape({ variables, names, suggest }),
  }
}

/** Reads and checks one API's declarations. A declaration with an error is left out: a run refuses to start because of it. */
export function checkSchema(source: SourceFile): CheckedSchema {
  const parsed = parseJson(source.text)
  if (!parsed.ok) return schemaOf(undefined, problemsAtOffsets(source, parsed.findings))
  const problemAt = createProblemMaker(source)
  const problems: Problem[] = []
  const broken = new Set<string | number>()
  for (const finding of checkShape(environmentSchemaShape, parsed.value)) {
    const [field, name] = finding.pointer
    if (field === "variables" && name !== undefined) broken.add(name)
    problems.push(problemAt(finding.pointer, finding.at, finding))
  }
  const isSound = (name: string, value: JsonValue): value is JsonObject & VariableDeclaration =>
    isJsonObject(value) && !broken.has(name)
  const declared = isJsonObject(parsed.value) ? parsed.value["variables"] : undefined
  if (!isJsonObject(declared)) return schemaOf(undefined, problems)
  const variables = new Map<string, VariableDeclaration>()
  for (const [name, value] of Object.entries(declared)) {
    if (!isSound(name, value)) continue
    const finding = checkSecretDefault(name, value)
    if (finding !== undefined) problems.push(problemAt(["variables", name, "default"], "value", finding))
    variables.set(name, value)
  }
  return schemaOf(Object.keys(declared), problems, variables)
}

function checkSecretDefault(
  name: string,
  { secret, default: value }: VariableDeclaration,
): Finding | undefined {
  // `null` means "no value", as in a value file.
  if (secret !== true || value === undefined || value === null) return undefined
  return messages["secret-default"].secretDefault(name)
}
