// The operations of APIs, loaded on first use.

import { useQueries, type UseQueryResult } from "@tanstack/react-query"
import type { OperationsView } from "@callsheet/server/calls"
import { call } from "./call.ts"
import { useConnection } from "./connection.ts"

export interface ApiOperations {
  readonly api: string
  readonly view: OperationsView | undefined
  readonly hasFailed: boolean
}

export function useOperations(apis: readonly string[]): readonly ApiOperations[] {
  const isOpen = useConnection(({ status }) => status === "open")
  return useQueries({
    queries: apis.map((api) => ({
      queryKey: ["operations", api],
      queryFn: () => call("operations.list", { api }),
      enabled: isOpen,
    })),
    combine: (results: UseQueryResult<OperationsView>[]) =>
      results.map(({ data, isError }, index) => ({ api: apis[index] ?? "", view: data, hasFailed: isError })),
  })
}
