// Starting a run: once for each time that somebody asks, and after a question where the server has one.

import { useRef, useState } from "react"
import type { CallFailure, ProductionQuestion, RunForm, RunOrder } from "../../api.ts"
import { call } from "../connection/call.ts"
import { Refused } from "../connection/send.ts"
import { queryClient } from "../data/query-client.ts"
import type { Draft } from "./drafts.ts"
import { faultsOf, orderOf, type FieldFaults } from "./order-of.ts"

export interface Starter {
  readonly faults: FieldFaults
  /** What is wrong with the order as a whole. */
  readonly failure: CallFailure | undefined
  readonly question: ProductionQuestion | undefined
  readonly isStarting: boolean
  readonly start: (form: RunForm, draft: Draft) => void
  readonly confirm: (confirmation: string) => void
  readonly cancel: () => void
}

interface State {
  readonly faults: FieldFaults
  readonly failure?: CallFailure
  readonly asked?: { readonly question: ProductionQuestion; readonly order: RunOrder; readonly form: RunForm }
  readonly isStarting: boolean
}

const ready: State = { faults: {}, isStarting: false }

export function useStarter(onStarted: (run: string) => void): Starter {
  const [state, setState] = useState(ready)
  // A second click comes before the page shows the first one.
  const isBusy = useRef(false)
  const send = async (form: RunForm, order: RunOrder): Promise<void> => {
    if (isBusy.current) return
    isBusy.current = true
    setState({ faults: {}, isStarting: true })
    try {
      const answer = await call("runs.start", order)
      if ("run" in answer) onStarted(answer.run)
      setState("run" in answer ? ready : { ...ready, asked: { question: answer.ask, order, form } })
    } catch (error) {
      setState(stateAfter(error, form))
    } finally {
      isBusy.current = false
      void queryClient.invalidateQueries({ queryKey: ["runs"] })
    }
  }
  return {
    faults: state.faults,
    failure: state.failure,
    question: state.asked?.question,
    isStarting: state.isStarting,
    start: (form, draft) => {
      const { order, faults } = orderOf(form, draft)
      if (Object.keys(faults).length > 0) setState({ faults, isStarting: false })
      else void send(form, order)
    },
    confirm: (confirmation) => {
      if (state.asked !== undefined) void send(state.asked.form, { ...state.asked.order, confirmation })
    },
    cancel: () => setState(ready),
  }
}

function stateAfter(error: unknown, form: RunForm): State {
  const failure =
    error instanceof Refused
      ? error.failure
      : {
          code: "internal",
          message: "callsheet app does not answer. Nothing is known of a run that was started.",
        }
  const faults = faultsOf(form, [failure])
  return Object.keys(faults).length > 0 ? { faults, isStarting: false } : { ...ready, failure }
}
