// The mark before a row of an outline that opens and closes it; a row without anything inside has its room alone.

interface Props {
  /** Absent where there is nothing to open. */
  readonly isOpen: boolean | undefined
  readonly onToggle: () => void
}

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
