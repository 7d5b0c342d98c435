// A list of tabs. Arrow keys select the next one.

import { useRef, type KeyboardEvent } from "react"

interface Props {
  readonly label: string
  readonly className?: string
  /** The ids of the tabs start with this. */
  readonly id: string
  readonly panelId: string
  readonly names: readonly string[]
  readonly index: number
  readonly onSelect: (index: number) => void
}

export function TabList({ label, className = "", id, panelId, names, index, onSelect }: Props) {
  const list = useRef<HTMLDivElement>(null)
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0
    if (step === 0 || event.altKey || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    const next = (index + step + names.length) % names.length
    onSelect(next)
    list.current?.querySelectorAll<HTMLElement>("[role=tab]")[next]?.focus()
  }
  return (
    <div
      ref={list}
      role="tablist"
      aria-label={label}
      className={`tab-list ${className}`}
      onKeyDown={onKeyDown}
    >
      {names.map((name, at) => (
        <button
          key={name}
          type="button"
          role="tab"
          id={`${id}-${at}`}
          aria-selected={at === index}
          aria-controls={panelId}
          tabIndex={at === index ? 0 : -1}
          className="tab"
          onClick={() => onSelect(at)}
        >
          {name}
        </button>
      ))}
    </div>
  )
}
