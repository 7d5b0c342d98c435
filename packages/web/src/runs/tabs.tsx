// Tabs with their panels.

import { useId, useState, type ReactNode } from "react"
import { TabList } from "../ui/tab-list.tsx"

export interface Tab {
  readonly name: string
  readonly render: () => ReactNode
}

export function Tabs({ label, tabs }: { readonly label: string; readonly tabs: readonly Tab[] }) {
  const id = useId()
  const [name, setName] = useState(tabs[0]?.name)
  const names = tabs.map((tab) => tab.name)
  const index = Math.max(0, names.indexOf(name ?? ""))
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
