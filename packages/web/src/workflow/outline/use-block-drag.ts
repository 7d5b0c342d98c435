// Drags blocks in the outline. Escape cancels.

import { useEffect, useRef, useState, type PointerEvent as ReactPointerEvent, type RefObject } from "react"
import type { JsonPointer } from "@callsheet/format"
import { rowName, type OutlineRow } from "../../blocks/block-rows.ts"
import { dropPlace, type DropPlace } from "./drop-slot.ts"

/** Pixels. A shorter movement is a click. */
const slack = 5
/** Milliseconds until a collapsed row expands under the pointer. */
const openAfter = 600
const edge = 36

interface DragOptions {
  readonly rows: readonly OutlineRow[]
  readonly rowHeight: number
  /** The width of a level in pixels. */
  readonly step: number
  readonly indent: number
  readonly draggedWith: (row: OutlineRow) => readonly JsonPointer[]
  readonly onOpen: (name: string) => void
  readonly onDrop: (blocks: readonly JsonPointer[], place: DropPlace) => void
}

interface BlockDrag {
  readonly dragged: readonly JsonPointer[] | undefined
  readonly place: DropPlace | undefined
  readonly onPointerDown: (event: ReactPointerEvent<HTMLElement>, row: OutlineRow) => void
  readonly ghost: RefObject<HTMLDivElement | null>
}

interface Press {
  readonly list: HTMLElement
  readonly x: number
  readonly y: number
  readonly blocks: readonly JsonPointer[]
}

export function useBlockDrag(options: DragOptions): BlockDrag {
  const latest = useRef(options)
  latest.current = options
  const [press, setPress] = useState<Press>()
  const [shown, setShown] = useState<{ readonly place: DropPlace | undefined }>()
  const ghost = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (press === undefined) return undefined
    const drag = followPointer(press, {
      options: () => latest.current,
      ghost: () => ghost.current,
      show: (place) => setShown((before) => (samePlace(before?.place, place) && before ? before : { place })),
    })
    const end = (): void => {
      setPress(undefined)
      setShown(undefined)
    }
    const onUp = (): void => {
      const place = drag.place()
      end()
      if (place !== undefined) latest.current.onDrop(press.blocks, place)
    }
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.key !== "Escape") return
      event.preventDefault()
      end()
    }
    window.addEventListener("pointermove", drag.onMove)
    window.addEventListener("pointerup", onUp)
    window.addEventListener("pointercancel", end)
    window.addEventListener("keydown", onKeyDown, true)
    return () => {
      drag.stop()
      window.removeEventListener("pointermove", drag.onMove)
      window.removeEventListener("pointerup", onUp)
      window.removeEventListener("pointercancel", end)
      window.removeEventListener("keydown", onKeyDown, true)
    }
  }, [press])
  const onPointerDown = (event: ReactPointerEvent<HTMLElement>, row: OutlineRow): void => {
    if (event.button !== 0 || event.pointerType === "touch") return
    const blocks = options.draggedWith(row)
    if (blocks.length === 0) return
    setPress({ list: event.currentTarget, x: event.clientX, y: event.clientY, blocks })
  }
  return {
    dragged: shown === undefined ? undefined : press?.blocks,
    place: shown?.place,
    onPointerDown,
    ghost,
  }
}

const samePlace = (a: DropPlace | undefined, b: DropPlace | undefined): boolean =>
  a?.gap === b?.gap && a?.depth === b?.depth && a?.into === b?.into

interface Follower {
  readonly options: () => DragOptions
  readonly ghost: () => HTMLElement | null
  readonly show: (place: DropPlace | undefined) => void
}

function followPointer(press: Press, { options, ghost, show }: Follower) {
  let isDragging = false
  let place: DropPlace | undefined
  let [x, y] = [press.x, press.y]
  let opening: { readonly name: string; readonly timer: ReturnType<typeof setTimeout> } | undefined
  let frame = 0
  const look = (): void => {
    const { rows, rowHeight, step, indent } = options()
    const box = press.list.getBoundingClientRect()
    const inList = y - box.top + press.list.scrollTop
    const isBeside = x < box.left - 40 || x > box.right + 40
    const depth = (x - box.left - indent) / step + 1
    place = isBeside
      ? undefined
      : dropPlace(rows, {
          y: Math.max(0, Math.min(rows.length, inList / rowHeight)),
          depth,
          dragged: press.blocks,
        })
    const row = place?.into === undefined ? undefined : rows[place.into]
    openSoon(row === undefined ? undefined : rowName(row))
    show(place)
  }
  const openSoon = (name: string | undefined): void => {
    if (opening?.name === name) return
    clearTimeout(opening?.timer)
    opening =
      name === undefined ? undefined : { name, timer: setTimeout(() => options().onOpen(name), openAfter) }
  }
  /** Scrolls while the pointer is at the upper or lower edge. */
  const scroll = (): void => {
    const box = press.list.getBoundingClientRect()
    const above = box.top + edge - y
    const below = y - (box.bottom - edge)
    if (above > 0) press.list.scrollTop -= Math.min(above, edge) / 3
    else if (below > 0) press.list.scrollTop += Math.min(below, edge) / 3
    look()
    frame = requestAnimationFrame(scroll)
  }
  const onMove = (event: PointerEvent): void => {
    ;[x, y] = [event.clientX, event.clientY]
    if (!isDragging) {
      if (Math.hypot(x - press.x, y - press.y) < slack) return
      isDragging = true
      frame = requestAnimationFrame(scroll)
    }
    look()
    const shown = ghost()
    if (shown !== null) shown.style.transform = `translate(${x + 14}px, ${y + 10}px)`
  }
  const stop = (): void => {
    cancelAnimationFrame(frame)
    clearTimeout(opening?.timer)
  }
  return { onMove, stop, place: () => (isDragging ? place : undefined) }
}
