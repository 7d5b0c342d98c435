// Waits for something elsewhere in the process, and fails the test if it takes too long.

import { expect } from "vitest"

const PATIENCE_MS = 10_000

/** Resolves when the condition is true. */
export async function until(isTrue: () => boolean): Promise<void> {
  const end = performance.now() + PATIENCE_MS
  while (!isTrue() && performance.now() < end) await new Promise((resolve) => setTimeout(resolve, 5))
  expect(isTrue()).toBe(true)
}
