// Previews changes of declarations for the whole project: in environments, and wherever a renamed variable is used.

import {
  coerceText,
  stringifyJson,
  type EnvironmentFiles,
  type Project,
  type VariableDeclaration,
  type Problem,
} from "@callsheet/format"
import { renameVariable, scriptFile, variablePlaces } from "@callsheet/language"
import {
  applyTextEdits,
  createFileReader,
  openProject,
  makeSchemaChange,
  type SchemaChangeSet,
  type SchemaChange as ProjectSchemaChange,
  type TextEdit,
  type WriteOptions,
} from "@callsheet/project"
import { readDocument, securitySchemesOf } from "@callsheet/openapi"
import { CallRefused } from "../handlers.ts"
import type { ChangePreview, Input, NewDeclaration, SchemaChange } from "../calls/index.ts"
import {
  boundNotes,
  boundPlaces,
  brokenWorkflows,
  MAX_PLACES,
  mentionsIn,
  placeNotes,
} from "../change-sets/notes.ts"
import { digestOf, type ChangeSets, type WorkedOut } from "../change-sets/change-sets.ts"
import { readPart } from "../project/read-parts.ts"
import { readScript } from "../project/read-script.ts"
import {
  createNewSecretsMasker,
  createSecretsMasker,
  type KeptOutside,
  type Masker,
  type NewSecrets,
} from "../secrets/secrets-masker.ts"
import { maskProblems } from "../secrets/mask-json-text.ts"
import { historyNotes } from "../git/git-history.ts"
import { refuseChange, unknownApi } from "./refuse-change.ts"
import { showEdits } from "./show-edits.ts"
import { notes as noteTexts } from "../messages.ts"

export interface SchemaChangeOptions {
  readonly root: string
  readonly processEnvironment: Readonly<Record<string, string | undefined>>
  readonly changeSets: ChangeSets
  /** Drafts and reports, which may contain a value that becomes secret. */
  readonly keptOutside?: readonly KeptOutside[]
  readonly write?: WriteOptions
}

export async function previewSchemaChange(
  { api, change }: Input<"schemas.plan">,
  options: SchemaChangeOptions,
): Promise<ChangePreview> {
  const worked = await workOutChange(api, change, options)
  const { edits, masker, hides } = worked
  const notes = [
    ...worked.notes,
    ...(await historyNotes(worked, options)),
    ...(await outsideNotes(worked, options)),
  ]
  const plan = options.changeSets.keep({
    digest: digestOf(edits),
    length: stringifyJson(change).length,
    workOut: async () => ready(await workOutChange(api, change, options), options),
  })
  return { plan, ...showEdits(edits, { masker, hides }), notes: boundNotes(notes) }
}

const ready = (
  { edits, title, masker, newSecrets }: WorkedOutChange,
  { root, write, keptOutside = [] }: SchemaChangeOptions,
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
  { keptOutside = [] }: SchemaChangeOptions,
): Promise<readonly string[]> {
  if (newSecrets === undefined) return []
  const reported = await Promise.all(keptOutside.map(({ notes }) => notes(newSecrets)))
  const elsewhere = exposed.length === 0 ? [] : [noteTexts.otherReports()]
  return [...reported.flat(), ...elsewhere]
}

interface WorkedOutChange extends SchemaChangeSet {
  readonly masker: Masker
  /** The variables whose values are never shown, not even in a file that shouldn't contain them. */
  readonly hides: ReadonlySet<string>
  readonly newSecrets: NewSecrets | undefined
}

async function workOutChange(
  api: string,
  change: SchemaChange,
  { root, processEnvironment }: SchemaChangeOptions,
): Promise<WorkedOutChange> {
  const project = readFor(root, change)
  const files = project.apis.get(api)?.environments
  if (files === undefined) throw unknownApi(api, project.apis.keys())
  try {
    const planned = makeSchemaChange(files, typed(change))
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

/** Reads the project. Files that use variables are needed only to rename or delete one. */
function readFor(root: string, change: SchemaChange): Project {
  const wantsReaders = change.do === "rename" || change.do === "delete"
  return readPart(root, { workflows: wantsReaders ? "all" : [], apis: "all", documents: "named" })
}

async function readers(
  project: Project,
  { api }: EnvironmentFiles,
  { change, masker }: { readonly change: SchemaChange; readonly masker: Masker },
): Promise<Pick<SchemaChangeSet, "edits" | "notes">> {
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

/** Parses a default as the declared type. Keeps a string that doesn't parse: the schema's check reports it. */
function typedDeclaration({ default: fallback, ...rest }: NewDeclaration): VariableDeclaration {
  if (fallback === undefined) return rest
  const read = typeof fallback === "string" ? (coerceText(fallback, rest.type) ?? fallback) : fallback
  return { ...rest, default: read }
}

const both = ({ apis }: Project, after: EnvironmentFiles) => ({
  apis: new Map([
    ...[...apis].map(([name, { environments }]) => [name, { environments }] as const),
    // No API can have this name.
    ["", { environments: after }] as const,
  ]),
})

const secretNames = ({ variables }: EnvironmentFiles): readonly string[] =>
  [...variables].flatMap(([name, { secret }]) => (secret === true ? [name] : []))

interface Variable {
  readonly api: string
  readonly name: string
}

/**
 * Returns notes about uses of a name that a rename doesn't change: in scripts, in invalid files, and in ambiguous
 * strings.
 */
async function mentionNotes(
  project: Project,
  variable: Variable,
  places: readonly Problem[],
): Promise<readonly string[]> {
  return [
    ...placeNotes(places),
    ...boundPlaces(brokenMentions(project, variable.name)),
    ...boundPlaces(scriptMentions(project, variable.name)),
    ...(await schemeNotes(project, variable)),
  ]
}

const patternOf = (name: string): RegExp =>
  new RegExp(`(?<![A-Za-z0-9_-])${name}(?![A-Za-z0-9_-])[^\\n]*`, "g")

function brokenMentions(project: Project, name: string): readonly string[] {
  const requests = [...project.apis.values()].flatMap(({ instances }) =>
    [...instances.values()].filter(({ request }) => request === undefined),
  )
  const sentence = noteTexts.brokenMention(name)
  return [...brokenWorkflows(project), ...requests].flatMap((file) =>
    mentionsIn(file, patternOf(name), sentence),
  )
}

/** Finds scripts that may read the variable with `ctx.env(api)`. They aren't changed automatically. */
function scriptMentions({ root, scriptNames }: Project, name: string): readonly string[] {
  const notes: string[] = []
  for (const [workflow, names] of scriptNames) {
    for (const script of names) {
      const file = scriptFile(workflow, script)
      const text = readScript(root, file)
      if (/\benv\b/.test(text))
        notes.push(...mentionsIn({ file, text }, patternOf(name), noteTexts.scriptMention(name)))
      if (notes.length > 2 * MAX_PLACES) return notes
    }
  }
  return notes
}

/** Warns if the document has a security scheme with this name: the variable contains its credentials. */
async function schemeNotes({ apis, root }: Project, { api, name }: Variable): Promise<readonly string[]> {
  const file = apis.get(api)?.documentFile
  if (file === undefined) return []
  const read = createFileReader(openProject(root))(file)
  if (!read.ok || !patternOf(name).test(read.value.text)) return []
  const { document } = await readDocument(read.value)
  if (document === undefined || !securitySchemesOf(document).some((scheme) => scheme.name === name)) return []
  return [noteTexts.securityScheme(name)]
}
