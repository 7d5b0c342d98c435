// A list of rows of equal height. Renders only the visible ones.

import { useEffect, useLayoutEffect, useRef, useState, type HTMLAttributes, type ReactNode } from "react"

interface Props<T> extends Omit<HTMLAttributes<HTMLDivElement>, "children"> {
  readonly rows: readonly T[]
  readonly rowHeight: number
  readonly activeIndex: number
  readonly render: (row: T, index: number) => ReactNode
}

/** The number of rows to render above and below the visible ones. */
const spare = 8

export function VirtualList<T>({ rows, rowHeight, activeIndex, render, ...attributes }: Props<T>) {
  const list = useRef<HTMLDivElement>(null)
  const [top, setTop] = useState(0)
  const height = useHeight(list)
  useLayoutEffect(() => {
    if (list.current !== null && activeIndex >= 0)
      keepInSight(list.current, activeIndex * rowHeight, rowHeight)
  }, [activeIndex, rowHeight])
  const first = Math.max(0, Math.min(Math.floor(top / rowHeight) - spare, rows.length - 1))
  const shown = rows.slice(first, first + Math.ceil(height / rowHeight) + 2 * spare)
  const active = Math.max(activeIndex, 0)
  // A row that isn't rendered has no element to name.
  const unnamed =
    active < first || active >= first + shown.length ? { "aria-activedescendant": undefined } : {}
  return (
    <div
      ref={list}
      // F6 goes to a list that takes the focus itself.
      data-part={attributes.tabIndex === 0 ? "" : undefined}
      {...attributes}
      {...unnamed}
      onScroll={(event) => {
        setTop(event.currentTarget.scrollTop)
        attributes.onScroll?.(event)
      }}
    >
      <div role="presentation" className="virtual-room" style={{ height: rows.length * rowHeight }}>
        <div role="presentation" style={{ transform: `translateY(${first * rowHeight}px)` }}>
          {shown.map((row, index) => render(row, first + index))}
        </div>
      </div>
    </div>
  )
}

function useHeight(list: { readonly current: HTMLDivElement | null }): number {
  const [height, setHeight] = useState(800)
  useEffect(() => {
    if (list.current === null) return undefined
    const observer = new ResizeObserver(([entry]) => setHeight(entry?.contentRect.height ?? 800))
    observer.observe(list.current)
    return () => observer.disconnect()
  }, [list])
  return height
}

function keepInSight(list: HTMLDivElement, top: number, height: number): void {
  if (top < list.scrollTop) list.scrollTop = top
  else if (top + height > list.scrollTop + list.clientHeight)
    list.scrollTop = top + height - list.clientHeight
}
