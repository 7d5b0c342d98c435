// The project as it is now.

import { useQuery, type UseQueryResult } from "@tanstack/react-query"
import type { ProjectView } from "../../api.ts"
import { call } from "../connection/call.ts"
import { useConnection } from "../connection/connection.ts"

export function useProject(): UseQueryResult<ProjectView> {
  const isOpen = useConnection(({ status }) => status === "open")
  return useQuery({ queryKey: ["project"], queryFn: () => call("project.read", {}), enabled: isOpen })
}
