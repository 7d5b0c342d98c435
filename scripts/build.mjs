// Bundles the CLI, the programmatic entry, the script process and the thread of imports into packages/cli/dist, with the files that they need.
// The app's page goes to the subdirectory `page`.

import { execFile } from "node:child_process"
import { rmSync } from "node:fs"
import { cp, mkdir, mkdtemp, readFile, readdir, rename, writeFile } from "node:fs/promises"
import { dirname, join, posix, relative } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { promisify } from "node:util"
import { rolldown } from "rolldown"
import { build } from "vite"
import { pageConfig } from "../packages/web/vite.config.mjs"

const root = fileURLToPath(new URL("..", import.meta.url))
const cli = `${root}packages/cli`

// Build next to `dist`, which stays if the build fails. Git and other tools ignore this name.
const workshop = await mkdtemp(`${cli}/.build-`)
const dist = join(workshop, "dist")
process.on("exit", () => rmSync(workshop, { recursive: true, force: true }))

/** The modules that frequent commands always load, including their imports. `apart` must not need the others. */
const routes = {
  apart: ["cli/src/args/help.ts", "engine/src/node/script/child.ts", "engine/src/node/script/child/serve.ts"],
  main: ["cli/src/main.ts"],
  run: ["cli/src/commands/run.ts", "cli/src/session/last-session.ts", "cli/src/reporters/pretty/pretty.ts"],
  validate: ["cli/src/commands/validate.ts", "cli/src/problem-formats/text.ts"],
  environments: ["cli/src/commands/env-read.ts"],
  scripts: ["engine/src/node/script/script-port.ts"],
  processes: ["engine/src/node/script/script-processes.ts"],
}

const bundle = await rolldown({
  cwd: root,
  input: {
    main: `${cli}/src/main.ts`,
    index: `${cli}/src/index.ts`,
    "script-child": `${root}packages/engine/src/node/script/child.ts`,
    "import-thread": `${root}packages/server/src/imports/import-thread.ts`,
  },
  platform: "node",
  // jiti finds its own files by their paths, so it can't be bundled.
  external: ["jiti", "@callsheet/sdk"],
  plugins: [avoidAddressPattern()],
  // `codeSplitting` needs this, because its groups may add exports to an entry.
  preserveEntrySignatures: "allow-extension",
})
const outputOptions = {
  // CommonJS saves 3 ms at startup compared with ES modules.
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
const { output } = await bundle.write({
  ...outputOptions,
  dir: dist,
  codeSplitting: joinRoutes((await bundle.generate(outputOptions)).output),
})
await bundle.close()
// `start.ts` loads the other files, so it has to be a single file.
const start = await rolldown({ cwd: root, input: `${cli}/src/start.ts`, platform: "node" })
output.push(...(await start.write({ ...outputOptions, dir: dist })).output)
await start.close()
for (const { type, fileName, code, isEntry } of output) {
  if (type !== "chunk") continue
  // Escaped files load twice as fast, because they can be read as Latin-1. In String.raw, only patterns contain such
  // characters, and escapes don't change their meaning.
  const escape = (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`
  const text = isEntry ? code : exportValues(code, fileName)
  await writeFile(join(dist, fileName), text.replaceAll(/[^\0-\x7f]/g, escape))
}
// In an environment set up for tests, React would use its development build.
process.env.NODE_ENV = "production"
const page = await build(pageConfig(join(dist, "page")))
const chunks = [
  ...output.map((chunk) => ({ ...chunk, file: chunk.fileName })),
  ...page.output.map((chunk) => ({ ...chunk, file: `page/${chunk.fileName}` })),
].filter(({ type }) => type === "chunk")
for (const example of ["shop", "hello"]) {
  const source = `${root}examples/${example}`
  // The bundle already contains the sample's server.
  const filter = (path) => path !== join(source, "server")
  await cp(source, join(dist, "examples", example), { recursive: true, filter })
}
await writeFile(join(dist, "package.json"), '{ "type": "commonjs" }\n')
await writeModules()
await writeManPage()
await writeNotices()
await writeTypes()
await replaceDist()

/**
 * Makes tough-cookie test its pattern for IPv6 addresses only on hosts with a colon. V8 takes 14 ms to compile the
 * pattern, and `run` needs it for the first cookie.
 */
function avoidAddressPattern() {
  const test = "IP_V6_REGEX_OBJECT.test(str)"
  const handler = (code) => {
    if (code.split(test).length !== 2) throw new Error("tough-cookie tests for IPv6 addresses in another way")
    return { code: code.replace(test, `str.includes(":") && ${test}`) }
  }
  return {
    name: "avoid-address-pattern",
    transform: { filter: { id: /tough-cookie\/dist\/index\.js$/ }, handler },
  }
}

/**
 * Merges the chunks of frequent commands, because loading a file usually takes longer than running it. Code that two
 * commands share stays in its own file. `chunks` is the result without merging.
 */
function joinRoutes(chunks) {
  const byFile = new Map(chunks.map((chunk) => [chunk.fileName, chunk]))
  const routesOf = new Map()
  for (const [route, sources] of Object.entries(routes)) {
    const files = new Set(sources.map((source) => fileOf(chunks, `${root}packages/${source}`)))
    // This loop also visits the items that it adds.
    for (const file of files) for (const path of byFile.get(file)?.imports ?? []) files.add(path)
    for (const id of [...files].flatMap((file) => byFile.get(file)?.moduleIds ?? []))
      routesOf.set(id, [...(routesOf.get(id) ?? []), route])
  }
  const groupOf = (id) => {
    const names = routesOf.get(id)
    // Loading a chunk that contains the entry would start the command.
    if (names === undefined || names.includes("apart") || id.endsWith("/cli/src/main.ts")) return null
    if (names.includes("main")) return "main"
    // Whenever scripts are loaded, the code that `run` and `validate` share is already loaded. Processes follow scripts.
    const earlier = { scripts: ["validate"], processes: ["validate", "scripts"] }
    return names.filter((name) => !earlier[name]?.some((other) => names.includes(other))).join("-and-")
  }
  return { includeDependenciesRecursively: false, groups: [{ name: groupOf, debugName: "routes" }] }
}

function fileOf(chunks, source) {
  const chunk = chunks.find(({ moduleIds }) => moduleIds?.includes(source))
  if (chunk === undefined) throw new Error(`no chunk has ${source}`)
  return chunk.fileName
}

/**
 * Exports values instead of getters. Each getter would be one more function to load and to call. This requires that no
 * chunk imports itself through others, and that no exported variable changes.
 */
function exportValues(code, fileName) {
  const getter =
    /Object\.defineProperty\(exports,"([^"]+)",\{enumerable:!0,get:function\(\)\{return ?([^}]+)\}\}\)[,;]/g
  const exported = [...code.matchAll(getter)].map(([, name, value]) => `${name}:${value}`)
  // A chunk that only one `import()` loads exports values already.
  if (exported.length === 0) return code
  if (importsOf(fileName).has(fileName)) throw new Error(`${fileName} imports itself through others`)
  return `${code.replaceAll(getter, "")}module.exports={${exported.join()}};`
}

/** Returns the chunks that load when a chunk loads. */
function importsOf(fileName) {
  const imports = new Set(chunkImports(fileName))
  // This loop also visits the items that it adds.
  for (const file of imports) for (const next of chunkImports(file)) imports.add(next)
  return imports
}

function chunkImports(fileName) {
  return output.find((chunk) => chunk.fileName === fileName)?.imports ?? []
}

/** Writes the list of sources in each chunk, relative to the repository's root. Tests use it. It isn't published. */
async function writeModules() {
  const modules = chunks.map(({ file, moduleIds }) => [
    file,
    moduleIds.map((id) => relative(root, id).replaceAll("\\", "/")).filter((path) => !path.includes("\0")),
  ])
  await writeFile(join(dist, "modules.json"), JSON.stringify(Object.fromEntries(modules), undefined, 2))
}

/** Writes the man page from the command table. Loads no commands. */
async function writeManPage() {
  const bundle = await rolldown({
    cwd: root,
    input: [`${cli}/src/args/man-page.ts`, `${cli}/src/commands/index.ts`, `${cli}/src/version.ts`],
    platform: "node",
    external: (id, importer) => importer?.endsWith("/commands/index.ts") === true && id.startsWith("./"),
  })
  const dir = join(workshop, "manual")
  await bundle.write({ dir, entryFileNames: "[name].mjs" })
  await bundle.close()
  const load = (name) => import(pathToFileURL(join(dir, `${name}.mjs`)))
  const [{ renderManPage }, { table }, { version }] = await Promise.all(
    ["man-page", "index", "version"].map(load),
  )
  await writeFile(join(dist, "callsheet.1"), renderManPage(table, version))
}

/** Writes the licenses of the bundled packages, as these licenses require. */
async function writeNotices() {
  const folders = new Set(
    chunks
      .flatMap(({ moduleIds }) => moduleIds)
      .flatMap((id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id.replaceAll("\\", "/"))?.[0] ?? []),
  )
  const notices = []
  for (const folder of [...folders].sort()) {
    const { name, version, license } = JSON.parse(await readFile(join(folder, "package.json"), "utf8"))
    const file = (await readdir(folder)).find((entry) => /^licen[cs]e/i.test(entry))
    // Some packages on npm don't contain the file, although the license requires it. It is then in `scripts/licenses`.
    const place = file === undefined ? `${root}scripts/licenses/${name}.txt` : join(folder, file)
    const text = await readFile(place, "utf8")
    notices.push(`${name} ${version} (${license})\n\n${text.trim()}\n`)
  }
  const line = `${"-".repeat(80)}\n`
  await writeFile(join(dist, "THIRD-PARTY-NOTICES.txt"), notices.join(`\n${line}\n`))
}

/** Writes the declarations of the programmatic entry and of everything that it imports. */
async function writeTypes() {
  const tsc = fileURLToPath(import.meta.resolve("typescript/package.json").replace("package.json", "bin/tsc"))
  const emitted = join(workshop, "emitted")
  await promisify(execFile)(process.execPath, [tsc, "-p", `${root}tsconfig.types.json`, "--outDir", emitted])
  const homes = await findHomes(emitted)
  const needed = new Set(["cli/src/index.d.ts"])
  // This loop also visits the items that it adds.
  for (const path of needed) {
    const target = join(dist, "types", path)
    await mkdir(dirname(target), { recursive: true })
    const text = importFromHomes(await readFile(join(emitted, path), "utf8"), path, homes)
    await writeFile(target, importFiles(text, path, needed))
  }
}

/** Returns the module of each name that a package's index exports, such as `format` `Report`: `events/types`. */
async function findHomes(emitted) {
  const homes = new Map()
  const read = (path) => readFile(join(emitted, `${path}.d.ts`), "utf8")
  for (const name of ["format", "openapi", "language", "engine", "project"]) {
    const exports = /^export (?:type )?(?:\*|\{([^}]*)\}) from "\.\/([^"]+)\.ts"/gm
    for (const [, list, home] of (await read(`${name}/src/index`)).matchAll(exports)) {
      const declared = /^export (?:declare )?(?:const|function|class|interface|type) (\w+)/gm
      const names =
        list?.split(",") ?? [...(await read(`${name}/src/${home}`)).matchAll(declared)].map(([, one]) => one)
      for (const one of names) homes.set(`${name} ${one.replace("type ", "").trim()}`, home)
    }
  }
  return homes
}

/** Imports names from their own modules. An index would also bring the declarations of everything else. */
function importFromHomes(text, path, homes) {
  const specifier = (name, one) => {
    const home = homes.get(
      `${name} ${one
        .replace("type ", "")
        .replace(/ as .*/, "")
        .trim()}`,
    )
    return `"@callsheet/${name}${home === undefined ? "" : `/${home}`}"`
  }
  const own = (index) => /^(\w+)\/src\/index$/.exec(posix.join(posix.dirname(path), index))?.[1]
  return text
    .replaceAll(/import\("(\.[^"]*index)\.ts"\)/g, (found, index) =>
      own(index) === undefined ? found : `import("@callsheet/${own(index)}")`,
    )
    .replaceAll(
      /import\("@callsheet\/(\w+)"\)\.(\w+)/g,
      (_, name, one) => `import(${specifier(name, one)}).${one}`,
    )
    .replaceAll(
      /\b(import|export)( type)? \{([^}]*)\} from "@callsheet\/(\w+)"/g,
      (_, verb, type = "", list, name) =>
        list
          .split(",")
          .filter((one) => one.trim() !== "")
          .map((one) => `${verb}${type} { ${one.trim()} } from ${specifier(name, one)}`)
          .join("\n"),
    )
}

/**
 * Returns the declaration at `path` with relative imports: our packages aren't published under their names. Adds the
 * imported files to `needed`.
 */
function importFiles(text, path, needed) {
  const folder = posix.dirname(path)
  return text.replaceAll(
    /(?<=\b(?:from |import |import\())"(?:@callsheet\/(format|openapi|language|engine|project)(?:\/([^"]+))?|(\.[^"]+)\.[jt]s)"/g,
    (_, name, home = "index", sibling) => {
      const file = name === undefined ? posix.join(folder, sibling) : `${name}/src/${home}`
      needed.add(`${file}.d.ts`)
      const target = posix.relative(folder, `${file}.js`)
      return JSON.stringify(target.startsWith(".") ? target : `./${target}`)
    },
  )
}

/** Replaces `dist`. If two builds do this in parallel, the later one wins. */
async function replaceDist() {
  for (let attempt = 1; ; attempt++) {
    try {
      await rename(`${cli}/dist`, join(workshop, `replaced-${attempt}`)).catch((error) => {
        if (error.code !== "ENOENT") throw error
      })
      return await rename(dist, `${cli}/dist`)
    } catch (error) {
      if (attempt === 5) throw error
    }
  }
}
