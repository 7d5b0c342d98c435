// Panes next to each other, or below each other, with a bar between them that is dragged or moved by arrow keys.

import { Fragment, useSyncExternalStore, type ReactNode } from "react"
import { Group, Panel, Separator, useDefaultLayout } from "react-resizable-panels"
import { lasting } from "../connection/window-storage.ts"

interface Pane {
  readonly id: string
  /** The size in pixels, or a percentage such as `"40%"`. A double-click on the bar restores it. */
  readonly size?: number | string
  readonly minSize: number | string
  /** Keeps its size in pixels if the window is resized. */
  readonly isFixed?: boolean
  readonly content: ReactNode
}

interface Props {
  /** The key under which the browser remembers the sizes. */
  readonly id: string
  readonly isVertical?: boolean
  /** True if the second pane has nothing to show. The first one then has the whole room, and keeps its state. */
  readonly isSecondEmpty?: boolean
  readonly panes: readonly [Pane, Pane]
  /** The accessible name of the bar. */
  readonly label: string
}

export function Split({ id, isVertical = false, isSecondEmpty = false, panes, label }: Props) {
  const orientation = isVertical ? "vertical" : "horizontal"
  const kept = useDefaultLayout({
    id: `callsheet ${id} ${orientation}`,
    storage: lasting,
    onlySaveAfterUserInteractions: true,
  })
  return (
    <Group
      id={id}
      orientation={orientation}
      className={isSecondEmpty ? "split split-one" : "split"}
      {...kept}
    >
      {panes.map(({ id: pane, size, minSize, isFixed = false, content }, index) => (
        <Fragment key={pane}>
          {index === 0 ? null : (
            <Separator className="split-bar" title={`${label} (double-click to reset)`} />
          )}
          <Panel
            id={pane}
            minSize={minSize}
            groupResizeBehavior={isFixed ? "preserve-pixel-size" : "preserve-relative-size"}
            className="split-pane"
            {...(size === undefined ? {} : { defaultSize: size })}
          >
            {content}
          </Panel>
        </Fragment>
      ))}
    </Group>
  )
}

/** Returns whether the window is at most this wide, in pixels. */
export function useNarrowWindow(width: number): boolean {
  const query = `(max-width: ${width}px)`
  return useSyncExternalStore(
    (listener) => {
      const list = window.matchMedia(query)
      list.addEventListener("change", listener)
      return () => list.removeEventListener("change", listener)
    },
    () => window.matchMedia(query).matches,
  )
}
