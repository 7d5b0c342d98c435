// Waits for what happens elsewhere in the process, and gives up with a failed test.

import { expect } from "vitest"

const PATIENCE_MS = 10_000

/** Fulfilled as soon as it is true. */
export async function until(isTrue: () => boolean): Promise<void> {
  const end = performance.now() + PATIENCE_MS
  while (!isTrue() && performance.now() < end) await new Promise((resolve) => setTimeout(resolve, 5))
  expect(isTrue()).toBe(true)
}
