// Opens the page in a browser that each test worker starts once, and fails a test if the page reports an error.

import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import type axe from "axe-core"
import type { Browser, BrowserContextOptions, Page } from "playwright-core"
import { afterEach, beforeAll, expect } from "vitest"
import { launchBrowser } from "./chromium.ts"

export interface OpenOptions extends BrowserContextOptions {
  /** Errors that the test expects from the browser. */
  readonly expected?: RegExp
}

export interface TestBrowser {
  /** Opens the page in a new browser profile. */
  readonly open: (link: string, options?: OpenOptions) => Promise<Page>
  readonly browser: () => Browser
}

/** A long limit, because a busy machine is slow. Only a failing test waits that long. */
const PATIENCE_MS = 60_000

// Files of this directory share their modules in a worker (vitest.config.ts). Playwright stops the browser with the
// process.
let browser: Browser | undefined

/** Call it at the top of a test file. */
export function useBrowser(): TestBrowser {
  let faults: string[] = []
  const started = (): Browser => {
    if (browser === undefined) throw new Error("the browser is started before the first test")
    return browser
  }
  beforeAll(async () => {
    if (browser?.isConnected() !== true) browser = await launchBrowser()
  }, 120_000)
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
    context.setDefaultTimeout(PATIENCE_MS)
    const page = await context.newPage()
    watch(page, (fault) => {
      if (expected?.test(fault) !== true) faults.push(fault)
    })
    await enter(page, link)
    return page
  }
  return { open, browser: started }
}

/** Opens the link. If the page is reloaded before it has its key, the link is used up. */
async function enter(page: Page, link: string): Promise<void> {
  if (!link.includes("#link=")) return void (await page.goto(link))
  const opening = page.waitForResponse((response) => response.url().endsWith("/session"))
  await page.goto(link)
  if (!(await opening).ok()) return
  // A function, because the page's policy stops a text that is evaluated again.
  await page.waitForFunction(isKeyKept)
}

function isKeyKept(): boolean {
  try {
    const storage: unknown = Reflect.get(globalThis, "sessionStorage")
    return storage instanceof Object && "callsheet-key" in storage
  } catch {
    return true
  }
}

/** Console errors (a Content-Security-Policy violation is one), and uncaught errors. */
function watch(page: Page, report: (fault: string) => void): void {
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning")
      report(`${message.type()}: ${message.text()} ${message.location().url}`)
  })
  page.on("pageerror", (error) => report(`uncaught: ${error.message}`))
  page.on("crash", () => report("the page crashed"))
}

const axeSource = readFileSync(fileURLToPath(import.meta.resolve("axe-core/axe.min.js")), "utf8")
const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]

interface AxeSelection {
  /** The sidebar is the same in most views, and checking it takes most of the time. */
  readonly withSidebar?: boolean
  /** Runs only the rules about colors, for the second theme of a page that was already checked with all rules. */
  readonly onlyColors?: boolean
}

export type Theme = "dark" | "light"

/** Checks themes in one page, which changes its theme with the system. Each violation names its theme. */
export async function axeFindingsInThemes(
  page: Page,
  selection: AxeSelection = {},
  themes: readonly Theme[] = ["dark", "light"],
): Promise<readonly string[]> {
  const found: string[] = []
  for (const [at, colorScheme] of themes.entries()) {
    await page.emulateMedia({ colorScheme })
    // Rules that don't read colors have the same results in each theme.
    const findings = await axeFindings(page, { ...selection, onlyColors: at > 0 })
    found.push(...findings.map((finding) => `${colorScheme}: ${finding}`))
  }
  return found
}

/** The axe violations of the visible page, as lines: WCAG 2.2 up to AA, and best practices. */
export async function axeFindings(page: Page, selection: AxeSelection = {}): Promise<readonly string[]> {
  const { withSidebar = false, onlyColors = false } = selection
  const colorRules = { type: "rule" as const, values: ["color-contrast", "link-in-text-block"] }
  const options: axe.RunOptions = { runOnly: onlyColors ? colorRules : tags, resultTypes: ["violations"] }
  // A modal dialog makes everything around it inert, and the views around it are checked without one.
  const include = (await page.locator("dialog[open]").count()) > 0 ? "dialog[open]" : "html"
  const context = { include: [include], exclude: withSidebar ? [] : [".sidebar"] }
  // A page keeps axe until it is reloaded.
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(axeSource)
  const { violations } = await page.evaluate(
    ([context, options]) => (globalThis as unknown as { axe: typeof axe }).axe.run(context, options),
    [context, options] as const,
  )
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${help}: ${target.join(" ")} ${failureSummary ?? ""}`),
  )
}
