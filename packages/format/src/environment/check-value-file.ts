// A value file: text -> values, and everything that is wrong with them. No message holds a variable's value.

import { parseJson } from "../json/parse-json.ts"
import { isEnvironmentName } from "../workflow/names.ts"
import { describeType, isJsonObject, type JsonObject, type JsonValue } from "../json/value.ts"
import type { Level } from "../events/types.ts"
import type { Problem } from "../problems.ts"
import { createProblemMaker, problemsAtOffsets, type Finding, type SourceFile } from "../source.ts"
import { didYouMean, suggest } from "../text/did-you-mean.ts"
import { coerceText, isOfType } from "./coerce-text.ts"
import { UNDECLARED_HINT } from "./schema-shape.ts"
import type { CheckedSchema } from "./check-schema.ts"
import type { Environment, VariableDeclaration } from "./types.ts"

export interface CheckedValues extends Pick<Environment, "extends" | "level" | "tls" | "values"> {
  readonly problems: readonly Problem[]
  /** Makes the problem that a finding is at a key of the file: what only the other files can tell. */
  readonly problemAt: (key: string, finding: Finding) => Problem
}

interface Reader {
  readonly schema: CheckedSchema
  readonly report: (pointer: readonly string[], at: "key" | "value", finding: Finding) => void
}

/** Reads and checks one value file against the declarations of its API. */
export function checkValueFile(source: SourceFile, schema: CheckedSchema): CheckedValues {
  const makeProblem = createProblemMaker(source)
  const problems: Problem[] = []
  const empty = {
    values: new Map<string, JsonValue>(),
    problems,
    problemAt: (key: string, finding: Finding) => makeProblem([key], "value", finding),
  }
  const parsed = parseJson(source.text)
  if (!parsed.ok) return { ...empty, problems: problemsAtOffsets(source, parsed.findings) }
  if (!isJsonObject(parsed.value)) {
    const message = `the file is ${describeType(parsed.value)}; expected an object of values by variable`
    problems.push(makeProblem([], "value", { code: "field-type", message }))
    return empty
  }
  const reader: Reader = {
    schema,
    report: (pointer, at, finding) => problems.push(makeProblem(pointer, at, finding)),
  }
  const values = new Map<string, JsonValue>()
  const reserved: { extends?: string; level?: Level; tls?: JsonObject } = {}
  for (const [key, value] of Object.entries(parsed.value)) {
    if (key === "extends") setIf(reserved, "extends", readExtends(reader, value))
    else if (key === "level") setIf(reserved, "level", readLevel(reader, value))
    else if (key === "tls") setIf(reserved, "tls", readTls(reader, value))
    else {
      values.set(key, value)
      checkValue(reader, key, value)
    }
  }
  return { ...empty, ...reserved, values }
}

function setIf<K extends string, V>(target: { [P in K]?: V }, key: K, value: V | undefined): void {
  if (value !== undefined) target[key] = value
}

function readExtends({ report }: Reader, value: JsonValue): string | undefined {
  if (typeof value !== "string") {
    const message = `"extends" is ${describeType(value)}; expected the name of an environment`
    report(["extends"], "value", { code: "field-type", message })
    return undefined
  }
  // "schema" is a name that nothing has: that it is missing says more than that it may not be.
  if (isEnvironmentName(value) || value.toLowerCase() === "schema") return value
  report(["extends"], "value", {
    code: "env-name",
    message: `"extends" is ${JSON.stringify(value)}, which is no environment's name`,
    hint: "write the name of an environment of this API: no path and no file ending",
  })
  return undefined
}

const levels: readonly Level[] = ["production", "staging", "local"]

function readLevel({ report }: Reader, value: JsonValue): Level | undefined {
  const level = levels.find((known) => known === value)
  if (level !== undefined) return level
  const expected = `expected "production", "staging" or "local"`
  if (typeof value !== "string") {
    const message = `"level" is ${describeType(value)}; ${expected}`
    report(["level"], "value", { code: "field-type", message })
    return undefined
  }
  const start = value.trim().toLowerCase().slice(0, 4)
  const meant =
    didYouMean(value, levels) ??
    (start.length < 3 ? undefined : levels.find((known) => known.startsWith(start)))
  report(["level"], "value", {
    code: "field-value",
    message: `"level" is ${JSON.stringify(value)}; ${expected}`,
    hint: meant === undefined ? undefined : `did you mean "${meant}"?`,
  })
  return undefined
}

function readTls({ report }: Reader, value: JsonValue): JsonObject | undefined {
  if (!isJsonObject(value)) {
    const message = `"tls" is ${describeType(value)}; expected an object`
    report(["tls"], "value", { code: "field-type", message })
    return undefined
  }
  for (const [key, option] of Object.entries(value)) {
    if (key === "verify" && typeof option !== "boolean") {
      const message = `"tls.verify" is ${describeType(option)}; expected true or false`
      report(["tls", key], "value", { code: "field-type", message })
    } else if (key !== "verify" && key !== "ca") {
      const message = `"tls": ${JSON.stringify(key)} is not read; only "verify" is`
      report(["tls", key], "key", {
        code: "field-unknown",
        severity: "warning",
        message,
        hint: suggest(key, ["verify"]),
      })
    }
  }
  return value
}

function checkValue({ schema, report }: Reader, key: string, value: JsonValue): void {
  const declaration = schema.variables.get(key)
  if (declaration === undefined) {
    // Of a schema that cannot be read nothing follows, and a broken declaration has its own problem.
    if (schema.names === undefined || schema.names.has(key)) return
    return report([key], "key", undeclared(key, schema))
  }
  if (value === null) return
  if (!isOfType(value, declaration.type)) {
    report([key], "value", {
      code: "variable-type",
      message: `"${key}" is ${describeType(value)}; it is declared as a ${declaration.type}`,
      hint: typeHintFor(value, declaration),
    })
  }
  if (declaration.secret === true && value !== "") {
    report([key], "key", {
      code: "secret-committed",
      severity: "warning",
      message: `the value of the secret "${key}" stands in a file that is in version control`,
      hint: "move it to the secrets file, and replace the secret: who can read the repository knows it",
    })
  }
}

function undeclared(key: string, schema: CheckedSchema): Finding {
  return {
    code: "variable-undeclared",
    message: `${JSON.stringify(key)} is not declared in schema.json`,
    hint:
      key === "$schema"
        ? "a value file holds variables alone; $schema may stand in schema.json"
        : (schema.suggest(key) ?? UNDECLARED_HINT),
  }
}

function typeHintFor(value: JsonValue, { type }: VariableDeclaration): string | undefined {
  if (typeof value === "string" && coerceText(value, type) !== undefined) return "write it without quotes"
  return type === "string" && typeof value !== "object" ? "write it in quotes" : undefined
}
