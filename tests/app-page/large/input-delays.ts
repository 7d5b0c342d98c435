// Measures how long the page takes to respond to a key.

import type { Page } from "playwright-core"
import { expect } from "vitest"

/** The time from a key to the next paint, as the browser measures it: in steps of 8 ms. */
const watchDelays = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const delays: number[] = []
    Object.assign(window, { delays })
    new PerformanceObserver((list) =>
      delays.push(...list.getEntries().map(({ duration }) => duration)),
    ).observe({
      type: "event",
      durationThreshold: 16,
    } as PerformanceObserverInit)
  })

/** Returns all events since then. */
const readDelays = async (page: Page): Promise<readonly number[]> => {
  await page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
  )
  return page.evaluate(() => (window as unknown as { delays: number[] }).delays)
}

/** Prints the longest time from a key to the next paint, at most 100 ms on an idle machine. */
export async function expectNoDelay(page: Page, what: string, act: () => Promise<void>): Promise<void> {
  await watchDelays(page)
  await act()
  const longest = Math.max(0, ...(await readDelays(page)))
  process.stdout.write(`Input delay while ${what}: at most ${longest} ms\n`)
  expect(longest, what).toBeLessThanOrEqual(100)
}
