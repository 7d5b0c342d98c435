// Shortcuts that run a workflow from its page.

import { useEffect } from "react"
import { selectedBlock } from "./selected-block.ts"
import { runOnly, runTo, runWorkflow } from "./starts.ts"

/**
 * Ctrl-Enter or Cmd-Enter runs the workflow. With Shift, it runs up to the selected block. Alt-Enter runs only that
 * block. The focus doesn't matter. Held keys and keys in a dialog have no effect.
 */
export function useRunKeys(workflow: string): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      const run = event.key === "Enter" ? meantBy(event, workflow) : undefined
      if (run === undefined || document.querySelector("dialog[open]") !== null) return
      event.preventDefault()
      if (!event.repeat) void run()
    }
    window.addEventListener("keydown", onKeyDown)
    return () => window.removeEventListener("keydown", onKeyDown)
  }, [workflow])
}

function meantBy(event: KeyboardEvent, workflow: string): (() => Promise<unknown>) | undefined {
  const { ctrlKey, metaKey, shiftKey, altKey } = event
  const block = selectedBlock(workflow)
  if (ctrlKey || metaKey) {
    if (altKey) return undefined
    if (!shiftKey) return () => runWorkflow(workflow)
    return block === undefined ? undefined : () => runTo(workflow, block)
  }
  return altKey && !shiftKey && block !== undefined ? () => runOnly(workflow, block) : undefined
}
