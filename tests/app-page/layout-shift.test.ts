// Nothing jumps: what is known later than the rest of a view has its place kept, in every main view, read anew and gone to.

import type { Page, Request } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { useBrowser } from "./browser.ts"
import { hasBrowser } from "./chromium.ts"
import { showPlace } from "./edit-project.ts"
import { toTab } from "./views/shown-view.ts"
import { startViewsProject, type ViewsProject } from "./views/views-project.ts"

interface MainView {
  readonly hash: string
  /** Is there when the view is whole. */
  readonly whole: string
  readonly tab?: string
}

const order = encodeURIComponent("/orders/{orderId}")

const mainViews: readonly MainView[] = [
  { hash: "#/", whole: ".count-bad" },
  { hash: "#/problems", whole: ".file-problems" },
  { hash: "#/apis/shop", whole: ".table" },
  { hash: "#/apis/mail", whole: ".table" },
  { hash: `#/apis/shop/operations/PATCH/${order}`, whole: ".send-form" },
  { hash: "#/apis/shop/environments", whole: ".env-value" },
  { hash: "#/apis/legacy/environments", whole: ".env-value" },
  { hash: "#/apis/mail/environments", whole: ".env-empty-actions" },
  { hash: "#/apis/shop/environment-text/staging", whole: ".cm-content" },
  { hash: "#/apis/shop/requests/orders/gift", whole: ".send-form" },
  { hash: "#/workflows/checkout", whole: ".wf-row", tab: "Editor" },
  { hash: "#/workflows/checkout", whole: ".cm-content", tab: "JSON" },
  { hash: "#/workflows/checkout", whole: ".run-button", tab: "Runs" },
  { hash: "#/workflows/kinds", whole: ".report-row", tab: "Runs" },
  { hash: "#/workflows/returns", whole: ".script-used > *", tab: "Scripts" },
  { hash: "#/workflows/broken", whole: ".cm-content" },
  { hash: "#/workflows/returns/scripts/checks", whole: ".cm-content" },
  { hash: "#/workflows/nothing", whole: "h1" },
]

interface Shift {
  readonly score: number
  readonly moved: readonly string[]
}

describe.runIf(hasBrowser)("the layout", () => {
  const { open } = useBrowser()
  let project: ViewsProject
  let page: Page
  let pending: Set<Request>
  beforeAll(async () => {
    project = await startViewsProject()
  })
  afterAll(() => project.close())

  it("moves nothing that is shown while the rest of a view is read, cold and warm", async () => {
    page = await open(await project.link(), { expected: /Failed to load resource/ })
    pending = watchCalls(page)
    await page.addInitScript(observeShifts)
    await page.reload()
    await runOnce("kinds")
    const found: string[] = []
    const look = async (how: string, { hash, whole, tab = "" }: MainView): Promise<void> => {
      await settled(whole)
      for (const { score, moved } of await takeShifts())
        found.push(`${hash} ${tab} ${how}: ${score.toFixed(4)} ${moved.join(" | ")}`)
    }
    for (const view of mainViews) {
      await showPlace(page, view.hash)
      if (view.tab !== undefined) await toTab(page, view.tab)
      // Of those that a reload cuts off, nothing is told.
      pending.clear()
      await page.reload()
      await look("cold", view)
      await showPlace(page, view.hash === "#/" ? "#/problems" : "#/")
      await settled("h1")
      await takeShifts()
      await showPlace(page, view.hash)
      await look("warm", view)
    }
    expect(found).toEqual([])
  }, 120_000)

  const takeShifts = (): Promise<readonly Shift[]> =>
    page.evaluate(() => (globalThis as unknown as { readonly shifts: Shift[] }).shifts.splice(0))

  /** All that it asked the server for is answered, and shown. */
  async function settled(selector: string): Promise<void> {
    await page.locator(selector).first().waitFor({ state: "attached" })
    await expect
      .poll(
        async () => {
          const before = pending.size
          await page.evaluate(framesLater)
          return before + pending.size
        },
        { timeout: 10_000, interval: 1 },
      )
      .toBe(0)
  }

  async function runOnce(workflow: string): Promise<void> {
    await showPlace(page, `#/workflows/${workflow}`)
    await toTab(page, "Runs")
    await page.getByLabel("legacy environment").selectOption("local")
    await page.keyboard.press("Control+Enter")
    await page.getByText(/^The run has ended/).waitFor({ state: "attached" })
  }
})

/** Those that the server has not answered yet; its stream of events is none of them. */
function watchCalls(page: Page): Set<Request> {
  const calls = new Set<Request>()
  page.on("request", (request) => {
    if (new URL(request.url()).pathname.startsWith("/api/")) calls.add(request)
  })
  page.on("requestfinished", (request) => calls.delete(request))
  page.on("requestfailed", (request) => calls.delete(request))
  return calls
}

/** In the page. */
function observeShifts(): void {
  const shifts: Shift[] = []
  const words = ({ node, previousRect, currentRect }: LayoutShiftSource): string => {
    const name = node instanceof Element ? `${node.tagName.toLowerCase()}.${node.className}` : "text"
    const [from, to] = [previousRect, currentRect].map(
      ({ x, y, width, height }) => `${x},${y} ${width}x${height}`,
    )
    return `${name} ${from ?? ""} -> ${to ?? ""}`
  }
  // The code editor takes one element for the marks of other lines as it lays out more of them.
  const isMoved = ({ previousRect }: LayoutShiftSource): boolean => previousRect.width > 16
  new PerformanceObserver((list) => {
    for (const { value, sources } of list.getEntries() as unknown as readonly LayoutShiftEntry[]) {
      const moved = sources.filter(isMoved)
      if (moved.length > 0) shifts.push({ score: value, moved: moved.map(words) })
    }
  }).observe({ type: "layout-shift", buffered: true })
  Object.assign(globalThis, { shifts })
}

interface LayoutShiftSource {
  readonly node?: Node
  readonly previousRect: DOMRect
  readonly currentRect: DOMRect
}

interface LayoutShiftEntry {
  readonly value: number
  readonly sources: readonly LayoutShiftSource[]
}

/** In the page: what is known by now is painted, and the shift told that it has made. */
const framesLater = (): Promise<void> =>
  new Promise((resolve) => {
    requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(() => resolve())))
  })
