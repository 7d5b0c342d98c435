// The selected block, for commands and shortcuts: in a workflow's outline or in a report.

import { create } from "zustand"

interface SelectedBlock {
  readonly workflow: string
  /** The block's id in the file. */
  readonly block: string
}

const useSelected = create<{ readonly selected: SelectedBlock | undefined }>(() => ({ selected: undefined }))

/** Call when a view of blocks changes its selection. */
export const selectBlock = (selected: SelectedBlock | undefined): void => useSelected.setState({ selected })

export const selectedBlock = (workflow: string): string | undefined => {
  const { selected } = useSelected.getState()
  return selected?.workflow === workflow ? selected.block : undefined
}
