// Runs the built command and tells which modules it loaded, down to the source files within the bundle's chunks.

import { spawn } from "node:child_process"
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, relative } from "node:path"
import { fileURLToPath } from "node:url"

const dist = fileURLToPath(new URL("../../packages/cli/dist", import.meta.url))
const command = fileURLToPath(new URL("../../packages/cli/bin/callsheet.js", import.meta.url))
const recorder = fileURLToPath(new URL("record-builtins.cjs", import.meta.url))

export interface LoadedModules {
  readonly exitCode: number | null
  readonly output: string
  /** Source files and libraries, from the repository's root. */
  readonly sources: readonly string[]
  /** Node's own, as `http`; those that an empty process loads are left out. */
  readonly builtins: readonly string[]
}

/** Node writes each script that ran into its coverage files, and the build which source files went into each of them. */
export async function loadedModules(parameters: readonly string[], cwd: string): Promise<LoadedModules> {
  const empty = await record(["-e", "0"], cwd)
  const run = await record([command, ...parameters], cwd)
  const atStart = new Set(empty.builtins)
  return {
    exitCode: run.exitCode,
    output: run.output,
    sources: run.files.flatMap(sourcesOf),
    builtins: run.builtins.filter((name) => !atStart.has(name)),
  }
}

async function record(parameters: readonly string[], cwd: string) {
  const folder = mkdtempSync(join(tmpdir(), "callsheet-loaded-"))
  const builtinsFile = join(folder, "builtins.txt")
  const child = spawn(process.execPath, ["--require", recorder, ...parameters], {
    cwd,
    env: { ...process.env, NODE_V8_COVERAGE: join(folder, "scripts"), CALLSHEET_TEST_BUILTINS: builtinsFile },
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

/** The source files of each chunk, as scripts/build.mjs wrote them down: chunk by chunk, from the repository's root. */
const chunks = (): Readonly<Record<string, readonly string[]>> =>
  JSON.parse(readFileSync(join(dist, "modules.json"), "utf8")) as Record<string, string[]>
