// Makes requests of those that scripts send: before the request for a pre-request script, and after it for a test. A script
// of a folder sends its requests for each request in the folder.

import { UniqueNames } from "@callsheet/format"
import type { Collection, Folder, Item, Loss, Request, Script } from "../model.ts"
import { maySend, splitScript, type SentRequest } from "../scripts/sent-requests.ts"
import { readSentRequest } from "./postman.ts"

/** Returns the collection with the requests that its scripts send. */
export function withSentRequests(collection: Collection): Collection {
  if (collection.source === "arazzo" || collection.source === "openapi") return collection
  if (!mayHaveSent(collection.root)) return collection
  const maker = new SentMaker(collection)
  const root = maker.folder(collection.root, { before: [], after: [] })
  return { ...collection, root, losses: [...collection.losses, ...maker.losses] }
}

const mayHaveSent = (item: Item): boolean =>
  item.scripts.some(maySend) || (item.kind === "folder" && item.items.some(mayHaveSent))

/** The requests that scripts send before and after a request. */
interface Around {
  readonly before: readonly Request[]
  readonly after: readonly Request[]
}

/** A callback may send a request, whose callback may send another one. */
const MAX_NESTED = 20

class SentMaker {
  readonly losses: Loss[] = []
  readonly #places = new UniqueNames({ separator: " " })
  readonly #variables: UniqueNames
  /** The requests of folders. The first use of each is the request itself. */
  readonly #used = new Set<Request>()

  constructor(collection: Collection) {
    const { root, variables, environments } = collection
    // A variable that is new must not be one that the collection uses.
    const text = JSON.stringify([root, variables, environments], (_key, value: unknown) =>
      typeof value === "bigint" ? String(value) : value,
    )
    this.#variables = new UniqueNames({ separator: "_", isAllowed: (name) => !text.includes(name) })
  }

  folder(folder: Folder, inherited: Around): Folder {
    const { scripts, around } = this.#split(folder.scripts)
    const all = {
      before: [...inherited.before, ...around.before],
      after: [...inherited.after, ...around.after],
    }
    return { ...folder, scripts, items: folder.items.flatMap((item) => this.#item(item, all)) }
  }

  #item(item: Item, inherited: Around): readonly Item[] {
    if (item.kind === "folder") return [this.folder(item, inherited)]
    const { scripts, around } = this.#split(item.scripts)
    return [
      ...inherited.before.map((one) => this.#copy(one)),
      ...around.before,
      { ...item, scripts },
      ...inherited.after.map((one) => this.#copy(one)),
      ...around.after,
    ]
  }

  #copy(request: Request): Request {
    const where = this.#used.has(request) ? this.#places.add(request.where) : request.where
    this.#used.add(request)
    return { ...request, where, copyOf: request }
  }

  #split(scripts: readonly Script[]): { readonly scripts: readonly Script[]; readonly around: Around } {
    const left: Script[] = []
    const before: Request[] = []
    const after: Request[] = []
    for (const script of scripts) {
      const { script: rest, sent } = splitScript(script, this.#nameVariable)
      const [first, ...others] = sent.flatMap((one) => this.#requests(one, script, 0))
      if (first === undefined) {
        left.push(rest)
        continue
      }
      // The rest of a pre-request script runs before what it sends.
      if (script.when === "before") before.push({ ...first, scripts: [rest, ...first.scripts] }, ...others)
      else {
        left.push(rest)
        after.push(first, ...others)
      }
    }
    return { scripts: left, around: { before, after } }
  }

  #nameVariable = (hint: string): string => {
    const letters = hint.replaceAll(/[^A-Za-z0-9]+/g, "_").slice(0, 40)
    return this.#variables.add(`sent_${letters}`)
  }

  /** Returns a request that a script sends, and those that its callback sends. */
  #requests({ definition, after }: SentRequest, { where }: Script, depth: number): readonly Request[] {
    const { request, losses } = readSentRequest(definition, where)
    const place = this.#places.add(`${where} / ${request.name}`)
    this.losses.push(...losses)
    if (after === undefined) return [{ ...request, where: place }]
    const { script, sent } =
      depth > MAX_NESTED ? { script: after, sent: [] } : splitScript(after, this.#nameVariable)
    return [
      { ...request, where: place, scripts: [script] },
      ...sent.flatMap((one) => this.#requests(one, after, depth + 1)),
    ]
  }
}
