// Tabs. Arrow keys select the next one.

import { useId, useRef, useState, type KeyboardEvent, type ReactNode } from "react"

export interface Tab {
  readonly name: string
  readonly render: () => ReactNode
}

export function Tabs({ label, tabs }: { readonly label: string; readonly tabs: readonly Tab[] }) {
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const [name, setName] = useState(tabs[0]?.name)
  const index = Math.max(
    0,
    tabs.findIndex((tab) => tab.name === name),
  )
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0
    if (step === 0) return
    event.preventDefault()
    const next = (index + step + tabs.length) % tabs.length
    setName(tabs[next]?.name)
    list.current?.querySelectorAll<HTMLElement>("[role=tab]")[next]?.focus()
  }
  return (
    <div className="tabs">
      <div ref={list} role="tablist" aria-label={label} className="tab-list" onKeyDown={onKeyDown}>
        {tabs.map((tab, at) => (
          <button
            key={tab.name}
            type="button"
            role="tab"
            id={`${id}-${at}`}
            aria-selected={at === index}
            aria-controls={`${id}-panel`}
            tabIndex={at === index ? 0 : -1}
            className="tab"
            onClick={() => setName(tab.name)}
          >
            {tab.name}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${index}`} className="tab-panel">
        {tabs[index]?.render()}
      </div>
    </div>
  )
}
