// What `$dynamicRef` means depends on the way that led to it (JSON Schema 2020-12 section 8.2.3.2): the schemas gone through so far.

import type { DocumentFile } from "../document/document-files.ts"
import { nameIn, openFile } from "../document/document.ts"
import { readPartName, textMember, valueAt } from "../document/located.ts"
import { type Part, WrittenPart } from "../document/part.ts"
import { resourceAround, schemaNamesOf } from "../document/schema-names.ts"

/** Dynamic anchor -> the schema that has it in the outermost resource on the way. */
export type DynamicScope = ReadonlyMap<string, Part>

export const emptyScope: DynamicScope = new Map()

export function enterScope(scope: DynamicScope, schema: Part): DynamicScope {
  if (schema.isOld) return scope
  const { document } = schema
  const { file = document.source.file, pointer } = readPartName(schema.pointer)
  const opened = openFile(document, file)
  if (!opened.ok || !opened.file.hasMark("hasDynamicAnchors")) return scope
  const entered = new Map(scope)
  for (const [name, at] of dynamicAnchorsOf(opened.file, pointer)) {
    const value = valueAt(opened.file.root, at)
    if (entered.has(name) || value === undefined) continue
    entered.set(name, new WrittenPart(document, value, nameIn(document, file, at)))
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

export function resolveDynamic(from: Part, reference: string, scope: DynamicScope): Part | undefined {
  const first = from.resolve(reference)
  const name = reference.slice(reference.indexOf("#") + 1)
  const isDynamic = first === undefined || first.text("$dynamicAnchor") === name
  return (isDynamic ? scope.get(name) : undefined) ?? first
}
