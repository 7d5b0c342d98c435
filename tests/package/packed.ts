// What `npm pack` would put into a package, and a folder in which it is installed: from the last build, without the network.

import { execFile } from "node:child_process"
import { cp, mkdir, symlink } from "node:fs/promises"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"

export const root = fileURLToPath(new URL("../..", import.meta.url))

export interface Packed {
  readonly name: string
  /** Bytes of the archive. */
  readonly size: number
  /** Bytes of the files in it. */
  readonly unpackedSize: number
  /** Relative to the package's folder, with slashes, sorted. */
  readonly paths: readonly string[]
}

/** What npm would put into the archive of the package in `folder`, which is relative to the repository's root. */
export async function packed(folder: string): Promise<Packed> {
  // `prepack` would build once more, under the feet of the tests that run the command.
  const words = ["pack", "--dry-run", "--json", "--ignore-scripts", "--offline"]
  const windows = process.platform === "win32"
  const { stdout } = await promisify(execFile)("npm", words, { cwd: join(root, folder), shell: windows })
  const [archive] = JSON.parse(stdout) as [Packed & { files: { path: string }[] }]
  const { name, size, unpackedSize, files } = archive
  return { name, size, unpackedSize, paths: files.map(({ path }) => path).sort() }
}

/** Makes `node_modules` in `folder` as an install of the packages would, with links to the libraries named. */
export async function installPacked(folder: string, libraries: readonly string[]): Promise<void> {
  for (const source of ["packages/cli", "packages/sdk"]) {
    const { name, paths } = await packed(source)
    for (const path of paths) {
      await cp(join(root, source, path), join(folder, "node_modules", name, path))
    }
  }
  for (const library of libraries) {
    const link = join(folder, "node_modules", library)
    await mkdir(dirname(link), { recursive: true })
    await symlink(join(root, "node_modules", library), link, "junction")
  }
}
