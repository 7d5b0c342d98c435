// What VS Code needs to complete and check the files of a project: the schemas, and which files each is for.

import { jsonSchemaOf, schemaKinds, stringifyJson, type JsonObject, type SchemaKind } from "@callsheet/format"
import type { FileEdit } from "@callsheet/project"
import { addSchemas } from "./edit-settings.ts"

export const SETTINGS_FILE = ".vscode/settings.json"

// A file matches where the last pattern that it matches has no "!". VS Code looks for them below the folder that it has opened.
const fileMatch: { readonly [K in SchemaKind]: readonly string[] } = {
  "environment-schema": ["/apis/*/environments/schema.json"],
  "environment-values": ["/apis/*/environments/*.json", "!/apis/*/environments/schema.json"],
  workflow: ["/apis/workflow/*.json"],
  "saved-request": ["/apis/*/requests/*/*.json"],
}

const schemaFile = (kind: SchemaKind): string => `.vscode/callsheet/${kind}.schema.json`

/** What stands in the settings under "json.schemas". */
export const settingsEntries: readonly JsonObject[] = schemaKinds.map((kind) => ({
  fileMatch: fileMatch[kind],
  url: `./${schemaFile(kind)}`,
}))

/** The schemas as they are now, and the settings that name them; `refused` is called where these cannot be edited. */
export function editorFiles(refused: () => void): readonly FileEdit[] {
  const schemas = schemaKinds.map((kind) => ({
    file: schemaFile(kind),
    edit: () => `${stringifyJson(jsonSchemaOf(kind), { indent: 2 })}\n`,
  }))
  const settings = (text: string | undefined): string | undefined => {
    const edited = addSchemas(text, settingsEntries)
    if (edited === undefined) refused()
    return edited
  }
  return [...schemas, { file: SETTINGS_FILE, edit: settings }]
}
