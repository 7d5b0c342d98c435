// The rows whose files differ from the last commit.

import { useQuery } from "@tanstack/react-query"
import { useEffect, useMemo } from "react"
import { fileAt, type FileChange, type ProjectView } from "@callsheet/server/calls"
import { call } from "../connection/call.ts"
import { useConnection } from "../connection/connection.ts"
import { sidebarRouteOf } from "../editing/use-unsaved-files.ts"
import { hashOf } from "../routes/route.ts"

/** Returns the changes by `hashOf`. A commit changes no project file, so asks again when the window gets the focus. */
export function useChanges({ apis }: ProjectView): ReadonlyMap<string, FileChange["change"]> {
  const isOpen = useConnection(({ status }) => status === "open")
  const { data, refetch } = useQuery({
    queryKey: ["changes"],
    queryFn: () => call("project.changes", {}),
    enabled: isOpen,
  })
  useEffect(() => {
    const onFocus = (): void => void refetch()
    window.addEventListener("focus", onFocus)
    return () => window.removeEventListener("focus", onFocus)
  }, [refetch])
  return useMemo(() => {
    const documents = new Map(apis.map(({ name, document }) => [document?.file, name] as const))
    const changes = new Map<string, FileChange["change"]>()
    for (const { file, change } of data?.files ?? []) {
      const name = fileAt(file)
      const api = documents.get(file)
      if (name === undefined && api === undefined) continue
      const route = name === undefined ? ({ kind: "api", api: api ?? "" } as const) : sidebarRouteOf(name)
      // A row that shows another file too isn't new because of this one.
      const isOwn = name?.kind !== "script" && name?.kind !== "schema"
      if (isOwn || !changes.has(hashOf(route))) changes.set(hashOf(route), isOwn ? change : "changed")
    }
    return changes
  }, [data, apis])
}
