// Packs the packages that are published, from the last build, and publishes them. `npm run pack`, `npm run release`, the
// tests of the image and the rehearsal of a release use it.

import { cp, mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { npm } from "./npm.mjs"
import { readJson, root } from "./repository.mjs"

/** Where the archives are. The image is built from them, and releases publish them. */
const place = join(root, "dist-packages")

/**
 * Packs all published packages and returns their archives. A package is behind those that it depends on. The directory
 * `to` then has no other files. `version` replaces the version of all.
 */
export async function packAll({ to = place, version } = {}) {
  const packages = await findPublished(version)
  const stage = await mkdtemp(join(tmpdir(), "callsheet-pack-"))
  try {
    await stageAll(packages, stage)
    await rm(to, { recursive: true, force: true })
    await mkdir(to, { recursive: true })
    const staged = packages.map(({ manifest }) => `./${manifest.name}`)
    await npm(["pack", "--silent", "--pack-destination", resolve(to), ...staged], { folder: stage })
    return packages.map(({ manifest }) => archiveOf(manifest, to))
  } finally {
    await rm(stage, { recursive: true, force: true })
  }
}

/** Returns the archives that `npm run pack` wrote. */
export async function findArchives() {
  return (await findPublished()).map(({ manifest }) => archiveOf(manifest, place))
}

/** npm names the archive of `@callsheet/sdk` `callsheet-sdk-1.2.3.tgz`. */
function archiveOf({ name, version }, folder) {
  const file = `${name.replace("@", "").replace("/", "-")}-${version}.tgz`
  return { name, version, path: join(resolve(folder), file) }
}

/**
 * Publishes archives in their order, and returns the names of those that the registry didn't have. A release that was
 * interrupted continues where it ended.
 */
export async function publishAll(archives, environment = process.env) {
  const published = []
  for (const { name, version, path } of archives) {
    if (await isPublished({ name, version }, environment)) continue
    await npm(["publish", path], { environment })
    published.push(name)
  }
  return published
}

async function isPublished({ name, version }, environment) {
  try {
    const found = await npm(["view", `${name}@${version}`, "version"], { environment })
    return found.trim() === version
  } catch (error) {
    if (`${error.stderr}`.includes("E404")) return false
    throw error
  }
}

/** Copies what npm packs, with the published manifests. */
async function stageAll(packages, stage) {
  const folders = packages.map(({ folder }) => folder)
  const listed = await npm(["pack", "--dry-run", "--json", "--offline", ...folders])
  const archives = Object.values(JSON.parse(listed))
  for (const { folder, manifest } of packages) {
    const { files } = archives.find(({ name }) => name === manifest.name)
    const staged = join(stage, manifest.name)
    for (const { path } of files) await cp(join(folder, path), join(staged, path))
    await writeFile(join(staged, "package.json"), `${JSON.stringify(manifest, undefined, 2)}\n`)
  }
}

/** Returns the packages that are not private, dependencies first, with the manifests that are published. */
async function findPublished(version) {
  const folders = (await readdir(join(root, "packages"))).map((name) => join(root, "packages", name))
  const all = await Promise.all(
    folders.map(async (folder) => ({ folder, manifest: await readJson(join(folder, "package.json")) })),
  )
  const own = new Map(all.map(({ manifest }) => [manifest.name, manifest]))
  const left = all.filter(({ manifest }) => manifest.private !== true)
  const ordered = []
  while (left.length > 0) {
    const isReady = ({ manifest }) =>
      Object.keys(manifest.dependencies ?? {}).every(
        (name) => !left.some((one) => one.manifest.name === name),
      )
    const [next] = left.splice(left.findIndex(isReady), 1)
    ordered.push({ folder: next.folder, manifest: toPublished(next.manifest, { own, version }) })
  }
  return ordered
}

/**
 * Returns a manifest as it is published. `publishConfig` also has the fields that only the published one may have: npm
 * would check them in the repository, and changesets would make each release a major one because of the peers.
 */
function toPublished(manifest, { own, version = manifest.version }) {
  const { scripts: _, devDependencies: __, publishConfig = {}, ...rest } = manifest
  const published = { ...rest, ...publishConfig, version, ...findRepository() }
  // npm attests where a package was built only if everyone can read it.
  published.publishConfig = { access: "public" }
  for (const kind of ["dependencies", "peerDependencies"]) {
    if (published[kind] !== undefined) published[kind] = pinOwn(published[kind], { own, version })
  }
  return published
}

/** Pins our packages to the version that is packed. */
function pinOwn(dependencies, { own, version }) {
  const pin = ([name, wanted]) => {
    if (own.get(name)?.private === true)
      throw new Error(`a published package depends on ${name}, which is private`)
    return [name, own.has(name) ? version : wanted]
  }
  return Object.fromEntries(Object.entries(dependencies).map(pin))
}

/** npm attests where a package was built only if its manifest names the repository. */
function findRepository() {
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: name } = process.env
  if (server === undefined || name === undefined) return {}
  return { repository: { type: "git", url: `git+${server}/${name}.git` } }
}
