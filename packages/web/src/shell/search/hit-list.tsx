// The results of a search.

import { useState, type KeyboardEvent } from "react"
import { movedIndex } from "../../ui/list-keys.ts"
import { VirtualList } from "../../ui/virtual-list.tsx"
import { goTo } from "../../routes/use-route.ts"
import { ShownText, PathLabel } from "../../ui/shown-text.tsx"
import { visibleText } from "../../ui/visible-text.ts"
import type { Entry } from "../../search/entries.ts"
import { EnvironmentName, MethodBadge } from "../../ui/badges.tsx"

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
      data-part=""
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
        {entry.method !== undefined ? (
          <PathLabel path={entry.name} />
        ) : entry.level !== undefined ? (
          <EnvironmentName name={entry.name} level={entry.level} />
        ) : (
          <ShownText text={entry.name} />
        )}
      </span>
      <span className="hit-detail">
        <ShownText text={entry.detail} />
      </span>
    </div>
  )
}

const labelOf = ({ method, name, detail }: Entry): string =>
  visibleText(`${method} ${name.slice(0, 300)} ${detail.slice(0, 300)}`)

/** Keys of a search box and its results: arrow keys move, Enter opens. */
interface HitKeys {
  readonly activeIndex: number
  readonly open: (entry: Entry) => void
  readonly onKeyDown: (event: KeyboardEvent) => void
}

export function useHitKeys(hits: readonly Entry[], query: string, onOpened: () => void): HitKeys {
  const [active, setActive] = useState({ query, index: 0 })
  const activeIndex =
    active.query === query ? Math.min(active.index, hits.length - 1) : Math.min(0, hits.length - 1)
  const open = (entry: Entry): void => {
    setActive({ query, index: hits.indexOf(entry) })
    goTo(entry.route)
    onOpened()
    entry.action?.()
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    const next = movedIndex(event.key, activeIndex, hits.length)
    const hit = hits[activeIndex]
    if (next !== undefined) setActive({ query, index: next })
    else if (event.key === "Enter" && hit !== undefined && !event.nativeEvent.isComposing) open(hit)
    else return
    event.preventDefault()
  }
  return { activeIndex, open, onKeyDown }
}
