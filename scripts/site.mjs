// Builds the documentation of released versions into dist/site: `npm run site -- --base /callsheet/`. The newest version
// is at the root, and each other one in a directory such as v1.2. GitHub Pages replaces the whole site at once, so every
// release builds all versions again, each with its own VitePress. `--list` only prints them.

import { execFile } from "node:child_process"
import { cp, mkdir, mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs, promisify } from "node:util"
import { runNpm } from "./npm.mjs"
import { root } from "./repository.mjs"

const site = join(root, "dist/site")
const MAX_VERSIONS = 5
const run = promisify(execFile)

const { base, list } = parseArgs({
  options: { base: { type: "string", default: "/" }, list: { type: "boolean", default: false } },
}).values
if (!/^\/(?:\w[\w.-]*\/)*$/.test(base))
  throw new Error(`--base is ${base}; expected a path such as /callsheet/`)
const { stdout: tags } = await run("git", ["tag", "--list"], { cwd: root })
const versions = chooseVersions(tags.split("\n"))
if (versions.length === 0) throw new Error("no tag such as v1.2.3; run git fetch --tags")
if (list) for (const { version, path } of versions) process.stdout.write(`${version} ${base}${path}\n`)
else await buildAll()

async function buildAll() {
  const workshop = await mkdtemp(join(tmpdir(), "callsheet-site-"))
  try {
    await rm(site, { recursive: true, force: true })
    for (const version of versions) await build(version, workshop)
  } finally {
    await rm(workshop, { recursive: true, force: true })
  }
}

async function build({ version, path }, workshop) {
  const source = join(workshop, version)
  await mkdir(source)
  await run("git", ["archive", "--output", `${source}.tar`, `refs/tags/v${version}`, "docs"], { cwd: root })
  await run("tar", ["-xf", `${source}.tar`, "-C", source])
  const docs = join(source, "docs")
  const environment = {
    ...process.env,
    NODE_ENV: "production",
    SITE_VERSION: version,
    SITE_VERSIONS: JSON.stringify(versions),
  }
  await runNpm(["--prefix", docs, "ci", "--include=dev"], environment)
  await runNpm(["--prefix", docs, "run", "build", "--", "--base", base + path], environment)
  await cp(join(docs, ".vitepress/dist"), join(site, path), { recursive: true })
}

/**
 * Returns the newest patch of the last minor versions, newest first, with their paths below the base. Ignores tags that
 * aren't a release.
 */
function chooseVersions(tags) {
  const newestFirst = tags
    .filter((tag) => /^v(?:0|[1-9]\d*)(?:\.(?:0|[1-9]\d*)){2}$/.test(tag))
    .map((tag) => tag.slice(1))
    .sort((a, b) => b.localeCompare(a, "en", { numeric: true }))
  const byMinor = new Map()
  for (const version of newestFirst) {
    const minor = version.slice(0, version.lastIndexOf("."))
    if (!byMinor.has(minor)) byMinor.set(minor, version)
  }
  return [...byMinor]
    .slice(0, MAX_VERSIONS)
    .map(([minor, version], age) => ({ version, path: age === 0 ? "" : `v${minor}/` }))
}
