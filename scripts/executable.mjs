// Builds callsheet as one file with its own Node: `npm run executable -- --target linux-x64`. The file contains the
// built command, and the packages of `callsheet mcp` and `callsheet lsp`.

import { execFile } from "node:child_process"
import {
  chmod,
  copyFile,
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  writeFile,
} from "node:fs/promises"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { dirname, join, relative, resolve } from "node:path"
import { parseArgs, promisify } from "node:util"
import { bundleProgram } from "./bundle-program.mjs"
import { fetchNode, fetchPackage, tools } from "./executable/fetch-package.mjs"
import { collectNotices } from "./notices.mjs"
import { root } from "./repository.mjs"

const run = promisify(execFile)
const MAX_BYTES = 120_000_000
/** Files of the package that the command doesn't read. */
const unused = /^(?:modules\.json|index\.d\.ts|callsheet\.1|THIRD-PARTY-NOTICES\.txt)$/

/** Native modules need the symbols that `-x` keeps. Linux has those in another table, and Windows has no others. */
const macStrip = [process.platform === "darwin" ? "strip" : "llvm-strip", "-x"]
const strips = {
  "linux-x64": ["x86_64-linux-gnu-strip"],
  "linux-arm64": ["aarch64-linux-gnu-strip"],
  "darwin-x64": macStrip,
  "darwin-arm64": macStrip,
}

const host = `${process.platform}-${process.arch}`
const { target, out, node } = readArguments()
const workshop = await mkdtemp(join(tmpdir(), "callsheet-executable-"))
try {
  await build()
} finally {
  await rm(workshop, { recursive: true, force: true })
}

function readArguments() {
  const { values } = parseArgs({
    options: { target: { type: "string" }, out: { type: "string" }, node: { type: "string" } },
  })
  const { target = host, node } = values
  const known = Object.keys(tools.targets)
  if (!known.includes(target)) throw new Error(`--target: expected ${known.join(", ")}; received ${target}`)
  const name = `callsheet-${target}${target.startsWith("win32-") ? ".exe" : ""}`
  return { target, node, out: resolve(values.out ?? join(root, "dist", name)) }
}

async function build() {
  const source = node ?? (await fetchNode(target))
  const { assets, notices } = await collectAssets()
  const executable = join(workshop, "callsheet")
  await copyFile(source, executable)
  await chmod(executable, 0o755)
  await makeSmaller(executable)
  await inject(executable, await writeBlob(assets))
  if (process.platform === "darwin") await run("codesign", ["--sign", "-", executable])
  const { size } = await stat(executable)
  if (size > MAX_BYTES) throw new Error(`the executable has ${size} bytes, more than ${MAX_BYTES}`)
  const licenses = join(workshop, "licenses.txt")
  await writeFile(licenses, [notices, await readNodeLicense()].join(`\n${"-".repeat(80)}\n\n`))
  await mkdir(dirname(out), { recursive: true })
  await place(licenses, `${out}.licenses.txt`)
  await place(executable, out)
  process.stdout.write(`${out} has ${(size / 1_000_000).toFixed(1)} MB\n`)
  if (target.startsWith("darwin-") && process.platform !== "darwin")
    process.stdout.write("It isn't signed, so it doesn't start: build it on a Mac, or sign it there.\n")
}

/** Copies a file next to its place, and then renames it, because a running executable can't be overwritten. */
async function place(file, destination) {
  await cp(file, `${destination}.new`)
  await rename(`${destination}.new`, destination)
}

/** Every package of Node has the same license, but only some contain it. */
async function readNodeLicense() {
  const text = await readFile(join(await fetchPackage(tools.targets["linux-x64"]), "LICENSE"), "utf8")
  return `Node.js ${tools.node}\n\n${text}`
}

/** Returns the files inside by their names, and the licenses of the packages in them. */
async function collectAssets() {
  const dist = join(root, "packages/cli/dist")
  const jiti = join(root, "node_modules/jiti")
  const sdk = join(root, "packages/sdk")
  const bundles = join(workshop, "bundles")
  const bundled = {
    "start.js": await bundleProgram("cli/src/start-executable.ts"),
    "node_modules/callsheet-mcp/index.js": await bundleProgram("mcp/index.js"),
    "node_modules/callsheet-lsp/index.js": await bundleProgram("lsp/src/index.ts"),
  }
  for (const [name, chunk] of Object.entries(bundled)) {
    await mkdir(dirname(join(bundles, name)), { recursive: true })
    await writeFile(join(bundles, name), chunk.code)
  }
  const assets = new Map([
    ...(await filesIn(dist, (name) => !unused.test(name))),
    ...(await filesIn(bundles, () => true)),
    ...["lib/jiti.cjs", "dist/jiti.cjs", "dist/babel.cjs"].map((name) => [
      `node_modules/jiti/${name}`,
      join(jiti, name),
    ]),
    ...(await filesIn(join(sdk, "src"), () => true)).map(([name, file]) => [
      `node_modules/@callsheet/sdk/src/${name}`,
      file,
    ]),
  ])
  const index = join(workshop, "index.json")
  await writeFile(index, JSON.stringify([...assets.keys()]))
  const notices = [
    await readFile(join(dist, "THIRD-PARTY-NOTICES.txt"), "utf8"),
    await collectNotices([{ moduleIds: [join(jiti, "lib/jiti.cjs")] }, ...Object.values(bundled)]),
  ]
  return { assets: assets.set("index.json", index), notices: notices.join(`\n${"-".repeat(80)}\n\n`) }
}

async function filesIn(folder, isWanted) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((file) => [relative(folder, file).replaceAll("\\", "/"), file])
    .filter(([name]) => isWanted(name))
}

/** Writes what Node reads at its start. The same version of Node has to write it. */
async function writeBlob(assets) {
  const [config, output] = [join(workshop, "config.json"), join(workshop, "blob")]
  await writeFile(
    config,
    JSON.stringify({
      // Stack traces show this path.
      main: "start.js",
      output,
      disableExperimentalSEAWarning: true,
      assets: Object.fromEntries(assets),
    }),
  )
  await cp(assets.get("start.js"), join(workshop, "start.js"))
  const writer = node !== undefined && target === host ? node : await fetchNode(host)
  await run(writer, ["--experimental-sea-config", config], { cwd: workshop })
  return readFile(output)
}

/** Removes what Node doesn't need: the signature, which no longer fits, and symbols, a sixth of the file. */
async function makeSmaller(executable) {
  if (process.platform === "darwin") await run("codesign", ["--remove-signature", executable])
  const [strip, ...words] = strips[target] ?? []
  if (strip !== undefined) await run(strip, [...words, executable])
}

async function inject(executable, blob) {
  const folder = await fetchPackage(tools.postject)
  const { inject } = createRequire(import.meta.url)(join(folder, "dist/api.js"))
  await inject(executable, "NODE_SEA_BLOB", blob, {
    // Node looks for this text in itself.
    sentinelFuse: "NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2",
    ...(target.startsWith("darwin-") && { machoSegmentName: "NODE_SEA" }),
  })
}
