// The results of a search.

import { VirtualList } from "../parts/virtual-list.tsx"
import type { Entry } from "../search/entries.ts"
import { HitRow } from "../search/hit-row.tsx"

interface Props {
  readonly id: string
  readonly hits: readonly Entry[]
  readonly activeIndex: number
  readonly onOpen: (entry: Entry) => void
}

const hitHeight = 46
export const hitId = (list: string, index: number): string => `${list}-${index}`

export function HitList({ id, hits, activeIndex, onOpen }: Props) {
  return (
    <VirtualList
      id={id}
      className="hits"
      role="listbox"
      aria-label="Search results"
      tabIndex={-1}
      rows={hits}
      rowHeight={hitHeight}
      activeIndex={activeIndex}
      render={(entry, index) => (
        <HitRow
          key={entry.id}
          id={hitId(id, index)}
          entry={entry}
          position={index}
          size={hits.length}
          isActive={index === activeIndex}
          onOpen={() => onOpen(entry)}
        />
      )}
    />
  )
}
