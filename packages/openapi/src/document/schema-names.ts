// Finds the names of the schemas in one file (JSON Schema 2020-12 section 8.2): addresses (`$id`) and anchors.

import {
  decodePercent,
  isJsonArray,
  isJsonObject,
  type JsonArray,
  type JsonObject,
  type JsonValue,
  memo,
  stepInto,
  ownOf,
} from "@callsheet/format"
import type { DocumentFile } from "./document-files.ts"
import type { OpenPlace } from "./document.ts"
import { escapePointer, pointerKeys, textMember, valueAt } from "./located.ts"
import { schemaKeywords } from "./schema-keywords.ts"

/** A schema with its own address, or a whole file. References that start with `#` resolve inside it. */
interface SchemaResource {
  readonly address: string
  readonly pointer: string
  /** The JSON pointers of schemas, by anchor. */
  readonly anchors: Map<string, string>
  /** The dynamic anchors (targets of `$dynamicRef`), each with the JSON pointer of its schema. */
  readonly dynamicAnchors: (readonly [name: string, pointer: string])[]
}

interface SchemaNames {
  /** The resources by address. If two have the same address, the first one wins. */
  readonly resources: ReadonlyMap<string, SchemaResource>
  readonly anchors: ReadonlyMap<string, string>
}

export const schemaNamesOf = ({ root, source }: Pick<DocumentFile, "root" | "source">): SchemaNames =>
  typeof root === "object" && root !== null
    ? findNames(root, source.file)
    : { resources: new Map(), anchors: new Map() }

/** Makes an address from a file's path, as the base of relative addresses. */
const addressOfFile = (file: string): string => `file:///${file.split("/").map(encodeURIComponent).join("/")}`

function joinAddress(address: string | undefined, base: string): string | undefined {
  if (address === undefined || !URL.canParse(address, base)) return undefined
  const url = new URL(address, base)
  url.hash = ""
  return url.href
}

/** Returns the address that a schema declares in `$id`, or a 3.2 document in `$self`. */
const ownAddress = (value: JsonValue | undefined, pointer: string): string | undefined =>
  textMember(value, "$id") ?? (pointer === "" ? textMember(value, "$self") : undefined)

type Around = Pick<SchemaResource, "address" | "pointer">

/**
 * Finds the resource that contains a pointer, without walking the rest of the file. Returns its address and pointer.
 */
export function resourceAround({ file, pointer }: OpenPlace): Around {
  let around = { address: addressOfFile(file.source.file), pointer: "" }
  let value: JsonValue | undefined = file.root
  let here = ""
  for (const key of [undefined, ...pointerKeys(pointer)]) {
    if (key !== undefined) {
      value = stepInto(value, key)
      here += `/${escapePointer(key)}`
    }
    const address = joinAddress(ownAddress(value, here), around.address)
    if (address !== undefined) around = { address, pointer: here }
  }
  return around
}

// These keywords contain data, where `$id` has no special meaning.
const dataKeys = new Set(["example", "examples", "enum", "const", "default"])

// The author chooses the keys in these objects. A property or status may be named `default`.
const namesKeys = new Set([
  ...Object.keys(schemaKeywords).filter((keyword) => ownOf(schemaKeywords, keyword)?.as === "map"),
  "schemas",
  "responses",
])

const findNames = memo((root: JsonObject | JsonArray, file: string): SchemaNames => {
  const resources = new Map<string, SchemaResource>()
  const anchors = new Map<string, string>()
  const add = (address: string, pointer: string): SchemaResource => {
    const resource = { address, pointer, anchors: new Map(), dynamicAnchors: [] }
    if (!resources.has(address)) resources.set(address, resource)
    return resource
  }
  const whole = add(addressOfFile(file), "")
  const work = [{ value: root as JsonValue, pointer: "", hasNames: false, resource: whole }]
  for (let part = work.pop(); part !== undefined; part = work.pop()) {
    const { value, pointer, hasNames } = part
    if (isJsonArray(value)) {
      for (const [index, item] of value.entries())
        work.push({ ...part, value: item, pointer: `${pointer}/${index}`, hasNames: false })
    } else if (isJsonObject(value)) {
      const address = joinAddress(hasNames ? undefined : ownAddress(value, pointer), part.resource.address)
      const resource = address === undefined ? part.resource : add(address, pointer)
      if (!hasNames) noteAnchors(value, pointer, { resource, anchors })
      for (const [key, inner] of Object.entries(value)) {
        if (!hasNames && dataKeys.has(key)) continue
        const at = `${pointer}/${escapePointer(key)}`
        work.push({ value: inner, pointer: at, hasNames: !hasNames && namesKeys.has(key), resource })
      }
    }
  }
  return { resources, anchors }
})

function noteAnchors(
  schema: JsonObject,
  pointer: string,
  { resource, anchors }: { readonly resource: SchemaResource; readonly anchors: Map<string, string> },
): void {
  for (const keyword of ["$anchor", "$dynamicAnchor"]) {
    const name = textMember(schema, keyword)
    if (name === undefined) continue
    if (!anchors.has(name)) anchors.set(name, pointer)
    if (!resource.anchors.has(name)) resource.anchors.set(name, pointer)
    if (keyword === "$dynamicAnchor") resource.dynamicAnchors.push([name, pointer])
  }
}

/**
 * Resolves a reference in the part `from` by address. Also searches `main`, the document's own file. Returns `missing`
 * if the address exists but the fragment doesn't, and undefined if the reference is a path to a file.
 */
export function findByAddress(
  reference: string,
  from: OpenPlace,
  main: DocumentFile,
): OpenPlace | "missing" | undefined {
  const { file } = from
  const hash = reference.indexOf("#")
  const address = hash === -1 ? reference : reference.slice(0, hash)
  const fragment = decodePercent(hash === -1 ? "" : reference.slice(hash + 1))
  if (fragment === undefined) return undefined
  if (address === "" && !file.hasMark("givesAddresses")) return undefined
  const around = resourceAround(from)
  // Also search the whole file: many documents use `$id` without intending its effect on `#`.
  if (address === "") return around.pointer === "" ? undefined : placeIn(file, around, fragment)
  const target = joinAddress(address, around.address)
  if (target === undefined) return undefined
  for (const one of file === main ? [file] : [file, main]) {
    if (!one.hasMark("givesAddresses")) continue
    const resource = schemaNamesOf(one).resources.get(target)
    if (resource !== undefined) return placeIn(one, resource, fragment) ?? "missing"
  }
  return undefined
}

function placeIn(file: DocumentFile, resource: Around, fragment: string): OpenPlace | undefined {
  const pointer =
    fragment === "" || fragment.startsWith("/")
      ? resource.pointer + fragment
      : anchorIn(file, resource, fragment)
  return pointer === undefined || valueAt(file.root, pointer) === undefined ? undefined : { file, pointer }
}

function anchorIn(file: DocumentFile, { address, pointer }: Around, anchor: string): string | undefined {
  const named = schemaNamesOf(file).resources.get(address)
  return named?.pointer === pointer ? named.anchors.get(anchor) : undefined
}
