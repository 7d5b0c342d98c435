// The selected block in an outline or a report, for commands and shortcuts.

import { create } from "zustand"

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
