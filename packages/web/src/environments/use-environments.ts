// The current variables of an API and their values per environment.

import { useQuery, type UseQueryResult } from "@tanstack/react-query"
import type { EnvironmentsView } from "@callsheet/server/calls"
import { useConnection } from "../connection/connection.ts"
import { environmentsQuery } from "../connection/queries.ts"
import { Refused } from "../connection/send.ts"
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

/** After a conflict, reads the current state, so that the user sees it and can try again. */
export async function readingAgainOn409<T>(api: string, action: () => Promise<T>): Promise<T> {
  try {
    return await action()
  } catch (error) {
    if (error instanceof Refused && error.status === 409) await readEnvironmentsAgain(api)
    throw error
  }
}

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
