// The files with unsaved changes: open files, and drafts on the server.

import { useQuery } from "@tanstack/react-query"
import { useMemo } from "react"
import type { FileName } from "@callsheet/server/calls"
import { call } from "../connection/call.ts"
import { useConnection } from "../connection/connection.ts"
import { hashOf, type Route } from "../routes/route.ts"
import { fileKey } from "./file-key.ts"
import { isOpen, useDirtyFiles } from "./open-files.ts"

export function useUnsavedFiles(): readonly FileName[] {
  const isConnected = useConnection(({ status }) => status === "open")
  const { data } = useQuery({
    queryKey: ["drafts"],
    queryFn: () => call("drafts.list", {}),
    enabled: isConnected,
    // Another page may save or discard these drafts, and no event reports that.
    refetchInterval: ({ state }) => ((state.data?.drafts.length ?? 0) > 0 ? 3000 : false),
  })
  const dirty = useDirtyFiles()
  return useMemo(() => {
    // The page knows its open files better than the list does.
    const closed = (data?.drafts ?? []).map(({ file }) => file).filter((file) => !isOpen(file))
    const known = new Set(dirty.map(fileKey))
    return [...dirty, ...closed.filter((file) => !known.has(fileKey(file)))]
  }, [data, dirty])
}

/** Returns the routes in the sidebar with unsaved files, by `hashOf`. */
export function useUnsavedRoutes(): ReadonlyMap<string, Route> {
  const files = useUnsavedFiles()
  return useMemo(
    () => new Map(files.map(sidebarRouteOf).map((route) => [hashOf(route), route] as const)),
    [files],
  )
}

/** Returns the route in the sidebar that shows the state of a file. */
export function sidebarRouteOf(file: FileName): Route {
  switch (file.kind) {
    case "workflow":
    case "script":
      return { kind: "workflow", workflow: file.workflow }
    case "request":
      return file
    case "schema":
      return { kind: "api", api: file.api }
    case "environment":
      return file
    case "project":
      return { kind: "settings" }
    case "baseline":
      return { kind: "baseline" }
  }
}
