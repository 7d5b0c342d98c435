// Checks that the page reports when the server stops, restarts or rejects it, keeps its content, and reconnects.

import type { Page } from "playwright-core"
import { afterEach, describe, expect, it } from "vitest"
import { hasBrowser } from "./chromium.ts"
import { useBrowser } from "./browser.ts"
import { serveProject, smallProject, type TestProject } from "./test-project.ts"

/** Messages that a browser prints itself for an error response or a missing one. */
const expected = /Failed to load resource|net::ERR_/

describe.runIf(hasBrowser)("a page whose server is down", () => {
  const { open } = useBrowser()
  const served: TestProject[] = []
  afterEach(async () => {
    await Promise.all(served.splice(0).map(({ app }) => app.close().catch(() => undefined)))
  })
  const serve = async (port = 0): Promise<TestProject> => {
    const project = await serveProject(smallProject, port)
    served.push(project)
    return project
  }
  const openCheckout = async (project: TestProject): Promise<Page> => {
    const page = await open(project.app.makeLink("anyone"), { expected })
    await page.getByRole("treeitem", { name: "checkout" }).click()
    await checkout(page).waitFor()
    return page
  }

  it("says so, keeps its content, and asks for a new link when another server is running", async () => {
    const first = await serve()
    const page = await openCheckout(first)
    await first.app.close()
    await page.locator(".banner-place").getByText("callsheet app is not responding").waitFor()
    await expect.poll(() => checkout(page).count()).toBe(1)
    const second = await serve(first.app.port)
    await page.locator(".banner-place").getByText("can no longer connect").waitFor()
    await expect
      .poll(() => page.locator(".banner-place").textContent())
      .toContain("callsheet app --print-link")
    await expect.poll(() => checkout(page).count()).toBe(1)
    await page.goto(second.app.makeLink("anyone"))
    await page.getByRole("heading", { name: "webshop" }).waitFor()
    await expect.poll(() => page.locator(".banner-place").textContent()).toBe("")
    expect(page.url()).not.toContain("link=")
  })

  it("reconnects with one click if its server still knows it", async () => {
    const project = await serve()
    const page = await openCheckout(project)
    await page.context().route("**/session/resume", (route) => route.abort())
    await page.context().route("**/events", (route) => route.abort())
    await page.reload()
    await page.locator(".banner-place").getByText("callsheet app is not responding").waitFor()
    await page.context().unroute("**/session/resume")
    await page.context().unroute("**/events")
    await page.getByRole("button", { name: "Reconnect" }).click()
    await checkout(page).waitFor()
    await expect.poll(() => page.locator(".banner-place").textContent()).toBe("")
  })

  it("receives nothing while hidden, and shows changes when visible again", async () => {
    const project = await serve()
    const page = await openCheckout(project)
    const ended = page.waitForEvent("requestfailed", (request) => request.url().endsWith("/events"))
    await turn(page, "hidden")
    await ended
    project.change({
      project: { ...smallProject.project, workflows: [{ name: "later", apis: [], blocks: 1 }] },
    })
    await expect.poll(() => page.locator(".banner-place").textContent()).toBe("")
    await expect.poll(() => page.getByRole("treeitem", { name: "later" }).count()).toBe(0)
    await turn(page, "visible")
    await page.getByRole("treeitem", { name: "later" }).waitFor()
  })

  it("shows changes if too many pages listen, and listens again later", async () => {
    const project = await serve()
    const page = await openCheckout(project)
    const answer = { status: 429, json: { code: "too-many", message: "too many" } }
    await page.context().route("**/events", (route) => route.fulfill(answer))
    await page.reload()
    await page.getByRole("treeitem", { name: "checkout" }).waitFor()
    project.change({
      project: { ...smallProject.project, workflows: [{ name: "later", apis: [], blocks: 1 }] },
    })
    await page.getByRole("treeitem", { name: "later" }).waitFor()
    await expect.poll(() => page.locator(".banner-place").textContent()).toBe("")
    const heard = page.waitForResponse((response) => response.url().endsWith("/events") && response.ok())
    await page.context().unroute("**/events")
    await heard
  })

  it("opens the route after a link", async () => {
    const project = await serve()
    const page = await open(`${project.app.makeLink("anyone")}/workflows/checkout`, { expected })
    await checkout(page).waitFor()
    expect(page.url()).not.toContain("link=")
  })

  it("explains what to do about a used link", async () => {
    const project = await serve()
    const link = project.app.makeLink("anyone")
    await (await open(link, { expected })).getByRole("heading", { name: "webshop" }).waitFor()
    const stranger = await open(link, { expected })
    await stranger.getByRole("alert").getByText("callsheet app --print-link").waitFor()
    await expect.poll(() => stranger.getByText("webshop").count()).toBe(0)
  })
})

const checkout = (page: Page) => page.getByRole("heading", { level: 1, name: "checkout" })

/** Simulates another tab in front. */
const turn = (page: Page, state: "hidden" | "visible"): Promise<void> =>
  page.evaluate((next) => {
    Object.defineProperty(document, "visibilityState", { configurable: true, value: next })
    document.dispatchEvent(new Event("visibilitychange"))
  }, state)
