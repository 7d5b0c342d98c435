// `schema.json`: text -> declarations, and everything that is wrong with them.

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
  /** Declarations without an error, in the order of the file. */
  readonly variables: ReadonlyMap<string, VariableDeclaration>
  /** Every name that is declared, rightly or not; absent where the file does not tell. */
  readonly names: ReadonlySet<string> | undefined
  readonly problems: readonly Problem[]
  /** The declared name or reserved key that an undeclared one was probably meant to be, as a hint. */
  readonly suggest: (name: string) => string | undefined
  readonly secrets: readonly string[]
  /** What a value file of this API is; made once for all of them. */
  readonly valueFile: Shape
}

/** Where there is no schema nothing is declared (`names: []`); of one that cannot be read nothing is known. */
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

/** Reads and checks one API's declarations. A declaration with an error is left out: a run refuses for it. */
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
