// Makes a literal of a request a variable of its API, with the literal as its value in the value files.

import { jsonPlaceAt, setJsonAt } from "@callsheet/format"
import { addVariable } from "../commands/add-variable.ts"
import { writeCommands } from "../commands/command.ts"
import { uriOf } from "../workspace/uris.ts"
import { forCodes, type Offer, type Offering } from "./action.ts"
import { extractionAt } from "./extraction.ts"

export const extractValue: Offering = ({ place, offset, context }): readonly Offer[] => {
  const found = extractionAt(place, offset)
  const files = found && place.view.project.apis.get(found.api)?.environments
  if (found === undefined || files === undefined) return []
  const { api, name, type, value, isSecret, text, environments } = found
  const title = `Extract the ${isSecret ? "secret" : "value"} to the variable "${name}" of ${api}`
  const kind = "refactor.extract"
  if (isSecret) {
    if (!context.isTrusted || context.capabilities.workspace?.applyEdit !== true) return []
    const argument = { uri: place.file.uri, offset }
    return [{ title, kind, command: { title, command: writeCommands.extractSecret, arguments: [argument] } }]
  }
  const change = addVariable(files, { name, type, isSecret: false })
  const values = environments.flatMap(({ valueFile }) => {
    const edited = setJsonAt(valueFile.text, [name], value)
    return edited.ok ? [{ file: valueFile.file, before: valueFile.text, after: edited.text }] : []
  })
  if (change === undefined || values.length < environments.length) return []
  const own = { file: place.file.path, before: place.file.text, after: text }
  return [{ title, kind, texts: [own, ...change.edits, ...values] }]
}

/** Moves a secret out of a value file. The server does it, because the edit would contain the value. */
export const moveSecret = forCodes(
  ["secret-committed"],
  (diagnostic, { place, context }): readonly Offer[] => {
    const { file, project } = place
    const [name] = jsonPlaceAt(file.text, file.offsetAt(diagnostic.range.start)).pointer
    if (file.is.kind !== "environment" || typeof name !== "string" || !context.isTrusted) return []
    const { api, environment } = file.is
    const title = `Move "${name}" to the secrets file of ${environment}`
    const argument = { project: uriOf(project.state.root), api, environment, name }
    return [
      {
        title,
        kind: "quickfix",
        diagnostic,
        isPreferred: true,
        command: { title, command: writeCommands.moveSecret, arguments: [argument] },
      },
    ]
  },
)
