// A few of the canaries; `npm run test:canaries` takes them all.

import { expect, it } from "vitest"
import { canaries } from "./canaries.ts"
import { judge } from "./judge.ts"

it("keeps a few canaries out of everything that callsheet writes, and every report whole", async () => {
  const wanted = [0, 11, 15, 24, 31, 33, 34, 35, 36, 37, 38]
  const some = wanted.flatMap((index) => canaries[index] ?? [])
  const { hits, damaged } = await judge(some, true)
  expect({ hits, damaged }).toEqual({ hits: [], damaged: [] })
}, 120_000)
