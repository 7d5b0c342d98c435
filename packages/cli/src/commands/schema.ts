// `callsheet schema`: prints the JSON Schemas of project files for editors and other tools.

import {
  CallsheetError,
  jsonSchemaOf,
  publishedSchemas,
  schemaKinds,
  valueFileSchemaOf,
  type JsonObject,
} from "@callsheet/format"
import { openProject, readEnvironments } from "@callsheet/project"
import type { Command, CommandCall } from "../args/command.ts"
import { messages } from "../messages.ts"
import { knownApi, openRoot } from "../open-root.ts"
import { readName } from "../args/read-option.ts"
import { jsonDocument } from "../text/json-document.ts"
import { tableText } from "../text/table.ts"

export const schema: Command = async (call) => {
  const { words, options, screen } = call
  const kind = words[0] === undefined ? undefined : readName("schema", words[0], schemaKinds)
  const api = options.value("api")
  if (api !== undefined && kind !== "environment-values") throw new CallsheetError(messages.usage.schemaApi())
  if (kind === undefined) {
    const rows = schemaKinds.map((each) => [each, publishedSchemas[each].files])
    screen.out.write(tableText(["SCHEMA", "FILES"], rows, screen.out.style))
  } else screen.out.write(jsonDocument(api === undefined ? jsonSchemaOf(kind) : await schemaOfApi(call, api)))
  return 0
}

async function schemaOfApi(call: CommandCall, name: string): Promise<JsonObject> {
  const project = openProject(await openRoot(call))
  const environments = readEnvironments(project, knownApi(project, name))
  const file = `apis/${name}/environments/schema.json`
  const problems = environments.problems.filter(
    (problem) => problem.file === file && problem.severity === "error",
  )
  // A schema from only the readable declarations would reject all other variables.
  if (problems.length > 0) throw new CallsheetError(messages.usage.schemaErrors(file), { problems })
  return valueFileSchemaOf(environments)
}
