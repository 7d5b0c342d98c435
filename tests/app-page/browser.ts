// Opens the page in a browser that a file of tests starts once, and fails a test in which the page reports anything wrong.

import { AxeBuilder } from "@axe-core/playwright"
import type { Browser, BrowserContextOptions, Page } from "playwright-core"
import { afterAll, afterEach, beforeAll, expect } from "vitest"
import { launchBrowser } from "./chromium.ts"

interface OpenOptions extends BrowserContextOptions {
  /** What the browser may report, because the test wants it to happen. */
  readonly expected?: RegExp
}

export interface TestBrowser {
  /** In a fresh profile. */
  readonly open: (link: string, options?: OpenOptions) => Promise<Page>
  readonly browser: () => Browser
}

/** To be called at the top of a file of tests. */
export function useBrowser(): TestBrowser {
  let browser: Browser | undefined
  let faults: string[] = []
  const started = (): Browser => {
    if (browser === undefined) throw new Error("the browser is started before the first test")
    return browser
  }
  beforeAll(async () => {
    browser = await launchBrowser()
  }, 120_000)
  afterAll(() => browser?.close())
  afterEach(async () => {
    await Promise.all(
      started()
        .contexts()
        .map((context) => context.close()),
    )
    const found = faults
    faults = []
    expect(found, "what the page reported").toEqual([])
  })
  const open = async (link: string, { expected, ...options }: OpenOptions = {}): Promise<Page> => {
    const context = await started().newContext({ viewport: { width: 1280, height: 800 }, ...options })
    const page = await context.newPage()
    watch(page, (fault) => {
      if (expected?.test(fault) !== true) faults.push(fault)
    })
    await page.goto(link)
    return page
  }
  return { open, browser: started }
}

/** Errors in the console (a break of the Content-Security-Policy is one), and errors that nobody caught. */
function watch(page: Page, report: (fault: string) => void): void {
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning")
      report(`${message.type()}: ${message.text()} ${message.location().url}`)
  })
  page.on("pageerror", (error) => report(`uncaught: ${error.message}`))
  page.on("crash", () => report("the page crashed"))
}

const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]

/**
 * What axe finds wrong with what is shown, as lines: by the rules of WCAG 2.2 up to AA, and by its best practices.
 * What `except` selects is not looked at.
 */
export async function axeFindings(page: Page, except?: string): Promise<readonly string[]> {
  // The page has no frames, for which axe would open another page each time.
  const axe = new AxeBuilder({ page }).setLegacyMode()
  if (except !== undefined) axe.exclude(except)
  const { violations } = await axe.options({ runOnly: tags, resultTypes: ["violations"] }).analyze()
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${help}: ${target.join(" ")} ${failureSummary ?? ""}`),
  )
}
