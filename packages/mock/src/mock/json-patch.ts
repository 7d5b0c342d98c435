// Applies JSON Patch (RFC 6902) and JSON Merge Patch (RFC 7396).

import {
  isEqual,
  isJsonArray,
  isJsonObject,
  ownOf,
  parseJson,
  pointerKeys,
  setOwn,
  stringifyJson,
  textMember,
  type JsonObject,
  type JsonValue,
} from "@callsheet/format"
import { weigh } from "./weigh.ts"

export type Patched = { readonly ok: true; readonly value: JsonValue | undefined } | PatchFailure

export interface PatchFailure {
  readonly ok: false
  /** `missing`: nothing is at the place. `different`: a test found another value. */
  readonly fault: "invalid" | "missing" | "different" | "too-large"
  /** The index of the operation that can't be applied. */
  readonly at: number
  /** The place that it names. */
  readonly pointer: string
}

/** Limits what the operations of a patch copy and shift, in characters and items. */
const MAX_WORK = 16 * 1024 * 1024

/** Applies all operations to a copy of a value, or none. The value is undefined if the patch removes all of it. */
export function applyJsonPatch(value: JsonValue, patch: JsonValue): Patched {
  if (!isJsonArray(patch)) return { ok: false, fault: "invalid", at: 0, pointer: "" }
  const root: Container = { [ROOT]: copyOf(value) }
  let left = MAX_WORK
  for (const [at, written] of patch.entries()) {
    const operation = readOperation(written)
    if (operation === undefined) return { ok: false, fault: "invalid", at, pointer: "" }
    const target = { root, ...operation, work: (size: number) => (left -= size) >= 0 }
    const fault = operators[operation.op](target)
    if (fault !== undefined) return { ok: false, fault, at, pointer: operation.pointer }
  }
  return { ok: true, value: ownOf(root, ROOT) }
}

/** Lets a patch replace the whole value like a member. */
const ROOT = "root"

type Container = Record<string, JsonValue> | JsonValue[]
type Keys = readonly string[]
type Fault = PatchFailure["fault"] | undefined

interface Operation {
  readonly op: keyof typeof operators
  readonly pointer: string
  readonly path: Keys
  readonly from: Keys
  readonly value: JsonValue
}

interface Applying extends Operation {
  readonly root: Container
  /** Returns false if the patch does too much. */
  readonly work: (size: number) => boolean
}

function readOperation(written: JsonValue): Operation | undefined {
  const op = names.find((name) => name === (isJsonObject(written) ? ownOf(written, "op") : undefined))
  if (op === undefined || !isJsonObject(written)) return undefined
  const pointer = textMember(written, "path")
  const path = readPointer(pointer)
  const from = op === "move" || op === "copy" ? readPointer(textMember(written, "from")) : []
  const value = op === "add" || op === "replace" || op === "test" ? ownOf(written, "value") : null
  if (pointer === undefined || path === undefined || from === undefined || value === undefined)
    return undefined
  return { op, pointer, path, from, value }
}

function readPointer(text: string | undefined): Keys | undefined {
  if (text === undefined || (text !== "" && !text.startsWith("/")) || /~(?![01])/.test(text)) return undefined
  return [ROOT, ...pointerKeys(text)]
}

const operators = {
  add: ({ root, path, value, work }: Applying): Fault => put(placeAt(root, path), value, work),
  remove: ({ root, path, work }: Applying): Fault => take(placeAt(root, path), work),
  replace: ({ root, path, value }: Applying): Fault => {
    const place = placeAt(root, path)
    if (place === undefined || childOf(place) === undefined) return "missing"
    if (isJsonArray(place.container)) place.container[Number(place.key)] = value
    else setOwn(place.container, place.key, value)
    return undefined
  },
  move: ({ root, path, from, work }: Applying): Fault => {
    const place = placeAt(root, from)
    const value = place && childOf(place)
    const isInside = path.length > from.length && from.every((key, at) => key === path[at])
    if (value === undefined || isInside) return "missing"
    return take(place, work) ?? put(placeAt(root, path), value, work)
  },
  copy: ({ root, path, from, work }: Applying): Fault => {
    const place = placeAt(root, from)
    const value = place && childOf(place)
    if (value === undefined) return "missing"
    if (!work(weigh(value, MAX_WORK))) return "too-large"
    return put(placeAt(root, path), copyOf(value), work)
  },
  test: ({ root, path, value }: Applying): Fault => {
    const place = placeAt(root, path)
    const found = place && childOf(place)
    if (found === undefined) return "missing"
    return isEqual(found, value) ? undefined : "different"
  },
}

const names = Object.keys(operators) as readonly (keyof typeof operators)[]

/** Returns a copy, because operations change containers in place. */
function copyOf(value: JsonValue): JsonValue {
  if (typeof value !== "object") return value
  const copied = parseJson(stringifyJson(value))
  if (!copied.ok) throw new Error("JSON that callsheet wrote is invalid")
  return copied.value
}

interface Place {
  readonly container: Container
  readonly key: string
}

/** Returns the container of the last key, which may not exist yet. */
function placeAt(root: Container, path: Keys): Place | undefined {
  let container: JsonValue | undefined = root
  for (const key of path.slice(0, -1)) {
    container = isContainer(container) ? childOf({ container, key }) : undefined
    if (container === undefined) return undefined
  }
  return isContainer(container) ? { container, key: path.at(-1) ?? "" } : undefined
}

const isContainer = (value: JsonValue | undefined): value is Container =>
  typeof value === "object" && value !== null

const childOf = ({ container, key }: Place): JsonValue | undefined =>
  isJsonArray(container) ? container[indexOf(key)] : ownOf(container, key)

const indexOf = (key: string): number => (/^(?:0|[1-9]\d{0,8})$/.test(key) ? Number(key) : -1)

function put(place: Place | undefined, value: JsonValue, work: Applying["work"]): Fault {
  if (place === undefined) return "missing"
  const { container, key } = place
  if (isJsonArray(container)) {
    const at = key === "-" ? container.length : indexOf(key)
    if (at < 0 || at > container.length) return "missing"
    if (!work(container.length - at)) return "too-large"
    container.splice(at, 0, value)
  } else setOwn(container, key, value)
  return undefined
}

function take(place: Place | undefined, work: Applying["work"]): Fault {
  if (place === undefined || childOf(place) === undefined) return "missing"
  const { container, key } = place
  if (!isJsonArray(container)) delete container[key]
  else {
    const at = indexOf(key)
    if (!work(container.length - at)) return "too-large"
    container.splice(at, 1)
  }
  return undefined
}

/** Returns an object with the members of a merge patch. Null removes a member. */
export function applyMergePatch(value: JsonObject, patch: JsonObject): JsonObject {
  const merged = { ...value }
  const work: { readonly into: Record<string, JsonValue>; readonly from: JsonObject }[] = [
    { into: merged, from: patch },
  ]
  // This loop also visits the objects that it adds.
  for (const { into, from } of work)
    for (const [name, sent] of Object.entries(from)) {
      if (sent === null) delete into[name]
      else if (!isJsonObject(sent)) setOwn(into, name, sent)
      else {
        const before = ownOf(into, name)
        const inner = isJsonObject(before) ? { ...before } : {}
        setOwn(into, name, inner)
        work.push({ into: inner, from: sent })
      }
    }
  return merged
}
