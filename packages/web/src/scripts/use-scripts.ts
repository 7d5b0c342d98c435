// The saved scripts of a workflow, and the types that they can read.

import { useQuery, type UseQueryResult } from "@tanstack/react-query"
import type { ScriptCallView, ScriptsView, ScriptTypesView } from "@callsheet/server/calls"
import { call } from "../connection/call.ts"
import { useConnection } from "../connection/connection.ts"
import { scriptsQuery } from "../connection/queries.ts"

export function useScripts(workflow: string): UseQueryResult<ScriptsView> {
  const enabled = useConnection(({ status }) => status === "open")
  return useQuery({ ...scriptsQuery(workflow), enabled })
}

export function useScriptTypes(workflow: string): UseQueryResult<ScriptTypesView> {
  const enabled = useConnection(({ status }) => status === "open")
  return useQuery({
    queryKey: ["script-types", workflow],
    queryFn: () => call("scripts.types", { workflow }),
    enabled,
  })
}

/** Returns the blocks that call a script. Undefined while loading. */
export function useCallsOf(workflow: string, script: string): readonly ScriptCallView[] | undefined {
  const { data } = useScriptTypes(workflow)
  return data?.calls.filter((known) => known.script === script)
}
