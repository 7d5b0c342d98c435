// Checks that no draft and no report keeps the value of a variable that becomes a secret.

import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import type { SchemaChange } from "@callsheet/server/calls"
import { openFiles, type FileName } from "../app-files/open-files.ts"
import { openRuns } from "../app-runs/open-runs.ts"
import { folder, openEnvironments } from "./open-environments.ts"

const VALUE = "k3pt-outside"

const variables = (isSecret: boolean, value = VALUE) => ({
  [`${folder}/schema.json`]: {
    version: 1,
    variables: {
      baseUrl: { type: "string", required: true },
      token: { type: "string", required: false, ...(isSecret ? { secret: true } : {}) },
      other: { type: "string", required: false, secret: true },
    },
  },
  [`${folder}/dev.secrets.env`]: "other=known before\n",
  ".gitignore": "*.secrets.env\n",
  [`${folder}/local.json`]: { baseUrl: "http://127.0.0.1:1", token: value },
})

const look = (id: string, word: string) => ({
  version: 1,
  blocks: [
    {
      id,
      type: "request",
      request: { api: "shop", operation: "look", overrides: { params: { query: { q: word } } } },
    },
  ],
})

const filesOf = (url: string, value?: string) => ({
  "apis/shop/openapi.json": {
    openapi: "3.1.0",
    info: { title: "Shop", version: "1" },
    paths: { "/look": { get: { operationId: "look", responses: {} } } },
  },
  ...variables(false, value),
  [`${folder}/local.json`]: { baseUrl: url, token: value ?? VALUE },
  [`${folder}/dev.json`]: { baseUrl: url },
  "apis/workflow/leaky.json": look("a", "{{token}}"),
  "apis/workflow/clean.json": look("a", "word"),
})

const toSecret: SchemaChange = {
  do: "change",
  name: "token",
  declaration: { type: "string", required: false, secret: true },
}

const leaky: FileName = { kind: "workflow", workflow: "leaky" }
const clean: FileName = { kind: "workflow", workflow: "clean" }
const local: FileName = { kind: "environment", api: "shop", environment: "local" }

/** The app with one project, a run of each workflow, and drafts. */
async function openAll(value?: string) {
  const runs = await openRuns({
    files: (url) => filesOf(url, value),
    routes: { "GET /look": { body: { said: "nothing" } } },
  })
  const { root, state } = runs
  const run = async (workflow: string) => {
    const name = await runs.start({ workflow })
    await runs.done(name)
    return name
  }
  const [leakyRun, cleanRun] = [await run("leaky"), await run("clean")]
  const files = await openFiles(root, { state })
  const environments = await openEnvironments(root, { keptOutside: [files.keptOutside, runs.keptOutside] })
  const kept = () =>
    readdirSync(state, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => readFileSync(join(entry.parentPath, entry.name), "utf8"))
      .join("\n")
  return { runs, files, environments, leakyRun, cleanRun, kept }
}

describe("a variable that becomes a secret", () => {
  it("removes its value from drafts and reports, as announced in the plan", async () => {
    const { runs, files, environments, leakyRun, cleanRun, kept } = await openAll()
    await files.keep(leaky, null, `{"draft": "${VALUE}"}`)
    await files.keep(clean, null, `{"draft": "nothing"}`)
    await files.keep(local, null, `{"token": "another"}`)
    expect(kept()).toContain(VALUE)
    const { plan, notes } = await environments.call("schemas.plan", { api: "shop", change: toSecret })
    expect(notes).toEqual(
      expect.arrayContaining([
        "Unsaved changes in apis/workflow/leaky.json contain a value. callsheet deletes them from disk and keeps them only until the app stops.",
        `Unsaved changes in ${folder}/local.json contain a value and are discarded.`,
        "A report of an earlier run contains a value and is deleted.",
        "Reports in other places, for example in CI, might contain the values.",
      ]),
    )
    expect(notes.join("\n")).not.toContain("clean")
    expect(kept()).toContain(VALUE)
    await environments.call("plans.apply", { plan })
    expect(kept()).not.toMatch(/k3pt-outside|another/)
    // Drafts of the same millisecond have no order.
    const drafts = (await files.drafts()).map(({ file }) => file)
    expect(drafts).toHaveLength(2)
    expect(drafts).toEqual(expect.arrayContaining([clean, leaky]))
    expect(await files.load(leaky)).toMatchObject({ draft: { text: `{"draft": "${VALUE}"}` } })
    expect(await runs.list("leaky")).toEqual([])
    await expect(runs.read(leakyRun)).rejects.toMatchObject({ code: "run-unknown" })
    expect(await runs.read(cleanRun)).toMatchObject({ isDone: true })
    expect(runs.events.at(-1)).toMatchObject({ type: "run.changed", run: leakyRun, isDone: true })
  })

  it.each([
    ["7q", "a short one"],
    ["41999", "a number"],
    ['q"\\u0041\n', "one that JSON escapes"],
  ])("removes %j from reports too: %s", async (value) => {
    const { runs, environments } = await openAll(value)
    const { plan } = await environments.call("schemas.plan", { api: "shop", change: toSecret })
    await environments.call("plans.apply", { plan })
    expect([await runs.list("leaky"), (await runs.list("clean")).length]).toEqual([[], 1])
  })

  it.each(["passed", "request"])(
    "removes no report for just %j, which every report contains",
    async (word) => {
      const { runs, environments } = await openAll(word)
      const { notes } = await environments.call("schemas.plan", { api: "shop", change: toSecret })
      // The report of the run that sent the value.
      expect(notes).toContainEqual(expect.stringMatching(/^A report of an earlier run /))
      expect(await runs.list("clean")).toHaveLength(1)
    },
  )

  it("removes no report for a value that already was a secret", async () => {
    const { runs, environments } = await openAll("known before")
    const { plan } = await environments.call("schemas.plan", { api: "shop", change: toSecret })
    await environments.call("plans.apply", { plan })
    expect(await runs.list("leaky")).toHaveLength(1)
  })

  it("leaves everything unchanged if another change is made", async () => {
    const { runs, files, environments, kept } = await openAll()
    await files.keep(leaky, null, `{"draft": "${VALUE}"}`)
    const change: SchemaChange = { do: "rename", name: "token", to: "key" }
    const { plan, notes } = await environments.call("schemas.plan", { api: "shop", change })
    expect(notes.filter((note) => /report|not saved/.test(note))).toEqual([])
    await environments.call("plans.apply", { plan })
    expect(kept()).toContain(`{"draft": "${VALUE}"}`)
    expect(await runs.list("leaky")).toHaveLength(1)
  })

  it("is in no draft on disk if another program made it secret", async () => {
    const { files, kept } = await openAll()
    await files.keep(leaky, null, `{"draft": "${VALUE}"}`)
    await files.keep(local, null, `{"token": "another"}`)
    await files.put(variables(true))
    await files.until(async () => (await files.drafts()).length === 1)
    expect(kept()).not.toContain(`{"draft": "${VALUE}"}`)
    expect(await files.drafts()).toMatchObject([{ file: leaky }])
    expect(await files.load(leaky)).toMatchObject({ draft: { text: `{"draft": "${VALUE}"}` } })
  })
})
