// Puts every canary in every position and looks for it in every output.

import { expect, it } from "vitest"
import { calls } from "@callsheet/server/calls"
import { table } from "../../packages/cli/src/commands/index.ts"
import { createCanaries } from "./canaries.ts"
import { encodings } from "./encodings.ts"
import { judge } from "./judge.ts"
import { placements } from "./project.ts"
import { seed } from "./seed.ts"

it("keeps 40 canaries out of everything that callsheet writes, and every report intact", async () => {
  const canaries = createCanaries(seed)
  const { sinks, commands, asked, bytes, hits, damaged } = await judge(canaries)
  const forms = Object.keys(encodings).length
  const size = `${sinks} sinks of ${commands.size} commands, ${(bytes / 1e6).toFixed(1)} MB`
  process.stdout.write(
    `${canaries.length} canaries x ${placements.length} placements x ${forms} encodings, ${size}: ${hits.length} hits, ${damaged.length} damaged\n`,
  )
  expect({ hits: hits.slice(0, 40), damaged: damaged.slice(0, 40) }).toEqual({ hits: [], damaged: [] })
  expect([...commands].sort()).toEqual(table.commands.map(({ name }) => name).sort())
  expect([...asked].sort()).toEqual(Object.keys(calls).sort())
  expect([canaries.length, placements.length >= 12, forms >= 12, sinks > 200, bytes > 1e6]).toEqual([
    40,
    true,
    true,
    true,
    true,
  ])
})
