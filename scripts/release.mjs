// Packs and publishes all packages: `npm run release` builds them first. Can be repeated.

import { fileURLToPath } from "node:url"
import { packAll, publishAll } from "./packages.mjs"

const archives = await packAll({ to: fileURLToPath(new URL("../dist-packages", import.meta.url)) })
const published = await publishAll(archives)
for (const { name, version } of archives)
  process.stdout.write(
    `${name} ${version} ${published.includes(name) ? "is published" : "was published before"}\n`,
  )
