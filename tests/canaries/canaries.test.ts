// A few of the canaries. `npm run test:canaries` uses all of them.

import { expect, it, onTestFinished } from "vitest"
import { canaries } from "./canaries.ts"
import { writeCaptured } from "./captured.ts"
import { askAsEditor } from "./editor.ts"
import { hitsIn, judge } from "./judge.ts"
import { projectFiles, startEcho, valuesOf } from "./project.ts"
import { variablesOf } from "./sinks.ts"

it("keeps a few canaries out of everything that callsheet writes, and every report intact", async () => {
  // A short one, one with quotes, one in other scripts, two words of a report, a number, a boolean, and one with a slash.
  const wanted = [0, 11, 15, 31, 34, 36, 37, 38]
  const some = wanted.flatMap((index) => canaries[index] ?? [])
  const { hits, damaged } = await judge(some, true)
  expect({ hits, damaged }).toEqual({ hits: [], damaged: [] })
}, 120_000)

it("keeps late secrets of a script out of everything written at the end of the run", async () => {
  const some = [3, 9, 11, 25].map((index) => String(canaries[index]))
  const { texts } = await writeCaptured("declared at the end by a script", some)
  expect([...texts].flatMap(([sink, text]) => hitsIn(sink, text, some))).toEqual([])
  const files = ["json", "junit", "coverage", "html", "ndjson", "ctrf", "har", "allure", "record"]
  expect([...texts.keys()]).toEqual(["standard error", ...files, "report of run()", "raw"])
  for (const sink of [...files, "raw"]) expect(texts.get(sink)?.length).toBeGreaterThan(500)
}, 120_000)

it("keeps a few canaries out of everything that the language server sends", async () => {
  const some = [3, 9, 11, 25].map((index) => String(canaries[index]))
  const server = await startEcho(() => some)
  onTestFinished(server.close)
  const env = variablesOf(valuesOf(server.url, some))
  const texts = await askAsEditor(projectFiles({ shop: server.url, other: server.url }, some), env, some)
  expect([...texts].flatMap(([sink, text]) => hitsIn(sink, text, some))).toEqual([])
  expect(texts.size).toBeGreaterThan(200)
}, 120_000)
