// The parts of a row in a tree: its accessible properties, and the mark that expands it.

interface TreeItem {
  readonly depth: number
  /** From 0. */
  readonly position: number
  readonly siblings: number
  /** Undefined for a row without children. */
  readonly isOpen?: boolean | undefined
}

/** Returns the accessible properties of a row (WAI-ARIA, tree view pattern). */
export const treeItem = ({ depth, position, siblings, isOpen }: TreeItem, isSelected: boolean) =>
  ({
    role: "treeitem",
    "aria-level": depth,
    "aria-posinset": position + 1,
    "aria-setsize": siblings,
    "aria-selected": isSelected,
    "aria-expanded": isOpen,
  }) as const

interface Props {
  readonly isOpen: boolean | undefined
  readonly onToggle: () => void
}

/** The mark that expands a row. A row without children has only its space. */
export function Fold({ isOpen, onToggle }: Props) {
  return (
    <span
      aria-hidden="true"
      className={isOpen === undefined ? "fold" : `fold fold-shown ${isOpen ? "fold-open" : ""}`}
      onClick={(event) => {
        if (isOpen === undefined) return
        event.stopPropagation()
        onToggle()
      }}
    />
  )
}
