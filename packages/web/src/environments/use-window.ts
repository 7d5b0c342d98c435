// Computes the visible rows and columns of a table whose cells have fixed sizes.

import { useLayoutEffect, useState, type RefObject } from "react"

/** Pixels. Must match styles/environments.css. */
export const measures = { head: 56, row: 32, narrowest: 140 } as const

/** The number of rows and columns to render beyond the visible ones. */
const spare = { rows: 4, columns: 1 }

interface GridWindow {
  readonly rows: readonly number[]
  readonly columns: readonly number[]
  readonly widths: Widths
  readonly onScroll: () => void
}

/** Pixels. */
export interface Widths {
  /** The column of variables. */
  readonly names: number
  /** Each column of an environment. */
  readonly column: number
}

interface Size {
  readonly rows: number
  readonly columns: number
  /** Always rendered, because it may have the focus. */
  readonly active: { readonly row: number; readonly column: number }
}

export function useWindow(
  scroller: RefObject<HTMLElement | null>,
  { rows, columns, active }: Size,
): GridWindow {
  const [room, setRoom] = useState({ width: 960, height: 640 })
  const [first, setFirst] = useState({ row: 0, column: 0 })
  const widths = widthsOf(room.width, columns)
  const onScroll = (): void => {
    const { scrollTop = 0, scrollLeft = 0 } = scroller.current ?? {}
    const next = { row: Math.floor(scrollTop / measures.row), column: Math.floor(scrollLeft / widths.column) }
    setFirst((known) => (known.row === next.row && known.column === next.column ? known : next))
  }
  // Measure before the first paint, so that no column changes its width visibly.
  useLayoutEffect(() => {
    const { current } = scroller
    if (current === null) return undefined
    const measure = (): void => {
      const { clientWidth: width, clientHeight: height } = current
      setRoom((known) => (known.width === width && known.height === height ? known : { width, height }))
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(current)
    return () => observer.disconnect()
  }, [scroller])
  return {
    rows: indices(first.row, Math.ceil(room.height / measures.row), {
      length: rows,
      spare: spare.rows,
      with: active.row,
    }),
    columns: indices(first.column, Math.ceil(room.width / widths.column), {
      length: columns,
      spare: spare.columns,
      with: active.column,
    }),
    widths,
    onScroll,
  }
}

/** The visible part of the first column that doesn't fit. It shows that there are more. */
const peeking = 0.4

/**
 * A few columns share the width. With many, each has the width that a value needs, and part of the next one is visible.
 */
function widthsOf(width: number, columns: number): Widths {
  const names = Math.max(256, Math.min(440, Math.round(width * 0.28)))
  const room = width - names
  const shared = Math.floor(room / Math.max(1, columns))
  if (shared >= measures.narrowest) return { names, column: shared }
  const whole = Math.max(1, Math.floor(room / measures.narrowest - peeking))
  return { names, column: Math.max(measures.narrowest, Math.floor(room / (whole + peeking))) }
}

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

/** Scrolls as little as possible, until the cell is next to the names and below the headers. */
export function scrollTo(
  scroller: HTMLElement,
  { row, column }: { readonly row: number; readonly column: number },
  widths: Widths,
): void {
  const { clientHeight, clientWidth } = scroller
  const [top, left] = [row * measures.row, column * widths.column]
  const [height, width] = [clientHeight - measures.head, clientWidth - widths.names]
  if (row >= 0) {
    if (top < scroller.scrollTop) scroller.scrollTop = top
    else if (top + measures.row > scroller.scrollTop + height)
      scroller.scrollTop = top + measures.row - height
  }
  if (column >= 0) {
    if (left < scroller.scrollLeft) scroller.scrollLeft = left
    else if (left + widths.column > scroller.scrollLeft + width)
      scroller.scrollLeft = left + widths.column - width
  }
}
