// A value of a response with a box to tick it.

import type { ReactNode } from "react"
import { visibleText } from "../../ui/visible-text.ts"
import type { Steps, Ticks } from "./use-ticks.ts"

interface Props {
  /** Absent if values can't be ticked. */
  readonly ticks: Ticks | undefined
  readonly steps: Steps
  /** Such as `status`. */
  readonly name: string
  readonly children: ReactNode
}

export function TickBox({ ticks, steps, name, children }: Props) {
  if (ticks === undefined) return children
  return (
    <label className="tick-box" title={`Assert the ${visibleText(name)}`}>
      <input
        type="checkbox"
        aria-label={`Assert the ${visibleText(name)}`}
        checked={ticks.has(steps)}
        onChange={() => ticks.toggle(steps)}
      />
      {children}
    </label>
  )
}
