// Whether the project's TypeScript compiler checks scripts, and the button to allow or stop it.

import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { call } from "../connection/call.ts"
import { useConnection } from "../connection/connection.ts"
import { readFaultOf } from "../connection/fault-of.ts"
import { queryClient } from "../connection/query-client.ts"
import { checkFilesAgain } from "../files/open-files.ts"
import { LongText } from "../ui/long-text.tsx"
import { visibleText } from "../ui/visible-text.ts"

const queryKey = ["type-checks"]

export function useTypeChecks() {
  const enabled = useConnection(({ status }) => status === "open")
  return useQuery({ queryKey, queryFn: () => call("types.read", {}), enabled }).data
}

export function TypeChecks() {
  const view = useTypeChecks()
  const [fault, setFault] = useState("")
  // Its line stays reserved until the state is known.
  if (view === undefined) return <p className="script-types" />
  if (view.state === "remote") return null
  const allow = async (isAllowed: boolean): Promise<void> => {
    try {
      queryClient.setQueryData(queryKey, await call("types.allow", { isAllowed }))
      checkFilesAgain()
      setFault("")
    } catch (error) {
      setFault(readFaultOf(error))
    }
  }
  const { state, version = "" } = view
  if (state === "missing")
    return (
      <p className="script-types faint">
        To check types here, run <code>npm install --save-dev typescript</code>.
      </p>
    )
  if (state === "old")
    return (
      <p className="script-types faint">
        Checking types here needs TypeScript 7. The project has {visibleText(version)}.
      </p>
    )
  return (
    <p className="script-types" role="status">
      <span className="faint">
        {state === "on"
          ? `Types checked by TypeScript ${visibleText(version)}. `
          : "Types aren't checked. Checking runs the TypeScript compiler in this project's node_modules. "}
        {fault === "" ? null : <LongText text={fault} />}
      </span>
      <button type="button" className="button button-small" onClick={() => void allow(state === "off")}>
        {state === "on" ? "Stop checking" : "Check types"}
      </button>
    </p>
  )
}
