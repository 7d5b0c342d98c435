// Bundles the command, the programmatic entry and the script process into packages/cli/dist, with what they need beside them.

import { cp, rm } from "node:fs/promises"
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
    "script-child": `${root}packages/engine/src/node/script/child.ts`,
  },
  platform: "node",
  // jiti finds its own parts by their place on disk.
  external: ["jiti", "@callsheet/sdk"],
  // jsonc-parser's "main" is a UMD file that the bundler cannot see through.
  resolve: { mainFields: ["module", "main"] },
})
await bundle.write({
  dir: `${cli}/dist`,
  format: "esm",
  entryFileNames: "[name].js",
  // One folder for all, so that `./script-child.js` is right from every chunk.
  chunkFileNames: "[name]-[hash].js",
})
await bundle.close()
await cp(`${root}examples/shop`, `${cli}/dist/examples/shop`, { recursive: true })
