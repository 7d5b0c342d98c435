// What is left to do after an import: the page lists it, runs the workflows, and leads to each place.

import { describe, expect, it, onTestFinished } from "vitest"
import { startApi } from "../harness/api-server.ts"
import { axeFindingsInThemes, useBrowser } from "./browser.ts"
import { hasBrowser } from "./chromium.ts"
import { startInEmptyFolder } from "./empty-folder.ts"

const item = (url: string, name: string, test?: string) => ({
  name,
  request: { method: "GET", url: `${url}/${name}` },
  ...(test === undefined ? {} : { event: [{ listen: "test", script: { exec: [test] } }] }),
})

const collection = (url: string) => ({
  info: { name: "Shop", schema: "https://schema.getpostman.com/json/collection/v2.1.0/collection.json" },
  item: [item(url, "orders", "weird(pm)"), item(url, "health")],
})

describe.runIf(hasBrowser)("the checklist after an import", () => {
  const { open } = useBrowser()

  it("runs the workflows, says how requests were answered, and leads to the script to translate", async () => {
    const api = await startApi({ "GET /orders": { body: {} }, "GET /health": { status: 500, body: {} } })
    onTestFinished(api.close)
    const { command } = await startInEmptyFolder()
    const page = await open(command.link, { expected: /api\// })
    await page.getByRole("main").getByRole("button", { name: "Import requests" }).click()
    await page.getByLabel("Or paste text").fill(JSON.stringify(collection(api.url)))
    const dialog = page.getByRole("dialog")
    await dialog.getByRole("button", { name: "Preview", exact: true }).click()
    await dialog.getByRole("button", { name: "Import", exact: true }).click()
    const list = page.getByRole("region", { name: "After the import" })
    await list.getByRole("button", { name: "Run 1 workflow" }).click()
    // Scripts of others run only after a question.
    await dialog.getByRole("button", { name: "I trust it, run" }).click()
    const answered = "1 of 2 requests answered with a status below 400 or as documented."
    await expect.poll(() => list.getByRole("status").textContent()).toBe(answered)
    expect(api.requests.map(({ url }) => url)).toEqual(["/orders", "/health"])
    expect(await axeFindingsInThemes(page)).toEqual([])
    await list.getByRole("link", { name: /^apis\/workflow\/scripts\/shop\// }).click()
    await page.getByText("ctx.untranslated()").first().waitFor()
    await list.getByRole("button", { name: "Close" }).click()
    await expect.poll(() => list.count()).toBe(0)
  })
})
