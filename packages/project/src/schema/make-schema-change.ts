// Makes the change set of an edit of an API's declarations: edits of its environment files, which it doesn't write.

import {
  CallsheetError,
  checkEnvironmentFiles,
  createProblemMaker,
  environmentSchemaShape,
  checkVariableName,
  formatMessages,
  processVariableName,
  suggest,
  toProblem,
  type Environment,
  type EnvironmentFiles,
  type JsonValue,
  type Problem,
  type VariableDeclaration,
} from "@callsheet/format"
import { messages, notes as noteTexts } from "../messages.ts"
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
import type { TextEdit } from "./apply-text-edits.ts"

export type SchemaChange =
  | { readonly do: "add"; readonly name: string; readonly declaration: VariableDeclaration }
  | ChangedDeclaration
  | { readonly do: "rename"; readonly name: string; readonly to: string }
  | { readonly do: "delete"; readonly name: string }

interface ChangedDeclaration {
  readonly do: "change"
  readonly name: string
  readonly declaration: VariableDeclaration
  readonly keepDefault?: boolean | undefined
  /** Set if the variable stops being a secret: keeps the values in secrets files, or moves them. */
  readonly secretValues?: "keep" | "move" | undefined
}

export interface SchemaChangeSet {
  /** A description of the change for people: `rename the variable "a" of the API "shop" to "b"`. */
  readonly title: string
  /** The edits of the schema, then those of the environments by name. */
  readonly edits: readonly TextEdit[]
  /** The resulting environments. */
  readonly after: EnvironmentFiles
  readonly notes: readonly string[]
  /** Value files that contained the secret until now. Git history still contains it. */
  readonly exposed: readonly string[]
}

/**
 * Makes a change set, or throws all problems at once: `variable-name`, `variable-reserved`, `variable-undeclared`,
 * `variable-exists`, `variable-type`, `secret-unquotable`, syntax errors in the files, and `secret-values` if
 * `secretValues` is needed.
 */
export function makeSchemaChange(files: EnvironmentFiles, change: SchemaChange): SchemaChangeSet {
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
  // The values of an undeclared key become values of the new variable.
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
  if (isSecret && fallback !== undefined && fallback !== null) notes.push(noteTexts.visibleDefault(name))
}

function hide({ notes, exposed }: Work, conversion: Conversion): void {
  const { left, hidden } = hideValues(conversion)
  exposed.push(...left)
  for (const file of hidden) notes.push(noteTexts.duplicate(file, conversion.name))
}

function show(work: Work, { name, secretValues }: ChangedDeclaration, conversion: Conversion): void {
  const { files, notes } = work
  const owners = [...files.environments.values()]
    .filter(({ secrets }) => secrets.has(name))
    .map((environment) => environment.name)
  if (owners.length > 0 && secretValues === undefined)
    throw new CallsheetError(messages["secret-values"].undecided(name, owners))
  if (secretValues === "move") {
    const shown = showValues(conversion)
    if (shown.length > 0) notes.push(noteTexts.shown(name, shown))
  } else if (owners.length > 0) notes.push(noteTexts.kept(name, owners))
  notes.push(noteTexts.unmasked(name))
}

function rename(work: Work, name: string, to: string): void {
  const { files, texts, problems, notes } = work
  const declaration = requireDeclared(files, name)
  if (to === name) throw new CallsheetError(messages["variable-exists"].sameName(name))
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
  const source = (each: string) => ({
    variable: processVariableName(files.api, each),
    option: `${files.api}.${each}`,
  })
  notes.push(noteTexts.processVariable(source(name), source(to)))
}

function remove({ files, texts, problems, notes }: Work, name: string): void {
  const declaration = requireDeclared(files, name)
  requireWhole(files)
  texts.schema.delete(["variables", name])
  dropValues({ texts, name, problems })
  notes.push(...conventions(name, declaration, "lost"))
}

function conventions(name: string, { type }: VariableDeclaration, change: "lost" | "won"): readonly string[] {
  const purpose =
    name === "baseUrl"
      ? "base URL of the API"
      : name === "timeout" && type === "number"
        ? "timeout of its requests"
        : undefined
  return purpose === undefined ? [] : [noteTexts[change](name, purpose)]
}

function requireDeclared(files: EnvironmentFiles, name: string): VariableDeclaration {
  const declaration = files.variables.get(name)
  if (declaration !== undefined) return declaration
  const hint = suggest(name, files.variables.keys())
  throw new CallsheetError(formatMessages["variable-undeclared"].override(files.api, name, hint))
}

function requireNewName({ api, declared }: EnvironmentFiles, name: string): void {
  const finding = checkVariableName(name)
  if (finding !== undefined) throw new CallsheetError(finding)
  if (declared?.has(name) === true) throw new CallsheetError(messages["variable-exists"].declared(api, name))
}

function takenName({ values, valueFile, secretsFile }: Environment, to: string): Problem {
  const finding = messages["variable-exists"].value(to)
  return values.has(to)
    ? createProblemMaker(valueFile)([to], "key", finding)
    : toProblem(finding, secretsFile?.file)
}

/** Returns the new errors that the change would cause. If there are any, the change isn't written. */
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

/** Sets the fields of a declaration. Writes `secret` only if it isn't the default. */
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
    createProblemMaker(source)(key, "value", messages["variable-type"].default(name, declaration.type)),
  ])
  return undefined
}
