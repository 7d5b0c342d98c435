// The project view with the real command and real files: the sample project, opened by its link and changed on disk.

import { cpSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import type { Page } from "playwright-core"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { startCommand, type RunningCommand } from "../app-server/start-command.ts"
import { callsheet } from "../harness/callsheet.ts"
import { hasBrowser } from "./chromium.ts"
import { axeFindings, useBrowser } from "./browser.ts"

const sample = fileURLToPath(new URL("../../examples/shop", import.meta.url))
describe.runIf(hasBrowser)("the sample project in the browser", () => {
  const { open } = useBrowser()
  const home = mkdtempSync(join(tmpdir(), "callsheet-page-"))
  const folder = join(home, "shop")
  let command: RunningCommand
  let page: Page
  beforeAll(async () => {
    cpSync(sample, folder, { recursive: true })
    command = await startCommand({ cwd: folder, env: { HOME: home, XDG_STATE_HOME: join(home, "state") } })
  })
  afterAll(async () => {
    await command.end("SIGINT")
    rmSync(home, { recursive: true, force: true })
  })
  beforeEach(async () => {
    const { stdout } = await callsheet(["app", "--print-link"], {
      folder,
      env: { HOME: home, XDG_STATE_HOME: join(home, "state") },
    })
    // The page checks once more for a deleted file that it shows.
    page = await open(stdout.trim(), { expected: /status of 404.*\/api\/files\.read/ })
    await page.getByRole("heading", { level: 1, name: "shop" }).waitFor()
  })

  const file = (path: string): string => join(folder, path)
  const read = (path: string): string => readFileSync(file(path), "utf8")
  const problemCount = () => page.getByRole("link", { name: /^Problems/ })

  it("shows the same as validate and list, and no secret", async () => {
    await expect.poll(() => problemCount().textContent()).toBe("Problemsnone")
    const search = page.getByRole("combobox", { name: "Search" })
    const { stdout } = await callsheet(["list", "operations", "--json"], { folder })
    const { operations } = JSON.parse(stdout) as { operations: { method: string; path: string }[] }
    for (const { method, path } of operations) {
      await search.fill(`${method} ${path}`)
      await page
        .getByRole("option", { name: `${method} ${path}` })
        .first()
        .waitFor()
    }
    const secrets = readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((path) => path.endsWith(".secrets.env"))
      .flatMap((path) => read(path).split("\n"))
      .flatMap((line) => /^[^#=]+="?([^"]{4,})"?$/.exec(line)?.[1] ?? [])
    expect(secrets.length).toBeGreaterThan(2)
    for (const view of ["#/", "#/apis/shop/environments/staging", "#/workflows/checkout", "#/problems"]) {
      await page.goto(`${new URL(page.url()).origin}/${view}`)
      await page.getByRole("heading", { level: 1 }).waitFor()
      const text = await page.evaluate(() => document.documentElement.outerHTML)
      for (const secret of secrets) expect(text).not.toContain(secret)
    }
    expect(await axeFindings(page)).toEqual([])
  })

  it("shows a change on disk, and the problem of a broken workflow until it is fixed", async () => {
    const path = "apis/workflow/smoke.json"
    const original = read(path)
    // The page asks for the form of a workflow that it has read. If the file breaks before the answer, it has none.
    const form = page.waitForResponse((response) => response.url().endsWith("/api/runs.prepare"))
    await page.getByRole("treeitem", { name: "smoke" }).click()
    await page.getByRole("heading", { level: 1, name: "smoke" }).waitFor()
    await form
    writeFileSync(file(path), original.replace('"version": 1,', '"version": 1'))
    const changed = performance.now()
    const problem = page.getByRole("main").getByRole("listitem").filter({ hasText: "json-syntax" })
    await problem.waitFor()
    process.stdout.write(
      `A broken file shows its problem after ${(performance.now() - changed).toFixed(0)} ms\n`,
    )
    const { stdout } = await callsheet(["validate", "--json"], { folder })
    const { problems } = JSON.parse(stdout) as {
      problems: { line: number; column: number; message: string }[]
    }
    const [said] = problems
    const shown = await problem.textContent()
    expect(shown).toContain(`${said?.line}:${said?.column}`)
    expect(shown).toContain(said?.message)
    await page.getByRole("link", { name: /^Problems/ }).click()
    await page.getByRole("region", { name: path }).getByText("json-syntax").waitFor()
    writeFileSync(file(path), original)
    await page.getByText("No problems", { exact: true }).waitFor()
  })

  it("gives a block in which validate finds no problem", async () => {
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"])
    const search = page.getByRole("combobox", { name: "Search" })
    const blocks: unknown[] = []
    for (const words of ["get status", "post cards", "get orders {"]) {
      await search.fill(words)
      await page.getByRole("listbox", { name: "Search results" }).getByRole("option").first().click()
      await page.getByRole("tab", { name: "Use in a workflow" }).click()
      await page.getByRole("button", { name: "Copy block" }).click()
      await page.getByRole("button", { name: "Copied block" }).waitFor()
      blocks.push(JSON.parse(await page.evaluate(() => navigator.clipboard.readText())))
    }
    const text = JSON.stringify({ version: 1, blocks }).replaceAll(/\{\{\w+\}\}/g, "1")
    writeFileSync(file("apis/workflow/pasted.json"), text)
    await search.fill("pasted")
    await page.getByRole("option", { name: "pasted" }).click()
    await page.getByText("3 blocks").waitFor()
    const { stdout } = await callsheet(["validate", "pasted", "--json"], { folder })
    expect(JSON.parse(stdout)).toMatchObject({ ok: true })
    rmSync(file("apis/workflow/pasted.json"))
    await page.getByRole("heading", { level: 1, name: "Not in the project" }).waitFor()
  })
})
