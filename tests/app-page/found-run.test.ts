// A run of thousands of iterations that a page joins midway: read once, and then shown as in a page that saw its start.

import { rm } from "node:fs/promises"
import { join } from "node:path"
import type { Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { startCommand, type RunningCommand } from "../app-server/start-command.ts"
import { startApi, type ApiServer } from "../harness/api-server.ts"
import { createFolder } from "../harness/callsheet.ts"
import { useBrowser } from "./browser.ts"
import { hasBrowser } from "./chromium.ts"

const rounds = 2500
const middle = 1500

const ask = (id: string, number: string) => ({
  id,
  type: "request",
  request: {
    api: "shop",
    resource: "rounds",
    operation: "getRound",
    overrides: { params: { path: { number } } },
  },
})

const workflow = {
  version: 1,
  blocks: [
    {
      id: "rounds",
      type: "loop",
      mode: "times",
      count: rounds,
      blocks: [
        ask("round-{{$index}}", "{{$index}}"),
        {
          id: "is-well-{{$index}}",
          type: "condition",
          if: { source: "round-{{$index}}.response.status", operator: "equals", value: 200 },
          then: [],
          else: [{ id: "never-{{$index}}", type: "group", blocks: [ask("again-{{$index}}", "{{$index}}")] }],
        },
      ],
    },
    ask("last", `${rounds}`),
  ],
}

const files = (url: string) => ({
  "apis/shop/openapi.json": {
    openapi: "3.1.0",
    info: { title: "Shop", version: "1" },
    paths: {
      "/rounds/{number}": {
        parameters: [{ name: "number", in: "path", required: true, schema: { type: "integer" } }],
        get: { operationId: "getRound", tags: ["rounds"], responses: { "200": { description: "ok" } } },
      },
    },
  },
  "apis/shop/environments/schema.json": {
    version: 1,
    variables: { baseUrl: { type: "string", required: true } },
  },
  "apis/shop/environments/local.json": { level: "local", baseUrl: url },
  "apis/workflow/long.json": workflow,
})

/** A promise that a test can resolve. */
function createGate() {
  let open: () => void = () => undefined
  const opened = new Promise<void>((resolve) => (open = resolve))
  return { open, opened }
}

describe.runIf(hasBrowser)("a run that is joined midway", () => {
  const { open } = useBrowser()
  const [gate, last] = [createGate(), createGate()]
  let api: ApiServer
  let command: RunningCommand
  let folders: readonly string[]
  let link: string
  beforeAll(async () => {
    const gates: Readonly<Record<string, Promise<void>>> = {
      [`/rounds/${middle}`]: gate.opened,
      [`/rounds/${rounds}`]: last.opened,
    }
    api = await startApi({
      "*": async ({ path }) => {
        await gates[path]
        return { body: { path } }
      },
    })
    const [folder, home] = [await createFolder(files(api.url)), await createFolder()]
    folders = [folder, home]
    const env = { HOME: home, XDG_STATE_HOME: join(home, "state") }
    command = await startCommand({ cwd: folder, env })
    link = command.link
  })
  afterAll(async () => {
    gate.open()
    last.open()
    await command.end("SIGINT")
    await api.close()
    await Promise.all(folders.map((path) => rm(path, { recursive: true, force: true })))
  })

  it("is read once, and then shown as in the page that started it", async () => {
    const first = await open(link)
    await showLong(first)
    await first.keyboard.press("Control+Enter")
    await kind(first, middle + 1).waitFor()
    const found = await first.context().newPage()
    const reads = readsOf(found)
    await found.goto(link)
    await showLong(found)
    await kind(found, middle + 1).waitFor()
    await found.reload()
    reads.splice(0)
    await kind(found, middle + 1).waitFor()
    gate.open()
    for (const page of [first, found]) {
      await kind(page, rounds).waitFor()
      await row(page, "last").getByText("running").waitFor({ state: "attached" })
    }
    expect(reads).toHaveLength(1)
    const shown = await shownOf(first)
    expect(shown.counts).toBe(countsOf(2 * rounds + 1))
    expect(shown.rows).toContain(`iteration ${rounds - 1}\n✓passedround-${rounds - 1}`)
    await expect.poll(() => shownOf(found)).toEqual(shown)
    last.open()
    for (const page of [first, found]) await ended(page)
    const end = await shownOf(first)
    expect(end.counts).toBe(countsOf(2 * rounds + 2))
    await expect.poll(() => shownOf(found)).toEqual(end)
    expect(reads).toHaveLength(2)
  })
})

const tree = (page: Page) => page.getByRole("tree", { name: "Report" })
const row = (page: Page, id: string) => tree(page).getByRole("treeitem").filter({ hasText: id })
/** Finds the loop's row, once it has that many iterations. */
const kind = (page: Page, count: number) =>
  tree(page).getByText(`loop × ${count.toLocaleString("en")}`, { exact: true })

async function showLong(page: Page): Promise<void> {
  await page.getByRole("navigation", { name: "Project" }).waitFor()
  await page.evaluate(() => (window.location.hash = "#/workflows/long"))
  await page.getByRole("tab", { name: "Runs" }).click()
  await page.getByRole("form", { name: "Run" }).waitFor()
}

const countsOf = (passed: number): string =>
  `${passed.toLocaleString("en")} passed, ${(2 * rounds).toLocaleString("en")} skipped`

const ended = (page: Page) => page.locator(".run-summary .outcome-passed").waitFor()

/** The times at which the page requested a whole report. */
function readsOf(page: Page): string[] {
  const reads: string[] = []
  page.on("request", (request) => {
    if (request.url().endsWith("/api/runs.read")) reads.push(request.url())
  })
  return reads
}

/** Returns how much of the run the page has received, and the last rows of its loop. */
async function shownOf(page: Page): Promise<{ readonly counts: string | null; readonly rows: string }> {
  await tree(page).focus()
  for (const key of ["Home", "ArrowRight", "End", "ArrowUp", "ArrowRight", "End"])
    await page.keyboard.press(key)
  await row(page, "last").waitFor()
  // The list may have one row more or less above the view, depending on its scroll position.
  const rows = (await tree(page).getByRole("treeitem").allTextContents()).slice(-8)
  const counts = page.locator(".run-summary").getByText(/^[\d,]+ passed/)
  return { counts: await counts.textContent(), rows: rows.join("\n") }
}
