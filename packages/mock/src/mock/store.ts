// The items that clients of a mock have created, by the paths under which they are found. They outlive a version of the
// document.

import { getOrCreate, memo, type JsonObject } from "@callsheet/format"
import type { Resource } from "@callsheet/openapi"
import { weigh } from "./weigh.ts"

export interface StoredItem {
  readonly id: string
  /** The path of the collection in which it was created: `/orders/1/lines`. */
  readonly collection: string
  readonly value: JsonObject
  /** Its share of what the store may keep. Set by the store. */
  weight?: number | undefined
}

/** Where an item is found: the path above it, such as `/orders/1/lines`, and its id. */
export interface ItemPlace {
  readonly resource: Resource
  readonly scope: string
  readonly id: string
}

/** An id that a mock gave: the number of the item, and the kind of id, in the order of candidates. */
export interface LastId {
  readonly n: number
  readonly kind: number
}

/** Names a resource in every version of a document. */
const keyOf = memo(({ itemPath, collectionPath = "" }: Resource): string =>
  (itemPath ?? collectionPath).replaceAll(/\{[^{}]+\}/g, "{}"),
)

/** The maximum number of items, and of characters in all of them, to limit the memory that clients can take. */
const MAX_ITEMS = 100_000
const MAX_WEIGHT = 128 * 1024 * 1024

export class Store {
  readonly #scopes = new Map<string, Map<string, Map<string, StoredItem>>>()
  /** The last ids that the mock gave, by resource. */
  readonly #lastIds = new Map<string, LastId>()
  #count = 0
  #weight = 0

  lastId(resource: Resource): LastId {
    return this.#lastIds.get(keyOf(resource)) ?? { n: 0, kind: 0 }
  }

  setLastId(resource: Resource, last: LastId): void {
    this.#lastIds.set(keyOf(resource), last)
  }

  /** Returns whether an item has a place. A path without an id, such as `/sessions/current`, is never taken. */
  isTaken(place: ItemPlace): boolean {
    return place.id !== "" && this.get(place) !== undefined
  }

  get({ resource, scope, id }: ItemPlace): StoredItem | undefined {
    return this.#scopes.get(keyOf(resource))?.get(scope)?.get(id)
  }

  /** Keeps an item. Returns false if the store is full. */
  set({ resource, scope, id }: ItemPlace, item: StoredItem): boolean {
    const scopes = getOrCreate(
      this.#scopes,
      keyOf(resource),
      () => new Map<string, Map<string, StoredItem>>(),
    )
    const items = getOrCreate(scopes, scope, () => new Map<string, StoredItem>())
    const old = items.get(id)
    item.weight = weigh(item.value, MAX_WEIGHT)
    const count = this.#count + (old === undefined ? 1 : 0)
    const weight = this.#weight + item.weight - weightOf(old)
    if (count > MAX_ITEMS || weight > MAX_WEIGHT) return false
    this.#count = count
    this.#weight = weight
    items.set(id, item)
    return true
  }

  /** Deletes an item, and the items below its path. */
  delete({ resource, scope, id }: ItemPlace): void {
    const own = this.#scopes.get(keyOf(resource))?.get(scope)
    if (own === undefined || !this.#remove(own, id)) return
    const path = `${scope}/${id}`
    for (const scopes of this.#scopes.values())
      for (const [inner, items] of scopes) {
        const isBelow = inner === path || inner.startsWith(`${path}/`)
        for (const [key, item] of items)
          if (isBelow || item.collection.startsWith(`${path}/`)) this.#remove(items, key)
        if (isBelow) scopes.delete(inner)
      }
  }

  #remove(items: Map<string, StoredItem>, id: string): boolean {
    const item = items.get(id)
    this.#weight -= weightOf(item)
    if (item !== undefined) this.#count--
    return items.delete(id)
  }

  /** Returns the items that were created in a collection. */
  in(resource: Resource, scope: string, collection: string): readonly StoredItem[] {
    const items = [...(this.#scopes.get(keyOf(resource))?.get(scope)?.values() ?? [])]
    return scope === collection ? items : items.filter((item) => item.collection === collection)
  }
}

const weightOf = (item: StoredItem | undefined): number => item?.weight ?? 0
