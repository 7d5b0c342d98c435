// Previews schema changes for the whole project: in environments, and wherever a renamed variable is used.

import {
  coerceText,
  stringifyJson,
  type EnvironmentFiles,
  type Project,
  type VariableDeclaration,
} from "@callsheet/format"
import { renameVariable, variablePlaces } from "@callsheet/language"
import {
  applyTextEdits,
  planSchemaChange,
  type PlannedSchemaChange,
  type SchemaChange as ProjectSchemaChange,
  type TextEdit,
  type WriteOptions,
} from "@callsheet/project"
import { CallRefused } from "../handlers.ts"
import type { ChangePlan, Input, NewDeclaration, SchemaChange } from "../calls/index.ts"
import { boundNotes } from "../plans/notes.ts"
import { digestOf, type Plans, type WorkedOut } from "../plans/plans.ts"
import { readPart } from "../project/read-parts.ts"
import {
  createNewSecretsMasker,
  createSecretsMasker,
  type KeptOutside,
  type Masker,
  type NewSecrets,
} from "../secrets/secrets-masker.ts"
import { maskProblems } from "../secrets/mask-json-text.ts"
import { historyNotes } from "./git-history.ts"
import { mentionNotes } from "./name-mentions.ts"
import { refuseChange, unknownApi } from "./refuse-change.ts"
import { showEdits } from "./show-edits.ts"

export interface SchemaPlansOptions {
  readonly root: string
  readonly processEnvironment: Readonly<Record<string, string | undefined>>
  readonly plans: Plans
  /** Drafts and reports. They may contain a value that becomes secret. */
  readonly keptOutside?: readonly KeptOutside[]
  readonly write?: WriteOptions
}

export async function planSchema(
  { api, change }: Input<"schemas.plan">,
  options: SchemaPlansOptions,
): Promise<ChangePlan> {
  const worked = await workOutChange(api, change, options)
  const { edits, masker, hides } = worked
  const notes = [
    ...worked.notes,
    ...(await historyNotes(worked, options)),
    ...(await outsideNotes(worked, options)),
  ]
  const plan = options.plans.keep({
    digest: digestOf(edits),
    length: stringifyJson(change).length,
    workOut: async () => ready(await workOutChange(api, change, options), options),
  })
  return { plan, ...showEdits(edits, { masker, hides }), notes: boundNotes(notes) }
}

const ready = (
  { edits, title, masker, newSecrets }: WorkedOutChange,
  { root, write, keptOutside = [] }: SchemaPlansOptions,
): WorkedOut => ({
  digest: digestOf(edits),
  write: async () => {
    await applyTextEdits({ root, title, edits }, write).catch((error: unknown) => {
      throw refuseChange(error, masker)
    })
    if (newSecrets !== undefined) for (const { hide } of keptOutside) await hide(newSecrets)
  },
})

async function outsideNotes(
  { newSecrets, exposed }: WorkedOutChange,
  { keptOutside = [] }: SchemaPlansOptions,
): Promise<readonly string[]> {
  if (newSecrets === undefined) return []
  const reported = await Promise.all(keptOutside.map(({ notes }) => notes(newSecrets)))
  const elsewhere =
    exposed.length === 0 ? [] : ["Reports that were written elsewhere, as in CI, may hold the values too."]
  return [...reported.flat(), ...elsewhere]
}

interface WorkedOutChange extends PlannedSchemaChange {
  readonly masker: Masker
  /** The names of variables whose values are never shown, even in files that shouldn't contain them. */
  readonly hides: ReadonlySet<string>
  readonly newSecrets: NewSecrets | undefined
}

async function workOutChange(
  api: string,
  change: SchemaChange,
  { root, processEnvironment }: SchemaPlansOptions,
): Promise<WorkedOutChange> {
  const project = readFor(root, change)
  const files = project.apis.get(api)?.environments
  if (files === undefined) throw unknownApi(api, project.apis.keys())
  try {
    const planned = planSchemaChange(files, typed(change))
    const { after } = planned
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

/** Reads the project. Only renaming or deleting a variable requires the files that use it. */
function readFor(root: string, change: SchemaChange): Project {
  const wantsReaders = change.do === "rename" || change.do === "delete"
  return readPart(root, { workflows: wantsReaders ? "all" : [], apis: "all", documents: "named" })
}

async function readers(
  project: Project,
  { api }: EnvironmentFiles,
  { change, masker }: { readonly change: SchemaChange; readonly masker: Masker },
): Promise<Pick<PlannedSchemaChange, "edits" | "notes">> {
  if (change.do !== "rename" && change.do !== "delete") return { edits: [], notes: [] }
  const variable = { api, name: change.name }
  if (change.do === "delete")
    return { edits: [], notes: await mentionNotes(project, variable, variablePlaces(project, variable)) }
  const { texts, warnings, problems } = renameVariable(project, variable, change.to)
  const masked = maskProblems(problems, masker)
  const [first] = masked
  if (first !== undefined) throw new CallRefused(422, first, { problems: masked })
  return {
    edits: texts.map((text): TextEdit => ({ ...text, isSecret: false })),
    notes: await mentionNotes(project, variable, warnings),
  }
}

function typed(change: SchemaChange): ProjectSchemaChange {
  return "declaration" in change ? { ...change, declaration: typedDeclaration(change.declaration) } : change
}

/** Parses a default as the declared type. Keeps a string that doesn't parse, so that the schema's own check reports it. */
function typedDeclaration({ default: fallback, ...rest }: NewDeclaration): VariableDeclaration {
  if (fallback === undefined) return rest
  const read = typeof fallback === "string" ? (coerceText(fallback, rest.type) ?? fallback) : fallback
  return { ...rest, default: read }
}

const both = ({ apis }: Project, after: EnvironmentFiles) => ({
  apis: new Map([
    ...[...apis].map(([name, { environments }]) => [name, { environments }] as const),
    // An API can't have this name.
    ["", { environments: after }] as const,
  ]),
})

const secretNames = ({ variables }: EnvironmentFiles): readonly string[] =>
  [...variables].flatMap(([name, { secret }]) => (secret === true ? [name] : []))
