// Searches the results of every tool for secrets, in every encoding that a server echoes.

import { expect, it } from "vitest"
import { askAsAgent } from "../canaries/agent.ts"
import { canaries } from "../canaries/canaries.ts"
import { hitsIn } from "../canaries/judge.ts"
import { projectFiles, startEcho, valuesOf } from "../canaries/project.ts"
import { variablesOf } from "../canaries/sinks.ts"

it("finds no secret in any result", async () => {
  const some = [0, 11, 15, 24, 31, 33, 36, 37].flatMap((index) => canaries[index] ?? [])
  const [shop, other] = [await startEcho(() => some), await startEcho(() => some)]
  const files = projectFiles({ shop: shop.url, other: other.url }, some)
  const texts = await askAsAgent(files, variablesOf(valuesOf(other.url, some)), some)
  await Promise.all([shop.close(), other.close()])
  expect(texts.size).toBeGreaterThan(60)
  expect([...texts].flatMap(([name, text]) => hitsIn(name, text, some))).toEqual([])
}, 120_000)
