// A block that is selected by an act is shown: whatever holds it is opened.

import { useEffect } from "react"
import { rowName, type OutlineRow } from "./block-rows.ts"
import { changeEditor, editorNow, useEditor } from "./editor-state.ts"

/** Opens what is closed around the active block, once for each block that becomes active. */
export function useSelectionShown(workflow: string, rows: readonly OutlineRow[]): void {
  const { active } = useEditor(workflow)
  useEffect(() => {
    if (active === undefined || rows.some(({ key }) => key === active)) return
    const around = rows.findLast(({ key, isOpen }) => isOpen === false && active.startsWith(`${key}/`))
    if (around === undefined) return
    const closed = new Set(editorNow(workflow).closed)
    closed.delete(rowName(around))
    changeEditor(workflow, { closed })
  }, [workflow, active, rows])
}
