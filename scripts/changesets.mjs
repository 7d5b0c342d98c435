// Runs changesets, which records changes and decides the next version: `npm run changeset`.

import { spawn } from "node:child_process"
import { fileURLToPath } from "node:url"
import { shell } from "./npm.mjs"
import { root } from "./repository.mjs"

/** Only releases need it, so npm fetches it when it is used. Version 3 needs a newer Node than we do. */
const TOOL = "@changesets/cli@2.29.7"

export function runChangesets(words) {
  return runNpm(["exec", "--yes", "--ignore-scripts", `--package=${TOOL}`, "--", "changeset", ...words])
}

/** Runs npm in the repository, with its questions. Rejects if it fails. */
export function runNpm(words, environment = process.env) {
  const child = spawn("npm", words, { cwd: root, env: environment, stdio: "inherit", shell })
  return new Promise((resolve, reject) => {
    child.once("error", reject)
    child.once("close", (code) =>
      code === 0 ? resolve() : reject(new Error(`npm ${words.join(" ")} ended with ${code}`)),
    )
  })
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await runChangesets(process.argv.slice(2))
