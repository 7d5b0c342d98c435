// Tabs with their panels.

import { useEffect, useId, useState, type ReactNode, useRef, type KeyboardEvent } from "react"
import { create } from "zustand"

export interface Tab {
  readonly name: string
  readonly render: () => ReactNode
}

interface TabsProps {
  readonly label: string
  readonly tabs: readonly Tab[]
  /** The start of the name of the tab that is selected first. */
  readonly startsWith?: string
}

const useWantedTab = create<{ readonly name: string | undefined }>(() => ({ name: undefined }))

/** Selects the tab of this name in the tabs that are shown. */
export const showTab = (name: string): void => useWantedTab.setState({ name })

export function Tabs({ label, tabs, startsWith = "" }: TabsProps) {
  const id = useId()
  const names = tabs.map((tab) => tab.name)
  const [name, setName] = useState(() => names.find((one) => one.startsWith(startsWith)))
  const index = Math.max(0, names.indexOf(name ?? ""))
  const wanted = useWantedTab((state) => state.name)
  useEffect(() => {
    if (wanted === undefined || !names.includes(wanted)) return
    useWantedTab.setState({ name: undefined })
    setName(wanted)
  }, [wanted])
  return (
    <div className="tabs">
      <TabList
        {...{ label, id, names, index }}
        panelId={`${id}-panel`}
        onSelect={(at) => setName(names[at])}
      />
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${index}`} className="tab-panel">
        {tabs[index]?.render()}
      </div>
    </div>
  )
}

interface TabDetail {
  /** Shown after the name. */
  readonly mark: ReactNode
  /** The keys of the values in the tab, so that a search for the field of a value can open it. */
  readonly pointers: readonly string[]
}

interface Props {
  readonly label: string
  readonly className?: string
  /** The ids of the tabs start with this. */
  readonly id: string
  readonly panelId: string
  readonly names: readonly string[]
  readonly index: number
  readonly onSelect: (index: number) => void
  /** By the index of the tab. */
  readonly details?: readonly TabDetail[]
}

/** A list of tabs. Arrow keys select the next one. */
export function TabList({ label, className = "", id, panelId, names, index, onSelect, details = [] }: Props) {
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
          data-pointers={details[at]?.pointers.join("\n")}
          onClick={() => onSelect(at)}
        >
          {name}
          {details[at]?.mark}
        </button>
      ))}
    </div>
  )
}
