// Every canary in every place, through every sink. Prints what was found.

import { expect, it } from "vitest"
import { canaries } from "./canaries.ts"
import { encodings } from "./encodings.ts"
import { judge } from "./judge.ts"

it("keeps 40 canaries out of everything that callsheet writes, and every report whole", async () => {
  const { sinks, bytes, hits, damaged } = await judge(canaries)
  const size = `${Object.keys(encodings).length} encodings, ${sinks} sinks, ${(bytes / 1e6).toFixed(1)} MB`
  process.stdout.write(
    `${canaries.length} canaries, ${size}: ${hits.length} hits, ${damaged.length} damaged\n`,
  )
  expect({ hits: hits.slice(0, 40), damaged: damaged.slice(0, 40) }).toEqual({ hits: [], damaged: [] })
  expect([canaries.length, sinks > 30, bytes > 1e6]).toEqual([40, true, true])
})
