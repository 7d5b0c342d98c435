// Prints the complete table: the secret's position, the redirect's target, and how often it arrived there.

import { expect, it } from "vitest"
import { judge, type Cell } from "./judge.ts"
import { destinations, places, routes, statuses } from "./places.ts"

it("carries no secret to another origin in 24 combinations, and every secret within its own", async () => {
  const { cells, leaks, lost, silent, requests } = await judge({ statuses, routes, methods: ["GET", "POST"] })
  const size = `${cells.length} combinations, ${statuses.length} statuses, 2 methods, ${routes.length} routes, ${requests} requests`
  process.stdout.write(
    `${tableOf(cells)}\n${size}: ${leaks.length} leaks, ${lost.length} lost, ${silent.length} not reported\n`,
  )
  const first = (all: readonly string[]) => all.slice(0, 20)
  expect({ leaks: first(leaks), lost: first(lost), silent: first(silent) }).toEqual({
    leaks: [],
    lost: [],
    silent: [],
  })
  expect([cells.length, requests > 4000]).toEqual([24, true])
})

/** `carried / followed`: of the requests after a redirect, those with the secret. */
const tableOf = (cells: readonly Cell[]): string =>
  [["", ...destinations], ...places.map((place) => [place, ...cellTexts(cells, place)])]
    .map((row) =>
      row
        .map((text, column) => text.padEnd(column === 0 ? 8 : 14))
        .join("")
        .trimEnd(),
    )
    .join("\n")

const cellTexts = (cells: readonly Cell[], place: string): readonly string[] =>
  cells.flatMap((cell) => (cell.place === place ? [`${cell.carried} / ${cell.followed}`] : []))
