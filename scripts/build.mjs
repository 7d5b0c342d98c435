// Bundles the command, the programmatic entry and the script process into packages/cli/dist, with what they need beside them.

import { execFile } from "node:child_process"
import { cp, readFile, readdir, rm, writeFile } from "node:fs/promises"
import { dirname, join, relative } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { rolldown } from "rolldown"

const root = fileURLToPath(new URL("..", import.meta.url))
const cli = `${root}packages/cli`

await rm(`${cli}/dist`, { recursive: true, force: true })
const bundle = await rolldown({
  cwd: root,
  input: {
    main: `${cli}/src/main.ts`,
    index: `${cli}/src/index.ts`,
    "script-child": `${root}packages/engine/src/node/script/child.ts`,
  },
  platform: "node",
  // jiti finds its own parts by their place on disk.
  external: ["jiti", "@callsheet/sdk"],
  // jsonc-parser's "main" is a UMD file that the bundler cannot see through.
  resolve: { mainFields: ["module", "main"] },
})
const { output } = await bundle.write({
  dir: `${cli}/dist`,
  format: "esm",
  entryFileNames: "[name].js",
  // One folder for all, so that `./script-child.js` is right from every chunk.
  chunkFileNames: "[name]-[hash].js",
})
await bundle.close()
await cp(`${root}examples/shop`, `${cli}/dist/examples/shop`, { recursive: true })
await writeNotices()
await writeTypes()

/** The licences of what was bundled, which asks for its notice to go along. */
async function writeNotices() {
  const folders = new Set(
    output
      .flatMap((chunk) => (chunk.type === "chunk" ? chunk.moduleIds : []))
      .flatMap((id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id.replaceAll("\\", "/"))?.[0] ?? []),
  )
  const notices = []
  for (const folder of [...folders].sort()) {
    const { name, version, license } = JSON.parse(await readFile(join(folder, "package.json"), "utf8"))
    const file = (await readdir(folder)).find((entry) => /^licen[cs]e/i.test(entry))
    const text = file === undefined ? "" : await readFile(join(folder, file), "utf8")
    notices.push(`${name} ${version} (${license})\n\n${text.trim()}\n`)
  }
  const line = `${"-".repeat(80)}\n`
  await writeFile(`${cli}/dist/THIRD-PARTY-NOTICES.txt`, notices.join(`\n${line}\n`))
}

/** Declarations of the programmatic entry and of all that it names; our packages are not published, so names become paths. */
async function writeTypes() {
  const tsc = fileURLToPath(import.meta.resolve("typescript/package.json").replace("package.json", "bin/tsc"))
  await promisify(execFile)(process.execPath, [tsc, "-p", `${root}tsconfig.types.json`])
  const types = `${cli}/dist/types`
  for (const entry of await readdir(types, { recursive: true })) {
    if (!entry.endsWith(".d.ts")) continue
    const file = join(types, entry)
    const text = await readFile(file, "utf8")
    const named = text.replaceAll(/"@callsheet\/(format|openapi|engine|project)"/g, (_, name) => {
      const path = relative(dirname(file), join(types, name, "src/index.js")).replaceAll("\\", "/")
      return JSON.stringify(path.startsWith(".") ? path : `./${path}`)
    })
    if (named !== text) await writeFile(file, named)
  }
}
