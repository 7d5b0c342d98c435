// The slow proofs: `npm run test:endurance -- [inputs|secrets|kills|writers] [--seed N] [--count N] [--only INDEX]`.
// Bundles the TypeScript next to it into a temporary directory, because Node 20 can't run it, and removes that
// directory at the end.

import { rmSync } from "node:fs"
import { copyFile, mkdtemp } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { rolldown } from "rolldown"

const here = fileURLToPath(new URL(".", import.meta.url))
const root = fileURLToPath(new URL("../..", import.meta.url))
process.env.CALLSHEET_PROGRAM ??= join(root, "packages/cli/bin/callsheet.js")

const folder = await mkdtemp(join(tmpdir(), "callsheet-endurance-"))
process.on("exit", () => rmSync(folder, { recursive: true, force: true }))
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(130))

const bundle = await rolldown({
  cwd: root,
  input: Object.fromEntries(
    ["endurance", "input-worker", "writer"].map((name) => [name, join(here, `${name}.ts`)]),
  ),
  platform: "node",
  logLevel: "silent",
})
await bundle.write({ dir: join(folder, "bundle"), format: "esm", entryFileNames: "[name].mjs" })
await bundle.close()
await copyFile(join(here, "kill-at.cjs"), join(folder, "kill-at.cjs"))

const { endure } = await import(pathToFileURL(join(folder, "bundle/endurance.mjs")).href)
process.exitCode = await endure(process.argv.slice(2), { root, folder })
