// A button that opens a menu of further actions.

import { useRef, useState } from "react"
import { EllipsisVertical } from "lucide-react"
import { visibleText } from "./visible-text.ts"
import { Menu, type MenuItem } from "./menu.tsx"

interface Props {
  /** The item that the actions apply to. */
  readonly name: string
  readonly items: readonly MenuItem[]
}

export function MenuButton({ name, items }: Props) {
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
