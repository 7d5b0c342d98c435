// Several windows of one browser, which has six connections to a server for all of them: one hears the events for all.

import type { Page } from "playwright-core"
import { afterEach, describe, expect, it } from "vitest"
import { hasBrowser } from "./chromium.ts"
import { useBrowser } from "./browser.ts"
import { serveProject, smallProject, type TestProject } from "./test-project.ts"

/** What a browser reports of its own accord when the server ends. */
const expected = /net::ERR_/

const soon = { timeout: 2000 }

interface Windows {
  readonly pages: readonly Page[]
  /** The pages that have opened a stream of events, in order. */
  readonly streams: readonly Page[]
}

describe.runIf(hasBrowser)("windows of one browser", () => {
  const { open } = useBrowser()
  let project: TestProject
  afterEach(() => project.app.close())

  /** That many, all in sight. */
  const openWindows = async (count: number): Promise<Windows> => {
    project = await serveProject(smallProject)
    const first = await open(project.app.makeLink("anyone"), { expected })
    await first.getByRole("treeitem", { name: "checkout" }).waitFor()
    const address = new URL("/", first.url()).href
    const streams = [first]
    first.context().on("request", (request) => {
      if (request.url().endsWith("/events")) streams.push(request.frame().page())
    })
    const pages = [first]
    while (pages.length < count) {
      const page = await first.context().newPage()
      await page.goto(address)
      await page.getByRole("treeitem", { name: "checkout" }).waitFor(soon)
      pages.push(page)
    }
    return { pages, streams }
  }
  /** All hear of it, and read by a call what has changed. */
  const changed = async (pages: readonly Page[], name: string): Promise<void> => {
    project.change({ project: { ...smallProject.project, workflows: [{ name, apis: [], blocks: 1 }] } })
    await Promise.all(pages.map((page) => page.getByRole("treeitem", { name }).waitFor(soon)))
  }

  it("hear of changes and call, eight of them too, by one stream", async () => {
    const { pages, streams } = await openWindows(8)
    await changed(pages, "later")
    for (const page of pages) {
      await page.getByRole("treeitem", { name: "later" }).click(soon)
      await page.getByRole("heading", { level: 1, name: "later" }).waitFor(soon)
    }
    expect(streams).toEqual([pages[0]])
  })

  it("hear on where the one is closed that hears for all, or is out of sight", async () => {
    const { pages, streams } = await openWindows(3)
    await pages[0]?.close()
    await expect.poll(() => streams.length, soon).toBe(2)
    const heir = streams[1]
    const rest = pages.slice(1)
    expect(rest).toContain(heir)
    await changed(rest, "later")
    await heir?.evaluate(() => {
      Object.defineProperty(document, "visibilityState", { configurable: true, value: "hidden" })
      document.dispatchEvent(new Event("visibilitychange"))
    })
    await expect.poll(() => streams.length, { timeout: 10_000 }).toBe(3)
    const last = rest.filter((page) => page !== heir)
    expect(last).toEqual([streams[2]])
    await changed(last, "latest")
  })

  it("take the place of one that hears for all and says nothing", async () => {
    project = await serveProject(smallProject)
    const page = await open(project.app.makeLink("anyone"), { expected })
    await page.getByRole("treeitem", { name: "checkout" }).waitFor()
    const silent = await page.context().newPage()
    await silent.goto(new URL("/nothing", page.url()).href)
    await silent.evaluate(() => {
      void navigator.locks.request("callsheet events", { steal: true }, () => new Promise(() => undefined))
    })
    await page.waitForRequest((request) => request.url().endsWith("/events"), { timeout: 30_000 })
    await changed([page], "later")
  })

  it("says so, each of them, where the server is gone", async () => {
    const { pages } = await openWindows(3)
    await project.app.close()
    for (const page of pages)
      await page.locator(".banner-place").getByText("callsheet app does not answer").waitFor(soon)
  })
})
