// Bundles the command, the programmatic entry and the script process into packages/cli/dist.

import { rm } from "node:fs/promises"
import { fileURLToPath } from "node:url"
import { rolldown } from "rolldown"

const root = fileURLToPath(new URL("..", import.meta.url))
const cli = `${root}packages/cli`

await rm(`${cli}/dist`, { recursive: true, force: true })
const bundle = await rolldown({
  cwd: root,
  input: {
    main: `${cli}/src/main.ts`,
    index: `${cli}/src/index.ts`,
  },
  platform: "node",
  external: ["jiti", "@callsheet/sdk"],
  // jsonc-parser's "main" is a UMD file that the bundler cannot see through.
  resolve: { mainFields: ["module", "main"] },
})
await bundle.write({
  dir: `${cli}/dist`,
  format: "esm",
  entryFileNames: "[name].js",
  chunkFileNames: "chunks/[name]-[hash].js",
})
await bundle.close()
