// Checks that inspecting a project loads none of its scripts, and that only a run loads them.

import { mkdir, rm, symlink } from "node:fs/promises"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { callsheet, createFolder, readText } from "../harness/callsheet.ts"
import { document } from "../run/shop-project.ts"

/** Creates a file when it is loaded, whatever is called. */
const traced = (more: string): string =>
  `// @ts-nocheck\nimport { appendFileSync } from "node:fs"\nappendFileSync("loaded.txt", import.meta.url + "\\n")\n${more}\n`

const blocks = [
  { id: "go", type: "script", script: { name: "traced", exportName: "go" } },
  {
    id: "until",
    type: "loop",
    mode: "until",
    script: { name: "traced", exportName: "done" },
    blocks: [{ id: "inner", type: "assert", script: { name: "traced", exportName: "go" } }],
  },
]

const touching = [{ id: "read", type: "request", request: { api: "shop", operation: "echo" } }, ...blocks]

const scriptsOf = (workflow: string) => ({
  [`apis/workflow/scripts/${workflow}/traced.ts`]: traced(
    `import "./sibling"\nexport const go = () => {}\nexport const done = () => true`,
  ),
  [`apis/workflow/scripts/${workflow}/sibling.ts`]: traced("export {}"),
})

const absent = { id: "absent", type: "script", script: { name: "absent", exportName: "go" } }

let folder: string

beforeAll(async () => {
  folder = await createFolder({
    "apis/shop/openapi.json": document,
    "apis/shop/environments/schema.json": {
      version: 1,
      variables: {
        baseUrl: { type: "string", required: true },
        tier: { type: "number", required: false },
      },
    },
    "apis/shop/environments/local.json": { baseUrl: "http://127.0.0.1:9" },
    "apis/shop/environments/live.json": { extends: "local", level: "production" },
    "apis/shop/environments/empty.json": {},
    "apis/workflow/alone.json": { version: 1, blocks },
    "apis/workflow/touching.json": { version: 1, blocks: touching },
    "apis/workflow/lacking.json": { version: 1, blocks: [...blocks, absent] },
    ...scriptsOf("alone"),
    ...scriptsOf("touching"),
    ...scriptsOf("lacking"),
  })
  const compiler = dirname(fileURLToPath(import.meta.resolve("typescript/package.json")))
  await mkdir(join(folder, "node_modules"))
  await symlink(compiler, join(folder, "node_modules/typescript"))
})

beforeEach(() => rm(join(folder, "loaded.txt"), { force: true }))
afterAll(() => rm(folder, { recursive: true }))

describe("no script is loaded by", () => {
  it.each<[words: string, exitCode: number, says?: string]>([
    ["list", 0],
    ["list apis --json", 0],
    ["list operations", 0],
    ["list workflows --json", 0],
    ["validate", 1, "script-missing"],
    ["validate alone touching", 0],
    ["validate --json", 1, "script-missing"],
    ["types alone touching", 0],
    ["validate alone touching --types", 0],
    ["schema", 0],
    ["schema workflow", 0],
    ["env list", 0],
    ["env read shop local", 0],
    ["env write shop spare tier=3", 0],
    ["env rename shop spare other", 0],
    ["env delete shop other", 0],
    ["run lacking", 2, "script-missing"],
    ["run alone --input none=1", 2, "input-unknown"],
    ["run nowhere", 2, "workflow-unknown"],
    ["run touching", 2, "env-ambiguous"],
    ["run touching --env nowhere", 2, "env-missing"],
    ["run touching --env empty", 2, "variable-missing"],
    ["run touching --env live", 2, "confirm-required"],
    ["run touching --env local --var shop.tier=high", 2, "variable-type"],
  ])("callsheet %s", async (words, exitCode, says = "") => {
    const result = await callsheet(words.split(" "), { folder, timeoutMs: 60_000 })
    expect(result.exitCode, result.stderr).toBe(exitCode)
    expect(result.stdout + result.stderr).toContain(says)
    expect(await readText(folder, "loaded.txt")).toBeUndefined()
  })

  it("anything but a run that starts", async () => {
    expect(await callsheet(["run", "alone"], { folder })).toMatchObject({ exitCode: 0 })
    const loaded = (await readText(folder, "loaded.txt"))?.trim().split("\n") ?? []
    expect(new Set(loaded.map((url) => url.slice(url.lastIndexOf("/") + 1)))).toEqual(
      new Set(["sibling.ts", "traced.ts"]),
    )
  })
})
