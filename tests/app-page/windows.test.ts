// Several windows of one browser, which has six connections to a server for all of them. The server gives event streams
// to four, and the others read again every second.

import type { Page } from "playwright-core"
import { afterEach, describe, expect, it } from "vitest"
import { hasBrowser } from "./chromium.ts"
import { useBrowser } from "./browser.ts"
import { serveProject, smallProject, type TestProject } from "./test-project.ts"

/** A message that the browser prints itself when the server stops. */
const expected = /net::ERR_/

interface Windows {
  readonly pages: readonly Page[]
  /** The pages with an event stream from the server, in order. */
  readonly streams: readonly Page[]
}

describe.runIf(hasBrowser)("windows of one browser", () => {
  const { open } = useBrowser()
  let project: TestProject
  afterEach(() => project.app.close())

  /** Opens this many visible windows. */
  const openWindows = async (count: number): Promise<Windows> => {
    project = await serveProject(smallProject)
    const first = await open(project.app.makeLink("anyone"), { expected })
    await first.getByRole("treeitem", { name: "checkout" }).waitFor()
    const address = new URL("/", first.url()).href
    const streams = [first]
    first.context().on("response", (response) => {
      if (response.url().endsWith("/events") && response.ok()) streams.push(response.frame().page())
    })
    const pages = [first]
    while (pages.length < count) {
      const page = await first.context().newPage()
      await page.goto(address)
      await page.getByRole("treeitem", { name: "checkout" }).waitFor()
      pages.push(page)
    }
    return { pages, streams }
  }
  /** Changes a file, and waits until all windows show the change. */
  const changed = async (pages: readonly Page[], name: string): Promise<void> => {
    project.change({ project: { ...smallProject.project, workflows: [{ name, apis: [], blocks: 1 }] } })
    await Promise.all(pages.map((page) => page.getByRole("treeitem", { name }).waitFor()))
  }

  it("receive changes and send calls, even eight of them, four with a stream", async () => {
    const { pages, streams } = await openWindows(8)
    await changed(pages, "later")
    for (const page of pages) {
      await page.getByRole("treeitem", { name: "later" }).click()
      await page.getByRole("heading", { level: 1, name: "later" }).waitFor()
    }
    expect(streams).toEqual(pages.slice(0, 4))
    await expect.poll(() => pages[7]?.locator(".banner-place").textContent()).toBe("")
  })

  it("keep receiving when another is closed or hidden, and a window without a stream gets its stream", async () => {
    const { pages, streams } = await openWindows(6)
    const [first, second, ...rest] = pages
    await first?.close()
    await expect.poll(() => streams.length).toBe(5)
    await changed(rest, "later")
    await second?.evaluate(() => {
      Object.defineProperty(document, "visibilityState", { configurable: true, value: "hidden" })
      document.dispatchEvent(new Event("visibilitychange"))
    })
    await expect.poll(() => streams.length).toBe(6)
    expect(new Set(streams)).toEqual(new Set(pages))
    await changed(rest, "latest")
  })

  it("get the session from each other, but not from the cookie that remains when all are closed", async () => {
    const { pages } = await openWindows(2)
    const [first, second] = pages
    if (first === undefined || second === undefined) throw new Error("two windows were opened")
    const address = second.url()
    const context = first.context()
    await first.close()
    await second.reload()
    await second.getByRole("treeitem", { name: "checkout" }).waitFor()
    await second.close()
    expect(await context.cookies(address)).toHaveLength(1)
    const late = await context.newPage()
    await late.goto(address)
    await late.getByRole("alert").getByText("callsheet app --print-link").waitFor()
    await expect.poll(() => late.getByText("webshop").count()).toBe(0)
  })

  it("all say so if the server stops", async () => {
    const { pages } = await openWindows(3)
    await project.app.close()
    for (const page of pages)
      await page.locator(".banner-place").getByText("callsheet app is not responding").waitFor()
  })
})
