// Opens what is around the selected place, so that the outline shows where one is: after a search, a link, or a reload.

import { useEffect } from "react"
import type { ProjectView } from "@callsheet/server/calls"
import { useOperations } from "../data/use-operations.ts"
import { usePlace } from "../places/use-place.ts"
import { useOpenRows } from "./open-rows.ts"
import { apiRowId, environmentsRowId, operationsRowId, resourceRowId } from "./outline.ts"

export function useReveal({ apis }: ProjectView): void {
  const place = usePlace()
  const choose = useOpenRows((state) => state.choose)
  const api = "api" in place && apis.some(({ name }) => name === place.api) ? place.api : undefined
  const [operations] = useOperations(place.kind === "operation" && api !== undefined ? [api] : [])
  const resource =
    place.kind === "operation"
      ? operations?.view?.operations.find(
          ({ method, path }) => method === place.method && path === place.path,
        )?.resources[0]
      : undefined
  useEffect(() => {
    if (api === undefined) return
    choose(apiRowId(api), true)
    if (place.kind.startsWith("environment")) choose(environmentsRowId(api), true)
    if (place.kind === "request") choose(`${api}/requests`, true)
    if (resource === undefined) return
    choose(operationsRowId(api), true)
    choose(resourceRowId(api, resource), true)
  }, [api, place, resource, choose])
}
