// The names with which a path in a block can start, and their values, in lookup order.

import { plainDescription } from "../../ui/plain-description.ts"
import {
  isJsonObject,
  parsePath,
  traitsOf,
  type Block,
  type JsonObject,
  type JsonPointer,
  type JsonValue,
  valueAt,
} from "@callsheet/format"
import { inLookUpOrder, WorkflowNames, type VisibleName, type VisibleNames } from "@callsheet/language"
import { createContext, useContext, useMemo } from "react"
import { type Suggestions, noSuggestions } from "./suggestion.ts"
import type { Reads } from "../../files/text/tokens-in.ts"
import { environmentNote, resultNote, type Root, complete, pathAt } from "./complete.ts"
import { knownResult } from "./known-result.ts"
import { operationOfBlock, readVariables, seenOf, type KnownVariable } from "./known-sources.ts"
import { memberOf, unknownValue, type KnownValue } from "./known-value.ts"

export interface Reading {
  /** The workflow. Undefined for a saved request, and if the file can't be parsed. */
  readonly workflow: { readonly name: string; readonly value: JsonValue } | undefined
  readonly pointer: JsonPointer
  /** The API whose variables a request block or saved request reads without a prefix. */
  readonly api: string | undefined
  readonly apis: readonly string[]
}

const dynamicNames: readonly (readonly [string, string])[] = [
  ["$uuid", "a new UUID"],
  ["$timestamp", "the Unix time in seconds"],
  ["$isoTimestamp", "the time in ISO 8601"],
  ["$randomInt", "a random integer, 0 to 2147483647"],
]

/** Returns the names. Loads variables at once, because a path can start with one. */
export async function rootsOf(reading: Reading): Promise<readonly Root[]> {
  const { workflow, pointer, api, apis } = reading
  const names = visibleNames(workflow?.value, pointer)
  const own = api === undefined ? [] : await readVariables(api)
  const rootOf = (name: VisibleName): Root => rootOfName(name, reading)
  return [
    ...inLookUpOrder({
      iterator: names.iterator.map(rootOf),
      input: names.input.map(rootOf),
      result: names.result.map(rootOf),
      variable: own.map((variable) => variableRoot(api ?? "", variable)),
      environment: apis.length === 0 ? [] : [environmentsRoot(apis)],
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
  [`variable, ${type}${isSecret ? ", secret" : ""}`, plainDescription(description ?? "")]
    .filter((part) => part !== "")
    .join(" · ")

function environmentsRoot(apis: readonly string[]): Root {
  return {
    name: "env",
    note: environmentNote,
    known: async () => {
      const all = await Promise.all(apis.map(async (api) => [api, await readVariables(api)] as const))
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

const rootOfName = (name: VisibleName, reading: Reading): Root => ({
  ...rootWithNote(name, reading),
  definition: name,
})

function rootWithNote(name: VisibleName, reading: Reading): Root {
  switch (name.is) {
    case "input":
      return plainRoot(name.name, `input${typeWord(name.declaration)}`)
    case "iterator":
      return {
        name: name.name,
        note: name.loop["mode"] === "forEach" ? "the loop's item" : "the iteration's index",
        known: () => knownItem(name.loop, reading),
      }
    case "result":
      return { name: name.name, note: resultNote, known: () => resultOf(name.block, reading) }
  }
}

function typeWord(declaration: JsonValue): string {
  const type = (declaration as JsonObject | null)?.["type"]
  return typeof type === "string" ? `, ${type}` : ""
}

async function resultOf(block: JsonObject, { workflow }: Reading): Promise<KnownValue> {
  const id = block["id"]
  const isRequest = traitsOf(block["type"])?.result === "response"
  const [detail, seen] = await Promise.all([
    isRequest ? operationOfBlock(block) : undefined,
    workflow === undefined || typeof id !== "string" ? [] : seenOf(workflow.name, id),
  ])
  return knownResult(block, detail, seen)
}

/** The maximum number of nested loops to follow if each iterates over an item of the next. */
const MAX_LOOPS = 8

async function knownItem(loop: JsonObject, reading: Reading, depth = 0): Promise<KnownValue> {
  if (loop["mode"] !== "forEach") return { fields: [{ words: "number" }], seen: [] }
  const source = loop["source"]
  const parsed = typeof source === "string" ? parsePath(source) : undefined
  if (parsed?.ok !== true || depth === MAX_LOOPS) return unknownValue
  const [first, ...rest] = parsed.segments
  const names = inLookUpOrder<VisibleName>({
    ...new WorkflowNames(reading.workflow?.value).visibleTo(loop),
    variable: [],
    environment: [],
  })
  const name = names.find((one) => one.name === first)
  if (name === undefined || name.is === "input") return unknownValue
  const known =
    name.is === "result"
      ? await resultOf(name.block, reading)
      : await knownItem(name.loop, reading, depth + 1)
  return [...rest, "0"].reduce(memberOf, known)
}

/** Returns the API whose variables a block reads without a prefix. */
export const apiOfBlock = (block: Block | JsonValue): string | undefined => {
  const request = (block as JsonObject | null)?.["request"] as JsonObject | null | undefined
  const api = request?.["api"]
  return typeof api === "string" ? api : undefined
}

export const ReadingContext = createContext<Reading | undefined>(undefined)

/** Returns the block that the form's fields belong to. Undefined outside a form. */
export const useReading = (): Reading | undefined => useContext(ReadingContext)

/** Returns a function that suggests names. Outside a form, it suggests nothing. */
export function useSuggest(reads: Reads): (text: string, caret: number) => Promise<Suggestions> {
  const reading = useReading()
  return useMemo(
    () => async (text, caret) => {
      if (reading === undefined || pathAt(text, caret, reads) === undefined) return noSuggestions
      return complete(text, caret, { reads, roots: await rootsOf(reading) })
    },
    [reading, reads],
  )
}
