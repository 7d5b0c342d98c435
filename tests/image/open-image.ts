// Builds the files of the image by the Dockerfile, and starts it as Docker does: as the first process of its own
// process namespace, as another user, with read-only files.

import { execFile, spawn, type ChildProcess } from "node:child_process"
import { once } from "node:events"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { packAll } from "../package/packed.ts"

const run = promisify(execFile)
const repository = fileURLToPath(new URL("../..", import.meta.url))

interface ImageConfig {
  readonly env: Readonly<Record<string, string>>
  readonly user: string
  readonly workdir: string
  readonly entrypoint: readonly string[]
}

export interface Image extends ImageConfig {
  readonly root: string
}

/** Packs the packages with the last build, and builds the image in `folder`. */
export async function buildImage(folder: string): Promise<Image> {
  await packAll()
  await run(process.execPath, [join(repository, "scripts/image-root.mjs"), folder], { cwd: repository })
  const config = JSON.parse(readFileSync(join(folder, "config.json"), "utf8")) as ImageConfig
  return { ...config, root: join(folder, "root") }
}

export interface ContainerOptions {
  readonly image: Image
  /** The directory that is mounted as the project. */
  readonly project: string
  readonly env?: Readonly<Record<string, string>>
  /** Mounts a writable directory for temporary files, like `--tmpfs /tmp`. */
  readonly hasTemporary?: boolean
  /** Starts this instead of the entry point. */
  readonly command?: readonly string[]
}

export interface Container {
  readonly child: ChildProcess
  /** Resolves when the text is in standard output. */
  readonly until: (text: string) => Promise<string>
  /** Signals the first process. */
  readonly signal: (name: NodeJS.Signals) => void
  readonly ended: Promise<{
    readonly code: number | null
    readonly stdout: string
    readonly stderr: string
  }>
}

/** `exec` keeps the process id, so that the command is the first process. */
const start = `set -e
root=$1 project=$2 workdir=$3 user=$4 temporary=$5; shift 5
mount --bind "$root" "$root"
mount -t proc proc "$root/proc"
mount --bind "$project" "$root$workdir"
[ "$temporary" = no ] || mount -t tmpfs -o mode=1777 tmpfs "$root/tmp"
mount -o remount,ro,bind "$root"
exec setpriv --no-new-privs chroot --userspec="$user" --groups= "$root" "$@"`

export function startContainer(words: readonly string[], options: ContainerOptions): Container {
  const { image, project, env = {}, hasTemporary = false, command = image.entrypoint } = options
  const environment = Object.entries({ ...image.env, ...env }).map(([name, value]) => `${name}=${value}`)
  const separate = "--mount --pid --fork --kill-child --propagation=private".split(" ")
  const places = [image.root, project, image.workdir, image.user, hasTemporary ? "yes" : "no"]
  const inside = ["/usr/bin/env", "-i", "-C", image.workdir, ...environment, ...command, ...words]
  const child = spawn("unshare", [...separate, "sh", "-c", start, "sh", ...places, ...inside], {
    stdio: ["ignore", "pipe", "pipe"],
  })
  const out = { stdout: "", stderr: "" }
  for (const name of ["stdout", "stderr"] as const)
    child[name].setEncoding("utf8").on("data", (text: string) => (out[name] += text))
  const ended = once(child, "close").then(([code]) => ({ code: code as number | null, ...out }))
  const first = (): number => {
    const [pid = ""] = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, "utf8").split(" ")
    return Number(pid)
  }
  return {
    child,
    ended,
    signal: (name) => void process.kill(first(), name),
    until: async (text) => {
      const end = ended.then(() => true)
      while (!out.stdout.includes(text)) {
        const isOver = await Promise.race([end, once(child.stdout, "data").then(() => false)])
        if (isOver && !out.stdout.includes(text))
          throw new Error(`ended without ${text}\n${out.stdout}\n${out.stderr}`)
      }
      return out.stdout
    },
  }
}

/** True where the image can be built: as root on Debian. */
export const canBuild = process.getuid?.() === 0 && existsSync("/usr/sbin/debootstrap")
