// A secrets file: text -> values, and everything that is wrong with them. No message holds a value or a line of the file.

import type { Problem } from "../problems.ts"
import { createLineFinder } from "../text/line-column.ts"
import type { Finding, SourceFile } from "../source.ts"
import type { CheckedSchema } from "./check-schema.ts"
import { coerceText, typeHint } from "./coerce-text.ts"
import { parseSecretsFile, type ParsedSecretsFile, type SecretsEntry } from "./parse-secrets-file.ts"
import { reservedKeys, UNDECLARED_HINT } from "./schema-shape.ts"

interface CheckedSecrets {
  readonly secrets: ReadonlyMap<string, string>
  readonly problems: readonly Problem[]
}

/** Reads and checks one secrets file against the declarations of its API. */
export function checkSecretsFile(source: SourceFile, schema: CheckedSchema): CheckedSecrets {
  const parsed = parseSecretsFile(source.text)
  const lineColumn = createLineFinder(source.text)
  const problems: Problem[] = []
  const report = (offset: number, { code, message, severity = "error", hint }: Finding) => {
    const where = { file: source.file, ...lineColumn(offset) }
    problems.push({ code, severity, message, ...where, ...(hint === undefined ? {} : { hint }) })
  }
  for (const finding of parsed.findings) report(finding.offset, finding)
  // Of several assignments the last one counts, and only it is held against the declaration.
  const last = new Map(parsed.entries.map((entry) => [entry.name, entry]))
  for (const entry of last.values()) {
    const finding = objectTo(entry, schema, parsed)
    if (finding !== undefined) report(finding.at, finding)
  }
  return { secrets: new Map([...last.values()].map(({ name, value }) => [name, value])), problems }
}

function objectTo(
  { name, value, nameStart, valueStart }: SecretsEntry,
  schema: CheckedSchema,
  { findings }: ParsedSecretsFile,
): (Finding & { at: number }) | undefined {
  const { variables, names } = schema
  const declaration = variables.get(name)
  if (declaration === undefined) {
    if (names === undefined || names.has(name)) return undefined
    // In a file with a broken line a "name" may be a piece of a secret: the rest of a key whose quotes are missing.
    const shown = findings.length > 0 ? "a name in this line" : JSON.stringify(name)
    return {
      at: nameStart,
      code: "variable-undeclared",
      message: `${shown} is not declared in schema.json`,
      hint: findings.length > 0 ? undefined : undeclaredHint(name, schema),
    }
  }
  const { type } = declaration
  // Empty text is the one way that the dialect has to say "no value" of a number.
  if (type === "string" || value === "" || coerceText(value, type) !== undefined) return undefined
  return {
    at: valueStart,
    code: "variable-type",
    message: `the value of "${name}" is not a ${type}, as which it is declared`,
    hint: typeHint[type],
  }
}

const undeclaredHint = (name: string, schema: CheckedSchema): string =>
  (reservedKeys as readonly string[]).includes(name)
    ? `"${name}" belongs into the value file of the environment`
    : (schema.suggest(name) ?? UNDECLARED_HINT)
