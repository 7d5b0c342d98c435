// References by what schemas call themselves: `$id` changes what an address, `#` and an anchor mean in a schema and below it.

import type { JsonValue } from "@callsheet/format"
import type { DocumentFile } from "./document-files.ts"
import { valueAt } from "./located.ts"
import { decodePart } from "./reference-target.ts"
import { joinAddress, resourceAround, schemaNamesOf, type SchemaResource } from "./schema-names.ts"

interface FoundByAddress {
  readonly file: DocumentFile
  /** JSON pointer in the file. */
  readonly pointer: string
  readonly value: JsonValue
}

/** Where a reference stands: in `file` at `pointer`. The document's own file is looked into too. */
export interface ReferenceSite {
  readonly file: DocumentFile
  readonly pointer: string
  readonly main: DocumentFile
}

/**
 * `missing` where a schema has the address, and nothing at the fragment. Undefined where this says nothing of the reference:
 * then it is one to a file and a place in it.
 */
export function findByAddress(
  reference: string,
  site: ReferenceSite,
): FoundByAddress | "missing" | undefined {
  const hash = reference.indexOf("#")
  const address = hash === -1 ? reference : reference.slice(0, hash)
  const fragment = decodePart(hash === -1 ? "" : reference.slice(hash + 1))
  if (fragment === undefined) return undefined
  const { file, pointer, main } = site
  if (address === "" && !file.hasMark("givesAddresses")) return undefined
  const around = resourceAround(file.root, file.source.file, pointer)
  // What is not there is looked for in the whole file: many write `$id` without meaning what it does to `#`.
  if (address === "") return around.pointer === "" ? undefined : placeIn(file, around, fragment)
  const target = joinAddress(address, around.address)
  if (target === undefined) return undefined
  for (const one of file === main ? [file] : [file, main]) {
    if (!one.hasMark("givesAddresses")) continue
    const resource = schemaNamesOf(one.root, one.source.file).resources.get(target)
    if (resource !== undefined) return placeIn(one, resource, fragment) ?? "missing"
  }
  return undefined
}

function placeIn(
  file: DocumentFile,
  resource: Pick<SchemaResource, "address" | "pointer">,
  fragment: string,
): FoundByAddress | undefined {
  const pointer =
    fragment === "" || fragment.startsWith("/")
      ? resource.pointer + fragment
      : anchorIn(file, resource, fragment)
  const value = pointer === undefined ? undefined : valueAt(file.root, pointer)
  return pointer === undefined || value === undefined ? undefined : { file, pointer, value }
}

function anchorIn(
  file: DocumentFile,
  { address, pointer }: Pick<SchemaResource, "address" | "pointer">,
  anchor: string,
): string | undefined {
  const named = schemaNamesOf(file.root, file.source.file).resources.get(address)
  return named?.pointer === pointer ? named.anchors.get(anchor) : undefined
}
