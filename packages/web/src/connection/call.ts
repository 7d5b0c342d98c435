// Sends a call to the server.

import { parseExact } from "@callsheet/format"
import { callPath, type CallName, type Input, type Output } from "@callsheet/server/calls"
import { reconnect } from "./keep-connected.ts"
import { Refused, send, type SendOptions } from "./send.ts"

/** Sends a call once. Rejects with `Refused` or `Unreachable`. */
export async function call<N extends CallName>(
  name: N,
  input: Input<N>,
  options?: SendOptions,
): Promise<Output<N>> {
  try {
    const response = await send(callPath(name), input, options)
    return parseExact<Output<N>>(await response.text())
  } catch (error) {
    if (error instanceof Refused && error.status === 401) reconnect()
    throw error
  }
}
