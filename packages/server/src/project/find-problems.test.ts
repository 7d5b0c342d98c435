import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, it, onTestFinished } from "vitest"
import { noSecrets } from "../secrets/secrets-masker.ts"
import { findProblems } from "./find-problems.ts"
import { createRevisions, turn } from "./revisions.ts"
import { readOverview } from "./read-parts.ts"

const good = { version: 1, blocks: [{ id: "a", type: "group", blocks: [] }] }
const WORKFLOWS = 200

function makeProject() {
  const root = mkdtempSync(join(tmpdir(), "callsheet-"))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  mkdirSync(join(root, "apis/workflow"), { recursive: true })
  const put = (name: string, content: unknown): void =>
    writeFileSync(join(root, "apis/workflow", name), JSON.stringify(content))
  for (let index = 0; index < WORKFLOWS; index++) put(`w${index}.json`, good)
  return { root, put }
}

/** Returns the search for problems of a project that has been read, after the check has begun. */
async function begun(root: string) {
  const revisions = createRevisions(() => false)
  const found = findProblems({
    root,
    scriptEntry: new URL("file:///nowhere"),
    revisions,
    watch: { problems: () => [] },
    overview: async () => ({ project: readOverview(root), masker: noSecrets }),
  })
  // Reading takes two turns of the event loop, and checking takes one per workflow.
  for (let turns = 0; turns < 5; turns++) await turn()
  return { revisions, found }
}

describe("findProblems", () => {
  it("starts again if files change during the check, and reports the new state", async () => {
    const { root, put } = makeProject()
    const { revisions, found } = await begun(root)
    put("w0.json", { version: 2, blocks: [] })
    revisions.advance()
    const { revision, value } = await found
    expect([revision, value.revision]).toEqual([2, 2])
    expect(value.problems).toMatchObject([{ code: "version-invalid", file: "apis/workflow/w0.json" }])
  })

  it("ends even if files change all the time", async () => {
    const { root } = makeProject()
    const { revisions, found } = await begun(root)
    const done = found.then(() => true)
    const state = { isDone: false }
    for (let turns = 0; !state.isDone && turns < 100 * WORKFLOWS; turns++) {
      revisions.advance()
      state.isDone = await Promise.race([done, turn().then(() => false)])
    }
    expect(state.isDone).toBe(true)
  })

  it("ends early when the app stops", async () => {
    const { root, put } = makeProject()
    put("w199.json", {})
    const { revisions, found } = await begun(root)
    revisions.close()
    expect((await found).value.problems).toEqual([])
  })

  it("reports what validate reports about documents", async () => {
    const { root } = makeProject()
    mkdirSync(join(root, "apis/shop"))
    const schemas = { A: { type: "String" }, B: { allOf: [{ $ref: "#/components/schemas/B" }] } }
    writeFileSync(
      join(root, "apis/shop/openapi.json"),
      JSON.stringify({ openapi: "3.0.3", paths: {}, components: { schemas } }, undefined, 1),
    )
    const { found } = await begun(root)
    expect((await found).value.problems).toMatchObject([
      { code: "document-standard", severity: "warning", file: "apis/shop/openapi.json", line: 7 },
      { code: "document-standard", severity: "warning", file: "apis/shop/openapi.json" },
    ])
  })
})
