// The contents of a package as `npm pack` would write it, and a directory in which it is installed. Uses the last build
// and no network.

import { exec, execFile } from "node:child_process"
import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { readSections } from "../docs/read-pages.ts"

export const root = fileURLToPath(new URL("../..", import.meta.url))

export interface Packed {
  readonly name: string
  /** Size of the archive in bytes. */
  readonly size: number
  /** Size of its files in bytes. */
  readonly unpackedSize: number
  /** Relative to the package's directory, with slashes, sorted. */
  readonly paths: readonly string[]
}

/** Returns the files that npm would pack. `folder` is the package's directory, relative to the repository's root. */
export async function packed(folder: string): Promise<Packed> {
  // `prepack` would build again while other tests run the command.
  const words = ["pack", "--dry-run", "--json", "--ignore-scripts", "--offline"]
  const windows = process.platform === "win32"
  const { stdout } = await promisify(execFile)("npm", words, { cwd: join(root, folder), shell: windows })
  const [archive] = JSON.parse(stdout) as [Packed & { files: { path: string }[] }]
  const { name, size, unpackedSize, files } = archive
  return { name, size, unpackedSize, paths: files.map(({ path }) => path).sort() }
}

/**
 * Packs the packages into `<folder>/callsheet` and installs them in `<folder>/project`, with the commands of
 * docs/start/install.md. Returns the commands that follow there.
 */
export async function installPacked(folder: string): Promise<readonly string[]> {
  const blocks = readSections("docs/start/install.md").flatMap((section) =>
    section.blocks.map(({ text }) => text.trim().split("\n")),
  )
  const pack = blocks.flat().filter((command) => command.startsWith("npm pack "))
  const [install = "", ...use] = blocks.find(([command]) => command?.includes(".tgz") === true) ?? []
  const project = join(folder, "project")
  const packs = join(folder, "callsheet")
  for (const made of [project, packs]) await mkdir(made)
  // Without it, npm would install into a parent directory that has one.
  await writeFile(join(project, "package.json"), "{}")
  // Don't build: that would replace the command while other tests run it. The root's install has already downloaded the
  // dependencies.
  const environment = {
    ...process.env,
    npm_config_ignore_scripts: "true",
    npm_config_prefer_offline: "true",
    npm_config_pack_destination: packs,
  }
  for (const command of pack) await runLine(command, { cwd: root, env: environment })
  await runLine(install, { cwd: project, env: environment })
  return use
}

const runLine = promisify(exec)
