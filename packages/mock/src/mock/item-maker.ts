// Makes the items of a store: their ids, and their values as the responses of a resource need them.

import { isJsonObject, ownOf, setOwn, toText, type JsonObject, type JsonValue } from "@callsheet/format"
import {
  createSampler,
  createSchemaChecker,
  parametersOf,
  type MediaType,
  type Parameter,
  type Part,
  type Resource,
  type RoleOperation,
  type Sampler,
  type Steps,
} from "@callsheet/openapi"
import type { Accepted } from "./answer-documented.ts"
import { createdStatus, jsonMedia, usualStatus } from "./documented-answers.ts"
import { newPlace } from "./item-places.ts"
import {
  fitBody,
  idCandidates,
  idValue,
  schemaIn,
  typeIn,
  valueIn,
  withParents,
  wrap,
} from "./item-values.ts"
import type { ItemPlace, LastId, Store, StoredItem } from "./store.ts"

/** A request to an operation that has a role in a resource. */
export interface Acting extends Accepted {
  readonly resource: Resource
  readonly own: RoleOperation
}

interface Identified {
  readonly place: ItemPlace
  readonly value: JsonObject
}

/** The kinds of `idCandidates`, and those of a sample. */
const ID_KINDS = 7

export class ItemMaker {
  readonly #sampler: Sampler
  readonly #seed: number | undefined
  readonly #checkRequest = createSchemaChecker("request")
  readonly #checkResponse = createSchemaChecker("response")
  readonly #store: Store

  constructor(store: Store, sampler: Sampler, seed: number | undefined) {
    this.#store = store
    this.#sampler = sampler
    this.#seed = seed
  }

  /** Makes an item with an id that its field and the parameter of its path allow. */
  identify(acting: Acting, sent: JsonObject): Identified {
    const { resource } = acting
    const last = this.#store.lastId(resource)
    for (let kind = last.kind; kind < ID_KINDS; kind++) {
      const free = this.#nextFree(acting, { n: last.n, kind })
      if (free === undefined) continue
      const { n, id, place } = free
      if (place.id !== "" && !this.#allowsParameter(resource, id)) continue
      const value = this.make(acting, sent, id)
      const own = textIn(value, resource)
      if (own !== undefined && own !== id) continue
      this.#store.setLastId(resource, { n, kind })
      return { place, value }
    }
    const n = last.n + 1
    this.#store.setLastId(resource, { ...last, n })
    const value = this.make(acting, sent, undefined)
    return { place: newPlace(acting, resource, textIn(value, resource) ?? String(n)), value }
  }

  /** Returns the next id of a kind that no item has: clients may have chosen some. Undefined if there is none. */
  #nextFree(acting: Acting, { n: last, kind }: LastId) {
    let before: string | undefined
    for (let n = last + 1; ; n++) {
      const id = this.#idOf(acting.resource, { n, kind })
      if (id === undefined || id === before) return undefined
      const place = newPlace(acting, acting.resource, id)
      if (!this.#store.isTaken(place)) return { n, id, place }
      before = id
    }
  }

  #idOf(resource: Resource, { n, kind }: LastId): string | undefined {
    const usual = idCandidates(n, resource.name.replace(/s$/, ""), this.#seed)
    return kind < usual.length ? usual[kind] : this.#sampleIds(resource, n)[kind - usual.length]
  }

  #allowsParameter(resource: Resource, id: string): boolean {
    const schema = idSchema(resource)
    if (schema === undefined) return true
    const readings = /^\d{1,15}$/.test(id) ? [Number(id), id] : [id]
    return this.#checkRequest(schema, readings, "").length === 0
  }

  /** Returns an id by the schema of its parameter, such as one with a pattern. */
  #sampleIds(resource: Resource, n: number): readonly string[] {
    const schema = idSchema(resource)
    if (schema === undefined) return []
    const sample = createSampler({ direction: "request", seed: this.#seed }).sampleSchema(schema)
    if (!sample.isDecided || typeof sample.value === "object") return []
    const text = toText(sample.value)
    const number = String(n)
    return [text.slice(0, Math.max(0, text.length - number.length)) + number, text]
  }

  /** Makes an item from what was sent. The rest is as the responses of `create` and `read` need it. */
  make({ resource, own, params }: Acting, sent: JsonObject, id: string | undefined): JsonObject {
    const { create, read } = resource.roles
    const shown = read && { media: jsonMedia(read.operation, usualStatus(read.operation)), place: read.place }
    const made = { media: jsonMedia(own.operation, createdStatus(own.operation)), place: create?.place }
    const type = typeIn(shown?.media, shown?.place ?? []) ?? typeIn(made.media, made.place ?? [])
    const start: Record<string, JsonValue> = { ...withParents(sent, type, params) }
    const field = resource.identifier?.field
    if (field !== undefined && id !== undefined) setOwn(start, field, idValue(id, type, field))
    const first = this.fit(made.media, made.place, [start])
    const isSame = shown !== undefined && first !== undefined && isSameSchema(made, shown)
    const second = isSame ? undefined : this.fit(shown?.media, shown?.place, [{ ...first, ...start }])
    return first === undefined && second === undefined ? start : { ...first, ...second }
  }

  /** Returns an item that a response may have, with as much as possible of the hints. */
  fit(media: MediaType | undefined, place: Steps | undefined, hints: readonly JsonObject[]) {
    if (media === undefined || place === undefined) return undefined
    const wrapped = hints.map((hint) => wrap(place, hint))
    const item = valueIn(fitBody(this.#sampler, media, wrapped), place)
    return isJsonObject(item) ? item : undefined
  }

  /** Returns an item as a list has it, which may be shorter. */
  list(media: MediaType | undefined, place: Steps, { value }: StoredItem): JsonObject {
    if (media === undefined) return value
    const schema = schemaIn(media, place, "items")
    if (schema !== undefined && this.#checkResponse(schema, [value], "").length === 0) return value
    const list = valueIn(fitBody(this.#sampler, media, [wrap(place, [value])]), place)
    const first = Array.isArray(list) ? (list as readonly JsonValue[])[0] : undefined
    return isJsonObject(first) ? first : value
  }
}

/** Returns the schema of the parameter that names an item in its path or, without one, of the field that does. */
function idSchema({ roles, identifier }: Resource): Part | undefined {
  const { operation } = roles.read ?? roles.delete ?? roles.update ?? roles.replace ?? {}
  if (operation === undefined) {
    const { create } = roles
    if (create?.identifier === undefined) return undefined
    return schemaIn(jsonMedia(create.operation, createdStatus(create.operation)), create.identifier, "value")
  }
  const isNamed = ({ in: place, name }: Parameter): boolean =>
    place === "path" && name === identifier?.parameter
  return parametersOf(operation).find(isNamed)?.schema
}

interface ShownItem {
  readonly media: MediaType | undefined
  readonly place: Steps | undefined
}

function isSameSchema(one: ShownItem, other: ShownItem): boolean {
  const schema = schemaIn(one.media, one.place ?? [], "value")
  return schema !== undefined && schema.pointer === schemaIn(other.media, other.place ?? [], "value")?.pointer
}

/** Returns the id in an item as text. */
function textIn(item: JsonObject, { identifier }: Resource): string | undefined {
  const value = identifier?.field === undefined ? undefined : ownOf(item, identifier.field)
  return value === undefined || value === null || typeof value === "object" ? undefined : toText(value)
}
