// The names with which a path in a block can start, and their values, in lookup order.

import {
  isJsonObject,
  parsePath,
  traitsOf,
  valueAt,
  type BlockReport,
  type JsonObject,
  type JsonPointer,
  type JsonValue,
} from "@callsheet/format"
import { WorkflowNames, type VisibleName, type VisibleNames } from "../scope/places.ts"
import { inLookUpOrder } from "../scope/rules.ts"
import { environmentNote, resultNote, type Root } from "./complete-path.ts"
import { knownResult, type KnownOperation } from "./known-result.ts"
import { memberOf, unknownValue, type KnownValue } from "./known-value.ts"

/** The block or saved request that reads a path. */
export interface PathReading {
  /** The workflow. Undefined for a saved request, and if the file can't be parsed. */
  readonly workflow: { readonly name: string; readonly value: JsonValue } | undefined
  readonly pointer: JsonPointer
  /** The API whose variables a request block or saved request reads without a prefix. */
  readonly api: string | undefined
  readonly apis: readonly string[]
}

export interface KnownVariable {
  readonly name: string
  readonly type: string
  readonly isSecret: boolean
  /** One line. */
  readonly description: string | undefined
}

/** Reads what is known about names. All answers are shown, so they contain no secrets. */
export interface PathSources {
  readonly variablesOf: (api: string) => Promise<readonly KnownVariable[]>
  /** Returns the operation that a request block sends, directly or through a saved request. */
  readonly operationOf: (block: JsonObject) => Promise<KnownOperation | undefined>
  /** Returns the results of a block in the last run, newest first. */
  readonly seenOf: (workflow: string, id: string) => Promise<readonly BlockReport[]>
}

interface RootsGround extends PathSources {
  readonly reading: PathReading
}

const dynamicNames: readonly (readonly [string, string])[] = [
  ["$uuid", "a new UUID"],
  ["$timestamp", "the Unix time in seconds"],
  ["$isoTimestamp", "the time in ISO 8601"],
  ["$randomInt", "a random integer, 0 to 2147483647"],
]

/** Returns the names. Loads variables at once, because a path can start with one. */
export async function pathRoots(reading: PathReading, sources: PathSources): Promise<readonly Root[]> {
  const { workflow, pointer, api, apis } = reading
  const ground = { ...sources, reading }
  const names = visibleNames(workflow?.value, pointer)
  const own = api === undefined ? [] : await sources.variablesOf(api)
  const rootOf = (name: VisibleName): Root => rootOfName(name, ground)
  return [
    ...inLookUpOrder({
      iterator: names.iterator.map(rootOf),
      input: names.input.map(rootOf),
      result: names.result.map(rootOf),
      variable: own.map((variable) => variableRoot(api ?? "", variable)),
      environment: apis.length === 0 ? [] : [environmentsRoot(apis, sources)],
    }),
    ...(names.hasIndex ? [plainRoot("$index", "the iteration's index, from 0")] : []),
    ...dynamicNames.map(([name, note]) => plainRoot(name, note)),
  ]
}

/** Returns the names that the block at `pointer` can read. The check of a loop runs after its blocks. */
export function visibleNames(workflow: JsonValue | undefined, pointer: JsonPointer): VisibleNames {
  const block = valueAt(workflow, pointer)
  return new WorkflowNames(workflow).visibleTo(
    isJsonObject(block) ? block : {},
    isJsonObject(block) && traitsOf(block["type"])?.iterates === true,
  )
}

const plainRoot = (name: string, note: string): Root => ({ name, note, known: () => unknownValue })

const variableRoot = (api: string, variable: KnownVariable): Root => ({
  ...plainRoot(variable.name, variableNote(variable)),
  definition: { is: "variable", api, name: variable.name },
})

const variableNote = ({ type, isSecret, description }: KnownVariable): string =>
  [`variable, ${type}${isSecret ? ", secret" : ""}`, description ?? ""]
    .filter((part) => part !== "")
    .join(" · ")

function environmentsRoot(apis: readonly string[], { variablesOf }: PathSources): Root {
  return {
    name: "env",
    note: environmentNote,
    known: async () => {
      const all = await Promise.all(apis.map(async (api) => [api, await variablesOf(api)] as const))
      return withOwn(all.map(([api, variables]) => [api, withOwn(variables.map(variableMember))]))
    },
  }
}

const variableMember = (variable: KnownVariable): readonly [string, KnownValue] => [
  variable.name,
  { ...unknownValue, note: variableNote(variable) },
]

const withOwn = (own: readonly (readonly [string, KnownValue])[]): KnownValue => ({
  ...unknownValue,
  own: new Map(own),
})

const rootOfName = (name: VisibleName, ground: RootsGround): Root => ({
  ...rootWithNote(name, ground),
  definition: name,
})

function rootWithNote(name: VisibleName, ground: RootsGround): Root {
  switch (name.is) {
    case "input":
      return plainRoot(name.name, `input${typeWord(name.declaration)}`)
    case "iterator":
      return {
        name: name.name,
        note: name.loop["mode"] === "forEach" ? "the loop's item" : "the iteration's index",
        known: () => knownItem(name.loop, ground),
      }
    case "result":
      return { name: name.name, note: resultNote, known: () => resultOf(name.block, ground) }
  }
}

function typeWord(declaration: JsonValue): string {
  const type = (declaration as JsonObject | null)?.["type"]
  return typeof type === "string" ? `, ${type}` : ""
}

async function resultOf(
  block: JsonObject,
  { reading: { workflow }, operationOf, seenOf }: RootsGround,
): Promise<KnownValue> {
  const id = block["id"]
  const isRequest = traitsOf(block["type"])?.result === "response"
  const [detail, seen] = await Promise.all([
    isRequest ? operationOf(block) : undefined,
    workflow === undefined || typeof id !== "string" ? [] : seenOf(workflow.name, id),
  ])
  return knownResult(block, detail, seen)
}

/** The maximum number of nested loops to follow if each iterates over an item of the next. */
const MAX_LOOPS = 8

async function knownItem(loop: JsonObject, ground: RootsGround, depth = 0): Promise<KnownValue> {
  if (loop["mode"] !== "forEach") return { fields: [{ words: "number" }], seen: [] }
  const source = loop["source"]
  const parsed = typeof source === "string" ? parsePath(source) : undefined
  if (parsed?.ok !== true || depth === MAX_LOOPS) return unknownValue
  const [first, ...rest] = parsed.segments
  const names = inLookUpOrder<VisibleName>({
    ...new WorkflowNames(ground.reading.workflow?.value).visibleTo(loop),
    variable: [],
    environment: [],
  })
  const name = names.find((one) => one.name === first)
  if (name === undefined || name.is === "input") return unknownValue
  const known =
    name.is === "result" ? await resultOf(name.block, ground) : await knownItem(name.loop, ground, depth + 1)
  return [...rest, "0"].reduce(memberOf, known)
}
