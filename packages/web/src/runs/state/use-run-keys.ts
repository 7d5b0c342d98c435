// The selected block of a workflow, and the shortcuts that run it or the workflow.

import { usePageKeys } from "../../ui/use-page-keys.ts"
import { runOnly, runTo, runWorkflow } from "./starts.ts"
import { create } from "zustand"

/**
 * Ctrl-Enter or Cmd-Enter runs the workflow. With Shift, it runs up to the selected block. Alt-Enter runs only that
 * block. A held key runs once.
 */
export const useRunKeys = (workflow: string): void =>
  usePageKeys(({ key, ctrlKey, metaKey, shiftKey, altKey, repeat }) => {
    const isRun = ctrlKey || metaKey
    if (key !== "Enter" || isRun === altKey || (altKey && shiftKey)) return undefined
    const block = isRun && !shiftKey ? undefined : selectedBlock(workflow)
    if (block === undefined && !(isRun && !shiftKey)) return undefined
    return () => {
      if (repeat) return
      if (block === undefined) void runWorkflow(workflow)
      else void (altKey ? runOnly : runTo)(workflow, block)
    }
  })

interface SelectedBlock {
  readonly workflow: string
  /** The block's id in the file. */
  readonly block: string
}

const useSelected = create<{ readonly selected: SelectedBlock | undefined }>(() => ({ selected: undefined }))

/** Call this when the selection in a view of blocks changes. */
export const selectBlock = (selected: SelectedBlock | undefined): void => useSelected.setState({ selected })

export const selectedBlock = (workflow: string): string | undefined => {
  const { selected } = useSelected.getState()
  return selected?.workflow === workflow ? selected.block : undefined
}
