// A change of the declarations of an API -> the texts of all its environment files after it. Nothing is written here.

import {
  CallsheetError,
  checkEnvironmentFiles,
  createProblemMaker,
  environmentSchemaShape,
  checkVariableName,
  processVariableName,
  suggest,
  type Environment,
  type EnvironmentFiles,
  type JsonValue,
  type Problem,
  type VariableDeclaration,
} from "@callsheet/format"
import { requireSchema, throwIfAny } from "../environment/environment-files.ts"
import {
  convert,
  dropValues,
  hideValues,
  retypeValues,
  showValues,
  type Conversion,
} from "./convert-values.ts"
import { EditedTexts, hidingProblems, requireWhole } from "./edited-texts.ts"
import type { ChangedDeclaration, PlannedSchemaChange, SchemaChange } from "./schema-change.ts"

/**
 * Throws all problems of the change at once: `variable-name`, `variable-reserved`, `variable-undeclared`, `variable-exists`,
 * `variable-type`, `secret-unquotable`, problems of files that don't parse, and `secret-values` if the change doesn't say their fate.
 */
export function planSchemaChange(files: EnvironmentFiles, change: SchemaChange): PlannedSchemaChange {
  const texts = new EditedTexts(files)
  requireSchema(files)
  const problems: Problem[] = []
  const work: Work = { files, texts, problems, notes: [], exposed: [] }
  switch (change.do) {
    case "add":
      add(work, change.name, change.declaration)
      break
    case "change":
      changeOne(work, change)
      break
    case "rename":
      rename(work, change.name, change.to)
      break
    case "delete":
      remove(work, change.name)
      break
  }
  throwIfAny(problems)
  const after = checkEnvironmentFiles({ api: files.api, files: texts.after() })
  throwIfAny(newErrors(files, after))
  const { notes, exposed } = work
  return { title: titleOf(files.api, change), edits: texts.edits(), after, notes, exposed }
}

interface Work {
  readonly files: EnvironmentFiles
  readonly texts: EditedTexts
  readonly problems: Problem[]
  readonly notes: string[]
  readonly exposed: string[]
}

function titleOf(api: string, change: SchemaChange): string {
  const to = change.do === "rename" ? ` to "${change.to}"` : ""
  return `${change.do} the variable "${change.name}" of the API "${api}"${to}`
}

function add(work: Work, name: string, declaration: VariableDeclaration): void {
  const { files, texts, problems } = work
  requireNewName(files, name)
  addDeclaration(texts, name, declaration)
  if (![...files.environments.values()].some((each) => each.values.has(name) || each.secrets.has(name)))
    return
  // A key that nobody has declared yet is a value from now on.
  requireWhole(files)
  const conversion = { texts, name, type: declaration.type, problems }
  retypeValues(conversion)
  if (declaration.secret === true) hide(work, conversion)
}

function changeOne(work: Work, change: ChangedDeclaration): void {
  const { files, texts, problems, notes } = work
  const { name, declaration } = change
  const old = requireDeclared(files, name)
  changeDeclaration(texts, change, old)
  const [wasSecret, isSecret] = [old.secret === true, declaration.secret === true]
  const conversion = { texts, name, type: declaration.type, problems }
  if (old.type !== declaration.type || wasSecret !== isSecret) requireWhole(files)
  if (old.type !== declaration.type) retypeValues(conversion)
  if (!wasSecret && isSecret) hide(work, conversion)
  if (wasSecret && !isSecret) show(work, change, conversion)
  const fallback = change.keepDefault === true ? old.default : declaration.default
  if (isSecret && fallback !== undefined && fallback !== null)
    notes.push(`The default of "${name}" stands in schema.json, in version control, for everyone to read.`)
}

function hide({ notes, exposed }: Work, conversion: Conversion): void {
  const { left, hidden } = hideValues(conversion)
  exposed.push(...left)
  for (const file of hidden)
    notes.push(`${file} loses its value of "${conversion.name}": the one in the secrets file is kept.`)
}

function show(work: Work, { name, secretValues }: ChangedDeclaration, conversion: Conversion): void {
  const { files, notes } = work
  const holders = [...files.environments.values()].filter(({ secrets }) => secrets.has(name))
  if (holders.length > 0 && secretValues === undefined)
    throw new CallsheetError(
      "secret-values",
      `secrets files hold values of "${name}" (${holders.map((each) => each.name).join(", ")}): say whether they stay there or move into the value files`,
      { hint: "value files are in version control, where everyone who reads the repository sees them" },
    )
  if (secretValues === "move") {
    const shown = showValues(conversion)
    if (shown.length > 0)
      notes.push(
        `The values of "${name}" move into value files, which are in version control: who can read the repository will know them (${shown.join(", ")}).`,
      )
  } else if (holders.length > 0)
    notes.push(
      `The values of "${name}" stay in the secrets files of ${holders.map((each) => each.name).join(", ")}, and win over value files.`,
    )
  notes.push(`"${name}" is masked no longer, in no report and on no page.`)
}

function rename(work: Work, name: string, to: string): void {
  const { files, texts, problems, notes } = work
  const declaration = requireDeclared(files, name)
  if (to === name) throw new CallsheetError("variable-exists", `the variable is called "${name}" already`)
  requireNewName(files, to)
  requireWhole(files)
  const taken = [...files.environments.values()].filter(
    ({ values, secrets }) => values.has(to) || secrets.has(to),
  )
  for (const environment of taken) problems.push(takenName(environment, to))
  if (taken.length > 0) return
  texts.schema.rename(["variables", name], to)
  for (const { secrets, valuesText, secretsText } of texts.environments) {
    valuesText.rename([name], to)
    if (secrets.has(name)) secretsText.rename(name, to)
  }
  notes.push(...conventions(name, declaration, "lost"), ...conventions(to, declaration, "won"))
  const [before, after] = [name, to].map((each) => processVariableName(files.api, each))
  notes.push(
    `Where the process variable ${before} or --var ${files.api}.${name} gives its value, as in CI, that is ${after} and --var ${files.api}.${to} from now on.`,
  )
}

function remove({ files, texts, problems, notes }: Work, name: string): void {
  const declaration = requireDeclared(files, name)
  requireWhole(files)
  texts.schema.delete(["variables", name])
  dropValues({ texts, name, problems })
  notes.push(...conventions(name, declaration, "lost"))
}

function conventions(name: string, { type }: VariableDeclaration, change: "lost" | "won"): readonly string[] {
  const what =
    name === "baseUrl"
      ? "base URL of the API"
      : name === "timeout" && type === "number"
        ? "time-out of its requests"
        : undefined
  if (what === undefined) return []
  return change === "lost"
    ? [
        `A variable "${name}" gives the ${what}; without one, what the document or callsheet itself says holds.`,
      ]
    : [`From now on this variable gives the ${what}, by its name "${name}".`]
}

function requireDeclared(files: EnvironmentFiles, name: string): VariableDeclaration {
  const declaration = files.variables.get(name)
  if (declaration !== undefined) return declaration
  const hint = suggest(name, files.variables.keys())
  throw new CallsheetError(
    "variable-undeclared",
    `the API "${files.api}" declares no variable ${JSON.stringify(name)}`,
    { hint },
  )
}

function requireNewName({ api, declared }: EnvironmentFiles, name: string): void {
  const finding = checkVariableName(name)
  if (finding !== undefined) throw new CallsheetError(finding.code, finding.message, { hint: finding.hint })
  if (declared?.has(name) !== true) return
  throw new CallsheetError("variable-exists", `the API "${api}" declares a variable "${name}" already`)
}

function takenName({ values, valueFile, secretsFile }: Environment, to: string): Problem {
  const message = `the file holds a value of the name "${to}" already, which nothing declares`
  const hint = "remove it first"
  if (values.has(to))
    return createProblemMaker(valueFile)([to], "key", { code: "variable-exists", message, hint })
  return { code: "variable-exists", severity: "error", message, hint, file: secretsFile?.file }
}

/** Errors that the files would have and do not have now: whatever is wrong with a change, it is not written. */
function newErrors(files: EnvironmentFiles, after: EnvironmentFiles): readonly Problem[] {
  const known = new Set(files.problems.map(keyOf))
  const hidden = new Set(hidingProblems(files.problems).map(({ file }) => file))
  return after.problems.filter(
    (problem) => problem.severity === "error" && !hidden.has(problem.file) && !known.has(keyOf(problem)),
  )
}

const keyOf = ({ code, file, message }: Problem): string => JSON.stringify([code, file, message])

function addDeclaration(texts: EditedTexts, name: string, declaration: VariableDeclaration): void {
  const { type, required, description, secret, default: fallback } = declaration
  const value: Readonly<Record<string, JsonValue>> = {
    type,
    required,
    ...(description === undefined ? {} : { description }),
    ...(secret === true ? { secret } : {}),
    ...(fallback === undefined ? {} : { default: fallback }),
  }
  texts.schema.set(["variables", name], value, environmentSchemaShape)
}

/** Makes the fields of a declaration say what they are to say. `secret` is not written where it says what holds without it. */
function changeDeclaration(texts: EditedTexts, change: ChangedDeclaration, old: VariableDeclaration): void {
  const { name, declaration, keepDefault } = change
  const { type, required, description, secret = false } = declaration
  const put = (field: string, value: JsonValue | undefined): void =>
    texts.schema.set(["variables", name, field], value, environmentSchemaShape)
  const fallback = keepDefault === true ? keptDefault(texts, change, old) : declaration.default
  put("type", type)
  put("required", required)
  put("description", description)
  if (secret !== (old.secret ?? false)) put("secret", secret ? true : undefined)
  put("default", fallback)
}

function keptDefault(
  texts: EditedTexts,
  { name, declaration }: ChangedDeclaration,
  old: VariableDeclaration,
): JsonValue | undefined {
  if (old.default === undefined) return undefined
  const source = { file: texts.schemaFile, text: texts.schema.text }
  const key = ["variables", name, "default"] as const
  const converted = convert(source, key, old.default, declaration.type)
  if (converted !== undefined) return converted
  throwIfAny([
    createProblemMaker(source)(key, "value", {
      code: "variable-type",
      message: `the default of "${name}" is not a ${declaration.type}, as which it is to be declared`,
      hint: "give it another default, or none",
    }),
  ])
  return undefined
}
