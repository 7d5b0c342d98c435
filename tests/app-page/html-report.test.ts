// The page of `--reporter html` in a browser: from disk, with scripts and styles blocked, and on a phone.

import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import type { RunEvent } from "@callsheet/format"
import type { Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { writeHtml } from "../../packages/cli/src/reporters/html/html.ts"
import { exampleRun, render, RunRecorder } from "../../packages/cli/src/reporters/testing/example-run.ts"
import { axeFindings, axeFindingsInThemes, useBrowser } from "./browser.ts"
import { hasBrowser } from "./chromium.ts"

/** Two runs, documented operations, and a long word in every place. */
function events(): RunEvent[] {
  const long = "w".repeat(300)
  const second = new RunRecorder({ run: 1, workflow: `catalog-${long}`, inputs: { text: long } })
  second.warn({
    code: "level-unset",
    message: `no level ${long}`,
    file: `apis/${long}.json`,
    line: 1,
    column: 1,
  })
  const block = second.start("request", `products-${long}`)
  second.add(block, {
    type: "request.sent",
    request: { method: "GET", url: `http://h/${long}`, headers: { [long]: long } },
  })
  const response = {
    status: 500,
    headers: { [long]: long },
    body: { [long]: long },
    durationMs: 9,
    sizeBytes: 700,
  }
  const answers = { api: "shop", name: "listProducts", method: "GET", path: `/${long}` }
  second.add(block, { type: "response.received", response, answers })
  const operations = [
    { name: "listProducts", method: "GET", path: `/${long}`, answers: [{ status: "200", mediaTypes: [] }] },
    { name: "createOrder", method: "POST", path: "/orders", answers: [{ status: "201", mediaTypes: [] }] },
  ]
  const problems = [{ path: `/body/${long}`, message: `no ${long}`, file: `apis/${long}.json`, line: 3 }]
  second.add(block, { type: "contract.checked", contract: { status: "failed", problems } })
  second.finish(block, {
    status: "failed",
    error: { code: "contract-broken", message: `no ${long}`, file: `${long}.json`, line: 2, column: 3 },
  })
  const leftovers = [{ api: "shop", url: `http://h/${long}`, operation: "POST /orders" }]
  const [started, ...rest] = second.end({ status: "failed" })
  return [
    ...exampleRun(),
    ...(started === undefined ? [] : [started]),
    { type: "api.documented", run: 1, api: "shop", operations },
    ...rest,
    { type: "leftovers.found", run: 0, leftovers },
  ]
}

describe.runIf(hasBrowser)("the HTML report", () => {
  const { open } = useBrowser()
  const folder = mkdtempSync(join(tmpdir(), "callsheet-html-"))
  const file = join(folder, "report.html")
  const link = pathToFileURL(file).href
  const html = render(writeHtml, events())
  let server: Server
  let jenkins: string
  beforeAll(async () => {
    writeFileSync(file, html)
    // The policy with which Jenkins serves build artifacts.
    const policy = "sandbox allow-same-origin; default-src 'none'; img-src 'self'; style-src 'self';"
    server = createServer((_, response) =>
      response.setHeader("content-security-policy", policy).setHeader("content-type", "text/html").end(html),
    )
    await new Promise<void>((resolve) => {
      server.listen(0, "127.0.0.1", resolve)
    })
    jenkins = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  })
  afterAll(() => {
    server.close()
    rmSync(folder, { recursive: true, force: true })
  })

  const visible = (page: Page, selector: string) => page.locator(selector).filter({ visible: true })
  const overflow = (page: Page): Promise<number> =>
    page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)

  it("has no axe violation with everything unfolded, light and dark, wide and on a phone", async () => {
    const page = await open(link)
    await page.evaluate(() => document.querySelectorAll("details").forEach((fold) => (fold.open = true)))
    expect(await axeFindingsInThemes(page)).toEqual([])
    await page.setViewportSize({ width: 390, height: 800 })
    expect(await axeFindings(page)).toEqual([])
  })

  // The fonts of a machine differ in width.
  it.each([0, 0.1])("never scrolls sideways, not even on a phone, with letters %d em apart", async (gap) => {
    const page = await open(link)
    await page.evaluate((spacing) => {
      for (const element of document.querySelectorAll<HTMLElement>("*"))
        element.style.letterSpacing = `${spacing}em`
    }, gap)
    await page.evaluate(() => document.querySelectorAll("details").forEach((fold) => (fold.open = true)))
    for (const width of [1280, 768, 390, 320]) {
      await page.setViewportSize({ width, height: 800 })
      expect(await overflow(page), `${width} px`).toBe(0)
    }
  })

  it("gives each figure its own space, and the timeline its width and an axis, in windows of 1024 to 1920 px", async () => {
    const page = await open(link)
    await page.locator("#timeline summary").first().click()
    for (const width of [1024, 1440, 1920]) {
      await page.setViewportSize({ width, height: 900 })
      const wider = () =>
        page.evaluate(() =>
          [...document.querySelectorAll(".tiles > div")]
            .filter((tile) => tile.scrollWidth > tile.clientWidth)
            .map((tile) => tile.textContent),
        )
      await expect.poll(wider, { message: `${width} px` }).toEqual([])
      const bars = page.locator(".timeline").first().getByRole("row").first().locator("svg")
      await bars.getByText(/^0 ms$/).waitFor()
      const widthOf = async (part: typeof bars) => (await part.boundingBox())?.width ?? 0
      await expect
        .poll(async () => (await widthOf(bars)) / (await widthOf(page.locator(".timeline").first())))
        .toBeGreaterThan(0.4)
    }
  })

  it("keeps the status and the links to its parts in view", async () => {
    const page = await open(link)
    await page.getByRole("link", { name: /^Runs/ }).click()
    expect(await page.getByRole("heading", { name: /^Runs/, level: 2 }).boundingBox()).toMatchObject({
      y: expect.closeTo(80, -2) as number,
    })
    expect((await page.getByRole("navigation").boundingBox())?.y).toBeLessThan(20)
    await expect.poll(() => page.getByRole("navigation").innerText()).toContain("✗ 2 of 2 workflows")
  })

  it("filters by status and by text, and unfolds what matches", async () => {
    const page = await open(link)
    const list = "#runs li"
    const all = await visible(page, list).count()
    await page.getByLabel("Status").selectOption("failed")
    await page.getByText("4 matches").waitFor()
    await expect
      .poll(() => visible(page, list).allInnerTexts())
      .toEqual([expect.stringContaining("check-order"), expect.stringContaining("products-")])
    await page.getByLabel("Status").selectOption("")
    await page.keyboard.press("/")
    await page.keyboard.type("LINE-1")
    await page.getByText("1 match").waitFor()
    await expect
      .poll(() => visible(page, "#runs li").allInnerTexts())
      .toEqual([
        expect.stringMatching(/^✓ lines[\s\S]*line-1/),
        expect.stringMatching(/\[1\]/),
        expect.stringMatching(/^✓ line-1/),
      ])
    await expect.poll(() => visible(page, "#failures article").count()).toBe(0)
    await expect.poll(() => visible(page, ".timeline tbody tr").count()).toBe(1)
    await page.getByLabel("Search").fill("")
    await page.waitForFunction(() => document.querySelector("[role=status]")?.textContent === "")
    await expect.poll(() => visible(page, list).count()).toBe(all)
  })

  it("opens the run of a link to one of its failures", async () => {
    const page = await open(link)
    await page.locator("#runs").getByRole("link", { name: "check-order" }).click()
    expect(page.url()).toMatch(/#f1$/)
    expect(await page.locator("#f1").boundingBox()).toMatchObject({ y: expect.closeTo(64, -2) as number })
  })

  it("reads with styles and scripts blocked, as Jenkins serves it", async () => {
    const expected = /Content Security Policy|script|sandbox/
    const page = await open(jenkins, { expected })
    expect(await page.evaluate(() => getComputedStyle(document.body).fontFamily)).not.toContain("system-ui")
    await expect
      .poll(() => page.getByRole("heading", { level: 2 }).allInnerTexts())
      .toEqual(["Failures 2", "Warnings 2", "Leftovers 1", "Runs 2", "Timeline", "Coverage"])
    await expect.poll(() => page.getByRole("search").count()).toBe(0)
    await expect.poll(() => page.locator("#f1").innerText()).toContain("✗ checkout › check-order")
    await page.locator("#timeline summary").first().click()
    const [row] = await page.getByRole("row", { name: /line-1/ }).all()
    await expect.poll(() => row?.getByRole("cell").allInnerTexts()).toEqual(["48 ms", "12 ms", ""])
    await expect.poll(() => visible(page, "svg rect").count()).toBeGreaterThan(5)
  })

  it("has no axe violation without its style", async () => {
    const page = await open(link)
    await page.evaluate(() => document.querySelector("style")?.remove())
    const findings = await axeFindings(page)
    // The browser's own style has small lines.
    expect(findings.filter((finding) => !finding.startsWith("target-size"))).toEqual([])
  })

  it("reads without JavaScript, and offers no filter then", async () => {
    const page = await open(link, { javaScriptEnabled: false })
    await expect.poll(() => page.getByRole("search").count()).toBe(0)
    await page.getByText("catalog-").first().waitFor()
  })

  it("runs nothing that a server sent", async () => {
    const attack = `</script></style><img src=x onerror="document.title='pwned'"><script>document.title="pwned"</script>`
    const run = new RunRecorder({ workflow: attack })
    const block = run.start("request", attack)
    run.add(block, { type: "request.sent", request: { method: "GET", url: attack } })
    run.add(block, {
      type: "response.received",
      response: { status: 200, body: attack, durationMs: 1, sizeBytes: 9 },
    })
    run.finish(block)
    const hostile = join(folder, "hostile.html")
    writeFileSync(hostile, render(writeHtml, run.end()))
    const page = await open(pathToFileURL(hostile).href)
    await expect.poll(() => page.locator("img, script").count()).toBe(1)
    await expect
      .poll(() => page.getByRole("heading", { level: 1 }).innerText())
      .toContain("<img src=x onerror=")
    expect(await page.title()).not.toBe("pwned")
  })

  it("filters thousands of blocks", async () => {
    const run = new RunRecorder()
    for (let at = 0; at < 5000; at++) run.request(`block-${at}`, 200)
    const large = join(folder, "large.html")
    writeFileSync(large, render(writeHtml, run.end()))
    const page = await open(pathToFileURL(large).href)
    await page.locator("input").fill("block-4999")
    await page.waitForFunction(() => document.querySelector("[role=status]")?.textContent === "1 match")
    await expect.poll(() => page.locator("#runs li:not([hidden])").count()).toBe(1)
  })
})
