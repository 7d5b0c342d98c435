// A run uses the files as read at its start, and only script texts that the user approved.

import { symlink, unlink } from "node:fs/promises"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { putAll, type Files } from "../app-project/open-project.ts"
import { shopFiles } from "../run/shop-project.ts"
import { openRuns, type OpenRuns } from "./open-runs.ts"

const folder = "apis/workflow/scripts/w"

/** Two scripts with imports: the second is loaded, with its import, after the server has responded. */
const scripts = (state: number): Files => ({
  [`${folder}/one.ts`]: `import { part } from "./part"\nexport const run = () => ({ state: "${state}" + part })`,
  [`${folder}/two.ts`]: `import data from "./data.json"\nexport const run = async () => ({ state: "${state}" + data.n + (await import("./late")).late })`,
  [`${folder}/part.ts`]: `export const part = ${state}`,
  [`${folder}/late.ts`]: `export const late = ${state}`,
  [`${folder}/data.json`]: { n: state },
})

const call = (id: string, name: string) => ({
  id,
  type: "transform",
  script: { name, exportName: "run" },
})
const request = (id: string) => ({ id, type: "request", request: { api: "shop", operation: "echo" } })

/** `onRequest` changes files during the run. */
async function open(
  blocks: readonly unknown[],
  onRequest: (root: string) => Promise<void>,
): Promise<OpenRuns> {
  let root = ""
  const answer = async () => {
    await onRequest(root)
    return { body: { ok: true } }
  }
  const of = await openRuns({
    routes: { "GET /echo": answer },
    files: (url) => ({ ...shopFiles(url, blocks), ...scripts(1) }),
  })
  ;({ root } = of)
  return of
}

/** Runs, confirms every question, and returns the result of each transform. */
async function states(of: OpenRuns): Promise<Readonly<Record<string, unknown>>> {
  const asked = await of.order()
  const started = "trust" in asked ? await of.order({ trust: asked.trust.confirmation }) : asked
  if (!("run" in started)) throw new Error("the run asks again")
  await of.done(started.run)
  const { report } = await of.read(started.run)
  const [run] = report.runs
  const blocks = (run?.blocks ?? []).flatMap((block) => [
    block,
    ...(block.iterations ?? []).flatMap((each) => each.blocks),
  ])
  return Object.fromEntries(
    blocks.flatMap(({ id, type, status, outputs, error }) =>
      type === "transform" ? [[id, status === "passed" ? outputs?.["state"] : error?.message]] : [],
    ),
  )
}

describe("scripts saved during a run", () => {
  it("affect only the next run, whether this one has called them or not", async () => {
    let state = 2
    const blocks = [call("before", "one"), request("save"), call("after", "one"), call("late", "two")]
    const of = await open(blocks, (root) => putAll(root, scripts(state)))
    expect(await states(of)).toEqual({ before: "11", after: "11", late: "111" })
    state = 3
    expect(await states(of)).toEqual({ before: "22", after: "22", late: "222" })
  })

  it("do not run if an import now leads elsewhere", async () => {
    const of = await open([request("save"), call("late", "two")], async (root) => {
      await putAll(root, { "elsewhere.ts": "export const late = 9" })
      await unlink(join(root, folder, "late.ts"))
      await symlink(join(root, "elsewhere.ts"), join(root, folder, "late.ts"))
    })
    expect((await states(of))["late"]).toMatch(
      /^"\.\/late" resolves to a different file than when the run started/,
    )
  })
})
