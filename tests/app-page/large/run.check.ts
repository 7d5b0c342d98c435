// A run of 100,000 iterations with a response of 50 MB: keys get a response at once.

import type { Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { BlockReport, Report } from "@callsheet/format"
import { useBrowser } from "../browser.ts"
import { hasBrowser } from "../chromium.ts"
import { expectNoDelay } from "./input-delays.ts"
import { serveProject, smallProject, type TestProject } from "../test-project.ts"

const run = "20261122T030000000Z-0123456789abcdef"
const environments = { shop: "local" }
const startedAt = "2026-11-22T03:00:00.000Z"

const block = (id: string, more: Partial<BlockReport> = {}): BlockReport => ({
  id,
  type: "transform",
  status: "passed",
  durationMs: 1,
  ...more,
})

const rows = Array.from({ length: 330_000 }, (_, index) => ({
  id: index,
  name: `The thing that has the number ${index}`,
  description: "It is one of very many things, and so it is like all of the others.",
  tags: ["thing", "many"],
}))

const exchange: Partial<BlockReport> = {
  type: "request",
  request: { method: "GET", url: "http://127.0.0.1/things", headers: {} },
  response: { status: 200, headers: {}, body: rows, durationMs: 900, sizeBytes: 50 * 1024 * 1024 },
}

const rounds = Array.from({ length: 100_000 }, (_, index) => ({
  index,
  value: index,
  status: "passed" as const,
  blocks: [block(`round-${index}`, { outputs: { number: index } })],
}))

const report: Report = {
  version: 1,
  status: "passed",
  durationMs: 1,
  runs: [
    {
      workflow: "checkout",
      status: "passed",
      startedAt,
      durationMs: 1,
      environments: { shop: { name: "local", level: "local" } },
      inputs: {},
      counts: { passed: 100_003, failed: 0, skipped: 0 },
      blocks: [block("things", exchange), block("rounds", { type: "loop", iterations: rounds })],
    },
  ],
}

const summary = {
  run,
  workflow: "checkout",
  startedAt,
  status: "passed",
  durationMs: 1,
  environments,
} as const

describe.runIf(hasBrowser)("a run of 100,000 iterations with a response of 50 MB", () => {
  const { open } = useBrowser()
  let served: TestProject
  beforeAll(async () => {
    served = await serveProject({
      ...smallProject,
      runs: {
        "runs.list": async () => ({ runs: [summary] }),
        "runs.read": async () => ({ run, workflow: "checkout", startedAt, isDone: true, events: 0, report }),
      },
    })
  })
  afterAll(() => served.app.close())

  it("responds to keys at once, in the report, its body and the search", async () => {
    expect(JSON.stringify(rows).length).toBeGreaterThan(50_000_000)
    const page = await open(served.app.makeLink("anyone"))
    await page.getByRole("navigation", { name: "Project" }).waitFor()
    await page.evaluate(() => (window.location.hash = "#/workflows/checkout"))
    await page.getByRole("tab", { name: "Runs" }).click()
    const tree = page.getByRole("tree", { name: "Report" })
    await tree.getByRole("treeitem").first().waitFor()
    await page.getByRole("group", { name: "response body", exact: true }).waitFor()
    await settled(page)
    await expectNoDelay(page, "reading 100,000 iterations and 50 MB", async () => {
      await tree.focus()
      for (const key of ["ArrowDown", "ArrowRight", "End", "Home", "ArrowDown", "PageDown", "ArrowUp", "End"])
        await press(page, key)
      await page.getByText("iteration 99,999").or(tree.getByText("99999").first()).first().waitFor()
      await press(page, "Home")
      const body = page.getByRole("textbox", { name: "Text of the response body" })
      await body.focus()
      for (const key of ["PageDown", "End", "Home"]) await press(page, key)
      await page.getByRole("tab", { name: "Raw" }).last().click()
      await settled(page)
      await page.getByRole("combobox", { name: "Search" }).pressSequentially("smoke", { delay: 30 })
      await settled(page)
    })
    expect(await page.locator("*").count()).toBeLessThan(3000)
  })
})

async function press(page: Page, key: string): Promise<void> {
  await page.keyboard.press(key)
  await settled(page)
}

const settled = (page: Page): Promise<void> =>
  page.evaluate(
    () =>
      new Promise<void>((resolve) =>
        requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve, 0))),
      ),
  )
