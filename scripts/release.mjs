// Publishes what `npm run pack` packed: `npm run release`. Can be repeated. Needs nothing but Node and npm.

import { findArchives, publishAll } from "./packages.mjs"

const archives = await findArchives()
const published = await publishAll(archives)
for (const { name, version } of archives)
  process.stdout.write(
    `${name} ${version} ${published.includes(name) ? "is published" : "was published before"}\n`,
  )
