// A change of the declarations, worked out for the whole project: environments, and what reads a variable that gets another name.

import {
  CallsheetError,
  checkEnvironmentFiles,
  coerceText,
  suggest,
  type EnvironmentFiles,
  type Project,
  type VariableDeclaration,
} from "@callsheet/format"
import type { Masker } from "@callsheet/engine"
import { renameVariable, variablePlaces } from "@callsheet/language"
import {
  planSchemaChange,
  readProject,
  type PlannedSchemaChange,
  type SchemaChange as ProjectSchemaChange,
  type TextEdit,
} from "@callsheet/project"
import type { NewDeclaration, SchemaChange } from "../calls/index.ts"
import { CallRefused } from "../call-refused.ts"
import { maskProblems } from "../secrets/mask-problems.ts"
import { withoutOutsidePaths } from "../project/read-parts.ts"
import type { NewSecrets } from "../secrets/kept-outside.ts"
import { createNewSecretsMasker, createSecretsMasker } from "../secrets/secrets-masker.ts"
import { mentionNotes } from "./name-mentions.ts"
import { refuseChange } from "./refuse-change.ts"

export interface ChangeOptions {
  /** Absolute path of the project. */
  readonly root: string
  readonly processEnvironment: Readonly<Record<string, string | undefined>>
}

export interface WorkedOutChange extends PlannedSchemaChange {
  /** Of all secrets, as they are and as they would be. */
  readonly masker: Masker | undefined
  /** Names of variables whose values are not shown, not even in files where they should not stand. */
  readonly hides: ReadonlySet<string>
  /** Where a variable becomes a secret. */
  readonly newSecrets: NewSecrets | undefined
}

/** Writes nothing. Throws as the page is to hear it. */
export async function workOutChange(
  api: string,
  change: SchemaChange,
  { root, processEnvironment }: ChangeOptions,
): Promise<WorkedOutChange> {
  const project = readFor(root, change)
  const files = project.apis.get(api)?.environments
  if (files === undefined) {
    const hint = suggest(api, project.apis.keys())
    throw new CallsheetError("api-unknown", `there is no API ${JSON.stringify(api)}`, { hint })
  }
  try {
    const planned = planSchemaChange(files, typed(change))
    const after = filesAfter(files, planned.edits)
    const together = both(project, after)
    const masker = createSecretsMasker(together, processEnvironment)
    const read = await readers(project, files, { change, masker })
    return {
      ...planned,
      edits: [...planned.edits, ...read.edits],
      notes: [...planned.notes, ...read.notes],
      masker,
      hides: new Set([...secretNames(files), ...secretNames(after)]),
      newSecrets: makesSecret(files, after)
        ? {
            masker: createNewSecretsMasker({ before: project, after: together }, processEnvironment),
            variablesOf: (name) => (name === api ? after.variables : undefined),
          }
        : undefined,
    }
  } catch (error) {
    throw refuseChange(error, createSecretsMasker(project, processEnvironment))
  }
}

function makesSecret(before: EnvironmentFiles, after: EnvironmentFiles): boolean {
  const known = new Set(secretNames(before))
  return secretNames(after).some((name) => !known.has(name))
}

/** Who reads a variable matters where its name goes. */
function readFor(root: string, change: SchemaChange): Project {
  const wantsReaders = change.do === "rename" || change.do === "delete"
  const workflows = wantsReaders ? "all" : []
  return withoutOutsidePaths(() => readProject(root, { workflows, apis: "all", documents: "named" }))
}

interface Readers {
  readonly edits: readonly TextEdit[]
  readonly notes: readonly string[]
}

async function readers(
  project: Project,
  { api }: EnvironmentFiles,
  { change, masker }: { readonly change: SchemaChange; readonly masker: Masker | undefined },
): Promise<Readers> {
  if (change.do !== "rename" && change.do !== "delete") return { edits: [], notes: [] }
  const variable = { api, name: change.name }
  if (change.do === "delete")
    return { edits: [], notes: await mentionNotes(project, variable, variablePlaces(project, variable)) }
  const { texts, doubts, problems } = renameVariable(project, variable, change.to)
  const [first] = maskProblems(problems, masker)
  if (first !== undefined)
    throw new CallRefused(422, first.code, first.message, {
      hint: first.hint,
      problems: maskProblems(problems, masker),
    })
  return {
    edits: texts.map((text): TextEdit => ({ ...text, isSecret: false })),
    notes: await mentionNotes(project, variable, doubts),
  }
}

function typed(change: SchemaChange): ProjectSchemaChange {
  return "declaration" in change ? { ...change, declaration: typedDeclaration(change.declaration) } : change
}

/** A text is read as the declared type; one that is none is refused as the schema's own check says it. */
function typedDeclaration({ default: fallback, ...rest }: NewDeclaration): VariableDeclaration {
  if (fallback === undefined) return rest
  const read = typeof fallback === "string" ? (coerceText(fallback, rest.type) ?? fallback) : fallback
  return { ...rest, default: read }
}

function filesAfter(files: EnvironmentFiles, edits: readonly TextEdit[]): EnvironmentFiles {
  const texts = new Map<string, string>()
  const { schemaFile } = files
  if (schemaFile !== undefined) texts.set(schemaFile.file, schemaFile.text)
  for (const { valueFile, secretsFile } of files.environments.values()) {
    texts.set(valueFile.file, valueFile.text)
    if (secretsFile !== undefined) texts.set(secretsFile.file, secretsFile.text)
  }
  for (const { file, after } of edits) texts.set(file, after)
  return checkEnvironmentFiles({ api: files.api, files: [...texts].map(([file, text]) => ({ file, text })) })
}

const both = ({ apis }: Project, after: EnvironmentFiles) => ({
  apis: new Map([
    ...[...apis].map(([name, { environments }]) => [name, { environments }] as const),
    // No API has this name.
    ["", { environments: after }] as const,
  ]),
})

const secretNames = ({ variables }: EnvironmentFiles): readonly string[] =>
  [...variables].flatMap(([name, { secret }]) => (secret === true ? [name] : []))
