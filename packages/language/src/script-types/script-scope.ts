// What the scripts of one workflow can read, as values: for the completion of an editor. `script-types.ts` says it as declarations.

import {
  hasOutputs,
  hasResponse,
  hasTokens,
  objectType,
  parsePathOnce,
  scalarType,
  unknownType,
  type Block,
  type ReadableWorkflow,
  type ScalarType,
  type ValueType,
} from "@callsheet/format"
import { inputType } from "../types/static-scope.ts"
import {
  areMany,
  type ContextName,
  scriptCalls,
  scriptsGround,
  type ScriptsGround,
  type ScriptsRequest,
} from "./scripts-ground.ts"

export type { ScriptsRequest as ScriptScopeRequest }

export interface ScriptScope {
  /** What the first names of paths stand for somewhere in the workflow. */
  readonly names: ReadonlyMap<string, ValueType>
  readonly inputs: ReadonlyMap<string, ValueType>
  /** The variables of the APIs that the workflow touches. */
  readonly environments: ReadonlyMap<string, ReadonlyMap<string, ValueType>>
  /** In the order of the file. */
  readonly calls: readonly ScopeCall[]
}

export interface ScopeCall {
  readonly context: ContextName
  readonly block: string
  readonly script: string
  readonly exportName: string
  /** The first names of paths that mean something there. */
  readonly names: readonly string[]
}

/** Undefined if the workflow's file cannot be read. */
export function scriptScope(request: ScriptsRequest): ScriptScope | undefined {
  const ground = scriptsGround(request)
  if (ground === undefined) return undefined
  const environments = environmentsOf(ground)
  return {
    names: namesOf(ground, environments),
    inputs: inputsOf(ground.readable),
    environments,
    calls: callsOf(ground),
  }
}

function namesOf(
  ground: ScriptsGround,
  environments: ScriptScope["environments"],
): ReadonlyMap<string, ValueType> {
  const inputs = inputsOf(ground.readable)
  const names = new Map<string, ValueType>()
  for (const name of ground.names) {
    const block = ground.scope.results.get(name)
    const result = block === undefined ? unknownType : resultOf(block, ground)
    names.set(name, iteratorType(name, ground) ?? inputs.get(name) ?? result)
  }
  if (!names.has("env"))
    names.set(
      "env",
      objectOf(new Map([...environments].map(([api, variables]) => [api, objectOf(variables)]))),
    )
  return names
}

/** Of a name that several loops have: unknown. */
function iteratorType(name: string, { scope }: ScriptsGround): ValueType | undefined {
  const [loop, ...others] = scope.iterators.get(name) ?? []
  if (loop === undefined) return undefined
  return others.length > 0 ? unknownType : scope.iterationType(loop)
}

function resultOf(block: Block, { readable, scope, responseOf }: ScriptsGround): ValueType {
  if (readable.broken.has(block)) return unknownType
  if (hasResponse(block)) return objectType({ response: responseOf(block).type })
  const visit = scope.visitOf(block)
  if (!hasOutputs(block) || block.transforms === undefined || visit === undefined) return unknownType
  const outputs = Object.entries(block.transforms).map(([name, path]): [string, ValueType] => {
    const isPlain = !hasTokens(path) && parsePathOnce(path).ok
    return [name, isPlain ? scope.resolve([path], { visit }).type : unknownType]
  })
  return objectOf(new Map(outputs))
}

function inputsOf({ workflow, brokenInputs }: ReadableWorkflow): ReadonlyMap<string, ValueType> {
  const inputs = Object.entries(workflow.inputs ?? {})
  return new Map(
    inputs.map(([name, input]) => [name, brokenInputs.has(name) ? unknownType : inputType(input)]),
  )
}

const environmentsOf = ({ variables }: ScriptsGround): ScriptScope["environments"] =>
  new Map([...variables].map(([api, declared]) => [api, typesOf(declared ?? new Map())]))

const typesOf = (declared: ReadonlyMap<string, ScalarType | undefined>): ReadonlyMap<string, ValueType> =>
  new Map([...declared].map(([name, type]) => [name, type === undefined ? unknownType : scalarType(type)]))

function callsOf(ground: ScriptsGround): readonly ScopeCall[] {
  const calls = scriptCalls(ground.readable).filter(({ script }) => !hasTokens(script.exportName))
  const names = [...ground.names]
  const isMany = areMany(calls.length, names.length)
  return calls.map(({ context, script, reading }) => ({
    context,
    block: reading.visit.block.id,
    script: script.name,
    exportName: script.exportName,
    names: [
      ...names.filter((name) => {
        if (isMany) return true
        const meaning = ground.scope.meaningOf(name, reading)
        return meaning !== undefined && meaning.is !== "absent"
      }),
      ...(names.includes("env") ? [] : ["env"]),
    ],
  }))
}

const objectOf = (members: ReadonlyMap<string, ValueType>): ValueType =>
  objectType(Object.fromEntries<ValueType>(members))
