// The rows of the outline, with the operations that are to be seen read for it.

import { useMemo } from "react"
import type { ProjectView } from "@callsheet/server/calls"
import { useOperations } from "../data/use-operations.ts"
import { useUnsavedPlaces } from "../editing/use-unsaved-files.ts"
import { useOutcomes } from "../run/use-outcomes.ts"
import { useOpenRows } from "./open-rows.ts"
import { outlineRows, showsOperations, type OutlineRow } from "./outline.ts"

export function useOutline(project: ProjectView): readonly OutlineRow[] {
  const chosen = useOpenRows((state) => state.chosen)
  const shown = useMemo(() => {
    const source = { project, chosen }
    return project.apis
      .filter(({ name, document }) => document !== undefined && showsOperations(source, name))
      .map(({ name }) => name)
  }, [project, chosen])
  const read = useOperations(shown)
  const outcomes = useOutcomes()
  const unsaved = useUnsavedPlaces()
  return useMemo(
    () =>
      outlineRows({
        project,
        chosen,
        outcomes,
        unsaved,
        operations: new Map(read.map((operations) => [operations.api, operations])),
      }),
    [project, chosen, read, outcomes, unsaved],
  )
}
