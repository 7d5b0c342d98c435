// The values that flow between the blocks of a workflow, also through the saved requests that blocks send.

import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { useMemo } from "react"
import {
  checkSavedRequest,
  checkWorkflow,
  hasResponse,
  hasTokens,
  liveStringsOf,
  walkBlocks,
  type RequestBlock,
  type Workflow,
} from "@callsheet/format"
import { findValueFlows, type ValueFlow } from "@callsheet/language"
import { call } from "../connection/call.ts"
import { useProject } from "../connection/use-project.ts"

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
    () => (workflow === undefined ? [] : findValueFlows(workflow, (block) => data?.get(keyOf(block)) ?? [])),
    [workflow, data],
  )
}

const keyOf = ({ request: { api, resource, instance } }: RequestBlock): string =>
  JSON.stringify([api, resource, instance])

/** Reads at most this many saved requests. */
const MAX_REQUESTS = 200

function savedRequestsIn(workflow: Workflow | undefined): readonly string[] {
  const names = new Set<string>()
  for (const { block } of walkBlocks(workflow?.blocks ?? []))
    if (hasResponse(block) && block.request.instance !== undefined && !hasTokens(block.request.instance))
      names.add(keyOf(block))
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
