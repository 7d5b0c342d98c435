// Bundles what `input` lists into packages/cli/dist, with the files that it needs. The app's page goes to `page`.

import { execFile } from "node:child_process"
import { rmSync } from "node:fs"
import { cp, mkdtemp, rename, writeFile } from "node:fs/promises"
import { createRequire } from "node:module"
import { basename, dirname, join, relative } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { rolldown } from "rolldown"
import { dts } from "rolldown-plugin-dts"
import { build } from "vite"
import { collectNotices, findBundled } from "./notices.mjs"
import { root } from "./repository.mjs"
import { listMaterials } from "./sbom.mjs"
import { pageConfig } from "../packages/web/vite.config.mjs"

const cli = `${root}packages/cli`

// Build next to `dist`, which stays if the build fails. Git and other tools ignore this name.
const workshop = await mkdtemp(`${cli}/.build-`)
const dist = join(workshop, "dist")
process.on("exit", () => rmSync(workshop, { recursive: true, force: true }))

const source = (path) => `${root}packages/${path}`
const input = {
  start: source("cli/src/start.ts"),
  main: source("cli/src/main.ts"),
  index: source("cli/src/index.ts"),
  "script-child": source("engine/src/node/script/child.ts"),
  "import-thread": source("server/src/imports/import-thread.ts"),
  "generate-thread": source("server/src/generate/generate-thread.ts"),
  "man-page": source("cli/src/args/man-page.ts"),
}
/** The modules that each part always loads, with their imports. */
const parts = {
  start: [input.start],
  main: [input.main],
  help: [source("cli/src/args/help.ts")],
  run: [source("cli/src/commands/run.ts"), source("cli/src/reporters/pretty/pretty.ts")],
  validate: [source("cli/src/commands/validate.ts")],
  environments: [source("cli/src/commands/env-read.ts")],
  scripts: [source("engine/src/node/script/script-port.ts")],
  child: [input["script-child"], source("engine/src/node/script/child/serve.ts")],
}

const bundle = await rolldown({
  cwd: root,
  input,
  platform: "node",
  // jiti finds its own files by their paths, so it can't be bundled.
  external: ["jiti", "@callsheet/sdk"],
  // tests/architecture/entry-weight.test.ts checks what each command loads.
  checks: { ineffectiveDynamicImport: false },
  // `codeSplitting` needs this, because its groups may add exports to an entry.
  preserveEntrySignatures: "allow-extension",
})
const outputOptions = {
  format: "cjs",
  // `start.ts` runs the chunks as scripts, which can't use `import()`.
  dynamicImportInCjs: false,
  entryFileNames: "[name].js",
  // All chunks are in one directory, so that `./script-child.js` resolves from each.
  chunkFileNames: "[name]-[hash].js",
  // THIRD-PARTY-NOTICES.txt contains the licenses.
  comments: { legal: false },
  // Keep the names of functions, because users send us stack traces from `--debug`.
  minify: { mangle: { keepNames: { function: true, class: true } } },
}
const codeSplitting = joinParts((await bundle.generate(outputOptions)).output)
const { output } = await bundle.write({ ...outputOptions, dir: dist, codeSplitting })
await bundle.close()
// In an environment set up for tests, React would use its development build.
process.env.NODE_ENV = "production"
const page = await build(pageConfig(join(dist, "page")))
const pageOutput = page.output.map((chunk) => ({ ...chunk, fileName: `page/${chunk.fileName}` }))
const chunks = [...output, ...pageOutput].filter(({ type }) => type === "chunk")
for (const example of ["shop", "hello"]) {
  // The bundle already contains the sample's server.
  const filter = (path) => path !== join(root, "examples", example, "server")
  await cp(`${root}examples/${example}`, `${dist}/examples/${example}`, { recursive: true, filter })
}
await writeFile(join(dist, "package.json"), '{ "type": "commonjs" }\n')
const manual = join(dist, "man-page.js")
const { renderManPage, table, version } = createRequire(manual)(manual)
await writeFile(join(dist, "callsheet.1"), renderManPage(table, version))
rmSync(manual)
await writeModules()
await writeFile(join(dist, "THIRD-PARTY-NOTICES.txt"), await collectNotices(chunks))
const materials = await listMaterials(cli, await findBundled(chunks))
await writeFile(join(dist, "sbom.cdx.json"), `${JSON.stringify(materials, undefined, 2)}\n`)
await writeTypes()
await replace(`${cli}/dist`, dist)
await buildLanguageServer()

/** Puts a built directory in the place of the last one. */
async function replace(place, built) {
  await rename(place, join(workshop, `replaced-${basename(dirname(place))}`)).catch(() => undefined)
  await rename(built, place)
}

/**
 * Bundles the protocol of `callsheet lsp`, a package of its own, which brings its dependencies. The command loads it by
 * `require`, and Yarn's Plug'n'Play has no modules there.
 */
async function buildLanguageServer() {
  const bundle = await rolldown({
    cwd: root,
    input: { index: source("lsp/src/index.ts") },
    platform: "node",
    external: [/^vscode-/, /^node:/],
  })
  await bundle.write({ format: "cjs", dir: join(workshop, "lsp"), entryFileNames: "[name].cjs" })
  await bundle.close()
  await replace(`${root}packages/lsp/dist`, join(workshop, "lsp"))
}

/** Joins modules that the same parts load, because opening a file usually takes longer than running it. */
function joinParts(separate) {
  const partsOf = new Map()
  for (const [part, paths] of Object.entries(parts)) {
    const loaded = new Set(separate.filter(({ moduleIds }) => moduleIds.some((id) => paths.includes(id))))
    // This loop also visits the items that it adds.
    for (const { imports } of loaded)
      for (const chunk of separate) if (imports.includes(chunk.fileName)) loaded.add(chunk)
    for (const id of [...loaded].flatMap(({ moduleIds }) => moduleIds))
      partsOf.set(id, [...(partsOf.get(id) ?? []), part])
  }
  const groupOf = (id) => {
    const names = partsOf.get(id)
    // Loading a chunk that contains an entry would start that entry.
    if (names === undefined || Object.values(input).includes(id)) return null
    // Every command loads these.
    return ["start", "main"].find((part) => names.includes(part)) ?? names.join("-and-")
  }
  return { includeDependenciesRecursively: false, groups: [{ name: groupOf, debugName: "parts" }] }
}

/** Writes the list of sources in each chunk, relative to the repository's root. Tests use it. It isn't published. */
async function writeModules() {
  const pathOf = (id) => relative(root, id).replaceAll("\\", "/")
  const isFile = (id) => !id.includes("\0")
  const modules = chunks.map(({ fileName, moduleIds }) => [fileName, moduleIds.filter(isFile).map(pathOf)])
  await writeFile(join(dist, "modules.json"), JSON.stringify(Object.fromEntries(modules), undefined, 2))
}

/** Writes the declarations of the programmatic entry as one file. */
async function writeTypes() {
  const tsc = fileURLToPath(import.meta.resolve("typescript/package.json").replace("package.json", "bin/tsc"))
  const emitted = join(workshop, "emitted")
  await promisify(execFile)(process.execPath, [tsc, "-p", `${root}tsconfig.types.json`, "--outDir", emitted])
  const handler = (id) => join(emitted, id.replace("@callsheet/", ""), "src/index.d.ts")
  const ours = { name: "ours", resolveId: { order: "pre", filter: { id: /^@callsheet\// }, handler } }
  const bundle = await rolldown({
    input: join(emitted, "cli/src/index.d.ts"),
    plugins: [ours, dts({ dtsInput: true, tsconfig: false })],
    // Most of the time goes to the plugin, as it should.
    checks: { bundlerTimings: false },
  })
  await bundle.write({ dir: dist, entryFileNames: "[name].ts" })
  await bundle.close()
}
