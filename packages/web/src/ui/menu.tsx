// A menu at an element. Arrow keys and first letters move, Enter activates, Escape or a click elsewhere closes.

import { useEffect, useRef, type FocusEvent, type KeyboardEvent, type ReactNode, useState } from "react"
import { Anchored } from "./anchored.tsx"
import { EllipsisVertical } from "lucide-react"
import { visibleText } from "./visible-text.ts"

export interface MenuItem {
  readonly label: string
  readonly does: () => void
  readonly key?: string
  /** Shown before the label, and not read out. */
  readonly icon?: ReactNode
  /** Shown in a second line. */
  readonly note?: string
  readonly isDanger?: boolean
  /** Set for one of several choices. True if it is selected. */
  readonly isChosen?: boolean
  /** Set for a switch. True if it is on. */
  readonly isSwitchedOn?: boolean | undefined
}

interface Props {
  readonly label: string
  readonly items: readonly MenuItem[]
  readonly anchor: () => Element | null
  /** If `goesBack`, the focus returns to the element, unless the user has moved on. */
  readonly onClose: (goesBack: boolean) => void
  /** Focuses the first item that starts with this text. */
  readonly startsWith?: string
}

export function Menu({ label, items, anchor, onClose, startsWith = "" }: Props) {
  const menu = useRef<HTMLDivElement>(null)
  const isDone = useRef(false)
  useEffect(() => {
    const chosen = items.findIndex(({ isChosen }) => isChosen === true)
    focusItem(menu.current, firstLike(items, startsWith) ?? Math.max(0, chosen))
    // Run this only on mount.
  }, [])
  const close = (goesBack: boolean): void => {
    if (isDone.current) return
    isDone.current = true
    onClose(goesBack)
  }
  const choose = (item: MenuItem): void => {
    close(true)
    item.does()
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    event.stopPropagation()
    const index = [...(menu.current?.children ?? [])].indexOf(document.activeElement ?? document.body)
    const item = items[index]
    const next = nextIndex(event.key, index, items)
    if (event.key === "Escape" || event.key === "Tab") close(true)
    else if ((event.key === "Enter" || event.key === " ") && item !== undefined) {
      if (!event.repeat) choose(item)
    } else if (next !== undefined) focusItem(menu.current, next)
    else return
    event.preventDefault()
  }
  return (
    <Anchored anchor={anchor} className="menu-place">
      <div
        ref={menu}
        role="menu"
        aria-label={label}
        className="menu"
        onKeyDown={onKeyDown}
        onBlur={(event: FocusEvent) => {
          if (!event.currentTarget.contains(event.relatedTarget)) close(false)
        }}
      >
        {items.map((item) => (
          <Item key={item.label} item={item} onChoose={() => choose(item)} />
        ))}
      </div>
    </Anchored>
  )
}

function roleOf({ isChosen, isSwitchedOn }: MenuItem): string {
  if (isChosen !== undefined) return "menuitemradio"
  return isSwitchedOn === undefined ? "menuitem" : "menuitemcheckbox"
}

function Item({ item, onChoose }: { readonly item: MenuItem; readonly onChoose: () => void }) {
  return (
    <div
      role={roleOf(item)}
      aria-checked={item.isChosen ?? item.isSwitchedOn}
      tabIndex={-1}
      className={item.isDanger === true ? "menu-item menu-item-danger" : "menu-item"}
      onMouseEnter={(event) => event.currentTarget.focus()}
      onClick={onChoose}
    >
      {item.icon === undefined ? null : <span aria-hidden="true">{item.icon}</span>}
      <span className="menu-label">
        {item.label}
        {item.note === undefined ? null : <span className="menu-note">{item.note}</span>}
      </span>
      {item.key === undefined ? null : <kbd aria-hidden="true">{item.key}</kbd>}
    </div>
  )
}

function focusItem(menu: HTMLElement | null, index: number): void {
  const item = menu?.children[index]
  if (item instanceof HTMLElement) item.focus()
}

function nextIndex(key: string, index: number, items: readonly MenuItem[]): number | undefined {
  const { length } = items
  switch (key) {
    case "ArrowDown":
      return (index + 1) % length
    case "ArrowUp":
      return (index + length - 1) % length
    case "Home":
      return 0
    case "End":
      return length - 1
    default:
      return firstLike(items, key, index + 1)
  }
}

/** Returns the next item that starts with the text. After the last item, continues with the first. */
function firstLike(items: readonly MenuItem[], text: string, from = 0): number | undefined {
  if (text.trim().length !== 1) return undefined
  const order = items.map((_, step) => (from + step) % items.length)
  return order.find((index) => items[index]?.label.toLowerCase().startsWith(text.toLowerCase()))
}

interface MenuButtonProps {
  /** The item that the actions apply to. */
  readonly name: string
  readonly items: readonly MenuItem[]
}

/** A button that opens a menu of further actions. */
export function MenuButton({ name, items }: MenuButtonProps) {
  const button = useRef<HTMLButtonElement>(null)
  const [isOpen, setOpen] = useState(false)
  const shown = visibleText(name)
  return (
    <>
      <button
        ref={button}
        type="button"
        className="button button-icon"
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-label={`More actions for ${shown}`}
        title="More actions"
        onClick={() => setOpen(!isOpen)}
      >
        <EllipsisVertical aria-hidden="true" />
      </button>
      {isOpen ? (
        <Menu
          label={`Actions for ${shown}`}
          anchor={() => button.current}
          items={items}
          onClose={(goesBack) => {
            setOpen(false)
            if (goesBack) button.current?.focus()
          }}
        />
      ) : null}
    </>
  )
}
