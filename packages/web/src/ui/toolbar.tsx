// A row of icon buttons that never wraps. The last ones that have no room are in a menu at its end.

import { EllipsisVertical } from "lucide-react"
import { useLayoutEffect, useRef, useState, type ReactNode } from "react"
import { Menu } from "./menu.tsx"

export interface Tool {
  /** The accessible name and the tooltip. */
  readonly label: string
  readonly icon: ReactNode
  readonly does: () => void
  /** The tooltip, if it says more than the label. */
  readonly title?: string | undefined
  /** Set if the tool switches something on. */
  readonly isPressed?: boolean | undefined
  readonly hasMenu?: boolean | undefined
  /** Why the tool does nothing now. It keeps its place. */
  readonly not?: string | false | undefined
}

/** The width of a tool, in pixels. */
const toolWidth = 28

interface Props {
  /** What the tools are for, such as `response body`. */
  readonly of: string
  readonly tools: readonly Tool[]
}

export function Toolbar({ of, tools }: Props) {
  const row = useRef<HTMLSpanElement>(null)
  const room = useRoom(row)
  const isWhole = room >= tools.length
  const shown = isWhole ? tools : tools.slice(0, Math.max(0, room - 1))
  return (
    <span ref={row} className="toolbar" style={{ width: tools.length * toolWidth }}>
      {shown.map((tool) => (
        <ToolButton key={tool.label} {...tool} />
      ))}
      {isWhole ? null : <MoreTools of={of} tools={tools.slice(shown.length)} />}
    </span>
  )
}

/** Returns how many tools fit. Measured before the first paint, so that nothing moves. */
function useRoom(row: { readonly current: HTMLElement | null }): number {
  const [room, setRoom] = useState(Infinity)
  useLayoutEffect(() => {
    const element = row.current
    if (element === null) return undefined
    const measure = (): void => setRoom(Math.floor(element.clientWidth / toolWidth))
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [row])
  return room
}

export function ToolButton({ label, icon, does, title = label, isPressed, hasMenu, not = false }: Tool) {
  return (
    <button
      type="button"
      className="tool tool-icon"
      aria-label={label}
      aria-pressed={isPressed}
      aria-haspopup={hasMenu === true ? "menu" : undefined}
      aria-disabled={not === false ? undefined : true}
      title={not === false ? title : not}
      onClick={() => {
        if (not === false) does()
      }}
    >
      {icon}
    </button>
  )
}

function MoreTools({ of, tools }: Props) {
  const button = useRef<HTMLButtonElement>(null)
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button
        ref={button}
        type="button"
        className="tool tool-icon"
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-label={`More tools for ${of}`}
        title="More"
        onClick={() => setOpen(!isOpen)}
      >
        <EllipsisVertical aria-hidden="true" />
      </button>
      {isOpen ? (
        <Menu
          label={`Tools for ${of}`}
          anchor={() => button.current}
          items={tools
            .filter(({ not = false }) => not === false)
            .map(({ label, icon, does, isPressed }) => ({ label, icon, does, isSwitchedOn: isPressed }))}
          onClose={(goesBack) => {
            setOpen(false)
            if (goesBack) button.current?.focus()
          }}
        />
      ) : null}
    </>
  )
}
