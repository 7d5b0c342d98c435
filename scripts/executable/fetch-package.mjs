// Downloads packages that only a build uses, such as Node for other systems.

import { execFile } from "node:child_process"
import { createHash } from "node:crypto"
import { existsSync } from "node:fs"
import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { promisify } from "node:util"
import { npm } from "../npm.mjs"
import { readJson, root } from "../repository.mjs"

const run = promisify(execFile)

/** The version of Node in executables, and the packages, each with the hash of its content. */
export const tools = await readJson(join(root, "scripts/executable/tools.json"))

/** Returns the Node of a platform, which npm has. */
export async function fetchNode(platform) {
  const folder = await fetchPackage(tools.targets[platform])
  return join(folder, "bin", platform.startsWith("win32-") ? "node.exe" : "node")
}

/** Returns the directory of a package, which is downloaded once. Throws if its content isn't the expected one. */
export async function fetchPackage({ package: name, integrity }) {
  const folder = join(root, "node_modules/.cache/callsheet/executable", name.replace("@", "-"))
  if (existsSync(folder)) return folder
  const download = await mkdtemp(join(tmpdir(), "callsheet-download-"))
  try {
    await npm(["pack", name, "--silent"], { folder: download })
    const [file] = await readdir(download)
    const hash = createHash("sha512").update(await readFile(join(download, file)))
    if (`sha512-${hash.digest("base64")}` !== integrity)
      throw new Error(`${name} has another content than before`)
    await run("tar", ["-xzf", file], { cwd: download })
    await mkdir(dirname(folder), { recursive: true })
    const copy = `${folder}.${process.pid}`
    await cp(join(download, "package"), copy, { recursive: true })
    await rename(copy, folder)
    return folder
  } finally {
    await rm(download, { recursive: true, force: true })
  }
}
