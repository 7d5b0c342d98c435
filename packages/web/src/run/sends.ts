// Sending requests alone: what was sent last of each, and how its start went.

import type { SendOrder } from "@callsheet/server/calls"
import { call } from "../connection/call.ts"
import { faultOf, type Fault } from "../connection/fault-of.ts"
import { startAsking } from "./questions.ts"
import { chooseRun, startOf, tellStart } from "./starts.ts"

/** By what a request is kept: no workflow has such a name. */
export const sendKey = ({
  api,
  resource,
  request,
}: Pick<SendOrder, "api" | "resource" | "request">): string => `${api}/${resource}/${request}`

/** Sends once for each time that somebody asks, after the server's questions. The page keeps it by the key. */
export async function sendRequest(order: SendOrder, key: string): Promise<void> {
  if (startOf(key).isStarting) return
  const tell = (isStarting: boolean, failure?: Fault): void =>
    tellStart(key, { faults: {}, isStarting, failure })
  tell(true)
  try {
    const run = await startAsking("send", (answers) => call("requests.send", { ...order, ...answers }))
    if (run !== undefined) chooseRun(key, { run, isOwn: true })
    tell(false)
  } catch (error) {
    tell(false, faultOf(error, "Nothing is known of a request that was sent."))
  }
}
