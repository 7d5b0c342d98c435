// The accessible properties of a row in a tree (WAI-ARIA, tree view pattern).

interface TreeRow {
  readonly depth: number
  /** From 0. */
  readonly position: number
  readonly siblings: number
  /** Undefined for a row without children. */
  readonly isOpen?: boolean | undefined
}

export const treeItem = ({ depth, position, siblings, isOpen }: TreeRow, isSelected: boolean) =>
  ({
    role: "treeitem",
    "aria-level": depth,
    "aria-posinset": position + 1,
    "aria-setsize": siblings,
    "aria-selected": isSelected,
    "aria-expanded": isOpen,
  }) as const
