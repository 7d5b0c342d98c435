// The image, without Docker: it builds the same files (root on Debian, debootstrap, ten minutes at most).

import { defineConfig } from "vitest/config"

export default defineConfig({
  test: {
    include: ["tests/image/*.check.ts"],
    globalSetup: "tests/build-before-tests.ts",
    testTimeout: 120_000,
    hookTimeout: 900_000,
  },
})
