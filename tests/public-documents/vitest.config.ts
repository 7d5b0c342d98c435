// Apart from the other tests: this fetches some 50 MB and takes minutes of CPU time.

import { defineConfig } from "vitest/config"

export default defineConfig({
  test: {
    include: ["tests/public-documents/public-documents.check.ts"],
    testTimeout: 120_000,
    hookTimeout: 600_000,
  },
})
