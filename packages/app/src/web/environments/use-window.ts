// Which rows and columns of a table of fixed measures are in sight.

import { useEffect, useState, type RefObject } from "react"

/** In pixels; styles/environments.css has the same. */
export const measures = { head: 78, row: 48, names: 256, narrowest: 156, widest: 340 } as const

/** Beyond those in sight. */
const spare = { rows: 6, columns: 2 }

export interface GridWindow {
  readonly rows: readonly number[]
  readonly columns: readonly number[]
  readonly columnWidth: number
  readonly onScroll: () => void
}

interface Size {
  readonly rows: number
  readonly columns: number
  /** Kept among them, in sight or not: it may have the focus. */
  readonly active: { readonly row: number; readonly column: number }
}

export function useWindow(
  scroller: RefObject<HTMLElement | null>,
  { rows, columns, active }: Size,
): GridWindow {
  const [room, setRoom] = useState({ width: 960, height: 640 })
  const [first, setFirst] = useState({ row: 0, column: 0 })
  const columnWidth = widthOf(room.width, columns)
  const onScroll = (): void => {
    const { scrollTop = 0, scrollLeft = 0 } = scroller.current ?? {}
    const next = { row: Math.floor(scrollTop / measures.row), column: Math.floor(scrollLeft / columnWidth) }
    setFirst((known) => (known.row === next.row && known.column === next.column ? known : next))
  }
  useEffect(() => {
    if (scroller.current === null) return undefined
    const observer = new ResizeObserver(([entry]) => {
      if (entry !== undefined) setRoom({ width: entry.contentRect.width, height: entry.contentRect.height })
    })
    observer.observe(scroller.current)
    return () => observer.disconnect()
  }, [scroller])
  return {
    rows: indices(first.row, Math.ceil(room.height / measures.row), {
      length: rows,
      spare: spare.rows,
      with: active.row,
    }),
    columns: indices(first.column, Math.ceil(room.width / columnWidth), {
      length: columns,
      spare: spare.columns,
      with: active.column,
    }),
    columnWidth,
    onScroll,
  }
}

/** Few columns share the room, many have what a value needs. */
const widthOf = (width: number, columns: number): number =>
  Math.max(
    measures.narrowest,
    Math.min(measures.widest, Math.floor((width - measures.names) / Math.max(1, columns))),
  )

interface Range {
  readonly length: number
  readonly spare: number
  readonly with: number
}

function indices(first: number, count: number, { length, spare, with: active }: Range): readonly number[] {
  const from = Math.max(0, Math.min(first, length - 1) - spare)
  const to = Math.min(length, first + count + spare)
  const shown = Array.from({ length: Math.max(0, to - from) }, (_, index) => from + index)
  if (active < 0 || active >= length || (active >= from && active < to)) return shown
  return active < from ? [active, ...shown] : [...shown, active]
}

/** Scrolls no further than needed to have a cell beside the names and below the heads. */
export function scrollTo(
  scroller: HTMLElement,
  { row, column }: { readonly row: number; readonly column: number },
  columnWidth: number,
): void {
  const { clientHeight, clientWidth } = scroller
  const [top, left] = [row * measures.row, column * columnWidth]
  const [height, width] = [clientHeight - measures.head, clientWidth - measures.names]
  if (row >= 0) {
    if (top < scroller.scrollTop) scroller.scrollTop = top
    else if (top + measures.row > scroller.scrollTop + height)
      scroller.scrollTop = top + measures.row - height
  }
  if (column >= 0) {
    if (left < scroller.scrollLeft) scroller.scrollLeft = left
    else if (left + columnWidth > scroller.scrollLeft + width)
      scroller.scrollLeft = left + columnWidth - width
  }
}
