// The variables of an API and what its environments give them, as they are now.

import { useQuery, type UseQueryResult } from "@tanstack/react-query"
import type { EnvironmentsView } from "@callsheet/server/calls"
import { useConnection } from "../connection/connection.ts"
import { environmentsQuery } from "../data/queries.ts"
import { queryClient } from "../data/query-client.ts"

export function useEnvironments(api: string): UseQueryResult<EnvironmentsView> {
  const isOpen = useConnection(({ status }) => status === "open")
  return useQuery({ ...environmentsQuery(api), enabled: isOpen })
}

/** What was heard last. */
export const knownEnvironments = (api: string): EnvironmentsView | undefined =>
  queryClient.getQueryData(environmentsQuery(api).queryKey)

/** Resolves when it was read again, or could not be. */
export const readEnvironmentsAgain = (api: string): Promise<void> =>
  queryClient.invalidateQueries({ queryKey: environmentsQuery(api).queryKey })

/** After a write: the next one is of what this one has left. */
export function holdEtag(api: string, environment: string, etag: string): void {
  queryClient.setQueryData(environmentsQuery(api).queryKey, (view) =>
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
