// Checks that shared code asks the definition of a block's kind instead of comparing kinds.

import { readdirSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"
import { kindComparisons } from "./kind-comparisons.ts"

const root = fileURLToPath(new URL("../..", import.meta.url))

/** The files that may compare kinds, how often, and why. At most ten comparisons in total. */
const allowed: Readonly<Record<string, { readonly comparisons: number; readonly because: string }>> = {
  "packages/engine/src/node/script/child/run-call.ts": {
    comparisons: 1,
    because: "the kind of a call, of which one gives the script an `assert`; the process knows no blocks",
  },
}

/** One file per kind. */
const ofKinds = ["packages/format/src/workflow/blocks/", "packages/engine/src/blocks/"]

const sources = ["packages", "scripts", "bench", "examples"].flatMap((folder) =>
  readdirSync(root + folder, { recursive: true, encoding: "utf8" })
    .map((path) => `${folder}/${path.replaceAll("\\", "/")}`)
    .filter((path) => /\.(?:ts|tsx|mjs)$/.test(path) && !/\.(?:test|d)\.ts$/.test(path))
    .filter((path) => !/\/(?:node_modules|dist|testing)\//.test(path) && !path.includes("/.build-"))
    .filter((path) => !ofKinds.some((own) => path.startsWith(own))),
)

describe("comparisons of block kinds", () => {
  it("are only where this list has them", () => {
    expect(sources.length).toBeGreaterThan(500)
    const found = sources.flatMap((path) => {
      const lines = kindComparisons(path, readFileSync(root + path, "utf8"))
      return lines.length === (allowed[path]?.comparisons ?? 0) ? [] : [`${path}: lines ${lines.join(", ")}`]
    })
    expect(found).toEqual([])
  })

  it("are at most ten", () => {
    const all = Object.values(allowed).reduce((sum, { comparisons }) => sum + comparisons, 0)
    expect(all).toBeLessThanOrEqual(10)
  })

  it.each([
    `block.type === "loop"`,
    `"request" !== visit.block.type`,
    `block["type"] === "script"`,
    `list.owner?.type == "group"`,
    `const { type } = block; const isLoop = type !== "loop"`,
    `switch (event.kind) { case "condition": run() }`,
    `["loop"].includes(row.kind)`,
    `new Set(["transform", "other"]).has(blockType)`,
  ])("are found: %s", (code) => {
    expect(kindComparisons("a.ts", code)).toEqual([1])
  })

  it.each([
    `file.kind === "script"`,
    `switch (route.kind) { case "request": run() }`,
    `field === "request"`,
    `block.type === kind`,
    `const forms = { loop: LoopForm, group: GroupForm }`,
  ])("are not found: %s", (code) => {
    expect(kindComparisons("a.ts", code)).toEqual([])
  })
})
