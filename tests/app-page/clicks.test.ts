// Counts the clicks and keys of three jobs, as a user does them who knows the page: each has a goal.

import { readFileSync, rmSync } from "node:fs"
import { join } from "node:path"
import type { Locator, Page } from "playwright-core"
import { describe, expect, it, onTestFinished } from "vitest"
import { startCommand } from "../app-server/start-command.ts"
import { startApi } from "../harness/api-server.ts"
import { createFolder } from "../harness/callsheet.ts"
import { useBrowser } from "./browser.ts"
import { hasBrowser } from "./chromium.ts"

describe.runIf(hasBrowser)("a user who knows the page", () => {
  const { open } = useBrowser()

  const begin = async (routes: Parameters<typeof startApi>[0]) => {
    const api = await startApi(routes)
    const [folder, home] = [await createFolder(), await createFolder()]
    const command = await startCommand({
      cwd: folder,
      env: { HOME: home, XDG_STATE_HOME: join(home, "state") },
    })
    onTestFinished(async () => {
      await command.end("SIGINT")
      await api.close()
      for (const path of [folder, home]) rmSync(path, { recursive: true, force: true })
    })
    const page = await open(command.link, { expected: /api\/operations\.read/ })
    const read = (path: string): string => readFileSync(join(folder, path), "utf8")
    return { api, page, hand: createHand(page), read }
  }

  it("saves a first assertion and sees it pass, in 8 clicks from an empty directory with a document", async () => {
    const { api, page, hand, read } = await begin({
      "GET /parcels": { body: { parcels: [], total: 0 } },
    })
    await hand.click(page.getByRole("main").getByRole("button", { name: "Add an OpenAPI document" }))
    await hand.click(page.getByLabel("Or paste text"))
    await hand.paste(document(api.url))
    await hand.click(page.getByRole("button", { name: "Preview" }))
    await hand.click(page.getByRole("button", { name: "Add", exact: true }))
    await hand.click(page.getByRole("button", { name: "Send", exact: true }))
    await hand.click(page.getByRole("button", { name: "Add 1 assertion" }))
    await hand.click(page.getByRole("button", { name: "Run", exact: true }))
    await outcome(page, "passed")
    const { validateContracts, blocks } = JSON.parse(read("apis/workflow/listParcels.json")) as Written
    expect(validateContracts).toBe(true)
    expect(blocks.at(-1)?.assertions).toEqual([
      { source: "listParcels.response.status", operator: "equals", value: 200 },
    ])
    hand.report("a first assertion", { clicks: 8, keys: 10 })
  })
})

const outcome = (page: Page, words: string): Promise<void> =>
  page.locator(".bench-status").getByText(words, { exact: true }).first().waitFor()

interface Written {
  readonly validateContracts?: boolean
  readonly blocks: readonly { readonly assertions?: unknown }[]
}

const document = (url: string) => `openapi: 3.1.0
info: { title: Parcel tracker, version: "1" }
servers: [{ url: "${url}", description: local }]
paths:
  /parcels:
    get: { operationId: listParcels, responses: { "200": { description: All of them. } } }
`

/** Does what a hand does, and counts it. A choice in a list takes two clicks, and a file of the system's dialog three. */
function createHand(page: Page) {
  const used = { clicks: 0, keys: 0 }
  return {
    click: async (target: Locator): Promise<void> => {
      await target.click()
      used.clicks++
    },
    press: async (key: string): Promise<void> => {
      await page.keyboard.press(key)
      used.keys++
    },
    type: async (text: string): Promise<void> => {
      await page.keyboard.insertText(text)
      used.keys += text.length
    },
    paste: async (text: string): Promise<void> => {
      await page.keyboard.insertText(text)
      used.keys++
    },
    report: (job: string, goal: typeof used): void => {
      process.stdout.write(`${job}: ${used.clicks} clicks and ${used.keys} keys\n`)
      expect(used.clicks).toBeLessThanOrEqual(goal.clicks)
      expect(used.keys).toBeLessThanOrEqual(goal.keys)
    },
  }
}
