// Applies the documented query parameters of a list: pages, and filters by the fields of items.

import { isNumber, ownOf, toText, type JsonObject } from "@callsheet/format"
import { parametersOf, plainName, type Operation } from "@callsheet/openapi"
import { queryValues, type Incoming } from "./incoming.ts"

export interface ListPage {
  /** All items that the filters leave. */
  readonly total: number
  readonly items: readonly JsonObject[]
}

const limits = /^(?:limit|size|per_?page|page_?size|max_?results|top|count|first)$/i
const offsets = /^(?:offset|skip|start)$/i
const pages = /^(?:page|page_?number)$/i

export function queryList(operation: Operation, incoming: Incoming, all: readonly JsonObject[]): ListPage {
  const sent = new Map(queryValues(incoming))
  const parameters = parametersOf(operation).filter((parameter) => parameter.in === "query")
  const numberOf = (names: RegExp): number | undefined => {
    const found = parameters.find(({ name }) => names.test(name))
    const value = found && (sent.get(found.name) ?? found.schema?.dereference()?.member("default"))
    const number = typeof value === "string" ? Number(value) : isNumber(value) ? Number(value) : Number.NaN
    return Number.isInteger(number) && number >= 0 ? number : undefined
  }
  const filters = parameters.flatMap(({ name }) => {
    const text = sent.get(name)
    return text === undefined ? [] : [{ name: plainName(name), text }]
  })
  const items =
    filters.length === 0 ? all : all.filter((item) => filters.every((filter) => matches(item, filter)))
  const limit = numberOf(limits) ?? items.length
  const start = numberOf(offsets) ?? pageStart(operation, numberOf(pages), limit)
  return { total: items.length, items: items.slice(start, start + limit) }
}

/** Pages count from 1 unless the document allows page 0. */
function pageStart(operation: Operation, page: number | undefined, limit: number): number {
  if (page === undefined) return 0
  const schema = parametersOf(operation)
    .find(({ name }) => pages.test(name))
    ?.schema?.dereference()
  const first = schema?.member("default") === 0 || schema?.member("minimum") === 0 ? 0 : 1
  return Math.max(0, page - first) * limit
}

/** A filter whose name is that of no scalar field leaves every item. */
function matches(
  item: JsonObject,
  { name, text }: { readonly name: string; readonly text: string },
): boolean {
  const field = Object.keys(item).find((own) => plainName(own) === name)
  const value = field === undefined ? undefined : ownOf(item, field)
  return value === undefined || value === null || typeof value === "object" || toText(value) === text
}
