// Submits a form once at a time, and shows why it failed.

import { useRef, useState } from "react"
import type { Problem } from "@callsheet/format"
import { faultOf, type Fault } from "../connection/fault-of.ts"
import { Refused } from "../connection/send.ts"

export interface Submit {
  readonly isBusy: boolean
  readonly fault: Fault | undefined
  readonly problems: readonly Problem[]
  /** Does nothing during a submit, so that a double click or a held key has no effect. */
  readonly run: (action: () => Promise<void>) => void
  readonly clear: () => void
}

interface SubmitState {
  readonly isBusy: boolean
  readonly fault?: Fault
  readonly problems?: readonly Problem[] | undefined
}

export function useSubmit(): Submit {
  const [state, setState] = useState<SubmitState>({ isBusy: false })
  const isBusy = useRef(false)
  const run = (action: () => Promise<void>): void => {
    if (isBusy.current) return
    isBusy.current = true
    setState({ isBusy: true })
    action()
      .then(
        () => setState({ isBusy: false }),
        (error: unknown) => setState({ isBusy: false, ...failureOf(error) }),
      )
      .finally(() => (isBusy.current = false))
  }
  return {
    isBusy: state.isBusy,
    fault: state.fault,
    problems: state.problems ?? [],
    run,
    clear: () => setState({ isBusy: isBusy.current }),
  }
}

const failureOf = (error: unknown): Pick<SubmitState, "fault" | "problems"> => ({
  fault: faultOf(error),
  problems: error instanceof Refused ? error.failure.problems : undefined,
})
