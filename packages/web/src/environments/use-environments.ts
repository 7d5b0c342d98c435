// The current variables of an API and their values per environment.

import { useQuery, type UseQueryResult } from "@tanstack/react-query"
import type { EnvironmentsView } from "@callsheet/server/calls"
import { useConnection } from "../connection/connection.ts"
import { environmentsQuery } from "../connection/queries.ts"
import { queryClient } from "../connection/query-client.ts"

export function useEnvironments(api: string): UseQueryResult<EnvironmentsView> {
  const isOpen = useConnection(({ status }) => status === "open")
  return useQuery({ ...environmentsQuery(api), enabled: isOpen })
}

export const knownEnvironments = (api: string): EnvironmentsView | undefined =>
  queryClient.getQueryData(environmentsQuery(api).queryKey)

/** Resolves after the read, even if it fails. */
export const readEnvironmentsAgain = (api: string): Promise<void> =>
  queryClient.invalidateQueries({ queryKey: environmentsQuery(api).queryKey })

/** Stores the etag after a write, so that the next write is based on it. */
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
