// Lists the names that a workflow's scripts can read, for completion. `script-types.ts` writes them as declarations.

import { hasTokens, objectType, unknownType, type ValueType } from "@callsheet/format"
import {
  areMany,
  scriptCalls,
  scriptsGround,
  type ScriptsGround,
  type ScriptsRequest,
} from "./scripts-ground.ts"
import { variableType } from "../types/static-scope.ts"

export type ScriptScope = NonNullable<ReturnType<typeof scriptScope>>

/** Returns the scope of a workflow's scripts, or undefined if the workflow file can't be read. */
export function scriptScope(request: ScriptsRequest) {
  const ground = scriptsGround(request)
  if (ground === undefined) return undefined
  const { readable, scope, variables } = ground
  const inputs = new Map(
    Object.keys(readable.workflow.inputs ?? {}).map((name) => [name, scope.inputType(name)] as const),
  )
  const environments = new Map(
    [...variables].map(([api, declared]) => [
      api,
      new Map([...(declared ?? [])].map(([name, type]) => [name, variableType(type)] as const)),
    ]),
  )
  return { names: namesOf(ground, { inputs, environments }), inputs, environments, calls: callsOf(ground) }
}

type Types = ReadonlyMap<string, ValueType>

function namesOf(
  ground: ScriptsGround,
  { inputs, environments }: { readonly inputs: Types; readonly environments: ReadonlyMap<string, Types> },
): Types {
  const names = new Map<string, ValueType>()
  for (const name of ground.names) {
    const block = ground.scope.results.get(name)
    const result = block === undefined ? unknownType : ground.scope.resultType(block)
    names.set(name, iteratorType(name, ground) ?? inputs.get(name) ?? result)
  }
  if (!names.has("env"))
    names.set(
      "env",
      objectOf(new Map([...environments].map(([api, variables]) => [api, objectOf(variables)]))),
    )
  return names
}

/** Returns the item type of an iterator. Unknown if several loops use its name. */
function iteratorType(name: string, { scope }: ScriptsGround): ValueType | undefined {
  const [loop, ...others] = scope.iterators.get(name) ?? []
  if (loop === undefined) return undefined
  return others.length > 0 ? unknownType : scope.iterationType(loop)
}

function callsOf(ground: ScriptsGround) {
  const calls = scriptCalls(ground.readable).filter(({ script }) => !hasTokens(script.exportName))
  const names = [...ground.names]
  const isMany = areMany(calls.length, names.length)
  return calls.map(({ context, script: { name: script, exportName }, reading }) => {
    const readable: readonly string[] = names.filter((name) => {
      const meaning = isMany ? undefined : ground.scope.meaningOf(name, reading)
      return isMany || (meaning !== undefined && meaning.is !== "absent")
    })
    const own = names.includes("env") ? readable : [...readable, "env"]
    return { context, block: reading.visit.block.id, script, exportName, names: own }
  })
}

const objectOf = (members: ReadonlyMap<string, ValueType>): ValueType =>
  objectType(Object.fromEntries<ValueType>(members))
