// `callsheet schema`: the JSON Schemas of the project's files, for editors and other tools.

import {
  CallsheetError,
  jsonSchemaOf,
  publishedSchemas,
  schemaKinds,
  suggest,
  valueFileSchemaOf,
  type JsonObject,
  type SchemaKind,
} from "@callsheet/format"
import { openProject, readEnvironments } from "@callsheet/project"
import type { Command, CommandCall } from "../command.ts"
import { messages } from "../messages.ts"
import { knownApi, openRoot } from "../open-root.ts"
import type { Style } from "../screen.ts"
import { jsonDocument } from "../text/json-document.ts"
import { tableLines } from "../text/table.ts"

export const schema: Command = async (call) => {
  const { words, options, screen } = call
  const kind = kindOf(words[0])
  const api = options.value("api")
  if (api !== undefined) requireValues(kind)
  if (kind === undefined) screen.out.write(listKinds(screen.out.style))
  else {
    const printed = api === undefined ? jsonSchemaOf(kind) : await schemaOfApi(call, api)
    screen.out.write(jsonDocument(printed))
  }
  return 0
}

function kindOf(word: string | undefined): SchemaKind | undefined {
  if (word === undefined) return undefined
  const kind = schemaKinds.find((known) => known === word)
  if (kind !== undefined) return kind
  const suggestion = suggest(word, schemaKinds)
  throw new CallsheetError(messages.usage.unknownName("schema", word, schemaKinds, suggestion))
}

function requireValues(kind: SchemaKind | undefined): void {
  if (kind === "environment-values") return
  throw new CallsheetError(messages.usage.schemaApi())
}

async function schemaOfApi(call: CommandCall, name: string): Promise<JsonObject> {
  const project = openProject(await openRoot(call))
  const environments = readEnvironments(project, knownApi(project, name))
  const file = `apis/${name}/environments/schema.json`
  const problems = environments.problems.filter(
    (problem) => problem.file === file && problem.severity === "error",
  )
  // A schema of only some declarations would reject the other variables.
  if (problems.length > 0) throw new CallsheetError(messages.usage.schemaErrors(file), { problems })
  return valueFileSchemaOf(environments)
}

function listKinds(style: Style): string {
  const rows = schemaKinds.map((kind) => [kind, publishedSchemas[kind].files])
  return `${tableLines(["SCHEMA", "FILES"], rows, style).join("\n")}\n`
}
