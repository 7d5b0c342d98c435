// A button at a received value. Its menu creates assertions, outputs and placeholders from the value.

import { useRef, useState, createContext, useContext, useMemo, type ReactNode } from "react"
import type { JsonValue } from "@callsheet/format"
import { Menu } from "../../ui/menu.tsx"
import { visibleText } from "../../ui/visible-text.ts"
import { valueItems } from "./value-items.ts"

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

interface ValueSource {
  readonly workflow: string
  /** The block's id in the file. */
  readonly block: string
  /** The steps from the id to the shown value: `["response", "body"]`. */
  readonly steps: readonly (string | number)[]
}

const Context = createContext<ValueSource | undefined>(undefined)

/** Tells the views inside it which block's result they show, and the steps to their value. */
export const ValueSourceProvider = Context

/** Returns undefined if the view doesn't show the result of a block in the file. */
export const useValueSource = (): ValueSource | undefined => useContext(Context)

export function ValueSteps({ steps, children }: { readonly steps: string; readonly children: ReactNode }) {
  const source = useValueSource()
  const inner = useMemo(
    () => (source === undefined ? undefined : { ...source, steps: [...source.steps, ...steps.split(".")] }),
    [source, steps],
  )
  return <ValueSourceProvider value={inner}>{children}</ValueSourceProvider>
}
