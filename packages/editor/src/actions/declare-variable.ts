// Declares a variable that something reads, or that a value file sets.

import {
  jsonPlaceAt,
  parseSecretsFile,
  type EnvironmentFiles,
  type ScalarType,
  isSecretName,
} from "@callsheet/format"
import { undeclaredVariables } from "@callsheet/language"
import { writeCommands } from "../commands/command.ts"
import { addVariable, type NewVariable } from "../commands/add-variable.ts"
import { uriOf } from "../workspace/uris.ts"
import { forCodes, type ActionRequest, type Offer } from "./action.ts"

export const declareVariable = forCodes(
  ["token-unresolved", "source-unresolved", "variable-undeclared"],
  (diagnostic, request) => {
    const { place } = request
    const { project } = place.view
    const at = place.file.offsetAt(diagnostic.range.start)
    return variablesAt(request, at).flatMap(({ api, name }): Offer[] => {
      const files = project.apis.get(api)?.environments
      const change = files && addVariable(files, declarationOf(files, { name }))
      if (files === undefined || change === undefined) return []
      const title = `Declare the variable "${name}" of ${api}`
      const offer = { title, kind: "quickfix", diagnostic } as const
      // Values that move into secrets files are written by the server, never by an edit.
      if (change.edits.every(({ file }) => file === `apis/${api}/environments/schema.json`))
        return [{ ...offer, texts: change.edits }]
      if (!request.context.isTrusted) return []
      const command = writeCommands.declareSecret
      const argument = { project: uriOf(place.project.state.root), api, name }
      return [{ ...offer, command: { title, command, arguments: [argument] } }]
    })
  },
)

function variablesAt(
  { place }: ActionRequest,
  at: number,
): readonly { readonly api: string; readonly name: string }[] {
  const { is: file, text, path } = place.file
  switch (file.kind) {
    case "workflow":
    case "request": {
      const [first] = [...undeclaredVariables(place.view.project, path)].filter(
        ({ from, to }) => from <= at && at <= to,
      )
      return first === undefined ? [] : [first]
    }
    case "environment": {
      const [name, ...inner] = jsonPlaceAt(text, at).pointer
      return typeof name === "string" && inner.length === 0 ? [{ api: file.api, name }] : []
    }
    case "secrets": {
      const { api } = file
      const entry = parseSecretsFile(text).entries.find(({ start, end }) => start <= at && at <= end)
      return entry === undefined ? [] : [{ api, name: entry.name }]
    }
    default:
      return []
  }
}

/** The type is that of the values that files have already. A name may be that of a secret. */
export function declarationOf(
  { environments }: EnvironmentFiles,
  { name }: { readonly name: string },
): NewVariable {
  const all = [...environments.values()]
  const types = new Set(all.flatMap(({ values }) => scalarTypeOf(values.get(name)) ?? []))
  const [only = "string", ...others] = types
  const isSecret = isSecretName(name) || all.some(({ secrets }) => secrets.has(name))
  return { name, type: others.length === 0 ? only : "string", isSecret }
}

function scalarTypeOf(value: unknown): ScalarType | undefined {
  const type = typeof value
  if (type === "bigint") return "number"
  return type === "string" || type === "number" || type === "boolean" ? type : undefined
}
