// Packs the published packages into `dist-packages`: `npm run pack` builds them first.

import { stat } from "node:fs/promises"
import { basename } from "node:path"
import { packAll } from "./packages.mjs"

for (const { path } of await packAll()) {
  const { size } = await stat(path)
  process.stdout.write(`${basename(path)}: ${Math.ceil(size / 1024)} KiB\n`)
}
