// Publishes the packages that `npm run pack` wrote, except versions that the registry already has.
// Arguments: the directory. `--check v1.2.3` publishes nothing, and compares the versions with a tag.

import { execFile } from "node:child_process"
import { readdir } from "node:fs/promises"
import { join } from "node:path"
import { parseArgs, promisify } from "node:util"

const run = promisify(execFile)
const say = (line) => process.stdout.write(`${line}\n`)

const { values, positionals } = parseArgs({ allowPositionals: true, options: { check: { type: "string" } } })
const [directory = ""] = positionals
const packages = await readPackages()

if (values.check === undefined) for (const one of inOrder(packages)) await publish(one)
else checkVersions(values.check)

async function readPackages() {
  const files = (await readdir(directory)).filter((name) => name.endsWith(".tgz")).sort()
  if (files.length === 0) throw new Error(`${directory} contains no packages: run npm run pack first`)
  const read = async (file) => {
    const { stdout } = await run("tar", ["-xOf", file, "package/package.json"], { cwd: directory })
    return { file: join(directory, file), manifest: JSON.parse(stdout) }
  }
  return Promise.all(files.map(read))
}

function checkVersions(tag) {
  const others = packages.filter(({ manifest }) => `v${manifest.version}` !== tag)
  if (others.length > 0) {
    const list = others.map(({ manifest: { name, version } }) => `${name} ${version}`)
    throw new Error(`the tag is ${tag}, but the packages are ${list.join(", ")}`)
  }
  say(`${packages.length} packages have the version of the tag ${tag}`)
}

/** Returns each package after those that it needs, so that nobody can install one without the others. */
function inOrder(left, done = []) {
  const needs = ({ manifest: { dependencies, peerDependencies } }) =>
    Object.keys({ ...dependencies, ...peerDependencies })
  const waits = (one) => left.some(({ manifest }) => needs(one).includes(manifest.name))
  const ready = left.filter((one) => !waits(one))
  if (ready.length === 0) return [...done, ...left]
  return inOrder(left.filter(waits), [...done, ...ready])
}

async function publish({ file, manifest: { name, version } }) {
  if (await isPublished(`${name}@${version}`)) return say(`${name} ${version} is already published`)
  await run("npm", ["publish", file, "--access", "public"])
  say(`published ${name} ${version}`)
}

/** Throws if the registry doesn't answer, because a version may then be published. */
async function isPublished(spec) {
  const answer = await run("npm", ["view", spec, "version", "--json"]).catch((error) => error)
  const found = answer.stdout.trim()
  if (found === "") return answer instanceof Error ? Promise.reject(answer) : false
  const { error } = JSON.parse(found)
  if (error === undefined) return true
  if (error.code === "E404") return false
  throw new Error(`can't look for ${spec}: ${error.summary}`)
}
