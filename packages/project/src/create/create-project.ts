// Creates a project from a template, with schemas for editors.

import { existsSync, lstatSync } from "node:fs"
import { join } from "node:path"
import {
  attempt,
  CallsheetError,
  editorSchemaOf,
  schemaKinds,
  stringifyJson,
  type JsonObject,
  type SchemaKind,
} from "@callsheet/format"
import { GITIGNORE_FILE, ignoringLocalFiles } from "../environment/ignore-secrets.ts"
import { messages } from "../messages.ts"
import type { Changed } from "../write/change-project.ts"
import { addSchemas } from "./edit-settings.ts"
import { writeFiles, type FileEdit } from "./write-files.ts"

export const SETTINGS_FILE = ".vscode/settings.json"
const RECOMMENDATIONS_FILE = ".vscode/extensions.json"
const EXTENSION = "callsheet.callsheet-vscode"

// For each file, the last matching pattern decides. A "!" excludes the file. VS Code resolves patterns from the opened
// directory.
const fileMatch: { readonly [K in SchemaKind]: readonly string[] } = {
  "environment-schema": ["/apis/*/environments/schema.json"],
  "environment-values": ["/apis/*/environments/*.json", "!/apis/*/environments/schema.json"],
  workflow: ["/apis/workflow/*.json"],
  "saved-request": ["/apis/*/requests/*/*.json"],
  project: ["/callsheet.json"],
  baseline: ["/callsheet.baseline.json"],
}

const SCHEMA_FOLDER = ".vscode/callsheet/"
const schemaFile = (kind: SchemaKind): string => `${SCHEMA_FOLDER}${kind}.schema.json`

const settingsEntries: readonly JsonObject[] = schemaKinds.map((kind) => ({
  fileMatch: fileMatch[kind],
  url: `./${schemaFile(kind)}`,
}))

export interface EditorFilesWritten extends Changed {
  /** The entries for the editor's settings, if the settings can't be edited. */
  readonly missingSettings?: readonly JsonObject[] | undefined
}

interface NewProject {
  readonly root: string
  /** The directory's name in messages. */
  readonly name: string
  /** The files of `apis/` by path. */
  readonly template: ReadonlyMap<string, string>
}

/** Creates the files. Throws `project-exists` if `apis/` exists, and the errors of `writeFiles`. */
export async function createProject({ root, name, template }: NewProject): Promise<EditorFilesWritten> {
  const guard = (): void => {
    const found = attempt(() => lstatSync(join(root, "apis"), { throwIfNoEntry: false }))
    if (found !== undefined) throw new CallsheetError(messages["project-exists"].exists(name))
  }
  guard()
  return writeWithSchemas(root, {
    title: "create a project",
    guard,
    folder: { name: "apis", files: template },
    edits: [{ file: GITIGNORE_FILE, edit: (text) => ignoringLocalFiles(text ?? "") }],
  })
}

/**
 * Writes the schemas for editors, the settings that name them, and the recommendation of the extension. Keeps an existing
 * list of recommendations, and settings from which the entries were removed.
 */
export const writeEditorFiles = (root: string): Promise<EditorFilesWritten> =>
  writeWithSchemas(root, { title: "update the editor's schemas", edits: [] })

async function writeWithSchemas(
  root: string,
  { edits, ...request }: Omit<Parameters<typeof writeFiles>[0], "root">,
): Promise<EditorFilesWritten> {
  let isRefused = false
  const schemas = schemaKinds.map((kind): FileEdit => ({
    file: schemaFile(kind),
    edit: () => `${stringifyJson(editorSchemaOf(kind), { indent: 2 })}\n`,
  }))
  // Whoever has the schemas but none of the entries removed them, because the extension explains the same fields.
  const hadSchemas = schemaKinds.some((kind) => existsSync(join(root, schemaFile(kind))))
  const settings: FileEdit = {
    file: SETTINGS_FILE,
    edit: (text) => {
      if (hadSchemas && text?.includes(SCHEMA_FOLDER) === false) return undefined
      const edited = addSchemas(text, settingsEntries)
      isRefused ||= edited === undefined
      return edited
    },
  }
  const recommendations: FileEdit = {
    file: RECOMMENDATIONS_FILE,
    edit: (text) => text ?? `${stringifyJson({ recommendations: [EXTENSION] }, { indent: 2 })}\n`,
  }
  const all = [...edits, ...schemas, settings, recommendations]
  const changed = await writeFiles({ ...request, root, edits: all })
  return { ...changed, missingSettings: isRefused ? settingsEntries : undefined }
}
