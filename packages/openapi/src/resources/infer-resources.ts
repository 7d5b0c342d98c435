// Infers the resources of a document from its paths, the bodies of its responses, and its links.

import { getOrCreate, memberType, memo, type ValueType } from "@callsheet/format"
import { hasRequestBody } from "../document/content.ts"
import type { OpenApiDocument } from "../document/document.ts"
import { listOperations, type Operation } from "../document/operations.ts"
import { parametersOf } from "../document/parameters.ts"
import { linksOf } from "./links.ts"
import { hasChoice, referringParameter } from "./references.ts"
import { keyOf, lastLiteral, segmentsOf, splitPath, type Segment } from "./path-segments.ts"
import { isKind, itemPlace, listPlace, successBody, successResponses, typeAt } from "./response-places.ts"
import type { Identifier, Resource, ResourceModel, Role, RoleOperation, Steps } from "./resource-model.ts"
import { identifierField, plainName, singular } from "./words.ts"

/** Returns the resources of a document, in the order of their first operations. */
export const inferResources = memo((document: OpenApiDocument): ResourceModel => {
  const drafts = mergeNested(draftsOf(groupPaths(listOperations(document))))
  const byItem = new Map<string, Resource>()
  const resources = new Map<Draft, Resource>()
  // Parents have shorter paths than their children.
  for (const draft of drafts.toSorted((a, b) => depthOf(a) - depthOf(b))) {
    const resource = makeResource(draft, byItem)
    resources.set(draft, resource)
    if (draft.item !== undefined) byItem.set(draft.item.key, resource)
  }
  const list = drafts.flatMap((draft) => resources.get(draft) ?? [])
  const roles = rolesOf(list)
  return {
    resources: list,
    roleOf: (operation) => roles.get(operation),
    resourceAt: (path, parameter) => {
      const segments = splitPath(path)
      const end = segments.findIndex(({ text, is }) => is === "parameter" && text === parameter)
      return end === -1 ? undefined : byItem.get(keyOf(segments.slice(0, end + 1)))
    },
  }
})

/** The operations of all paths that differ only in the names of parameters. */
interface PathGroup {
  readonly key: string
  readonly path: string
  readonly segments: readonly Segment[]
  readonly operations: Map<string, Operation>
}

function groupPaths(operations: readonly Operation[]): ReadonlyMap<string, PathGroup> {
  const groups = new Map<string, PathGroup>()
  for (const operation of operations) {
    const segments = segmentsOf(operation)
    const { path, method } = operation
    const make = (key: string): PathGroup => ({ key, path, segments, operations: new Map() })
    const { operations: own } = getOrCreate(groups, keyOf(segments), make)
    if (!own.has(method)) own.set(method, operation)
  }
  return groups
}

interface Draft {
  readonly name: string
  readonly collection: PathGroup | undefined
  readonly item: PathGroup | undefined
  readonly operations: { readonly [R in Role]?: Operation | undefined }
}

const depthOf = ({ collection, item }: Draft): number => (collection ?? item)?.segments.length ?? 0

function draftsOf(groups: ReadonlyMap<string, PathGroup>): readonly Draft[] {
  const drafts = new Map<string, Draft>()
  for (const group of groups.values()) {
    const item = isItem(group, groups) ? group : itemBelow(group, groups)
    const collection = item === group ? groups.get(keyOf(group.segments.slice(0, -1))) : group
    const draft = readDraft(collection === item ? undefined : collection, item)
    if (draft !== undefined) getOrCreate(drafts, (collection ?? group).key, () => draft)
  }
  return [...drafts.values()]
}

/** The names of the item that a session or a user means without naming it. */
const aliases = new Set(["current", "me", "self", "mine"])

function isItem(group: PathGroup, groups: ReadonlyMap<string, PathGroup>): boolean {
  const { segments } = group
  const last = segments.at(-1)
  if (last?.is === "parameter") return !isChoiceOf(group, last.text)
  const above = keyOf(segments.slice(0, -1))
  return aliases.has(last?.text.toLowerCase() ?? "") && groups.has(above) && !groups.has(`${above}/{}`)
}

/** Returns whether a path parameter chooses one of documented values, such as `{section}`, and so identifies no item. */
const isChoiceOf = ({ operations }: PathGroup, parameter: string): boolean =>
  [...operations.values()].some((operation) =>
    parametersOf(operation).some(
      (one) => one.in === "path" && one.name === parameter && hasChoice(referringParameter(one)),
    ),
  )

const itemBelow = ({ key }: PathGroup, groups: ReadonlyMap<string, PathGroup>): PathGroup | undefined =>
  ["{}", ...aliases]
    .map((last) => groups.get(`${key}/${last}`))
    .find((group) => group !== undefined && isItem(group, groups))

/** Returns the resource of a collection and its items. Undefined if their operations are no such thing. */
function readDraft(collection: PathGroup | undefined, item: PathGroup | undefined): Draft | undefined {
  const segments = (collection ?? item)?.segments ?? []
  const name = lastLiteral(segments) ?? item?.segments.at(-1)?.text
  if (name === undefined || collection?.segments.at(-1)?.is === "mixed") return undefined
  const get = collection?.operations.get("GET")
  const post = collection?.operations.get("POST")
  const isList = get !== undefined && listPlace(successBody(get), name) !== undefined
  const list = isList || (item !== undefined && !isKind(successBodyOf(get), "object")) ? get : undefined
  const put = item?.operations.get("PUT")
  const isMade = post !== undefined && (item !== undefined || makesItem(post, name, isList))
  const operations = {
    create: isMade ? post : put !== undefined && hasStatus(put, "201") ? put : undefined,
    read: item?.operations.get("GET"),
    list,
    update: item && (item.operations.get("PATCH") ?? postToItem(item)),
    replace: put,
    delete: item?.operations.get("DELETE"),
  }
  const { create, read, update, replace } = operations
  const isResource = [create, read, list, update, replace, operations.delete].some((one) => one !== undefined)
  return isResource ? { name, collection, item, operations } : undefined
}

const successBodyOf = (operation: Operation | undefined): ValueType | undefined =>
  operation && successBody(operation)

/** Returns whether a POST creates something although items have no path, unlike `POST /orders/{id}/cancel` and searches. */
function makesItem(post: Operation, name: string, isListed: boolean): boolean {
  const body = successBody(post)
  if (listPlace(body, name) !== undefined) return false
  return isListed || (hasStatus(post, "201") && isKind(body, "object"))
}

const hasStatus = (operation: Operation, wanted: string): boolean =>
  successResponses(operation).some(({ status }) => status === wanted)

/** Returns a POST that changes an item, as in APIs without PUT and PATCH. */
function postToItem({ operations, segments }: PathGroup): Operation | undefined {
  const post = operations.get("POST")
  const isOnly = !operations.has("PUT") && operations.has("GET") && segments.at(-1)?.is === "parameter"
  return isOnly && post !== undefined && hasRequestBody(post) ? post : undefined
}

/** Joins a resource without `create`, such as `/returns/{id}`, with the only one of its name that has just that. */
function mergeNested(drafts: readonly Draft[]): readonly Draft[] {
  const merged = new Map<Draft, Draft | undefined>()
  for (const draft of drafts) {
    const { item, collection, operations } = draft
    if (item === undefined || operations.create !== undefined || collection !== undefined) continue
    const [nested, ...others] = drafts.filter(
      (one) => one.item === undefined && one.operations.create !== undefined && isSameName(one, draft),
    )
    if (nested === undefined || others.length > 0 || merged.has(nested)) continue
    const { create, list } = nested.operations
    merged.set(nested, undefined)
    merged.set(draft, {
      ...draft,
      collection: nested.collection,
      operations: { ...operations, create, list },
    })
  }
  return drafts.flatMap((draft) => (merged.has(draft) ? (merged.get(draft) ?? []) : [draft]))
}

const isSameName = (one: Draft, other: Draft): boolean =>
  plainName(singular(one.name)) === plainName(singular(other.name))

function makeResource(draft: Draft, byItem: ReadonlyMap<string, Resource>): Resource {
  const { name, collection, item, operations } = draft
  const last = item?.segments.at(-1)
  const parameter = last?.is === "parameter" ? last.text : undefined
  const fieldOf = (type: ValueType): string | undefined =>
    identifierField(parameter ?? singular(name), name, scalarNames(type))
  const found = findPlaces(draft, (type) => fieldOf(type) !== undefined)
  const field = [...found.values()].map(({ item }) => item && fieldOf(item)).find((one) => one !== undefined)
  const linked = linkedIdentifier(operations.create, item, parameter)
  const identifier: Identifier = { parameter, field, why: linked === undefined ? "path" : "link" }
  const roles = Object.entries(operations).flatMap(([role, operation]) => {
    if (operation === undefined) return []
    const { place, itemAt, item: type } = found.get(role as Role) ?? {}
    const own = role === "create" ? linked : undefined
    const isDescribed = field !== undefined && type?.names().includes(field) === true
    const at = itemAt !== undefined && isDescribed ? [...itemAt, field] : undefined
    return [[role, { operation, place, identifier: own ?? at }]]
  })
  return {
    name,
    collectionPath: collection?.path,
    itemPath: item?.path,
    parent: parentOf(draft, byItem),
    identifier: parameter === undefined && field === undefined ? undefined : identifier,
    roles: Object.fromEntries(roles) as { readonly [R in Role]?: RoleOperation },
  }
}

/** Returns the members that can identify an item, which lists and objects can't. */
const scalarNames = (type: ValueType): readonly string[] =>
  type.names().filter((name) => {
    const kinds = memberType(type, name)?.kinds
    return kinds === undefined || kinds.has("string") || kinds.has("number")
  })

interface FoundPlace {
  readonly place: Steps
  /** Where the item or the first item of a list is. */
  readonly itemAt: Steps
  readonly item: ValueType | undefined
}

/** Finds the items in the responses of each operation. */
function findPlaces({ name, operations }: Draft, isItemType: (item: ValueType) => boolean) {
  const places = new Map<Role, FoundPlace>()
  for (const [role, operation] of Object.entries(operations) as [Role, Operation | undefined][]) {
    const body = successBodyOf(operation)
    const place = role === "list" ? listPlace(body, name) : itemPlace(body, name, isItemType)
    if (place === undefined) continue
    const first = role === "list" ? [...place, "0"] : place
    const inner = itemPlace(typeAt(body, first), name, isItemType) ?? []
    const itemAt = [...first, ...inner]
    places.set(role, { place, itemAt, item: typeAt(body, itemAt) })
  }
  return places
}

/** Returns where the response of `create` has the identifier, if a link says so. */
function linkedIdentifier(
  create: Operation | undefined,
  item: PathGroup | undefined,
  parameter: string | undefined,
): Steps | undefined {
  if (create === undefined || item === undefined) return undefined
  const link = linksOf(create.document).find(
    ({ from, to, parameter: name, path }) =>
      from === create && name === parameter && path[0] === "body" && keyOf(segmentsOf(to)) === item.key,
  )
  return link?.path.slice(1)
}

/** Returns the resource with the longest item path that is the start of a collection's path. */
function parentOf({ collection, item }: Draft, byItem: ReadonlyMap<string, Resource>): Resource | undefined {
  const segments = (collection ?? item)?.segments ?? []
  for (let end = segments.length - 1; end > 0; end--) {
    const found = byItem.get(keyOf(segments.slice(0, end)))
    if (found !== undefined) return found
  }
  return undefined
}

function rolesOf(resources: readonly Resource[]) {
  const roles = new Map<Operation, { readonly resource: Resource; readonly role: Role }>()
  for (const resource of resources)
    for (const [role, { operation }] of Object.entries(resource.roles) as [Role, RoleOperation][])
      if (!roles.has(operation)) roles.set(operation, { resource, role })
  return roles
}
