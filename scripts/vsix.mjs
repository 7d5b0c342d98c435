// Packs the VS Code extension: `npm run vsix` builds the command, then bundles the extension with it into one file.

import { cp, mkdir, mkdtemp, rm, stat, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { bundleProgram } from "./bundle-program.mjs"
import { collectNotices } from "./notices.mjs"
import { npm } from "./npm.mjs"
import { readJson, root } from "./repository.mjs"

const extension = join(root, "packages/vscode")
/** Open VSX and the Marketplace accept more. A larger extension is slow to install on a remote machine. */
const MAX_BYTES = 5_000_000
/** Its dependencies include native modules for signing in, so it isn't one of ours: npm fetches it without install scripts. */
const PACKER = "@vscode/vsce@3.9.2"

const manifest = await readJson(join(extension, "package.json"))
const [, , given = join(extension, "dist", `${manifest.name}-${manifest.version}.vsix`)] = process.argv
const out = resolve(given)

const stage = await mkdtemp(join(tmpdir(), "callsheet-vsix-"))
try {
  await fillStage()
  await mkdir(join(out, ".."), { recursive: true })
  await pack()
  const { size } = await stat(out)
  if (size > MAX_BYTES) throw new Error(`the extension has ${size} bytes, more than ${MAX_BYTES}`)
  process.stdout.write(`${out} has ${(size / 1024 / 1024).toFixed(2)} MiB\n`)
} finally {
  await rm(stage, { recursive: true, force: true })
}

async function fillStage() {
  const { dependencies: _, devDependencies: __, private: ___, type: ____, ...published } = manifest
  await writeFile(join(stage, "package.json"), JSON.stringify(published, undefined, 2))
  for (const file of ["README.md", "LICENSE"]) await cp(join(extension, file), join(stage, file))
  const modules = join(stage, "dist/node_modules")
  const program = await bundleProgram("vscode/src/extension.ts", ["vscode"])
  await mkdir(join(stage, "dist"))
  await writeFile(join(stage, "dist/extension.cjs"), program.code)
  const server = await copyServer(join(modules, "callsheet-lsp"))
  await copyCommand(modules)
  await writeFile(join(stage, "THIRD-PARTY-NOTICES.txt"), await collectNotices([program, server]))
}

/** Copies the command, with the packages that are not bundled into it. */
async function copyCommand(modules) {
  const command = join(root, "packages/cli")
  const unused = /\.d\.ts$|\.1$|modules\.json$/
  for (const part of ["bin", "dist", "package.json"])
    await cp(join(command, part), join(modules, "callsheet", part), {
      recursive: true,
      filter: (path) => !unused.test(path),
    })
  // The page reads it as a module if it is in a package of another type.
  await copyPackage("jiti", modules)
  await copyPackage("@callsheet/sdk", modules)
}

async function copyPackage(name, modules) {
  const from = name.startsWith("@callsheet/")
    ? join(root, "packages", name.slice("@callsheet/".length))
    : join(root, "node_modules", name)
  const { files = [] } = await readJson(join(from, "package.json"))
  for (const file of ["package.json", "LICENSE", "index.js", ...files])
    await cp(join(from, file), join(modules, name, file), { recursive: true }).catch((error) => {
      if (error.code !== "ENOENT") throw error
    })
}

/** Bundles the protocol with the part of its dependencies that it uses. */
async function copyServer(folder) {
  const { name, version, license } = await readJson(join(root, "packages/lsp/package.json"))
  const server = await bundleProgram("lsp/src/index.ts")
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, "index.js"), server.code)
  const exports = { ".": "./index.js", "./package.json": "./package.json" }
  await writeFile(
    join(folder, "package.json"),
    JSON.stringify({ name, version, license, type: "commonjs", exports }),
  )
  return server
}

async function pack() {
  const words = ["exec", "--yes", "--ignore-scripts", `--package=${PACKER}`, "--", "vsce", "package"]
  const options = ["--no-dependencies", "--allow-missing-repository", "--no-rewrite-relative-links"]
  await npm([...words, ...options, "--out", out], { folder: stage })
}
