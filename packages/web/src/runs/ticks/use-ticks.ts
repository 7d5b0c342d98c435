// The ticked values of a result, by their steps.

import { useMemo, useState } from "react"

export type Steps = readonly string[]

export interface Ticks {
  readonly list: readonly Steps[]
  readonly has: (steps: Steps) => boolean
  readonly toggle: (steps: Steps) => void
}

interface AllTicks extends Ticks {
  readonly clear: () => void
}

/** `first` are the values that are ticked until the user changes a tick. */
export function useTicks(first: readonly Steps[]): AllTicks {
  const [chosen, setChosen] = useState<readonly Steps[]>()
  const list = chosen ?? first
  return useMemo(() => {
    const keys = new Set(list.map(keyOf))
    return {
      list,
      has: (steps) => keys.has(keyOf(steps)),
      toggle: (steps) => {
        const key = keyOf(steps)
        setChosen((before = first) =>
          before.some((one) => keyOf(one) === key)
            ? before.filter((one) => keyOf(one) !== key)
            : [...before, steps],
        )
      },
      clear: () => setChosen([]),
    }
  }, [list, first])
}

/** Returns the ticks of the values inside one value. Their steps start there. */
export const ticksIn = (ticks: Ticks, outer: Steps): Ticks => ({
  list: ticks.list.flatMap((steps) =>
    outer.every((step, at) => steps[at] === step) ? [steps.slice(outer.length)] : [],
  ),
  has: (steps) => ticks.has([...outer, ...steps]),
  toggle: (steps) => ticks.toggle([...outer, ...steps]),
})

const keyOf = (steps: Steps): string => JSON.stringify(steps)
