// The scope of `$dynamicRef`. The target depends on the path through the schemas (JSON Schema 2020-12 section 8.2.3.2).

import { type OpenPlace, openPlace } from "../document/document.ts"
import { textMember } from "../document/located.ts"
import { type Part, partIn } from "../document/part.ts"
import { resourceAround, schemaNamesOf } from "../document/schema-names.ts"

/** The target of each dynamic anchor: the schema in the outermost resource on the path. */
export type DynamicScope = ReadonlyMap<string, Part>

export const emptyScope: DynamicScope = new Map()

export function enterScope(scope: DynamicScope, schema: Part): DynamicScope {
  const place = schema.isOld ? undefined : openPlace(schema.document, schema.pointer)
  if (place?.file.hasMark("hasDynamicAnchors") !== true) return scope
  const entered = new Map(scope)
  for (const [name, pointer] of dynamicAnchorsOf(place)) {
    const part = partIn(schema.document, { ...place, pointer })
    if (part !== undefined && !entered.has(name)) entered.set(name, part)
  }
  return entered.size === scope.size ? scope : entered
}

/**
 * Returns the anchors of the schema's resource. If the resource is a whole file, returns only those of the schema
 * itself, so that templates without addresses work.
 */
function dynamicAnchorsOf(place: OpenPlace) {
  const { file, pointer } = place
  const around = resourceAround(place)
  const resource = schemaNamesOf(file).resources.get(around.address)
  if (resource?.pointer !== around.pointer) return []
  const isOwnResource = around.pointer !== "" || textMember(file.root, "$id") !== undefined
  if (isOwnResource) return resource.dynamicAnchors
  return resource.dynamicAnchors.filter(([, at]) => at === pointer || at.startsWith(`${pointer}/`))
}

export function resolveDynamic(from: Part, reference: string, scope: DynamicScope): Part | undefined {
  const first = from.resolve(reference)
  const name = reference.slice(reference.indexOf("#") + 1)
  const isDynamic = first === undefined || first.text("$dynamicAnchor") === name
  return (isDynamic ? scope.get(name) : undefined) ?? first
}
