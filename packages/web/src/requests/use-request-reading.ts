// The names for completion in a saved request: variables of its own and other APIs, but no blocks.

import { useMemo } from "react"
import type { Reading } from "../blocks/completion/roots.ts"
import { useProject } from "../data/use-project.ts"

export function useRequestReading(api: string): Reading {
  const { data: project } = useProject()
  return useMemo(
    () => ({ workflow: undefined, pointer: [], api, apis: project?.apis.map(({ name }) => name) ?? [] }),
    [api, project],
  )
}
