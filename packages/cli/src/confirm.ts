// The question before anything is sent to production.

import { createInterface } from "node:readline"
import type { ProductionBinding } from "@callsheet/engine"
import type { Output } from "./screen.ts"
import { printable } from "./text/printable.ts"

/** Asks the person at the terminal; only a `y` or `yes` is a yes. An interrupt is a no. */
export async function askConfirmation(
  production: readonly ProductionBinding[],
  output: Output,
  signal: AbortSignal,
): Promise<boolean> {
  const bindings = production.map(({ api, environment }) => `${printable(api)} → ${printable(environment)}`)
  output.write(`${output.style("red", "production:")} ${bindings.join(", ")}\nSend requests there? [y/N] `)
  // Not a terminal to `readline`: the terminal's own line editing stays, and Ctrl-C a signal.
  const lines = createInterface({ input: process.stdin, terminal: false })
  const answer = await new Promise<string | undefined>((resolve) => {
    lines.once("line", resolve)
    lines.once("close", () => resolve(undefined))
    signal.addEventListener("abort", () => resolve(undefined), { once: true })
  })
  lines.close()
  // Without an answer the cursor still stands behind the question.
  if (answer === undefined) output.write("\n")
  return /^\s*y(?:es)?\s*$/i.test(answer ?? "")
}
