// The names for completion in a saved request: variables of its own and other APIs, but no blocks.

import { useMemo } from "react"
import type { Reading } from "../forms/completion/roots.ts"
import { useProject } from "../connection/queries.ts"

export function useRequestReading(api: string): Reading {
  const { data: project } = useProject()
  return useMemo(
    () => ({ workflow: undefined, pointer: [], api, apis: project?.apis.map(({ name }) => name) ?? [] }),
    [api, project],
  )
}
