// The menus of a body's lines. Arrow keys select a line. Enter or a click on the line's button opens its menu.

import { useState, type KeyboardEvent, type MouseEvent, type ReactNode } from "react"
import type { JsonValue } from "@callsheet/format"
import { movedIndex } from "../parts/list-keys.ts"
import { Menu } from "../parts/menu.tsx"
import { stepsOf, valueAtSteps } from "./line-steps.ts"
import { valueItems } from "./value-items.ts"
import { useValueSource } from "./value-source.ts"

interface Line {
  /** Absent for a closing bracket. */
  readonly pointer?: string
}

interface LineMenu {
  readonly listProps: {
    readonly "aria-activedescendant"?: string | undefined
    readonly onKeyDown?: (event: KeyboardEvent) => void
  }
  readonly activeIndex: number | undefined
  /** Returns the props of a line. Undefined if it has no menu. */
  readonly lineProps: (index: number) => LineProps | undefined
  readonly menu: ReactNode
}

export interface LineProps {
  readonly id: string
  readonly isActive: boolean
  readonly onOpen: (event: MouseEvent) => void
}

export function useLineMenu(id: string, body: JsonValue, lines: readonly Line[]): LineMenu {
  const source = useValueSource()
  const [active, setActive] = useState<number>()
  const [isOpen, setOpen] = useState(false)
  if (source === undefined)
    return { listProps: {}, activeIndex: undefined, lineProps: () => undefined, menu: null }
  const lineId = (index: number): string => `${id}-line-${index}`
  const at = active === undefined || active >= lines.length ? undefined : active
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const next = movedIndex(event.key, at ?? -1, lines.length)
    if (next !== undefined) setActive(nextWithValue(lines, at ?? -1, Math.max(0, next)))
    else if (at !== undefined && (event.key === "Enter" || event.key === "ContextMenu" || event.key === " "))
      setOpen(true)
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  const pointer = at === undefined ? undefined : lines[at]?.pointer
  const steps = pointer === undefined ? undefined : stepsOf(pointer)
  const value = steps === undefined ? undefined : valueAtSteps(body, steps)
  const seen =
    steps === undefined || value === undefined
      ? undefined
      : { block: source.block, steps: [...source.steps, ...steps], value }
  return {
    listProps: { onKeyDown, "aria-activedescendant": at === undefined ? undefined : lineId(at) },
    activeIndex: at,
    lineProps: (index) =>
      lines[index]?.pointer === undefined
        ? undefined
        : {
            id: lineId(index),
            isActive: index === at,
            onOpen: (event) => {
              event.preventDefault()
              setActive(index)
              setOpen(true)
            },
          },
    menu:
      !isOpen || at === undefined || seen === undefined ? null : (
        <Menu
          label="Use the value"
          items={valueItems(source.workflow, seen)}
          anchor={() => document.getElementById(lineId(at))}
          onClose={(goesBack) => {
            setOpen(false)
            if (goesBack) document.getElementById(id)?.focus()
          }}
        />
      ),
  }
}

/** Skips lines that only close a bracket. */
function nextWithValue(lines: readonly Line[], from: number, to: number): number {
  const by = to < from ? -1 : 1
  for (let index = to; index >= 0 && index < lines.length; index += by)
    if (lines[index]?.pointer !== undefined) return index
  return Math.max(0, from)
}
