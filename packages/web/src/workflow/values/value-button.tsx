// A button at a received value that opens a menu.

import { useRef, useState } from "react"
import type { JsonValue } from "@callsheet/format"
import { Menu } from "../../ui/menu.tsx"
import { visibleText } from "../../ui/visible-text.ts"
import { valueItems } from "./value-items.ts"
import { useValueSource } from "./value-source.ts"

interface Props {
  readonly steps: readonly (string | number)[]
  readonly value: JsonValue
  /** The label of the value: `status`. */
  readonly name: string
}

export function ValueButton({ steps, value, name }: Props) {
  const source = useValueSource()
  const button = useRef<HTMLButtonElement>(null)
  const [isOpen, setOpen] = useState(false)
  if (source === undefined) return null
  const label = `Use ${visibleText(name.slice(0, 100))}`
  const seen = { block: source.block, steps: [...source.steps, ...steps], value }
  return (
    <>
      <button
        ref={button}
        type="button"
        className="value-button"
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        onClick={() => setOpen(true)}
      >
        ⋯
      </button>
      {isOpen ? (
        <Menu
          label={label}
          items={valueItems(source.workflow, seen)}
          anchor={() => button.current}
          onClose={(goesBack) => {
            setOpen(false)
            if (goesBack) button.current?.focus()
          }}
        />
      ) : null}
    </>
  )
}
