// The browser of these tests: Chromium from npm, unpacked once into node_modules/.cache, with its libraries and fonts.

import { execFile } from "node:child_process"
import { existsSync, readFileSync, statfsSync } from "node:fs"
import { mkdir, rename, rm, stat, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { setTimeout as wait } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { chromium, type Browser } from "playwright-core"

const modules = fileURLToPath(new URL("../../node_modules", import.meta.url))
const { version } = JSON.parse(readFileSync(join(modules, "@sparticuz/chromium/package.json"), "utf8")) as {
  version: string
}
const cache = join(modules, ".cache/callsheet")
const folder = join(cache, `chromium-${version}`)

/** Replaces the browser from npm, which supports only Linux on x64. */
const ownBrowser = process.env["CALLSHEET_TEST_BROWSER"]

/** Without a browser, the tests of the page are skipped. */
export const hasBrowser = ownBrowser !== undefined || (process.platform === "linux" && process.arch === "x64")

/** The caller closes it. */
export async function launchBrowser(): Promise<Browser> {
  if (ownBrowser !== undefined) return chromium.launch({ executablePath: ownBrowser })
  await unpackOnce()
  return chromium.launch({
    executablePath: join(folder, "chromium"),
    // CI runs it as root, where the sandbox is unavailable. It opens only our own pages.
    args: ["--no-sandbox"],
    ignoreDefaultArgs: hasLargeSharedMemory() ? ["--disable-dev-shm-usage"] : [],
    env: {
      ...process.env,
      // libnss3 and its libraries, which not every machine has.
      LD_LIBRARY_PATH: join(folder, "al2023/lib"),
      FONTCONFIG_FILE: join(folder, "fonts.conf"),
    },
  })
}

/**
 * Playwright lets Chromium put its shared memory into files, because a container may have only 64 MB of it. On a disk, a
 * page load costs an eighth more CPU.
 */
function hasLargeSharedMemory(): boolean {
  if (!existsSync("/dev/shm")) return false
  const { bavail, bsize } = statfsSync("/dev/shm")
  return bavail * bsize > 1024 ** 3
}

/** Test files run in parallel: one of them unpacks, the others wait. */
async function unpackOnce(): Promise<void> {
  await mkdir(cache, { recursive: true })
  const lock = `${folder}.lock`
  for (let attempt = 0; !existsSync(folder) && attempt < 600; attempt++) {
    const isMine = await mkdir(lock).then(
      () => true,
      () => false,
    )
    if (isMine) return unpackAndRelease(lock)
    await removeOld(lock)
    await wait(200)
  }
}

async function unpackAndRelease(lock: string): Promise<void> {
  try {
    await unpack()
  } finally {
    await rm(lock, { recursive: true, force: true })
  }
}

/** Removes a lock that a killed process left behind. */
async function removeOld(lock: string): Promise<void> {
  const made = await stat(lock).catch(() => undefined)
  if (made !== undefined && Date.now() - made.mtimeMs > 90_000)
    await rm(lock, { recursive: true, force: true })
}

/**
 * Unpacks in a separate process, because the package unpacks into TMPDIR. Moves the directory into place when it is
 * complete.
 */
async function unpack(): Promise<void> {
  if (existsSync(folder)) return
  const workshop = `${folder}.${process.pid}`
  await mkdir(workshop, { recursive: true })
  const script = 'import chromium from "@sparticuz/chromium"\nawait chromium.executablePath()'
  // The second variable makes it unpack its libraries too.
  const env = { ...process.env, TMPDIR: workshop, AWS_LAMBDA_JS_RUNTIME: "nodejs20.x" }
  await promisify(execFile)(process.execPath, ["--input-type=module", "-e", script], { cwd: modules, env })
  const directories = ["/usr/share/fonts", "/usr/local/share/fonts", join(folder, "fonts")]
  const elements = [
    ...directories.map((path) => `<dir>${path}</dir>`),
    `<cachedir>${folder}/font-cache</cachedir>`,
  ]
  await writeFile(join(workshop, "fonts.conf"), `<fontconfig>${elements.join("")}</fontconfig>\n`)
  await rename(workshop, folder)
}
