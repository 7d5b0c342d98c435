// Finds the place of an item in the store by the path of a request.

import { memo } from "@callsheet/format"
import { decode, inferResources, type Operation, type Resource } from "@callsheet/openapi"
import { decodeSegments } from "./incoming.ts"
import type { Accepted } from "./answer-documented.ts"
import type { ItemPlace } from "./store.ts"

/** Returns whether clients can create items. A mock answers for all other resources from the document. */
export const isStored = ({ roles }: Resource): boolean => roles.create !== undefined

const segmentsOf = (path: string): readonly string[] => path.split("/")

/** Returns the start of a request's path that stands for a template's. */
const startOf = ({ incoming }: Accepted, template: string): string =>
  segmentsOf(decodeSegments(incoming.path)).slice(0, segmentsOf(template).length).join("/")

export const collectionOf = (accepted: Accepted, resource: Resource): string =>
  resource.collectionPath === undefined ? "" : startOf(accepted, resource.collectionPath)

/** Returns the place of the item that a request names. */
export function namedPlace(accepted: Accepted, resource: Resource): ItemPlace {
  const { itemPath = "" } = resource
  const depth = segmentsOf(itemPath).length - 1
  const scope = segmentsOf(decodeSegments(accepted.incoming.path)).slice(0, depth).join("/")
  return { resource, scope, id: idAt(accepted, depth) }
}

/** Returns the value of the parameter in a segment, or nothing for a path such as `/sessions/current`. */
function idAt({ operation, params }: Accepted, depth: number): string {
  const name = /\{([^{}]+)\}/.exec(segmentsOf(operation.path)[depth] ?? "")?.[1]
  const id = name === undefined ? "" : (params.get(name) ?? "")
  // The path keeps an encoded slash, because a slash would end the segment.
  return /%2f/i.test(id) ? decode(id) : id
}

/** Returns the path of a stored item for a URL. Undefined if items have no path. */
export function pathOf({ resource, scope, id }: ItemPlace): string | undefined {
  const { itemPath } = resource
  if (itemPath === undefined || id === "") return itemPath
  return [
    ...segmentsOf(scope).map((segment) => (/%2f/i.test(segment) ? segment : encodeURIComponent(segment))),
    encodeURIComponent(id),
  ].join("/")
}

/** Returns the place of a new item in the collection of a request. */
export function newPlace(accepted: Accepted, resource: Resource, id: string): ItemPlace {
  const { itemPath, collectionPath } = resource
  if (itemPath === undefined) return { resource, scope: collectionOf(accepted, resource), id }
  const above = segmentsOf(itemPath).slice(0, -1).join("/")
  const isBelow =
    collectionPath !== undefined &&
    segmentsOf(above).length === segmentsOf(collectionPath).length &&
    sameShape(above, collectionPath)
  const scope = isBelow
    ? collectionOf(accepted, resource)
    : above.replaceAll(/\{([^{}]+)\}/g, (_, name: string) => accepted.params.get(name) ?? "")
  return { resource, scope, id: resource.identifier?.parameter === undefined ? "" : id }
}

/** Returns whether two templates differ only in the names of their parameters. */
const sameShape = (one: string, other: string): boolean => shapeOf(one) === shapeOf(other)
const shapeOf = (path: string): string => path.replaceAll(/\{[^{}]+\}/g, "{}")

/** Returns the scope in which the items of a request's collection are found. */
export const scopeOf = (accepted: Accepted, resource: Resource): string =>
  newPlace(accepted, resource, "").scope

/** Returns the stored resources whose items contain the path of an operation, the outermost first. */
export const containersOf = memo((operation: Operation): readonly Resource[] => {
  const model = inferResources(operation.document)
  const own = model.roleOf(operation)
  const names = [...operation.path.matchAll(/\{([^{}]+)\}/g)].flatMap(([, name]) => name ?? [])
  return names
    .flatMap((name) => model.resourceAt(operation.path, name) ?? [])
    .filter((resource) => isStored(resource) && resource !== own?.resource)
})
