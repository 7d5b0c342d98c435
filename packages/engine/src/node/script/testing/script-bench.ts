// A project in a temporary directory, and a port that runs its scripts in the real, bundled child.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import type { JsonObject, JsonValue, Resolution } from "@callsheet/format"
import { parsePathOnce, resolveSegments } from "@callsheet/format"
import { rolldown } from "rolldown"
import { afterAll, beforeAll } from "vitest"
import type { ScriptCall, ScriptOutcome, ScriptPort } from "../../../ports.ts"
import { createScriptPort, type ScriptPortOptions } from "../script-port.ts"

const repository = fileURLToPath(new URL("../../../../../..", import.meta.url))

/**
 * Bundles the script process before the tests of a file, inside the repository's node_modules, because Node looks for
 * jiti from there. Afterwards, removes the bundle and all benches that were opened.
 */
export function useScriptBenches() {
  const cache = join(repository, "node_modules", ".cache")
  mkdirSync(cache, { recursive: true })
  const bundle = mkdtempSync(join(cache, "script-child-"))
  const benches: ScriptBench[] = []
  beforeAll(() => bundleScripts(bundle))
  afterAll(async () => {
    await Promise.all(benches.map((bench) => bench.remove()))
    rmSync(bundle, { recursive: true, force: true })
  })
  return {
    /** The directory of `child.js` and of `port.js`, which exports `createScriptPort`. */
    bundle,
    open: (options?: Partial<ScriptPortOptions>): ScriptBench => {
      const bench = openScriptBench(join(bundle, "child.js"), options)
      benches.push(bench)
      return bench
    },
  }
}

async function bundleScripts(folder: string): Promise<void> {
  const source = fileURLToPath(new URL("..", import.meta.url))
  const bundle = await rolldown({
    cwd: repository,
    input: { child: `${source}child.ts`, port: `${source}script-port.ts` },
    platform: "node",
    external: ["jiti"],
    resolve: { mainFields: ["module", "main"] },
  })
  await bundle.write({ dir: folder, format: "esm", entryFileNames: "[name].js" })
  await bundle.close()
  writeFileSync(join(folder, "package.json"), `{ "type": "module" }`)
}

export interface TryOptions extends Partial<Omit<ScriptCall, "log" | "read">> {
  readonly scope?: JsonObject
  readonly onLog?: (text: string) => void
}

type Tried = ScriptOutcome & { readonly logs: readonly string[] }

export interface ScriptBench {
  readonly root: string
  readonly port: ScriptPort
  /** Writes a file to the scripts' directory, or to the project if the path starts with `/`. Returns its full path. */
  readonly write: (path: string, text: string) => string
  /** Writes `text` as a new script and calls its export `fn`. */
  readonly run: (text: string, options?: TryOptions) => Promise<Tried>
  readonly call: (file: string, options?: TryOptions) => Promise<Tried>
  readonly remove: () => Promise<void>
}

/** Opens a bench. `root` replaces the temporary project. */
function openScriptBench(childEntry: string, options: Partial<ScriptPortOptions> = {}): ScriptBench {
  // Paths on Windows often contain spaces and parentheses.
  const root = options.root ?? mkdtempSync(join(tmpdir(), "callsheet scripts (x86)-"))
  const asked = {
    root,
    concurrency: 1,
    scriptEntry: childEntry,
    cacheFolder: join(root, ".cache"),
    ...options,
  }
  const port = createScriptPort(asked)
  // As in a run, a script is described before it is called. One process compiles all misbehaving scripts.
  const compiler = createScriptPort(asked)
  let count = 0
  const write = (path: string, text: string): string => {
    const file = path.startsWith("/") ? join(root, path) : join(root, "apis/workflow/scripts/checkout", path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
    return file
  }
  const call = async (file: string, { scope = {}, onLog, ...asked }: TryOptions = {}): Promise<Tried> => {
    const logs: string[] = []
    const outcome = await port.call({
      kind: "script",
      file,
      exportName: "fn",
      timeoutMs: 10_000,
      signal: new AbortController().signal,
      context: { workflow: { name: "checkout" }, block: { id: "b", type: "script" }, inputs: {} },
      environment: () => undefined,
      secret: () => undefined,
      subject: (argument) => argument,
      check: () => Promise.resolve({ is: "passed" }),
      ...asked,
      read: (path) => resolve(scope, path),
      log: (text) => {
        logs.push(text)
        onLog?.(text)
      },
    })
    return { ...outcome, logs }
  }
  return {
    root,
    port,
    write,
    call,
    run: async (text, asked) => {
      const file = write(`script-${++count}.ts`, text)
      await compiler.describe(file)
      return call(file, asked)
    },
    remove: async () => {
      await Promise.all([port.close(), compiler.close()])
      rmSync(root, { recursive: true, force: true })
    },
  }
}

function resolve(scope: JsonValue, path: string): Resolution {
  const parsed = parsePathOnce(path)
  return parsed.ok ? resolveSegments(scope, parsed.segments) : { found: false, at: 0 }
}

/** Waits until the process has ended. Throws after five seconds. */
export async function processEnd(pid: number): Promise<void> {
  if (!(pid > 1)) throw new RangeError(`${pid} is not one of our processes`)
  for (let tries = 0; tries < 100; tries++) {
    try {
      process.kill(pid, 0)
    } catch {
      return
    }
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error(`process ${pid} is still running`)
}
