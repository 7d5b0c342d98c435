// The problems that `callsheet validate` reports. In a large project, they arrive after the project itself.

import { useQuery, type UseQueryResult } from "@tanstack/react-query"
import type { Problem } from "@callsheet/format"
import type { ProblemsView } from "@callsheet/server/calls"
import { call } from "./call.ts"
import { useConnection } from "./connection.ts"

export function useProblems(): UseQueryResult<ProblemsView> {
  const isOpen = useConnection(({ status }) => status === "open")
  return useQuery({ queryKey: ["problems"], queryFn: () => call("problems.read", {}), enabled: isOpen })
}

/** Returns the problems of the files for which `belongs` returns true. Empty while loading. */
export function useProblemsOf(belongs: (file: string) => boolean): readonly Problem[] {
  const { data } = useProblems()
  return (data?.problems ?? []).filter(({ file }) => file !== undefined && belongs(file))
}
