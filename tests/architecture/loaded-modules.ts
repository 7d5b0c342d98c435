// Runs the built command and returns the modules it loaded, down to the source files within the bundle's chunks.

import { spawn } from "node:child_process"
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, relative } from "node:path"
import { fileURLToPath } from "node:url"

const dist = fileURLToPath(new URL("../../packages/cli/dist", import.meta.url))
const command = fileURLToPath(new URL("../../packages/cli/bin/callsheet.js", import.meta.url))
const recorder = fileURLToPath(new URL("record-builtins.cjs", import.meta.url))

export interface LoadedModules {
  readonly exitCode: number | null
  readonly output: string
  /** Source files and libraries, relative to the repository's root. */
  readonly sources: readonly string[]
  /** Node's own, such as `http`, without those that the needed ones load. */
  readonly builtins: readonly string[]
}

export interface CommandUnderTest {
  readonly parameters: readonly string[]
  readonly cwd: string
  /** Node's own modules that the command needs, such as `http`. */
  readonly needs: readonly string[]
}

/**
 * Node lists each executed script in its coverage files, and the build lists the source files of each. Which other
 * modules Node's own load differs between versions (from 22 on, `util` loads `worker_threads`, and `http` loads `http2`
 * and `zlib`) and is not the command's choice, so a module that loads the needed ones is the baseline.
 */
export async function loadedModules({ parameters, cwd, needs }: CommandUnderTest): Promise<LoadedModules> {
  const baseline = await recordBaseline(needs, cwd)
  const run = await record([command, ...parameters], cwd)
  const cameAlong = new Set(baseline.builtins.filter((name) => !needs.includes(name)))
  return {
    exitCode: run.exitCode,
    output: run.output,
    sources: run.files.flatMap(sourcesOf),
    builtins: run.builtins.filter((name) => !cameAlong.has(name)),
  }
}

async function recordBaseline(needs: readonly string[], cwd: string) {
  const folder = mkdtempSync(join(tmpdir(), "callsheet-baseline-"))
  const file = join(folder, "baseline.cjs")
  writeFileSync(file, needs.map((name) => `require("node:${name}")\n`).join(""))
  const baseline = await record([file], cwd)
  rmSync(folder, { recursive: true, force: true })
  if (baseline.exitCode !== 0) throw new Error(`the baseline did not run: ${baseline.output}`)
  return baseline
}

async function record(parameters: readonly string[], cwd: string) {
  const folder = mkdtempSync(join(tmpdir(), "callsheet-loaded-"))
  const builtinsFile = join(folder, "builtins.txt")
  const child = spawn(process.execPath, ["--require", recorder, ...parameters], {
    cwd,
    env: {
      ...process.env,
      // Coverage lists only functions compiled in this process, not those from the user's cache.
      XDG_CACHE_HOME: join(folder, "cache"),
      NODE_V8_COVERAGE: join(folder, "scripts"),
      CALLSHEET_TEST_BUILTINS: builtinsFile,
    },
    stdio: ["ignore", "pipe", "pipe"],
  })
  let output = ""
  child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()))
  child.stderr.on("data", (chunk: Buffer) => (output += chunk.toString()))
  const exitCode = await new Promise<number | null>((resolve, reject) => {
    child.on("error", reject)
    child.on("close", resolve)
  })
  const builtins = [...readFileSync(builtinsFile, "utf8").matchAll(/^NativeModule (.+)$/gm)]
  const files = readdirSync(join(folder, "scripts")).flatMap((name) =>
    scriptsOf(join(folder, "scripts", name)),
  )
  rmSync(folder, { recursive: true, force: true })
  return { exitCode, output, files, builtins: builtins.map(([, name = ""]) => name) }
}

function scriptsOf(coverageFile: string): string[] {
  const { result } = JSON.parse(readFileSync(coverageFile, "utf8")) as { result: { url: string }[] }
  return result.filter(({ url }) => url.startsWith("file:")).map(({ url }) => fileURLToPath(url))
}

function sourcesOf(file: string): readonly string[] {
  if (file === command || file === recorder) return []
  const chunk = relative(dist, file)
  return (chunks()[chunk.replaceAll("\\", "/")] ?? [file]).map((source) => source.replaceAll("\\", "/"))
}

/** The source files of each chunk, as written by scripts/build.mjs, relative to the repository's root. */
const chunks = (): Readonly<Record<string, readonly string[]>> =>
  JSON.parse(readFileSync(join(dist, "modules.json"), "utf8")) as Record<string, string[]>
