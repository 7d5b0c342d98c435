// Lets a run learn every canary in every way, and looks for it in every output.

import { expect, it } from "vitest"
import { canBeFound, createCanaries } from "./canaries.ts"
import { ways, writeCaptured, type Way } from "./captured.ts"
import { hitsIn } from "./judge.ts"
import { seed } from "./seed.ts"

it("keeps what a run finds to be secret out of everything that it writes", async () => {
  const texts = createCanaries(seed).filter(
    (canary) => typeof canary === "string" && canBeFound(canary),
  ) as string[]
  const hits: string[] = []
  let bytes = 0
  for (const way of Object.keys(ways) as Way[]) {
    const written = await writeCaptured(way, texts)
    expect(written.requests).toBeGreaterThan(texts.length * 2 * 18)
    for (const [sink, text] of written.texts) {
      bytes += text.length
      hits.push(...hitsIn(`${way}: ${sink}`, text, texts))
    }
  }
  process.stdout.write(
    `${texts.length} captured canaries x ${Object.keys(ways).length} ways, ${(bytes / 1e6).toFixed(1)} MB: ${hits.length} hits\n`,
  )
  expect(hits).toEqual([])
})
