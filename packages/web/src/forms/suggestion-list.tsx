// The list of suggestions, above all other content. It is below the field, or above it if there is more room. Only
// visible rows are rendered.

import { useRef, type RefObject } from "react"
import { MethodBadge } from "../ui/method-badge.tsx"
import { useOverPage } from "../ui/use-over-page.ts"
import { VirtualList } from "../ui/virtual-list.tsx"
import { ShownText } from "../ui/shown-text.tsx"
import type { Suggestion } from "./suggestion.ts"

const rowHeight = 28
const MAX_ROWS = 10
const gap = 3

interface Props {
  readonly id: string
  readonly items: readonly Suggestion[]
  readonly active: number
  readonly anchor: RefObject<HTMLElement | null>
  readonly onTake: (suggestion: Suggestion) => void
}

export function SuggestionList({ id, items, active, anchor, onTake }: Props) {
  const layer = useRef<HTMLDivElement>(null)
  const height = Math.min(items.length, MAX_ROWS) * rowHeight + 2
  useOverPage(layer, (shown) => place(shown, anchor.current, height))
  return (
    <div ref={layer} popover="manual" className="suggestions">
      <VirtualList
        id={id}
        role="listbox"
        aria-label="Suggestions"
        className="suggestion-list"
        style={{ height }}
        rows={items}
        rowHeight={rowHeight}
        activeIndex={active}
        render={(item, index) => (
          <div
            key={index}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === active}
            aria-posinset={index + 1}
            aria-setsize={items.length}
            className="suggestion"
            // Keep the focus in the field.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => onTake(item)}
          >
            {item.method === undefined ? null : <MethodBadge method={item.method} />}
            <span className="suggestion-text">
              <ShownText text={item.text} />
            </span>
            {item.note === undefined ? null : (
              <span className="suggestion-note">
                <ShownText text={item.note} />
              </span>
            )}
          </div>
        )}
      />
    </div>
  )
}

function place(layer: HTMLElement, anchor: HTMLElement | null, height: number): void {
  if (anchor === null) return
  const { left, top, bottom, width } = anchor.getBoundingClientRect()
  const isAbove = bottom + gap + height > window.innerHeight && top > window.innerHeight - bottom
  const room = Math.min(Math.max(width, 460), window.innerWidth - 16)
  layer.style.width = `${room}px`
  layer.style.left = `${Math.max(8, Math.min(left, window.innerWidth - room - 8))}px`
  layer.style.top = `${isAbove ? top - gap - height : bottom + gap}px`
}
