// The mark that expands a row of an outline. A row without children has only its space.

interface Props {
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
