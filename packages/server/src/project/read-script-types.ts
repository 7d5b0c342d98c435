// Answers `scripts.types`: returns the types that scripts can read, as trees of limited size, for code completion.

import { CallsheetError, INBOX, objectType, readableApis, type ValueType } from "@callsheet/format"
import { projectMessages } from "@callsheet/project"
import { scriptScope, type ApiSource, type ScriptScope } from "@callsheet/language"
import type { NamedField, ScriptTypesView } from "../calls/index.ts"
import { fieldView } from "./field-view.ts"
import type { KnownProject } from "./read-parts.ts"
import type { Masker } from "../secrets/secrets-masker.ts"

const MAX_FIELDS = 20_000
const LEAST_FIELDS = 50
const MAX_CALLS = 2_000

/** Returns the types. A workflow that can't be read has none. Throws `workflow-unknown`. */
export async function readScriptTypes(workflow: string, known: KnownProject): Promise<ScriptTypesView> {
  const { project, masker } = await known.overview()
  const file = project.workflows.get(workflow)
  if (file === undefined)
    throw new CallsheetError(
      projectMessages["workflow-unknown"].unknown(workflow, [...project.workflows.keys()]),
    )
  const apis = new Map<string, ApiSource>()
  for (const name of readableApis(file.readable?.workflow.blocks ?? [], project.apis.get(INBOX)))
    if (project.apis.has(name)) apis.set(name, await known.sources(name))
  return scriptTypesView(scriptScope({ file, apis, apiNames: project.apiNames }), masker)
}

export function scriptTypesView(scope: ScriptScope | undefined, masker: Masker): ScriptTypesView {
  if (scope === undefined) return { names: [], inputs: [], environments: [], calls: [] }
  const environments = [...scope.environments].map(([api, variables]): [string, ValueType] => [
    api,
    objectType(Object.fromEntries<ValueType>(variables)),
  ])
  return {
    names: fieldsOf(scope.names, masker),
    inputs: fieldsOf(scope.inputs, masker),
    environments: fieldsOf(new Map(environments), masker),
    calls: scope.calls.slice(0, MAX_CALLS).map((call) => ({ ...call, block: masker.text(call.block) })),
  }
}

/** Gives each name an equal share of the fields, so that the last name isn't cut off. */
function fieldsOf(types: ReadonlyMap<string, ValueType>, masker: Masker): readonly NamedField[] {
  const share = Math.max(LEAST_FIELDS, Math.floor(MAX_FIELDS / Math.max(1, types.size)))
  return [...types].map(([name, type]) => ({ name, ...fieldView(type, masker, { left: share }) }))
}
