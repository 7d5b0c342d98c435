// Checks the page that the link opens: the address, the project, the search, the keyboard.

import type { Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { hasBrowser } from "./chromium.ts"
import { useBrowser } from "./browser.ts"
import {
  emptyContent,
  serveProject,
  smallProject,
  type ProjectContent,
  type TestProject,
} from "./test-project.ts"

describe.runIf(hasBrowser)("the page", () => {
  const { open } = useBrowser()
  const served: TestProject[] = []
  const serve = async (content: ProjectContent): Promise<TestProject> => {
    const project = await serveProject(content)
    served.push(project)
    return project
  }
  afterAll(() => Promise.all(served.map(({ app }) => app.close())))

  let small: TestProject
  beforeAll(async () => {
    small = await serve(smallProject)
  })
  const openSmall = async (): Promise<Page> => {
    const page = await open(small.app.makeLink("anyone"))
    await heading(page, "webshop").waitFor()
    return page
  }

  it("keeps neither the link nor the key in address, history, storage, title or text", async () => {
    const link = small.app.makeLink("anyone")
    const keys: Promise<string>[] = []
    const page = await open("about:blank")
    page.on("response", (response) => {
      if (response.url().endsWith("/session")) keys.push(response.text())
    })
    await page.goto(link)
    await heading(page, "webshop").waitFor()
    const { key } = JSON.parse((await keys[0]) ?? "{}") as { key: string }
    const secret = link.split("#link=")[1] ?? ""
    expect(key.length).toBeGreaterThan(20)
    const takeKept = () => {
      const kept = sessionStorage.getItem("callsheet-key")
      sessionStorage.removeItem("callsheet-key")
      return kept
    }
    expect(await page.evaluate(takeKept)).toBe(key)
    const places = await page.evaluate(() => ({
      address: window.location.href,
      title: document.title,
      text: document.documentElement.outerHTML,
      storage: JSON.stringify([
        // Look up by key, because an item may have the name of a method.
        ...[localStorage, sessionStorage].map((store) =>
          Array.from({ length: store.length }, (_, index) => store.getItem(store.key(index) ?? "")),
        ),
        window.history.state,
        window.name,
      ]),
      cookies: document.cookie,
    }))
    expect(places.address).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#\/$/)
    expect(places.title).toBe("webshop · callsheet")
    for (const place of Object.values(places)) {
      expect(place).not.toContain(secret)
      expect(place).not.toContain(key)
    }
    await page.goBack()
    expect(page.url()).toBe("about:blank")
  })

  it("restores the selection after a reload and with the back button", async () => {
    const page = await openSmall()
    await page.getByRole("treeitem", { name: "checkout" }).click()
    await heading(page, "checkout").waitFor()
    await page.reload()
    await heading(page, "checkout").waitFor()
    await page.getByRole("treeitem", { name: "production" }).click()
    await heading(page, "production").waitFor()
    await page.goBack()
    await heading(page, "checkout").waitFor()
  })

  it("finds operations by words of their method, path, name and summary, best first", async () => {
    const page = await openSmall()
    const search = page.getByRole("combobox", { name: "Search" })
    const hits = page.getByRole("listbox", { name: "Search results" }).getByRole("option")
    for (const [query, first, number] of [
      ["newest", "listOrders", 1],
      ["post order", "createOrder", 1],
      ["stock", "setStock", 1],
      ["gift", "gift", 1],
      ["production", "production", 1],
    ] as const) {
      await search.fill(query)
      await expect.poll(() => hits.count(), { message: query }).toBe(number)
      await expect.poll(() => hits.first().textContent(), { message: query }).toContain(first)
    }
    await search.fill("no such thing")
    await page.getByText("Nothing found").waitFor()
    await search.press("Escape")
    await page.getByRole("button", { name: "DELETE" }).click()
    await expect.poll(() => hits.allTextContents()).toEqual(["DELETE/orders/{orderId}cancelOrder · shop"])
  })

  it("gives a block to copy that calls an operation", async () => {
    const page = await openSmall()
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"])
    await page.getByRole("treeitem", { name: "GET /orders/{orderId}" }).click()
    await page.getByRole("tab", { name: "Use in a workflow" }).click()
    await page.getByRole("button", { name: "Copy block" }).click()
    await page.getByRole("button", { name: "Copied block" }).waitFor()
    const copied = await page.evaluate(() => navigator.clipboard.readText())
    expect(JSON.parse(copied)).toEqual({
      id: "getOrder",
      type: "request",
      request: {
        api: "shop",
        resource: "orders",
        operation: "getOrder",
        overrides: { params: { path: { orderId: "{{orderId}}" } } },
      },
    })
  })

  it("works with the keyboard only", async () => {
    const page = await openSmall()
    await page.keyboard.press("/")
    await page.keyboard.type("gift")
    await page.getByRole("listbox", { name: "Search results" }).getByRole("option").first().waitFor()
    await page.keyboard.press("Enter")
    await heading(page, "gift").waitFor()
    // The keys of the opened page go on.
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe("main")
    await page.keyboard.press("/")
    await page.keyboard.press("Escape")
    await page.keyboard.press("ArrowDown")
    await page.keyboard.press("Home")
    await page.keyboard.press("ArrowDown")
    await page.keyboard.press("Enter")
    await heading(page, "checkout").waitFor()
    await page.keyboard.press("Control+k")
    await page.keyboard.type("staging")
    await page.keyboard.press("Enter")
    await heading(page, "staging").waitFor()
    await expect.poll(() => page.getByRole("dialog").count()).toBe(0)
    await page.keyboard.press("?")
    await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor()
    const head = page.getByRole("dialog").getByRole("heading", { name: "Keyboard shortcuts" })
    expect((await head.boundingBox())?.y, "the list begins at its beginning").toBeGreaterThan(0)
    expect(await overlongKeys(page)).toEqual([])
    await page.keyboard.press("Escape")
    await expect.poll(() => page.getByRole("dialog").count()).toBe(0)
    for (const id of ["search-box", "outline", "main", "search-box"]) {
      await page.keyboard.press("F6")
      await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe(id)
    }
  })

  it("opens and closes the sidebar's rows by arrow keys", async () => {
    const page = await openSmall()
    const tree = page.getByRole("tree")
    await tree.focus()
    await page.keyboard.press("Home")
    await page.keyboard.press("ArrowLeft")
    await expect.poll(() => page.getByRole("treeitem", { name: "checkout" }).count()).toBe(0)
    await page.keyboard.press("ArrowRight")
    await page.getByRole("treeitem", { name: "checkout" }).waitFor()
    await page.keyboard.press("End")
    const last = await tree.getAttribute("aria-activedescendant")
    await expect.poll(() => page.locator(`#${last}`).textContent()).toContain("Import requests")
  })

  it("shows problems by file with their positions, and follows the project without a jump", async () => {
    const project = await serve(smallProject)
    const page = await open(project.app.makeLink("anyone"))
    await page.getByRole("link", { name: /^Problems/ }).click()
    const broken = page.getByRole("region", { name: "apis/workflow/broken.json" })
    await expect.poll(() => broken.textContent()).toContain("a comma is missing json-syntax")
    await expect.poll(() => broken.textContent()).toContain("4:7")
    const before = await page.getByRole("heading", { level: 1 }).boundingBox()
    project.change({ problems: smallProject.problems.slice(1) })
    await expect.poll(() => broken.count()).toBe(0)
    expect(await page.getByRole("heading", { level: 1 }).boundingBox()).toEqual(before)
    project.change({ problems: [] })
    await page.getByText("No problems", { exact: true }).waitFor()
    project.change({ project: { ...smallProject.project, workflows: [] } })
    await expect.poll(() => page.getByRole("treeitem", { name: "checkout" }).count()).toBe(0)
  })

  it("shows the first step in an empty project, and the next ones", async () => {
    const project = await serve(emptyContent)
    const page = await open(project.app.makeLink("anyone"))
    await page.getByText("Start with an API").waitFor()
    await page.getByRole("button", { name: "Import requests" }).waitFor()
    project.change({ project: { name: "empty", apis: smallProject.project.apis, workflows: [] } })
    await page.getByText("Write the first workflow").waitFor()
  })

  it("says that a deleted file is gone, and shows it when it is back", async () => {
    const project = await serve(smallProject)
    // The page checks once more for a file that it shows.
    const page = await open(project.app.makeLink("anyone"), { expected: /api\/files\.read/ })
    await page.getByRole("treeitem", { name: "smoke" }).click()
    await heading(page, "smoke").waitFor()
    project.change({ project: { ...smallProject.project, workflows: [] } })
    await heading(page, "Not in the project").waitFor()
    project.change({ project: smallProject.project })
    await heading(page, "smoke").waitFor()
  })
})

const heading = (page: Page, name: string) => page.getByRole("heading", { level: 1, name })

/** Shortcuts in the list whose effect can be tested. */
async function overlongKeys(page: Page): Promise<readonly string[]> {
  const rows = await page.getByRole("dialog").locator("dl > div").all()
  const found = rows.map(async (row) => {
    const keys = await row.locator("kbd").last().boundingBox()
    const text = await row.locator("dd").boundingBox()
    return keys !== null && text !== null && keys.x + keys.width <= text.x ? [] : [await row.innerText()]
  })
  return (await Promise.all(found)).flat()
}
