// The results of a search.

import { LevelBadge } from "../parts/level-badge.tsx"
import { MethodBadge } from "../parts/method-badge.tsx"
import { PathLabel } from "../parts/path-label.tsx"
import { VirtualList } from "../parts/virtual-list.tsx"
import { ShownText } from "../text/shown-text.tsx"
import { visibleText } from "../text/visible-text.ts"
import type { Entry } from "./entries.ts"

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

interface RowProps {
  readonly entry: Entry
  readonly id: string
  readonly position: number
  readonly size: number
  readonly isActive: boolean
  readonly onOpen: () => void
}

function HitRow({ entry, id, position, size, isActive, onOpen }: RowProps) {
  return (
    <div
      id={id}
      role="option"
      aria-selected={isActive}
      // Without a label, screen readers would read the parts of the path as separate words.
      aria-label={entry.method === undefined ? undefined : labelOf(entry)}
      aria-posinset={position + 1}
      aria-setsize={size}
      className="hit"
      // Keep the focus in the search box.
      onMouseDown={(event) => event.preventDefault()}
      onClick={onOpen}
    >
      {entry.method === undefined ? (
        <span className="hit-kind">{entry.kind}</span>
      ) : (
        <MethodBadge method={entry.method} />
      )}
      <span className="hit-name">
        {entry.method === undefined ? <ShownText text={entry.name} /> : <PathLabel path={entry.name} />}
      </span>
      {entry.level === undefined ? null : <LevelBadge level={entry.level} />}
      <span className="hit-detail">
        <ShownText text={entry.detail} />
      </span>
    </div>
  )
}

const labelOf = ({ method, name, detail }: Entry): string =>
  visibleText(`${method} ${name.slice(0, 300)} ${detail.slice(0, 300)}`)
