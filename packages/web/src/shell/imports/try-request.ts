// The request that the user sends without a file: its text, and what became of it.

import { create } from "zustand"
import type { Tried } from "@callsheet/server/calls"
import { call } from "../../connection/call.ts"
import { faultOf, type Fault } from "../../connection/fault-of.ts"
import { startAsking } from "../../runs/state/questions.ts"
import { chooseRun, setStart, startOf } from "../../runs/state/starts.ts"

/** The key of its exchange. No workflow and no saved request can have this name. */
export const tryKey = "try"

interface Trying {
  /** The text of the field. It may have credentials, so it is never stored. */
  readonly text: string
  /** The text that was sent last. */
  readonly sent?: string | undefined
  readonly losses: Tried["losses"]
}

export const useTrying = create<Trying>(() => ({ text: "", losses: [] }))

/** Sends the text after the server's questions are answered. */
export async function tryRequest(text: string): Promise<void> {
  if (startOf(tryKey).isStarting) return
  const update = (isStarting: boolean, failure?: Fault): void =>
    setStart(tryKey, { faults: {}, isStarting, failure })
  update(true)
  chooseRun(tryKey, undefined)
  useTrying.setState({ sent: undefined, losses: [] })
  try {
    const run = await startAsking("send", async (answers) => {
      const { started, losses } = await call("requests.try", { text, ...answers })
      useTrying.setState({ losses })
      return started
    })
    if (run !== undefined) {
      chooseRun(tryKey, { run, isOwn: true })
      useTrying.setState({ sent: text })
    }
    update(false)
  } catch (error) {
    update(false, faultOf(error, "The request may have been sent."))
  }
}
