// Checks the published packages: their content, and that they work on their own.

import { exec, execFile } from "node:child_process"
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { promisify } from "node:util"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { table } from "../../packages/cli/src/commands/index.ts"
import { installPacked, packed, root, type Packed } from "./packed.ts"

const run = promisify(execFile)
const runLine = promisify(exec)
const cli = join(root, "packages", "cli")
const read = (path: string): string => readFileSync(join(cli, path), "utf8")

let command: Packed
let types: Packed

beforeAll(async () => {
  ;[command, types] = await Promise.all([packed("packages/cli"), packed("packages/sdk")])
})

describe("the package callsheet", () => {
  it("contains the command, the entry and the script process", () => {
    expect(command.paths).toEqual(
      expect.arrayContaining([
        "LICENSE",
        "README.md",
        "bin/callsheet.js",
        "dist/THIRD-PARTY-NOTICES.txt",
        "dist/callsheet.1",
        "dist/index.d.ts",
        "dist/index.js",
        "dist/main.js",
        "dist/page/index.html",
        "dist/import-thread.js",
        "dist/script-child.js",
      ]),
    )
  })

  it("contains the whole sample project without its server, including secrets files, and the files of a new project", () => {
    const examples = ["hello", "shop"].flatMap((name) =>
      filesIn(join(root, "examples", name))
        .filter((path) => !path.startsWith("server/"))
        .map((path) => `dist/examples/${name}/${path}`),
    )
    expect(examples.filter((path) => path.endsWith(".secrets.env"))).not.toEqual([])
    expect(examples).toContain("dist/examples/hello/apis/workflow/hello.json")
    expect(command.paths.filter((path) => path.startsWith("dist/examples/"))).toEqual(examples)
  })

  it("contains no sources, tests, maps or anything else", () => {
    const allowed = [
      /^(LICENSE|README\.md|package\.json)$/,
      /^bin\/(callsheet\.js|package\.json)$/,
      /^dist\/([\w.-]+\.js|index\.d\.ts|package\.json)$/,
      /^dist\/page\/(index\.html|assets\/[\w.-]+\.(js|css))$/,
      /^dist\/(THIRD-PARTY-NOTICES\.txt|callsheet\.1)$/,
      /^dist\/examples\/(hello|shop)\//,
    ]
    const others = command.paths.filter((path) => !allowed.some((pattern) => pattern.test(path)))
    expect(others).toEqual([])
    expect(command.paths.filter((path) => /\.test\.|\/testing\//.test(path))).toEqual([])
  })

  // In November 2026: 1.6 MB to download, 5.4 MB on disk. A third is the page with its code editor, and a fourth the
  // public suffix list for cookies, ajv, js-yaml and the published meta-schemas of OpenAPI. Raise these for a feature
  // that is worth it, not because a library crept in.
  it("stays small", () => {
    expect(command.size).toBeLessThan(1_700_000)
    expect(command.unpackedSize).toBeLessThan(5_200_000)
  })

  it("needs two packages at pinned versions, without install scripts or dependencies", () => {
    const manifestOf = (path: string) =>
      JSON.parse(readFileSync(join(root, path, "package.json"), "utf8")) as {
        readonly dependencies?: Readonly<Record<string, string>>
        readonly optionalDependencies?: object
        readonly peerDependencies?: object
        readonly scripts?: Readonly<Record<string, string>>
      }
    const { dependencies = {}, ...rest } = manifestOf("packages/cli")
    expect(Object.keys(dependencies)).toEqual(["@callsheet/sdk", "jiti"])
    expect(Object.values(dependencies).filter((version) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([])
    const all = [rest, manifestOf("packages/sdk"), manifestOf("node_modules/jiti")]
    const needs = all.flatMap((manifest) =>
      (["dependencies", "optionalDependencies", "peerDependencies"] as const).flatMap((kind) =>
        Object.keys((manifest as ReturnType<typeof manifestOf>)[kind] ?? {}),
      ),
    )
    const scripts = all.flatMap((manifest) => Object.keys(manifest.scripts ?? {}))
    expect([needs, scripts.filter((name) => /^(pre|post)?install$/.test(name))]).toEqual([[], []])
  })

  it("contains a man page with every command and option, which groff reads without a warning", async () => {
    const page = read("dist/callsheet.1").replaceAll("\\-", "-")
    const missing = table.commands.flatMap(({ name, options }) => {
      const part = page
        .split(/^\.SH OPTIONS$/m)[0]
        ?.split(/^\.SS callsheet /m)
        .find((text) => text.startsWith(name))
      return options()
        .filter((option) => !new RegExp(`^\\.B (?:-v+, )?--${option.name}\\b`, "m").test(part ?? ""))
        .map((option) => option.name)
    })
    expect(missing).toEqual([])
    expect(page.match(/^\.SS /gm)).toHaveLength(table.commands.length)
    const groff = ["-ww", "-man", "-Tutf8", join(cli, "dist/callsheet.1")]
    const shown = await run("groff", groff).catch((error: NodeJS.ErrnoException) => {
      // Not every machine has groff.
      if (error.code === "ENOENT") return { stdout: "CALLSHEET(1)", stderr: "" }
      throw error
    })
    expect(shown.stdout).toContain("CALLSHEET(1)")
    expect(shown.stderr).toBe("")
  })

  it("contains no path of the machine that built it", () => {
    const places = ["packages", "node_modules"].map((folder) => join(root, folder).replaceAll("\\", "/"))
    const naming = command.paths.filter((path) => places.some((place) => read(path).includes(place)))
    expect(naming).toEqual([])
  })

  it("contains the license of each bundled library", () => {
    const modules = Object.values(JSON.parse(read("dist/modules.json")) as Record<string, string[]>).flat()
    const bundled = new Set(
      modules.flatMap((path) => /^node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? []),
    )
    expect(bundled).toContain("js-yaml")
    const notices = new Map(
      read("dist/THIRD-PARTY-NOTICES.txt")
        .split(/^-{80}$/m)
        .map((notice) => [/^\s*(\S+) /.exec(notice)?.[1] ?? "", notice]),
    )
    expect([...notices.keys()].sort()).toEqual([...bundled].sort())
    const empty = [...notices].filter(([, text]) => !/copyright/i.test(text) || text.length < 300)
    expect(empty.map(([name]) => name)).toEqual([])
  })
})

describe("the package @callsheet/sdk", () => {
  it("contains types and an empty module", () => {
    const wanted = ["LICENSE", "README.md", "index.js", "package.json", "src/index.d.ts", "src/paths.d.ts"]
    expect(types.paths).toEqual(wanted)
  })
})

describe("both packages", () => {
  it("have the repository's license and the same version", () => {
    const license = readFileSync(join(root, "LICENSE"), "utf8")
    const [main, sdk] = ["packages/cli", "packages/sdk"].map((folder) => ({
      license: readFileSync(join(root, folder, "LICENSE"), "utf8"),
      manifest: JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8")) as {
        version: string
        dependencies?: Record<string, string>
      },
    }))
    expect([main?.license, sdk?.license]).toEqual([license, license])
    expect(main?.manifest.dependencies?.["@callsheet/sdk"]).toBe(sdk?.manifest.version)
    expect(main?.manifest.version).toBe(sdk?.manifest.version)
  })
})

describe("in an outside directory", () => {
  const parent = mkdtempSync(join(tmpdir(), "callsheet-package-"))
  const folder = join(parent, "project")
  let commands: readonly string[]
  afterAll(() => rmSync(parent, { recursive: true, force: true }))

  beforeAll(async () => {
    commands = await installPacked(parent)
  }, 60_000)

  it("installs the two packages and jiti, with the commands of docs/start/install.md", async () => {
    const installed = readdirSync(join(folder, "node_modules")).filter((name) => !name.startsWith("."))
    expect(installed.sort()).toEqual(["@callsheet", "callsheet", "jiti"])
    const bare = { PATH: process.env["PATH"], HOME: parent }
    const printed: string[] = []
    for (const command of commands) {
      const { stdout } = await runLine(command, { cwd: folder, env: bare })
      printed.push(stdout)
    }
    expect(printed[0]).toBe("0.1.0\n")
    expect(printed.at(-1)).toContain("hello passed")
  })

  it("runs the sample project, scripts included", async () => {
    const words = ["node_modules/callsheet/bin/callsheet.js", "demo"]
    const { stdout } = await run(process.execPath, words, { cwd: folder, env: { ...process.env, CI: "" } })
    expect(stdout).toContain("returns passed")
  })

  it("exports run to modules and to CommonJS", async () => {
    writeFileSync(join(folder, "a.mjs"), `import { run } from "callsheet"; console.log(typeof run)`)
    writeFileSync(join(folder, "b.cjs"), `const { run } = require("callsheet"); console.log(typeof run)`)
    const printed = ["a.mjs", "b.cjs"].map(async (file) =>
      run(process.execPath, [file], { cwd: folder }).then(({ stdout }) => stdout.trim()),
    )
    expect(await Promise.all(printed)).toEqual(["function", "function"])
  })

  it("has declarations that compile under strict, libraries included", async () => {
    const scripts = "node_modules/callsheet/dist/examples/shop/apis/workflow/scripts/returns"
    cpSync(join(folder, scripts), join(folder, "scripts"), { recursive: true })
    for (const name of ["@types/node", "undici-types"]) {
      const link = join(folder, "node_modules", name)
      mkdirSync(dirname(link), { recursive: true })
      symlinkSync(join(root, "node_modules", name), link, "junction")
    }
    writeFileSync(join(folder, "program.mts"), program)
    writeFileSync(
      join(folder, "tsconfig.json"),
      JSON.stringify({ compilerOptions, include: ["*.mts", "scripts"] }),
    )
    const tsc = createRequire(import.meta.url)
      .resolve("typescript/package.json")
      .replace("package.json", "bin/tsc")
    const checked = await run(process.execPath, [tsc, "-p", "."], { cwd: folder }).then(
      () => "",
      (error: unknown) => (error as { stdout: string }).stdout,
    )
    expect(checked).toBe("")
  })
})

const compilerOptions = {
  strict: true,
  exactOptionalPropertyTypes: true,
  skipLibCheck: false,
  noEmit: true,
  allowImportingTsExtensions: true,
  module: "nodenext",
  target: "es2023",
  types: ["node"],
}

/** Each line that should fail is marked, because types that became `any` would pass. */
const program = `
import { CallsheetError, run, type BlockReport, type Report, type RunEvent } from "callsheet"

const events: RunEvent[] = []
const report = await run({
  workflows: ["checkout"],
  environments: { shop: "local" },
  inputs: { quantity: 3 },
  overrides: { shop: { timeout: 100 } },
  signal: new AbortController().signal,
  onEvent: (event) => {
    if (event.type === "block.finished") events.push(event)
  },
})
export const whole: Report = report
export const first: BlockReport | undefined = report.runs[0]?.blocks[0]
export const code = (error: unknown): string => (error instanceof CallsheetError ? error.code : "")
// @ts-expect-error a workflow is given in a list
await run({ workflows: "checkout" })
// @ts-expect-error there is no such status
export const never = report.status === "green"
`

/** The paths of the files in a directory, sorted. */
function filesIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(folder.length + 1)
        .replaceAll("\\", "/"),
    )
    .sort()
}
