// Separate from the other tests: it installs VitePress and builds the whole site.

import { defineConfig } from "vitest/config"

export default defineConfig({ test: { include: ["tests/docs/site.check.ts"] } })
