// Finds what a session created and did not delete. Needs masked events with exchanges and coverage.

import {
  isJsonObject,
  type Headers,
  type JsonValue,
  type Leftover,
  type Listener,
  type RequestedOperation,
  type ResponseView,
  ownOf,
} from "@callsheet/format"

export interface LeftoverWatch {
  readonly listen: Listener
  /** Returns the items that still exist, in the order of their creation. */
  readonly found: () => readonly Leftover[]
}

export function createLeftoverWatch(): LeftoverWatch {
  /** The paths with a DELETE operation, by API. */
  const deletable = new Map<string, ReadonlySet<string>>()
  /** The URLs of requests without a response yet, by run and block. */
  const sent = new Map<string, string>()
  const left = new Map<string, Leftover>()
  let unknown = 0
  /** Adds the item that a request created. Without a response, the item may or may not exist. */
  const create = (url: string, { api, method, path }: RequestedOperation, response?: ResponseView): void => {
    const paths = deletable.get(api) ?? new Set()
    const operation = `${method} ${path}`
    if (method === "PUT" && paths.has(path)) {
      if (response === undefined) left.set(keyOf(api, url), { api, url, operation, unknown: true })
      else if (response.status === 201) left.set(keyOf(api, url), { api, url, operation })
    } else if (method === "POST") {
      const item = [...paths].find((each) => itemParameter(each, path) !== undefined)
      if (item === undefined) return
      const created = response && itemUrl(url, itemParameter(item, path) ?? "id", response)
      if (created === undefined) left.set(`${unknown++} ${url}`, { api, url, operation, unknown: true })
      else left.set(keyOf(api, created), { api, url: created, operation })
    }
  }
  return {
    listen: (event) => {
      if (event.type === "api.documented") {
        const paths = event.operations.filter(({ method }) => method === "DELETE").map(({ path }) => path)
        deletable.set(event.api, new Set(paths))
      } else if (event.type === "request.sent") {
        sent.set(`${event.run} ${event.block}`, withoutQuery(event.request.url))
      } else if (event.type === "response.lost") {
        const url = sent.get(`${event.run} ${event.block}`)
        if (url !== undefined) create(url, event.operation)
      } else if (event.type === "response.received") {
        const key = `${event.run} ${event.block}`
        const url = sent.get(key)
        sent.delete(key)
        if (url === undefined || event.answers === undefined) return
        const { status } = event.response
        const isDone = status >= 200 && status < 300
        if (event.answers.method === "DELETE") {
          // The server no longer has the item.
          if (isDone || status === 404 || status === 410) remove(left, event.answers.api, url)
        } else if (isDone) create(url, event.answers, event.response)
      }
    },
    found: () => [...left.values()],
  }
}

/** Returns the parameter of an item's path: `orderId` for `/orders/{orderId}` in the collection `/orders`. */
function itemParameter(path: string, collection: string): string | undefined {
  const base = collection.replace(/\/$/, "")
  if (!path.startsWith(`${base}/`)) return undefined
  return /^\/\{([^{}/]+)\}\/?$/.exec(path.slice(base.length))?.[1]
}

/**
 * Returns the URL of a created item, from the `location` header (RFC 9110 section 10.2.2) or from the id in the body.
 */
function itemUrl(url: string, parameter: string, { headers, body }: ResponseView): string | undefined {
  const base = url.replace(/\/$/, "")
  const location = locationOf(headers, url)
  if (location?.startsWith(`${base}/`) === true) return location
  const id = idIn(body, parameter)
  return id === undefined ? undefined : `${base}/${encodeURIComponent(id)}`
}

function locationOf(headers: Headers | undefined, url: string): string | undefined {
  const location = headers?.["location"]
  if (typeof location !== "string") return undefined
  return URL.canParse(location, url) ? withoutQuery(new URL(location, url).href) : undefined
}

/** Finds the id in a body or in an object inside it, such as `{ "order": { "id": 7 } }`. */
function idIn(body: JsonValue | undefined, parameter: string): string | undefined {
  if (!isJsonObject(body)) return undefined
  for (const part of [body, ...Object.values(body)]) {
    if (!isJsonObject(part)) continue
    for (const name of [parameter, "id"]) {
      const id = ownOf(part, name)
      if (typeof id === "string" || typeof id === "number") return String(id)
    }
  }
  return undefined
}

/** Removes an item and everything below it: deleting a cart deletes its lines. */
function remove(left: Map<string, Leftover>, api: string, url: string): void {
  const key = keyOf(api, url)
  left.delete(key)
  for (const each of left.keys()) if (each.startsWith(`${key}/`)) left.delete(each)
}

const keyOf = (api: string, url: string): string => `${api} ${url.replace(/\/$/, "")}`

const withoutQuery = (url: string): string => url.replace(/[?#].*$/s, "")
