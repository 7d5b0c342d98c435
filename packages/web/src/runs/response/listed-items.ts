// Finds what a response lists: the items of a stream, or the messages of the inbox. Pure.

import {
  getOrCreate,
  isJsonArray,
  isJsonObject,
  member,
  stringifyJson,
  toText,
  type BlockReport,
  type ContractProblem,
  type ContractView,
  type JsonValue,
  type ResponseView,
} from "@callsheet/format"
import { count } from "../../ui/formats.ts"

export interface ListedItems {
  readonly what: "item" | "message"
  /** How many there are, and what ended the stream. */
  readonly words: string
  readonly total: number
  /** The last ones of them: all, unless the stream goes on. */
  readonly items: readonly JsonValue[]
  /** The steps in the body to the array. */
  readonly steps: readonly string[]
  /** True for a stream that goes on. */
  readonly isGoing: boolean
}

/** Returns undefined if the response lists nothing. */
export function listedItems({
  request,
  response,
  streamed,
  durationMs,
}: BlockReport): ListedItems | undefined {
  if (response === undefined) {
    if (streamed === undefined) return undefined
    const { items: total, latest: items } = streamed
    const isGoing = durationMs === 0
    const words = `${count(total, "item")} ${isGoing ? "so far" : "before the failure"}`
    return { what: "item", words, total, items, steps: [], isGoing }
  }
  const { body, items } = response
  if (items !== undefined && isJsonArray(body))
    return wholeList({ what: "item", words: streamWords(response), items: body, steps: [] })
  const messages = member(body, "messages")
  return request?.method === "GET" && inboxUrl.test(request.url) && isJsonArray(messages)
    ? wholeList({
        what: "message",
        words: count(messages.length, "message"),
        items: messages,
        steps: ["messages"],
      })
    : undefined
}

const wholeList = (list: Pick<ListedItems, "what" | "words" | "items" | "steps">): ListedItems => ({
  ...list,
  total: list.items.length,
  isGoing: false,
})

const inboxUrl = /\/_messages(?:\?|$)/

/** Returns `3 items, ended by the server`. */
const streamWords = ({ items = 0, endedBy }: ResponseView): string =>
  `${count(items, "item")}${endedBy === undefined ? "" : `, ended ${endings[endedBy]}`}`

/** Names the setting of `callsheet.json` that ended the stream, to change it. */
const endings: { readonly [E in NonNullable<ResponseView["endedBy"]>]: string } = {
  server: "by the server",
  idle: "after a time without data (streams.idleMs)",
  items: "at the maximum (streams.maxItems)",
  until: "at an item that ends it (streams.until)",
  timeout: "at the time limit of the request",
}

export interface ItemWords {
  /** The name of an event, or the method and path of a message. */
  readonly name?: string | undefined
  readonly id?: string | undefined
  /** The start of the data, or of the whole item. */
  readonly text: string
}

/** The start of an item that a row shows. */
const MAX_TEXT = 200

/** Returns what a row shows of an item: an event by its name and data, a message by its method, path and body. */
export function itemWords(what: ListedItems["what"], item: JsonValue): ItemWords {
  const text = (name: string) => {
    const value = member(item, name)
    return value === undefined ? undefined : toText(value)
  }
  if (what === "message")
    return { name: `${text("method")} ${text("path")}`, text: startOf(member(item, "body") ?? "") }
  return isEvent(item)
    ? { name: text("event"), id: text("id"), text: startOf(member(item, "data") ?? "") }
    : { text: startOf(item) }
}

const isEvent = (item: JsonValue): boolean =>
  isJsonObject(item) &&
  Object.hasOwn(item, "data") &&
  Object.keys(item).every((key) => key === "data" || key === "event" || key === "id")

const startOf = (value: JsonValue): string =>
  (typeof value === "string" ? value : stringifyJson(value)).slice(0, MAX_TEXT)

export interface ItemVerdict {
  readonly status?: ContractView["status"] | undefined
  /** The violations. A path is in the message, or as if the item of a stream were the body. */
  readonly problems: readonly ContractProblem[]
}

/** Returns the verdict on an item of a stream, from the violations of its response. */
export function createItemVerdicts(problems: readonly ContractProblem[]): (index: number) => ItemVerdict {
  const byIndex = new Map<number, ContractProblem[]>()
  for (const problem of problems) {
    const [, index, rest = ""] = /^\/body\/(\d+)(\/.*)?$/s.exec(problem.path) ?? []
    if (index === undefined) continue
    getOrCreate(byIndex, Number(index), () => []).push({ ...problem, path: `/body${rest}` })
  }
  return (index) => {
    const found = byIndex.get(index) ?? []
    if (found.length === 0) return { problems: found }
    return { status: found.every(({ known }) => known === true) ? "known" : "failed", problems: found }
  }
}

/** Reads the verdict that the inbox has written into a message. */
export function messageVerdict(message: JsonValue | undefined): ItemVerdict {
  const contract = member(message, "contract")
  const [status, problems] = [member(contract, "status"), member(contract, "problems")]
  return {
    status: status === "passed" || status === "failed" || status === "unchecked" ? status : undefined,
    problems: (isJsonArray(problems) ? problems : []).map((problem) => {
      const [file, line] = [member(problem, "file"), member(problem, "line")]
      return {
        path: toText(member(problem, "path") ?? ""),
        message: toText(member(problem, "message") ?? ""),
        ...(typeof file === "string" ? { file } : {}),
        ...(typeof line === "number" ? { line } : {}),
      }
    }),
  }
}
