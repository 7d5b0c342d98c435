// The resources of a document: what can be created, read, listed, updated and deleted, and how an item is identified.

import type { Operation } from "../document/operations.ts"

/** `replace` is PUT, `update` is PATCH or, as in some APIs, POST to an item. */
export type Role = "create" | "read" | "list" | "update" | "replace" | "delete"

/** Names of members and indices, from the outside in. Empty for the whole value. */
export type Steps = readonly string[]

export interface RoleOperation {
  readonly operation: Operation
  /**
   * Where a JSON response has the item or, for `list`, the array of items. Undefined if the document describes no such
   * response.
   */
  readonly place: Steps | undefined
  /** Where a JSON response has the identifier of the item or, for `list`, that of the first item. */
  readonly identifier: Steps | undefined
}

export interface Resource {
  /** The last literal segment of its path, such as `orders`. Not unique. */
  readonly name: string
  /** The path of the collection: `/orders/{orderId}/lines`. Undefined if only items have a path. */
  readonly collectionPath: string | undefined
  /** The path of an item: `/orders/{orderId}/lines/{lineId}`. Undefined if items have no path. */
  readonly itemPath: string | undefined
  /** The resource whose items contain this collection. */
  readonly parent: Resource | undefined
  readonly identifier: Identifier | undefined
  readonly roles: { readonly [R in Role]?: RoleOperation }
}

export interface Identifier {
  /** The last parameter of the item's path. Undefined for a path such as `/sessions/current`. */
  readonly parameter: string | undefined
  /** The member of an item that identifies it. Undefined if the document describes none. */
  readonly field: string | undefined
  /** Why `field` is the value of `parameter`. */
  readonly why: Why
}

/** The evidence for a dependency, the strongest first. */
export type Why =
  /** The document says so by a link. */
  | "link"
  /** The parameter's place in the path and its name in the item. */
  | "path"
  /** The name of a parameter or field is that of another resource's identifier. */
  | "name"
  /** The `format` of a field names a resource. */
  | "format"

export interface ResourceModel {
  readonly resources: readonly Resource[]
  /** The role of an operation. Undefined for those of no resource, such as `POST /orders/{orderId}/cancel`. */
  readonly roleOf: (operation: Operation) => { readonly resource: Resource; readonly role: Role } | undefined
  /** Returns the resource whose item path is the start of a path, up to one of its parameters. */
  readonly resourceAt: (path: string, parameter: string) => Resource | undefined
}
