// Opens this process to a debugger and waits until one is there.

import type { Channel } from "./channel.ts"
import { inspectorHost } from "../inspector.ts"

/** Blocks until a debugger says that the program may run. Ends the process where the port is not to be had. */
export async function waitForDebugger(port: number, channel: Channel): Promise<void> {
  const inspector = await import("node:inspector")
  // An editor's debug terminal has opened it already, and has waited.
  if (inspector.url() !== undefined) return
  inspector.open(port, inspectorHost)
  const address = inspector.url()
  channel.report({ type: "inspecting", ...(address === undefined ? {} : { address }) })
  if (address === undefined) process.reallyExit(1)
  inspector.waitForDebugger()
}
