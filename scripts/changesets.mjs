// Runs changesets, which records changes and decides the next version: `npm run changeset`.

import { fileURLToPath } from "node:url"
import { runNpm } from "./npm.mjs"

/** Only releases need it, so npm fetches it when it is used. Version 3 needs a newer Node than we do. */
const TOOL = "@changesets/cli@2.29.7"

export function runChangesets(words) {
  return runNpm(["exec", "--yes", "--ignore-scripts", `--package=${TOOL}`, "--", "changeset", ...words])
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await runChangesets(process.argv.slice(2))
