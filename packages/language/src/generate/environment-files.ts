// The environment files of an API that has none: its address, and a secret for each security scheme.

import type { JsonValue } from "@callsheet/format"
import { schemeVariable, securitySchemesOf, serverUrl } from "@callsheet/openapi"
import type { GeneratedFile } from "./generated.ts"
import type { KnownApi } from "./ground.ts"
import { generateTexts } from "./texts.ts"

export function environmentFiles({ api, document }: KnownApi): readonly GeneratedFile[] {
  if (api.environments.environments.size > 0) return []
  const folder = `apis/${api.name}/environments`
  const url = serverUrl(document)?.replace(/\/+$/, "")
  const { schemaFile, variables } = api.environments
  const isDeclared = schemaFile === undefined || variables.has("baseUrl")
  const local = {
    path: `${folder}/local.json`,
    value: { level: "local", ...(url === undefined || !isDeclared ? {} : { baseUrl: url }) },
  }
  if (schemaFile !== undefined) return [local]
  const secrets = securitySchemesOf(document).map(({ name }): [string, JsonValue] => [
    schemeVariable(name),
    { type: "string", required: false, secret: true, description: generateTexts.credential(name) },
  ])
  const baseUrl = { type: "string", required: true, description: generateTexts.baseUrl() }
  const value = { version: 1, variables: { baseUrl, ...Object.fromEntries(secrets) } }
  return [{ path: `${folder}/schema.json`, value }, local]
}
