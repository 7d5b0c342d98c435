// Packs the published packages into `dist-packages`: `npm run pack` builds them first. `npm run pack -- 0.0.0` gives them
// another version.

import { stat } from "node:fs/promises"
import { basename } from "node:path"
import { packAll } from "./packages.mjs"

const [, , version] = process.argv
for (const { path } of await packAll({ version })) {
  const { size } = await stat(path)
  process.stdout.write(`${basename(path)}: ${Math.ceil(size / 1024)} KiB\n`)
}
