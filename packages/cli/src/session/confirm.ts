// Asks before a run against production. Shows the targets, the number of requests and their methods.

import { createInterface } from "node:readline"
import { methodWords, requestWords } from "@callsheet/language"
import type { ProductionBinding } from "@callsheet/engine"
import type { Output, Style } from "../screen.ts"
import { printable } from "../text/printable.ts"

interface Questioner {
  readonly output: Output
  readonly input: NodeJS.ReadableStream
  readonly signal: AbortSignal
}

/** Asks the user. Only `y` or `yes` confirms. Enter, an interrupt and the end of input refuse. */
export async function askConfirmation(
  production: readonly ProductionBinding[],
  { output, input, signal }: Questioner,
): Promise<boolean> {
  if (signal.aborted) return false
  output.write(question(production, output.style))
  // With `terminal: true`, Node would edit the line itself and receive Ctrl-C as a key.
  const lines = createInterface({ input, terminal: false })
  const answer = await new Promise<string | undefined>((resolve) => {
    lines.once("line", resolve)
    lines.once("close", () => resolve(undefined))
    signal.addEventListener("abort", () => resolve(undefined), { once: true })
  })
  lines.close()
  // Without an answer, the cursor is still on the line of the question.
  if (answer === undefined) output.write("\n")
  return /^\s*y(?:es)?\s*$/i.test(answer ?? "")
}

function question(production: readonly ProductionBinding[], style: Style): string {
  const rows = production.map((binding) => ({
    target: printable(`${binding.api} → ${[binding.environment, binding.baseUrl ?? []].flat().join(" ")}`),
    requests: requestWords(binding),
    methods: methodWords(binding),
  }))
  const widest = (texts: readonly string[]): number => Math.max(...texts.map(({ length }) => length))
  const target = widest(rows.map((row) => row.target))
  const requests = widest(rows.map((row) => row.requests))
  const lines = rows.map((row) => {
    const methods = row.methods.map(({ text, mayWrite }) =>
      mayWrite ? style("red", printable(text)) : printable(text),
    )
    const cells = [
      style("bold", row.target.padEnd(target)),
      row.requests.padEnd(requests),
      methods.join(", "),
    ]
    return `  ${cells.join("   ").trimEnd()}\n`
  })
  const writing = rows.flatMap((row) => row.methods.filter(({ mayWrite }) => mayWrite))
  const warning = writing.length === 0 ? "" : `${listed(writing.map(({ name }) => name))} may change data. `
  return `${style("red", "production:")} requests will be sent to\n\n${lines.join("")}\n${warning}Send them? [y/N] `
}

function listed(names: readonly string[]): string {
  const all = [...new Set(names)].map((name) => printable(name))
  const last = all.pop() ?? ""
  return all.length === 0 ? last : `${all.join(", ")} and ${last}`
}
