// Gives all packages the next version and writes the changelog: `npm run version`. The first release has the version that
// the packages have already, and the changes under "Unreleased".

import { readFile, readdir, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { runChangesets } from "./changesets.mjs"
import { runNpm } from "./npm.mjs"
import { readJson, root } from "./repository.mjs"

const changelog = join(root, "CHANGELOG.md")
/** Pages that name the version to install. */
const pages = ["docs/start/install.md", "docs/guide/ci.md"].map((page) => join(root, page))
/** What Keep a Changelog calls the changes of each kind of version. */
const headings = { "Major Changes": "Changed", "Minor Changes": "Added", "Patch Changes": "Fixed" }
const readVersion = async () => (await readJson(join(root, "packages/cli/package.json"))).version

const before = await readVersion()
const today = new Date().toISOString().slice(0, 10)
await edit(changelog, (text) => text.replace(/^## Unreleased \((.+)\)$/m, `## $1 (${today})`))
await runChangesets(["version"])
const version = await readVersion()
if (version !== before) {
  const changes = await takeChanges()
  await edit(changelog, (text) =>
    text.replace(/^## /m, () => `## ${version} (${today})\n\n${changes}\n\n## `),
  )
  // Not as a part of another version.
  const named = new RegExp(`(?<!\\d)${before.replaceAll(".", "\\.")}`, "g")
  for (const page of pages) await edit(page, (text) => text.replaceAll(named, version))
  await runNpm(["install", "--package-lock-only", "--ignore-scripts"])
}
process.stdout.write(`the next release is ${version}\n`)

/** Returns the changes that changesets wrote into the changelog of `callsheet`, and removes that of each package. */
async function takeChanges() {
  const text = await readFile(join(root, "packages/cli/CHANGELOG.md"), "utf8")
  const [, section = ""] = text.split(/^## .*\n/m)
  for (const name of await readdir(join(root, "packages")))
    await rm(join(root, "packages", name, "CHANGELOG.md"), { force: true })
  return section.trim().replaceAll(/^### (.+)$/gm, (line, kind) => `### ${headings[kind] ?? kind}`)
}

async function edit(path, change) {
  await writeFile(path, change(await readFile(path, "utf8")))
}
