// Tests of the built command, with the single executable of this system. They need `strip`, and npm for its Node.

import { defineConfig } from "vitest/config"

export default defineConfig({
  test: {
    include: [
      "tests/executable/*.check.ts",
      "tests/{commands,lsp,mcp,mock,replay,run,script-types,snapshots,traces}/**/*.test.ts",
      "tests/app-server/command.test.ts",
      "tests/import/*.test.ts",
    ],
    exclude: [
      "**/node_modules/**",
      // They change a copy of the installed package, or need one to import.
      "tests/commands/{code-cache,completion,prepare-function,run-function}.test.ts",
      "tests/lsp/neovim/**",
      "tests/mcp/protocol.test.ts",
      // They take minutes, and ask what doesn't depend on how callsheet is installed.
      "tests/import/hostile-size.test.ts",
      "tests/script-types/editor*",
    ],
    globalSetup: ["tests/build-before-tests.ts", "tests/executable/build-executable.ts"],
    testTimeout: 60_000,
    hookTimeout: 300_000,
    maxWorkers: 2,
  },
})
