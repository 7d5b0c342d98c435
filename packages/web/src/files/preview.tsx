// The frame of a preview, and a list of names in it.

import { useEffect, useRef, type ReactNode } from "react"
import { LongText } from "../ui/shown-text.tsx"

export function Preview({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  const view = useRef<HTMLDivElement>(null)
  // The button must not have the focus: a key that is still down would apply the change.
  useEffect(() => view.current?.focus(), [])
  return (
    <div ref={view} className="plan" role="group" aria-label={label} tabIndex={-1}>
      {children}
    </div>
  )
}

const MAX_SHOWN = 500

interface NamesProps {
  readonly label: string
  readonly names: readonly string[]
  /** The number of names that `names` leaves out. */
  readonly omitted?: number
}

export function NameList({ label, names, omitted = 0 }: NamesProps) {
  const rest = Math.max(0, names.length - MAX_SHOWN) + omitted
  return (
    <ul className="plan-names" aria-label={label} tabIndex={0}>
      {names.slice(0, MAX_SHOWN).map((name, index) => (
        <li key={index}>
          <LongText text={name} />
        </li>
      ))}
      {rest === 0 ? null : <li>and {rest.toLocaleString("en")} more</li>}
    </ul>
  )
}
