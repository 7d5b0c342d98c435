// How long the page takes to answer what is typed.

import type { Page } from "playwright-core"
import { expect } from "vitest"

/** From a key to the next paint, as the browser counts it: in steps of 8 ms. */
export const watchDelays = (page: Page): Promise<void> =>
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

/** Of all events since then. */
export const readDelays = async (page: Page): Promise<readonly number[]> => {
  await page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
  )
  return page.evaluate(() => (window as unknown as { delays: number[] }).delays)
}

/** Prints the longest delay of an act. The bound is generous: a busy machine takes many times as long. */
export async function printDelay(page: Page, what: string, act: () => Promise<void>): Promise<void> {
  await watchDelays(page)
  await act()
  const longest = Math.max(0, ...(await readDelays(page)))
  process.stdout.write(`Input delay while ${what}: at most ${longest} ms\n`)
  expect(longest).toBeLessThan(1500)
}
