// What `$dynamicRef` means depends on the way that led to it (JSON Schema 2020-12 section 8.2.3.2): the schemas gone through so far.

import type { DocumentFile } from "../document/document-files.ts"
import {
  isOldDialect,
  nameIn,
  type OpenApiDocument,
  openFile,
  resolveReference,
} from "../document/document.ts"
import { type Located, readPartName, textMember, valueAt } from "../document/located.ts"
import { resourceAround, schemaNamesOf } from "../document/schema-names.ts"

/** Dynamic anchor -> the schema that has it in the outermost resource on the way. */
export type DynamicScope = ReadonlyMap<string, Located>

export const emptyScope: DynamicScope = new Map()

export function enterScope(document: OpenApiDocument, scope: DynamicScope, schema: Located): DynamicScope {
  if (isOldDialect(document)) return scope
  const { file = document.source.file, pointer } = readPartName(schema.pointer)
  const opened = openFile(document, file)
  if (!opened.ok || !opened.file.hasMark("hasDynamicAnchors")) return scope
  const entered = new Map(scope)
  for (const [name, at] of dynamicAnchorsOf(opened.file, pointer)) {
    const value = valueAt(opened.file.root, at)
    if (entered.has(name) || value === undefined) continue
    entered.set(name, { value, pointer: nameIn(document, file, at) })
  }
  return entered.size === scope.size ? scope : entered
}

/** Those of the schema's resource; if that is the whole file, those in the schema alone, so that templates without addresses work. */
function dynamicAnchorsOf({ source, root }: DocumentFile, pointer: string) {
  const around = resourceAround(root, source.file, pointer)
  const resource = schemaNamesOf(root, source.file).resources.get(around.address)
  if (resource?.pointer !== around.pointer) return []
  const isOwnResource = around.pointer !== "" || textMember(root, "$id") !== undefined
  if (isOwnResource) return resource.dynamicAnchors
  return resource.dynamicAnchors.filter(([, at]) => at === pointer || at.startsWith(`${pointer}/`))
}

export function resolveDynamic(
  document: OpenApiDocument,
  reference: string,
  { from, scope }: { readonly from: string; readonly scope: DynamicScope },
): Located | undefined {
  const first = resolveReference(document, reference, from)
  const name = reference.slice(reference.indexOf("#") + 1)
  const isDynamic = first === undefined || textMember(first.value, "$dynamicAnchor") === name
  return (isDynamic ? scope.get(name) : undefined) ?? first
}
