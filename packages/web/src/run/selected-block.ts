// The block that the person looks at, for commands and keys that are about one: in the outline of the workflow, or in a report.

import { create } from "zustand"

interface SelectedBlock {
  readonly workflow: string
  /** As the file has it. */
  readonly block: string
}

const useSelected = create<{ readonly selected: SelectedBlock | undefined }>(() => ({ selected: undefined }))

/** To be called by whatever shows blocks, when another one is selected. */
export const selectBlock = (selected: SelectedBlock | undefined): void => useSelected.setState({ selected })

export const selectedBlock = (workflow: string): string | undefined => {
  const { selected } = useSelected.getState()
  return selected?.workflow === workflow ? selected.block : undefined
}
