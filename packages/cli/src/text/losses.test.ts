import type { ReportedLoss } from "@callsheet/interop"
import { expect, it } from "vitest"
import { plain, type Output } from "../screen.ts"
import { printLosses } from "./losses.ts"

const COLUMNS = 80

function printed(losses: readonly ReportedLoss[]): string {
  let text = ""
  const output: Output = {
    write: (more) => void (text += more),
    isTerminal: false,
    isLive: false,
    columns: () => COLUMNS,
    style: plain,
  }
  printLosses(output, losses, (count) => `${count} lost:`)
  return text
}

const lossesOf = (
  number: number,
  group: string,
  severity: ReportedLoss["severity"],
  reason: (at: number) => string = () => "it is so",
): readonly ReportedLoss[] =>
  Array.from({ length: number }, (_, at) => ({
    where: `shop.json: Request ${at}`,
    what: `${group} ${at}`,
    reason: reason(at),
    group,
    severity,
  }))

it("lists what changes results first, then what needs a hand, and last what only disappears", () => {
  const losses = [
    ...lossesOf(4000, "saved responses", "information"),
    ...lossesOf(2, "scripts", "needs-hand", (at) => `translate ${at}.ts`),
    ...lossesOf(1, "headers", "changes-results"),
    ...lossesOf(2, "settings", "changes-results"),
  ]
  expect(printed(losses)).toBe(`4005 lost:
changes results:
  settings (2): it is so
      shop.json: Request 0: settings 0
      shop.json: Request 1: settings 1
  headers (1): it is so
      shop.json: Request 0: headers 0
needs a hand:
  scripts (2)
      shop.json: Request 0: scripts 0: translate 0.ts
      shop.json: Request 1: scripts 1: translate 1.ts
only disappears:
  saved responses (4,000): it is so
      shop.json: Request 0: saved responses 0
      shop.json: Request 1: saved responses 1
      shop.json: Request 2: saved responses 2
      … 3,997 more
to list everything, add --json
`)
})

it("says nothing about --json if it lists everything", () => {
  expect(printed(lossesOf(3, "headers", "changes-results"))).not.toContain("--json")
  expect(printed([])).toBe("")
})

it.each([
  ["many causes", Array.from({ length: 60 }, (_, at) => lossesOf(9, `cause ${at}`, "needs-hand")).flat()],
  ["long names", lossesOf(50, "x".repeat(200), "needs-hand", (at) => "y".repeat(500 + at))],
])("fits on a screen with %s, and names the rest", (_, losses) => {
  const rows = printed(losses)
    .split("\n")
    .reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / COLUMNS)), 0)
  expect(rows).toBeLessThanOrEqual(24)
  expect(printed(losses)).toContain("--json")
})
