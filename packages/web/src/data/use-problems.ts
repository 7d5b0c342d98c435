// What `callsheet validate` says, as it is now; in a large project it comes after the project itself.

import { useQuery, type UseQueryResult } from "@tanstack/react-query"
import type { Problem } from "@callsheet/format"
import type { ProblemsView } from "@callsheet/server/calls"
import { call } from "../connection/call.ts"
import { useConnection } from "../connection/connection.ts"

export function useProblems(): UseQueryResult<ProblemsView> {
  const isOpen = useConnection(({ status }) => status === "open")
  return useQuery({ queryKey: ["problems"], queryFn: () => call("problems.read", {}), enabled: isOpen })
}

/** Of the files for which `belongs` holds; none while nothing was heard. */
export function useProblemsOf(belongs: (file: string) => boolean): readonly Problem[] {
  const { data } = useProblems()
  return (data?.problems ?? []).filter(({ file }) => file !== undefined && belongs(file))
}
