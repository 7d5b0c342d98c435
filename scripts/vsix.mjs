// Packs the VS Code extension: `npm run vsix` builds the command, then bundles the extension with it into one file.

import { spawn } from "node:child_process"
import { cp, mkdir, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { fileURLToPath } from "node:url"
import { rolldown } from "rolldown"
import { collectNotices } from "./notices.mjs"

const root = fileURLToPath(new URL("..", import.meta.url))
const extension = join(root, "packages/vscode")
/** Open VSX and the Marketplace accept more. A larger extension is slow to install on a remote machine. */
const MAX_BYTES = 5_000_000
/** Its dependencies include native modules for signing in, so it isn't one of ours: npm fetches it without install scripts. */
const PACKER = "@vscode/vsce@3.9.2"

const readJson = async (path) => JSON.parse(await readFile(path, "utf8"))
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
  const chunks = [
    await bundle(join(extension, "src/extension.ts"), {
      file: join(stage, "dist/extension.cjs"),
      external: ["vscode"],
    }),
    await copyServer(join(modules, "callsheet-lsp")),
  ].flat()
  await copyCommand(modules)
  await writeFile(join(stage, "THIRD-PARTY-NOTICES.txt"), await collectNotices(chunks))
}

async function bundle(input, { file, external }) {
  const built = await rolldown({
    cwd: root,
    input,
    platform: "node",
    external,
    resolve: { conditionNames: ["node", "require", "default"] },
  })
  const { output } = await built.write({
    file,
    format: "cjs",
    codeSplitting: false,
    comments: { legal: false },
    minify: { mangle: { keepNames: { function: true, class: true } } },
  })
  await built.close()
  return output.filter(({ type }) => type === "chunk")
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
  const chunks = await bundle(join(root, "packages/lsp/src/index.ts"), {
    file: join(folder, "index.js"),
    external: [],
  })
  const exports = { ".": "./index.js", "./package.json": "./package.json" }
  await writeFile(
    join(folder, "package.json"),
    JSON.stringify({ name, version, license, type: "commonjs", exports }),
  )
  return chunks
}

function pack() {
  const words = ["exec", "--yes", "--ignore-scripts", `--package=${PACKER}`, "--", "vsce", "package"]
  const options = [
    "--no-dependencies",
    "--allow-missing-repository",
    "--no-rewrite-relative-links",
    "--out",
    out,
  ]
  const npm = process.platform === "win32" ? "npm.cmd" : "npm"
  const child = spawn(npm, [...words, ...options], {
    cwd: stage,
    stdio: ["ignore", "ignore", "inherit"],
    shell: npm.endsWith(".cmd"),
  })
  return new Promise((resolve, reject) => {
    child.once("error", reject)
    child.once("close", (code) =>
      code === 0 ? resolve() : reject(new Error(`${PACKER} ended with ${code}`)),
    )
  })
}
