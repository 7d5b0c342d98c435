// What a request breaks of its contract, as one line: it fails nothing, so it stands among warnings.

import type { ContractProblem } from "@callsheet/format"
import type { Style } from "../screen.ts"
import { shorten } from "../text/preview.ts"

/** Problems of one request that a terminal shows; the report has more. */
const MOST_SHOWN = 5

/** One line each: `request /body/count: expected 1 or more, came 0  apis/shop/openapi.yaml:120` */
export function requestProblemLines(problems: readonly ContractProblem[], style: Style): string[] {
  const lines = problems.slice(0, MOST_SHOWN).map((problem) => lineOf(problem, style))
  const rest = problems.slice(MOST_SHOWN)
  // The last one may be the count of those that nobody lists.
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
