// No layout shift: space is reserved for content that loads later, in every main view, on a fresh load and on
// navigation.

import type { Page, Request } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { useBrowser } from "./browser.ts"
import { hasBrowser } from "./chromium.ts"
import { chooseEnvironment, showPlace } from "./edit-project.ts"
import { toTab } from "./views/shown-view.ts"
import { startViewsProject, type ViewsProject } from "./views/views-project.ts"

interface MainView {
  readonly hash: string
  /** Selects an element that exists when the view is complete. */
  readonly whole: string
  readonly tab?: string
}

const order = encodeURIComponent("/orders/{orderId}")

const mainViews: readonly MainView[] = [
  { hash: "#/", whole: ".problem" },
  { hash: "#/problems", whole: ".file-problems" },
  { hash: "#/apis/shop", whole: ".table" },
  { hash: "#/apis/mail", whole: ".table" },
  { hash: `#/apis/shop/operations/PATCH/${order}`, whole: ".send-bar" },
  { hash: "#/apis/shop/environments", whole: ".env-value" },
  { hash: "#/apis/legacy/environments", whole: ".env-value" },
  { hash: "#/apis/mail/environments", whole: ".env-empty-actions" },
  { hash: "#/apis/shop/environment-text/staging", whole: ".cm-content" },
  { hash: "#/apis/shop/requests/orders/gift", whole: ".send-bar" },
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

  it("shifts nothing while the rest of a view loads, cold and warm", async () => {
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
      // Requests that a reload aborts get no event.
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
  })

  const takeShifts = (): Promise<readonly Shift[]> =>
    page.evaluate(() => (globalThis as unknown as { readonly shifts: Shift[] }).shifts.splice(0))

  /** Every request has its response, and its content is shown. */
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
    await chooseEnvironment(page, "local")
    await page.keyboard.press("Control+Enter")
    await page.getByText(/^The run has ended/).waitFor({ state: "attached" })
  }
})

/** Requests without a response so far, except the event stream. */
function watchCalls(page: Page): Set<Request> {
  const calls = new Set<Request>()
  page.on("request", (request) => {
    if (new URL(request.url()).pathname.startsWith("/api/")) calls.add(request)
  })
  page.on("requestfinished", (request) => calls.delete(request))
  page.on("requestfailed", (request) => calls.delete(request))
  return calls
}

/** Runs in the page. */
function observeShifts(): void {
  const shifts: Shift[] = []
  const words = ({ node, previousRect, currentRect }: LayoutShiftSource): string => {
    const name = node instanceof Element ? `${node.tagName.toLowerCase()}.${node.className}` : "text"
    const [from, to] = [previousRect, currentRect].map(
      ({ x, y, width, height }) => `${x},${y} ${width}x${height}`,
    )
    return `${name} ${from ?? ""} -> ${to ?? ""}`
  }
  // The code editor moves an element with marks of other lines when it lays out more of them.
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

/** Runs in the page: paints the current state, and reports its layout shift. */
const framesLater = (): Promise<void> =>
  new Promise((resolve) => {
    requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(() => resolve())))
  })
