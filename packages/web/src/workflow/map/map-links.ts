// The lines of the map: the values that a block reads and gives, also through the saved requests that blocks send.

import {
  rawBlocks,
  type JsonValue,
  checkSavedRequest,
  checkWorkflow,
  hasResponse,
  hasTokens,
  liveStringsOf,
  walkBlocks,
  type RequestBlock,
  type Workflow,
} from "@callsheet/format"
import { type ValueFlow, findValueFlows } from "@callsheet/language"
import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { useMemo } from "react"
import { call } from "../../connection/call.ts"
import { useProject } from "../../connection/queries.ts"
import { keyOf } from "../../blocks/block-place.ts"
import type { OutlineRow } from "../../blocks/block-rows.ts"
import { mapSizes, type MapBox } from "./map-layout.ts"

/** A flow of values between two visible rows, by index. The shown block reads the values, or gives them. */
export interface MapLink {
  readonly from: number
  readonly to: number
  readonly way: "reads" | "gives"
  readonly paths: readonly string[]
}

interface Shown {
  readonly rows: readonly OutlineRow[]
  readonly value: JsonValue
  readonly shown: OutlineRow | undefined
}

/** Returns the links of one row. A collapsed container stands for the blocks in it. */
export function linksOf(flows: readonly ValueFlow[], { rows, value, shown }: Shown): readonly MapLink[] {
  if (shown === undefined) return []
  const visible = new Map(rows.map(({ key }, index) => [key, index]))
  const indexes = new Map<string, number>()
  for (const { block, pointer } of rawBlocks(value)) {
    const id = block["id"]
    if (typeof id === "string") indexes.set(id, visibleIndex(keyOf(pointer()), visible))
  }
  const own = visible.get(shown.key)
  const links = new Map<string, MapLink>()
  for (const { writer, reader, paths } of flows) {
    const [from, to] = [indexes.get(writer) ?? -1, indexes.get(reader) ?? -1]
    if (from === to || (from !== own && to !== own) || from === -1 || to === -1) continue
    const key = `${from} ${to}`
    const before = links.get(key)?.paths ?? []
    links.set(key, {
      from,
      to,
      way: to === own ? "reads" : "gives",
      paths: [...new Set([...before, ...paths])],
    })
  }
  return [...links.values()]
}

/** Returns the index of the row, or of the nearest visible container. */
function visibleIndex(key: string, visible: ReadonlyMap<string, number>): number {
  for (let part = key; part !== ""; part = part.slice(0, Math.max(0, part.lastIndexOf("/")))) {
    const index = visible.get(part)
    if (index !== undefined) return index
  }
  return -1
}

/** Returns an SVG path from one box to another. Values leave and arrive at the sides, so that they don't cover names. */
export function linkPath(from: MapBox, to: MapBox, kind: "step" | "value"): string {
  const middle = ({ y, height }: MapBox): number => y + Math.min(height, mapSizes.header) / 2
  if (kind === "step") {
    const isBelow = from.x === to.x && to.y > from.y
    if (isBelow) return `M ${from.x + 14} ${from.y + from.height} V ${to.y}`
    const turn = to.x - 10
    return `M ${from.x + 14} ${from.y + from.height} v 5 H ${turn} V ${middle(to)} H ${to.x}`
  }
  const isRight = to.x >= from.x + from.width
  const isLeft = from.x >= to.x + to.width
  const [start, end] = [isLeft ? from.x : from.x + from.width, isRight ? to.x : to.x + to.width]
  const bend = 24
  const [out, back] = [isLeft ? -bend : bend, isRight ? -bend : bend]
  return `M ${start} ${middle(from)} C ${start + out} ${middle(from)} ${end + back} ${middle(to)} ${end} ${middle(to)}`
}

/** Scripts may read more values. */
export function useValueFlows(text: string): readonly ValueFlow[] {
  const workflow = useMemo(() => checkWorkflow({ file: "", text }).readable?.workflow, [text])
  const names = useMemo(() => savedRequestsIn(workflow), [workflow])
  const { dataUpdatedAt } = useProject()
  const { data } = useQuery({
    queryKey: ["strings of requests", names, dataUpdatedAt],
    queryFn: async () => new Map(await Promise.all(names.map(readStrings))),
    gcTime: 0,
    structuralSharing: false,
    placeholderData: keepPreviousData,
  })
  return useMemo(
    () =>
      workflow === undefined ? [] : findValueFlows(workflow, (block) => data?.get(requestKey(block)) ?? []),
    [workflow, data],
  )
}

const requestKey = ({ request: { api, resource, instance } }: RequestBlock): string =>
  JSON.stringify([api, resource, instance])

/** Reads at most this many saved requests. */
const MAX_REQUESTS = 200

function savedRequestsIn(workflow: Workflow | undefined): readonly string[] {
  const names = new Set<string>()
  for (const { block } of walkBlocks(workflow?.blocks ?? []))
    if (hasResponse(block) && block.request.instance !== undefined && !hasTokens(block.request.instance))
      names.add(requestKey(block))
  return [...names].slice(0, MAX_REQUESTS)
}

/** A saved request that can't be read has no strings. */
async function readStrings(key: string): Promise<readonly [string, readonly string[]]> {
  const [api, resource, request] = JSON.parse(key) as readonly [string, string, string]
  const file = { kind: "request", api, resource, request } as const
  const { text } = await call("files.read", { file }).catch(() => ({ text: "" }))
  const saved = checkSavedRequest({ file: "", text }).request
  return [key, saved === undefined ? [] : [...liveStringsOf(saved)].map((live) => live.text)]
}
