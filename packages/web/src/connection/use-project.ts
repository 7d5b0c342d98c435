// The current project.

import { useQuery, type UseQueryResult } from "@tanstack/react-query"
import type { ProjectView } from "@callsheet/server/calls"
import { useConnection } from "./connection.ts"
import { projectQuery } from "./queries.ts"

export function useProject(): UseQueryResult<ProjectView> {
  const isOpen = useConnection(({ status }) => status === "open")
  return useQuery({ ...projectQuery, enabled: isOpen })
}
