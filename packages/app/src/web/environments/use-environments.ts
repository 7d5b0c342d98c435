// The variables of an API and what its environments give them, as they are now.

import { useQuery, type UseQueryResult } from "@tanstack/react-query"
import type { EnvironmentsView } from "../../api.ts"
import { call } from "../connection/call.ts"
import { useConnection } from "../connection/connection.ts"
import { queryClient } from "../data/query-client.ts"

const keyOf = (api: string): readonly string[] => ["environments", api]

export function useEnvironments(api: string): UseQueryResult<EnvironmentsView> {
  const isOpen = useConnection(({ status }) => status === "open")
  return useQuery({
    queryKey: keyOf(api),
    queryFn: () => call("environments.read", { api }),
    enabled: isOpen,
    // To compare 100,000 cells takes longer than to show those in sight again.
    structuralSharing: false,
  })
}

/** What was heard last. */
export const knownEnvironments = (api: string): EnvironmentsView | undefined =>
  queryClient.getQueryData(keyOf(api))

/** Resolves when it was read again, or could not be. */
export const readEnvironmentsAgain = (api: string): Promise<void> =>
  queryClient.invalidateQueries({ queryKey: keyOf(api) })

/** After a write: the next one is of what this one has left. */
export function holdEtag(api: string, environment: string, etag: string): void {
  queryClient.setQueryData<EnvironmentsView>(keyOf(api), (view) =>
    view === undefined
      ? undefined
      : {
          ...view,
          environments: view.environments.map((column) =>
            column.name === environment ? { ...column, etag } : column,
          ),
        },
  )
}
