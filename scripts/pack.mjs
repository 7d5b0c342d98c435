// Packs the published packages into `dist-packages`: `npm run pack` builds them first.

import { rm, stat } from "node:fs/promises"
import { basename } from "node:path"
import { fileURLToPath } from "node:url"
import { packAll } from "./packages.mjs"

const to = fileURLToPath(new URL("../dist-packages", import.meta.url))
await rm(to, { recursive: true, force: true })
for (const { path } of await packAll({ to })) {
  const { size } = await stat(path)
  process.stdout.write(`${basename(path)}: ${Math.ceil(size / 1024)} KiB\n`)
}
