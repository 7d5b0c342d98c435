// Shortcuts that run a workflow from its page.

import { usePageKeys } from "../ui/use-page-keys.ts"
import { selectedBlock } from "./selected-block.ts"
import { runOnly, runTo, runWorkflow } from "./starts.ts"

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
