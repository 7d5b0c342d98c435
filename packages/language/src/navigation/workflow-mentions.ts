// Finds everything that a workflow's text names, in any state of the text.

import {
  createStringOffsets,
  type JsonObject,
  type JsonPointer,
  kindHasResponse,
  isBlockKind,
  type LiveString,
  type LocatedJson,
  objectMember,
  rawBlocks,
  textMember,
} from "@callsheet/format"
import { pathsIn, type PathName } from "../references/path-heads.ts"
import { liveStrings } from "../rename/rename-references.ts"
import { WorkflowNames } from "../scope/places.ts"
import type { Mention, Named } from "./named.ts"

/** Yields the mentions in the order of blocks. */
export function* workflowMentions(workflow: string, json: LocatedJson): Generator<Mention> {
  const names = new WorkflowNames(json.value)
  for (const name of Object.keys(objectMember(json.value, "inputs") ?? {}))
    yield* mentionAt(json, ["inputs", name], "key", {
      named: { is: "input", workflow, name },
      declares: true,
    })
  const pointers = new Map<JsonObject, () => JsonPointer>()
  for (const { block, pointer } of rawBlocks(json.value ?? null)) pointers.set(block, pointer)
  const loopOf = (block: JsonObject): string => JSON.stringify(pointers.get(block)?.() ?? [])
  for (const [block, pointer] of pointers) {
    const place = { workflow, json, names, block, at: pointer(), loopOf }
    yield* ownNames(place)
    for (const live of liveStrings(block)) yield* readNames(place, live)
  }
}

interface BlockPlace {
  readonly workflow: string
  readonly json: LocatedJson
  readonly names: WorkflowNames
  readonly block: JsonObject
  readonly at: JsonPointer
  /** Returns a key for the loop that gives an iterator its name. */
  readonly loopOf: (block: JsonObject) => string
}

/** Yields the names that fields of a block contain as a whole. */
function* ownNames({ workflow, json, block, at, loopOf }: BlockPlace): Generator<Mention> {
  const whole = function* (pointer: JsonPointer, named: Named, declares = false): Generator<Mention> {
    yield* mentionAt(json, [...at, ...pointer], "value", { named, declares })
  }
  const id = textMember(block, "id")
  if (id !== undefined) yield* whole(["id"], { is: "block", workflow, name: id }, true)
  const name = textMember(block, "iteratorVar")
  if (name !== undefined)
    yield* whole(["iteratorVar"], { is: "iterator", workflow, name, loop: loopOf(block) }, true)
  yield* scriptNames(block, workflow, whole)
  const request = objectMember(block, "request")
  const api = textMember(request, "api")
  if (api === undefined) return
  yield* whole(["request", "api"], { is: "api", name: api })
  const resource = textMember(request, "resource")
  const target = { api, ...(resource === undefined ? {} : { resource }) }
  const [instance, operation] = [textMember(request, "instance"), textMember(request, "operation")]
  if (instance !== undefined)
    yield* whole(["request", "instance"], { is: "request", ...target, name: instance })
  if (operation !== undefined)
    yield* whole(["request", "operation"], { is: "operation", ...target, name: operation })
}

function* scriptNames(
  block: JsonObject,
  workflow: string,
  whole: (pointer: JsonPointer, named: Named) => Generator<Mention>,
): Generator<Mention> {
  const target = objectMember(block, "script")
  const script = textMember(target, "name")
  if (script === undefined) return
  yield* whole(["script", "name"], { is: "script", workflow, name: script })
  const exported = textMember(target, "exportName")
  if (exported !== undefined)
    yield* whole(["script", "exportName"], { is: "export", workflow, script, name: exported })
}

function* readNames(place: BlockPlace, live: LiveString): Generator<Mention> {
  const paths = pathsIn(live)
  if (paths.length === 0) return
  const { json, at } = place
  const placeOf = createNamePlaces(json, [...at, ...live.pointer])
  for (const path of paths)
    for (const { named, name } of meaningsOf(place, path, live.pointer))
      yield { named, declares: false, ...placeOf(name) }
}

interface Meaning {
  readonly named: Named
  readonly name: PathName
}

function meaningsOf(place: BlockPlace, path: readonly PathName[], pointer: JsonPointer): readonly Meaning[] {
  const [first, second, third] = path
  if (first === undefined) return []
  const { workflow, names, block, loopOf } = place
  const reader = { block, isAfterNested: pointer[0] === "until" }
  const found = names.meaningOf(first.name, reader)
  if (found?.is === "iterator")
    return [{ named: { is: "iterator", workflow, name: first.name, loop: loopOf(found.loop) }, name: first }]
  if (found?.is === "input") return [{ named: { is: "input", workflow, name: first.name }, name: first }]
  const api = variableApi(block, pointer)
  if (found !== undefined && (api === undefined || names.hasRun(found.block, reader)))
    return blockMeanings(workflow, found.block, path)
  if (first.name === "env" && second !== undefined) {
    const named: Named = { is: "api", name: second.name }
    const variable: Meaning[] =
      third === undefined
        ? []
        : [{ named: { is: "variable", api: second.name, name: third.name }, name: third }]
    return [{ named, name: second }, ...variable]
  }
  return api === undefined ? [] : [{ named: { is: "variable", api, name: first.name }, name: first }]
}

function blockMeanings(workflow: string, block: JsonObject, path: readonly PathName[]): readonly Meaning[] {
  const [first, response, ...rest] = path
  const id = textMember(block, "id")
  if (first === undefined || id === undefined) return []
  const meanings: Meaning[] = [{ named: { is: "block", workflow, name: id }, name: first }]
  const { type } = block
  if (response?.name !== "response" || !isBlockKind(type) || !kindHasResponse(type)) return meanings
  for (const [index, name] of rest.entries()) {
    const steps = rest.slice(0, index + 1).map((step) => step.name)
    meanings.push({ named: { is: "part", workflow, block: id, path: steps, name: name.name }, name })
  }
  return meanings
}

/** Returns the API whose variables a field of a block reads by their plain names. */
function variableApi(block: JsonObject, [field]: JsonPointer): string | undefined {
  return field === "request" || field === "description"
    ? textMember(objectMember(block, "request"), "api")
    : undefined
}

/** Yields a mention of a whole key or value. */
export function* mentionAt(
  json: LocatedJson,
  pointer: JsonPointer,
  at: "key" | "value",
  mention: Pick<Mention, "named" | "declares">,
): Generator<Mention> {
  const range = json.rangeOf(pointer, at)
  if (range !== undefined) yield { ...mention, ...range }
}

/** Returns a function that finds the places of names in a string. */
export function createNamePlaces(json: LocatedJson, pointer: JsonPointer) {
  const start = (json.rangeOf(pointer, "value")?.from ?? 1) - 1
  return ({ from, to }: PathName): { from: number; to: number } => {
    const offsetOf = createStringOffsets(json.text, start)
    return { from: offsetOf(from), to: offsetOf(to) }
  }
}
