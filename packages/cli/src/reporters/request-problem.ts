// Formats contract violations of a request, one per line. They are warnings, because they don't fail the block.

import type { ContractProblem } from "@callsheet/format"
import type { Style } from "../screen.ts"
import { shorten } from "../text/preview.ts"

/** The maximum number of problems to show per request. The report contains all of them. */
const MAX_SHOWN = 5

/** Formats each problem: `request /body/count: expected 1 or more, received 0  apis/shop/openapi.yaml:120` */
export function requestProblemLines(problems: readonly ContractProblem[], style: Style): string[] {
  const lines = problems.slice(0, MAX_SHOWN).map((problem) => lineOf(problem, style))
  const rest = problems.slice(MAX_SHOWN)
  // The last problem may only say how many were left out.
  const listed = rest.filter(({ path }) => path !== "")
  const counted = rest.filter(({ path }) => path === "").map(({ message }) => `, ${shorten(message, 100)}`)
  return listed.length === 0
    ? lines
    : [...lines, `request: … ${listed.length} more in the report${counted.join("")}`]
}

function lineOf({ path, message, file, line }: ContractProblem, style: Style): string {
  const where = path === "" ? "request" : `request ${shorten(path, 100)}`
  const place = file === undefined ? "" : `  ${style("dim", shorten(`${file}:${line}`, 100))}`
  return `${where}: ${shorten(message, 400)}${place}`
}
