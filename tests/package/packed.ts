// The packages as `npm run pack` writes them, from the last build, and a directory in which they are installed.

import { exec } from "node:child_process"
import { readFileSync } from "node:fs"
import { mkdir, readdir, stat, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { readSections } from "../docs/read-pages.ts"

export const root = fileURLToPath(new URL("../..", import.meta.url))
/** The version of all packages. */
export const { version } = JSON.parse(readFileSync(join(root, "packages/cli/package.json"), "utf8")) as {
  readonly version: string
}
const runLine = promisify(exec)

interface Archive {
  readonly name: string
  readonly version: string
  readonly path: string
}

export interface Packed extends Archive {
  /** Size of the archive in bytes. */
  readonly size: number
  /** Where its files are. */
  readonly folder: string
  /** The files by path, relative to the package's directory, with slashes, sorted. */
  readonly paths: readonly string[]
}

const scripts = "../../scripts/packages.mjs"
export const { packAll, publishAll } = (await import(scripts)) as {
  readonly packAll: (how?: { readonly to?: string; readonly version?: string }) => Promise<readonly Archive[]>
  readonly publishAll: (
    archives: readonly Archive[],
    environment?: NodeJS.ProcessEnv,
  ) => Promise<readonly string[]>
}

/** Packs all packages into `folder`, and unpacks them there. */
export async function unpackAll(folder: string): Promise<ReadonlyMap<string, Packed>> {
  const packed = new Map<string, Packed>()
  for (const archive of await packAll({ to: join(folder, "dist-packages") })) {
    const unpacked = join(folder, archive.name)
    await mkdir(unpacked, { recursive: true })
    await runLine(`tar -xzf "${archive.path}" -C "${unpacked}"`)
    const files = join(unpacked, "package")
    const { size } = await stat(archive.path)
    packed.set(archive.name, { ...archive, size, folder: files, paths: await filesIn(files) })
  }
  return packed
}

/** The commands of docs/start/install.md, by code block. */
export const readInstallCommands = (): readonly (readonly string[])[] =>
  readSections("docs/start/install.md").flatMap(({ blocks }) =>
    blocks.map(({ text }) => text.trim().split("\n")),
  )

/**
 * Packs the packages into `<folder>/callsheet` and installs them in `<folder>/project`, with the commands of
 * docs/start/install.md. Returns the commands that follow there.
 */
export async function installPacked(folder: string): Promise<readonly string[]> {
  const [install = "", ...use] =
    readInstallCommands().find(([first]) => first?.includes(" ../callsheet/")) ?? []
  const project = join(folder, "project")
  await mkdir(project)
  await packAll({ to: join(folder, "callsheet/dist-packages") })
  // Without it, npm would install into a parent directory that has one.
  await writeFile(join(project, "package.json"), "{}")
  // The root's install has already downloaded the dependencies.
  const environment = { ...process.env, npm_config_ignore_scripts: "true", npm_config_prefer_offline: "true" }
  await runLine(install, { cwd: project, env: environment })
  return use
}

/** Returns the paths of the files in a directory, relative to it, with slashes, sorted. */
export async function filesIn(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(folder.length + 1)
        .replaceAll("\\", "/"),
    )
    .sort()
}
