// A few of the canaries; `npm run test:canaries` takes them all.

import { expect, it } from "vitest"
import { canaries } from "./canaries.ts"
import { writeCaptured } from "./captured.ts"
import { hitsIn, judge } from "./judge.ts"

it("keeps a few canaries out of everything that callsheet writes, and every report whole", async () => {
  const wanted = [0, 11, 15, 24, 31, 33, 34, 35, 36, 37, 38]
  const some = wanted.flatMap((index) => canaries[index] ?? [])
  const { hits, damaged } = await judge(some, true)
  expect({ hits, damaged }).toEqual({ hits: [], damaged: [] })
}, 120_000)

it("keeps what a script tells late out of everything that is written when the run is over", async () => {
  const some = [3, 9, 11, 25].map((index) => String(canaries[index]))
  const { texts } = await writeCaptured("told at the end by a script", some)
  expect([...texts].flatMap(([sink, text]) => hitsIn(sink, text, some))).toEqual([])
  expect([...texts.keys()]).toEqual(["standard error", "json", "junit", "coverage", "report of run()", "raw"])
  for (const sink of ["json", "junit", "coverage", "raw"])
    expect(texts.get(sink)?.length).toBeGreaterThan(500)
}, 120_000)
