// Answers the operations of resources from a store: what a client creates, it can read, list, change and delete.

import {
  getOrCreate,
  isJsonArray,
  isJsonObject,
  ownOf,
  setOwn,
  stringifyJson,
  toText,
  type Headers,
  type JsonArray,
  type JsonObject,
  type JsonValue,
} from "@callsheet/format"
import {
  bodyKindOf,
  inferResources,
  listPlace,
  responseContract,
  type Operation,
  type Resource,
  type Role,
} from "@callsheet/openapi"
import { plainAnswer, type Answer } from "./answer.ts"
import type { Accepted } from "./answer-documented.ts"
import { changeOf } from "./change-item.ts"
import { chooseResponse } from "./choose-response.ts"
import {
  createdStatus,
  hasStatus,
  jsonMedia,
  usualStatus,
  type DocumentedAnswers,
} from "./documented-answers.ts"
import { collectionOf, containersOf, isStored, namedPlace, newPlace, pathOf, scopeOf } from "./item-places.ts"
import { aboutList, fitBody, replaceIn, sentItem, typeIn, valueIn, wrap } from "./item-values.ts"
import { ItemMaker, type Acting } from "./item-maker.ts"
import { readContent } from "./incoming.ts"
import { queryList } from "./list-query.ts"
import { messages } from "./messages.ts"
import { readPreferences } from "./preferences.ts"
import { Store, type ItemPlace, type StoredItem } from "./store.ts"

interface StoreOptions {
  readonly answers: DocumentedAnswers
  /** What earlier versions of the document have stored stays. */
  readonly store: Store
  readonly seed: number | undefined
  /** Returns the URL of the mock. */
  readonly url: () => string
}

type Act = (acting: Acting) => Promise<Answer | undefined> | Answer | undefined

export class StoredAnswers {
  readonly #answers: DocumentedAnswers
  readonly #options: StoreOptions
  readonly #store: Store
  /** Items as a list shows them, which is only worked out once. */
  readonly #listed = new WeakMap<StoredItem, JsonObject>()
  readonly #items: ItemMaker
  readonly #acts: { readonly [R in Role]: Act } = {
    create: (acting) => this.#create(acting),
    read: (acting) => this.#read(acting),
    list: (acting) => this.#list(acting),
    update: (acting) => this.#change(acting, "update"),
    replace: (acting) => this.#change(acting, "replace"),
    delete: (acting) => this.#delete(acting),
  }

  constructor(options: StoreOptions) {
    this.#options = options
    this.#answers = options.answers
    this.#store = options.store
    this.#items = new ItemMaker(options.store, options.answers.sampler, options.seed)
  }

  /** Answers a request. Returns undefined if the document alone has the answer. */
  readonly answer = async (accepted: Accepted): Promise<Answer | undefined> => {
    const { operation, incoming } = accepted
    const { code, example } = readPreferences(incoming)
    if (code !== undefined || example !== undefined) return undefined
    const containers = containersOf(operation)
    for (const resource of containers)
      if (this.#store.get(namedPlace(accepted, resource)) === undefined) return this.#notFound(accepted)
    const found = inferResources(operation.document).roleOf(operation)
    if (found === undefined || !isStored(found.resource)) return this.#actOn(accepted, containers.at(-1))
    const own = found.resource.roles[found.role]
    return own && this.#acts[found.role]({ ...accepted, resource: found.resource, own })
  }

  async #create(acting: Acting): Promise<Answer | undefined> {
    const { operation, own } = acting
    const content = readContent(acting.incoming)
    const isPut = operation.method === "PUT"
    if (!isPut && content.is === "json" && isJsonArray(content.value))
      return this.#createAll(acting, content.value)
    const sent = content.is === "none" ? {} : sentItem(content.value, own.place)
    if (sent === undefined) return undefined
    const place = this.#givenPlace(acting, sent)
    if (place !== undefined && this.#store.isTaken(place))
      return isPut ? this.#change(acting, "replace") : this.#conflict(acting)
    const made = this.#add(acting, sent, place)
    if (made === undefined) return full(operation)
    const path = pathOf(made.place)
    const headers: Headers = path === undefined ? {} : { location: this.#options.url() + path }
    const status = hasStatus(operation, "201") || !isPut ? createdStatus(operation) : usualStatus(operation)
    return this.#respond(acting, { status, headers, body: this.#bodyOf(acting, made.item) })
  }

  /** Creates an item for each value of a list, or none. */
  #createAll(acting: Acting, list: JsonArray): Promise<Answer> | Answer | undefined {
    const { operation, resource } = acting
    const sent = list.filter(isJsonObject)
    if (sent.length < list.length) return undefined
    const places = sent.map((one) => this.#givenPlace(acting, one))
    const given = places.filter((place) => place !== undefined && place.id !== "")
    const isRepeated = new Set(given.map((place) => place?.id)).size < given.length
    if (isRepeated || given.some((place) => place && this.#store.isTaken(place)))
      return this.#conflict(acting)
    const made: Made[] = []
    for (const [at, one] of sent.entries()) {
      const item = this.#add(acting, one, places[at])
      if (item === undefined) {
        for (const { place } of made) this.#store.delete(place)
        return full(operation)
      }
      made.push(item)
    }
    const status = createdStatus(operation)
    const at = listPlace(typeIn(jsonMedia(operation, status), []), resource.name)
    const items = made.map(({ item }) => item.value)
    return this.#respond(acting, { status, body: at && wrap(at, items) })
  }

  /** Returns the place that a request gives to a new item. Undefined if the mock chooses one. */
  #givenPlace(acting: Acting, sent: JsonObject): ItemPlace | undefined {
    const { operation, resource } = acting
    const field = resource.identifier?.field
    const named = operation.method === "PUT" ? namedPlace(acting, resource) : undefined
    const id = named?.id ?? textOf(field === undefined ? undefined : ownOf(sent, field))
    return id === undefined ? undefined : (named ?? newPlace(acting, resource, id))
  }

  /** Keeps a new item. Returns undefined if the store is full. */
  #add(acting: Acting, sent: JsonObject, given: ItemPlace | undefined): Made | undefined {
    const { place, value } =
      given === undefined
        ? this.#items.identify(acting, sent)
        : { place: given, value: this.#items.make(acting, sent, given.id === "" ? undefined : given.id) }
    const item = { id: place.id, collection: collectionOf(acting, acting.resource), value }
    return this.#store.set(place, item) ? { place, item } : undefined
  }

  #read(acting: Acting): Promise<Answer> | Answer {
    const item = this.#store.get(namedPlace(acting, acting.resource))
    if (item === undefined) return this.#notFound(acting)
    return this.#respond(acting, { status: usualStatus(acting.operation), body: this.#bodyOf(acting, item) })
  }

  #change(acting: Acting, role: "update" | "replace"): Promise<Answer | undefined> | Answer | undefined {
    const { operation, resource } = acting
    const place = namedPlace(acting, resource)
    const old = this.#store.get(place)
    if (old === undefined)
      return operation.method === "PUT" && hasStatus(operation, "201")
        ? this.#create(acting)
        : this.#notFound(acting)
    const change = changeOf(acting, role, old.value)
    if (change === undefined) return undefined
    if (change.is === "refused")
      return this.#fail(acting, documentedOf(operation, change.statuses), change.detail)
    const changed = { ...change.item }
    const field = resource.identifier?.field
    const id = field === undefined ? undefined : ownOf(old.value, field)
    if (field !== undefined && id !== undefined) setOwn(changed, field, id)
    const { read } = resource.roles
    const shown = read ?? acting.own
    const fitted = this.#items.fit(jsonMedia(shown.operation, usualStatus(shown.operation)), shown.place, [
      changed,
      old.value,
    ])
    const item = { id: old.id, collection: old.collection, value: fitted ?? changed }
    if (!this.#store.set(place, item)) return full(operation)
    return this.#respond(acting, { status: changedStatus(operation), body: this.#bodyOf(acting, item) })
  }

  #delete(acting: Acting): Promise<Answer> | Answer {
    const place = namedPlace(acting, acting.resource)
    const item = this.#store.get(place)
    if (item === undefined) return this.#notFound(acting)
    this.#store.delete(place)
    return this.#respond(acting, { status: usualStatus(acting.operation), body: this.#bodyOf(acting, item) })
  }

  #list(acting: Acting): Promise<Answer> | Answer | undefined {
    const { operation, resource, own, incoming } = acting
    const { place } = own
    if (place === undefined) return undefined
    const status = usualStatus(operation)
    const media = jsonMedia(operation, status)
    const items = this.#store.in(resource, scopeOf(acting, resource), collectionOf(acting, resource))
    const { sampler } = this.#answers
    const listed = items.map((item) =>
      getOrCreate(this.#listed, item, () => this.#items.list(media, place, item)),
    )
    const page = queryList(operation, incoming, listed)
    const about = typeIn(media, place.slice(0, -1))
    const hint =
      place.length === 0
        ? page.items
        : replaceIn(
            wrap(place.slice(0, -1), aboutList(about, page.total, page.items.length)),
            place,
            page.items.slice(0, 1),
          )
    const base = place.length === 0 || media === undefined ? hint : (fitBody(sampler, media, [hint]) ?? hint)
    const body = place.length === 0 ? page.items : replaceIn(base, place, page.items)
    return this.#respond(acting, { status, body, headers: this.#countHeaders(operation, status, page.total) })
  }

  #countHeaders(operation: Operation, status: number, total: number): Headers {
    const contract = responseContract(operation, status)
    const headers = contract.status === "found" ? contract.headers : []
    return Object.fromEntries(
      headers
        .filter(({ name }) => /total/i.test(name))
        .map(({ name }) => [name.toLowerCase(), String(total)]),
    )
  }

  /** Answers an operation on an item, such as `POST /orders/{id}/cancel`, if its response is the item. */
  #actOn(accepted: Accepted, container: Resource | undefined): Promise<Answer> | undefined {
    const { operation } = accepted
    const read = container?.roles.read
    const item = container && this.#store.get(namedPlace(accepted, container))
    if (read === undefined || item === undefined) return undefined
    const status = usualStatus(operation)
    const schema = jsonMedia(operation, status)?.schema?.dereference()
    const shown = jsonMedia(read.operation, usualStatus(read.operation))?.schema?.dereference()
    if (schema === undefined || schema.pointer !== shown?.pointer) return undefined
    return this.#respond(accepted, { status, body: wrap(read.place ?? [], item.value) })
  }

  /** Returns the body with an item in it. Undefined if the operation documents no such body. */
  #bodyOf({ own }: Acting, { id, value }: StoredItem): JsonValue | undefined {
    const { place, identifier } = own
    const body = place === undefined ? undefined : wrap(place, value)
    if (identifier === undefined || (body !== undefined && valueIn(body, identifier) !== undefined))
      return body
    return replaceIn(body ?? {}, identifier, id)
  }

  /** Sends a body if the document allows it, or what it allows with as much as possible of the body. */
  async #respond(accepted: Accepted, { status, body, headers = {} }: Response): Promise<Answer> {
    const { operation, incoming } = accepted
    const choice = chooseResponse({ document: this.#answers.document, operation, incoming, status })
    if (choice.is === "refused") return choice.answer
    const { wanted } = choice
    const { sent } = wanted
    if (body === undefined || sent === undefined || bodyKindOf(sent.contentType) !== "json")
      return { ...(await this.#answers.make(wanted, { headers })), operation }
    const made = await this.#answers.make(wanted, { headers, body })
    if (made.contract.status !== "failed") return { ...made, operation }
    const fitted = fitBody(this.#answers.sampler, sent.media, [body])
    if (fitted === undefined || stringifyJson(fitted) === stringifyJson(body)) return { ...made, operation }
    return { ...(await this.#answers.make(wanted, { headers, body: fitted })), operation }
  }

  #notFound(accepted: Accepted): Promise<Answer> | Answer {
    const { operation, incoming } = accepted
    return this.#fail(accepted, 404, messages["mock-refused"].item(operation.method, incoming.path).message)
  }

  #conflict(accepted: Accepted): Promise<Answer> | Answer {
    const { method } = accepted.operation
    const { message } = messages["mock-refused"].exists(method, accepted.incoming.path)
    return this.#fail(accepted, documentedOf(accepted.operation, [409, 400]), message)
  }

  /** Sends the documented error or, without one, a problem that says what is wrong. */
  async #fail({ operation, incoming }: Accepted, status: number, detail: string): Promise<Answer> {
    const plain = plainAnswer({ status, detail, operation })
    if (responseContract(operation, status).status !== "found") return plain
    const choice = chooseResponse({ document: this.#answers.document, operation, incoming, status })
    if (choice.is === "refused") return plain
    return { ...(await this.#answers.constant(choice.wanted)), operation }
  }
}

interface Response {
  readonly status: number
  readonly body: JsonValue | undefined
  readonly headers?: Headers
}

/** A change of an item that exists doesn't create one. */
function changedStatus(operation: Operation): number {
  const status = usualStatus(operation)
  const others = ["200", "202", "204"].filter((one) => hasStatus(operation, one))
  return status === 201 && others.length > 0 ? Number(others[0]) : status
}

const textOf = (value: JsonValue | undefined): string | undefined =>
  value === undefined || value === null || value === "" || typeof value === "object"
    ? undefined
    : toText(value)

/** Returns the first of some statuses that an operation documents or, without one, the first. */
const documentedOf = (operation: Operation, statuses: readonly number[]): number =>
  statuses.find((status) => hasStatus(operation, String(status))) ?? statuses[0] ?? 400

const full = (operation: Operation): Answer =>
  plainAnswer({ status: 507, detail: "the mock keeps no more items", operation })

interface Made {
  readonly place: ItemPlace
  readonly item: StoredItem
}
