// The items that clients of a mock have created, by the paths under which they are found.

import { getOrCreate, type JsonObject } from "@callsheet/format"
import type { Resource } from "@callsheet/openapi"

export interface StoredItem {
  readonly id: string
  /** The path of the collection in which it was created: `/orders/1/lines`. */
  readonly collection: string
  readonly value: JsonObject
  /** The value as a list shows it. Made on demand. */
  listed?: JsonObject | undefined
}

/** Where an item is found: the path above it, such as `/orders/1/lines`, and its id. */
export interface ItemPlace {
  readonly resource: Resource
  readonly scope: string
  readonly id: string
}

/** The maximum number of items, to limit the memory that a client can take. */
const MAX_ITEMS = 100_000

export class Store {
  readonly #scopes = new Map<Resource, Map<string, Map<string, StoredItem>>>()
  #count = 0

  get isFull(): boolean {
    return this.#count >= MAX_ITEMS
  }

  get({ resource, scope, id }: ItemPlace): StoredItem | undefined {
    return this.#scopes.get(resource)?.get(scope)?.get(id)
  }

  set({ resource, scope, id }: ItemPlace, item: StoredItem): void {
    const scopes = getOrCreate(this.#scopes, resource, () => new Map<string, Map<string, StoredItem>>())
    const items = getOrCreate(scopes, scope, () => new Map<string, StoredItem>())
    if (!items.has(id)) this.#count++
    items.set(id, item)
  }

  /** Deletes an item, and the items below its path. */
  delete({ resource, scope, id }: ItemPlace): void {
    if (this.#scopes.get(resource)?.get(scope)?.delete(id) !== true) return
    this.#count--
    const path = `${scope}/${id}`
    for (const scopes of this.#scopes.values())
      for (const [inner, items] of scopes) {
        if (inner === path || inner.startsWith(`${path}/`)) {
          scopes.delete(inner)
          this.#count -= items.size
          continue
        }
        for (const [key, item] of items)
          if (item.collection.startsWith(`${path}/`) && items.delete(key)) this.#count--
      }
  }

  /** Returns the items that were created in a collection. */
  in(resource: Resource, scope: string, collection: string): readonly StoredItem[] {
    const items = [...(this.#scopes.get(resource)?.get(scope)?.values() ?? [])]
    return scope === collection ? items : items.filter((item) => item.collection === collection)
  }
}
