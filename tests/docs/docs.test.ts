// Checks every code block of the documentation: shell blocks run and print the shown text, files validate, programs
// compile. tests/docs/README.md explains how a page marks its blocks.

import { execFile } from "node:child_process"
import { chmod, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { promisify } from "node:util"
import { afterAll, beforeAll, expect, it } from "vitest"
import { startSampleApi } from "../../examples/shop/server/start-sample-api.ts"
import { program } from "../harness/callsheet.ts"
import { checkSection, type Checked, type Workshop } from "./check-section.ts"
import { listPages, readSections, root } from "./read-pages.ts"

const pages = listPages()
  .map((page) => ({ page, sections: readSections(page) }))
  .filter(({ sections }) => sections.length > 0)

const failures = new Map<string, readonly string[]>()
let workshop: Workshop

beforeAll(async () => {
  workshop = await openWorkshop()
  const queue = pages.flatMap(({ sections }) => sections)
  const programs: (readonly [string, string])[] = []
  const note = (page: string, found: readonly string[]): void =>
    void failures.set(page, [...(failures.get(page) ?? []), ...found])
  const work = async (): Promise<void> => {
    for (let section = queue.shift(); section !== undefined; section = queue.shift()) {
      const checked: Checked = await checkSection(section, String(queue.length), workshop)
      note(section.page, checked.failures)
      programs.push(...checked.programs)
    }
  }
  await Promise.all([work(), work(), work()])
  for (const failure of await compile(programs)) note(failure.replace(/:.*/s, ""), [failure])
}, 480_000)

afterAll(async () => {
  await Promise.all(Object.values(workshop.servers).map((server) => server.close()))
  await rm(workshop.folder, { recursive: true, force: true })
})

it.each(pages.map(({ page }) => page))("%s", (page) => {
  expect(failures.get(page)?.join("\n\n")).toBe("")
})

it("reports blocks that don't work", async () => {
  const fence = "```"
  const page = [
    `${fence}sh\ncallsheet run nowhere --env local\n${fence}`,
    `${fence}console\n$ callsheet --version\nversion …\n${fence}`,
    `${fence}json title="apis/workflow/checkout.json"\n{ "id": "payment", "type": "assert" }\n${fence}`,
    `${fence}json title="apis/workflow/new.json"\n{ "id": "a", "type": "request", "request": { "api": "shop" } }\n${fence}`,
    `${fence}text tree\napis/\n  shop/\n    nothing.json\n${fence}`,
    `${fence}sh ignore\nfalse\n${fence}`,
    `${fence}\nfalse\n${fence}`,
    `${fence}sh until="never"\ntrue\n${fence}`,
    `${fence}sh exit="1"\ntrue\n${fence}`,
  ]
  const [section] = readSections("page.md", page.join("\n\n"))
  if (section === undefined) throw new Error("the page has blocks")
  const checked = await checkSection(section, "broken", workshop)
  const reported = checked.failures
    .map((failure) => Number(/^page\.md:(\d+)/.exec(failure)?.[1]))
    .sort((a, b) => a - b)
  expect(reported).toEqual(section.blocks.map(({ at }) => Number(at.replace("page.md:", ""))))
  expect(await compile([[join(workshop.folder, "wrong.ts"), "page.md:1"]])).toHaveLength(1)
})

/** A directory with the command on its path and the packages in its `node_modules`, and the sample's servers. */
async function openWorkshop(): Promise<Workshop> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "callsheet-docs-")))
  const bin = join(folder, "bin")
  await mkdir(bin)
  const call = `exec "${process.execPath}" "${program}"`
  const commands = {
    callsheet: `${call} "$@"`,
    npx: `[ "$1" = callsheet ] && shift && ${call} "$@"`,
    docker: `export CALLSHEET_PROGRAM="${program}"; exec "${process.execPath}" "${root}/tests/action/docker.mjs" "$@"`,
  }
  for (const [name, line] of Object.entries(commands)) {
    await writeFile(join(bin, name), `#!/bin/sh\n${line}\n`)
    await chmod(join(bin, name), 0o755)
  }
  for (const name of [
    "callsheet",
    "callsheet-mcp",
    "@callsheet/sdk",
    "@types/node",
    "undici-types",
    "typescript",
  ]) {
    const link = join(folder, "node_modules", name)
    await mkdir(dirname(link), { recursive: true })
    await symlink(join(root, "node_modules", name), link, "junction")
  }
  const environment = {
    PATH: `${bin}:${process.env["PATH"]}`,
    HOME: folder,
    PASSWORD: "kettle-lantern-47",
    API_KEY: "pk_sample_9f2b61c07d3e",
    MY_TOKEN: "any-token",
  }
  const [local, staging, production] = await Promise.all([
    startSampleApi(),
    startSampleApi(),
    startSampleApi(),
  ])
  return { folder, environment, servers: { local, staging, production } }
}

/** Returns the compiler's errors, with the block and the line of each. */
async function compile(
  programs: readonly (readonly [file: string, at: string])[],
): Promise<readonly string[]> {
  const { folder } = workshop
  const config = join(folder, "tsconfig.json")
  await writeFile(config, JSON.stringify({ compilerOptions, files: programs.map(([file]) => file) }))
  const tsc = join(root, "node_modules/typescript/bin/tsc")
  const printed = await promisify(execFile)(process.execPath, [tsc, "-p", config, "--pretty", "false"], {
    cwd: folder,
  }).then(
    () => "",
    (error: { readonly stdout: string }) => error.stdout,
  )
  const blocks = new Map(programs)
  return printed
    .split("\n")
    .filter((line) => /error TS\d+/.test(line))
    .map((line) => {
      const [, path = "", where = ""] = /^(\S+?)\((\d+),\d+\)/.exec(line) ?? []
      return `${blocks.get(join(folder, path)) ?? "README.md"}: line ${where} of the block: ${line}`
    })
}

const compilerOptions = {
  strict: true,
  exactOptionalPropertyTypes: true,
  skipLibCheck: true,
  noEmit: true,
  allowImportingTsExtensions: true,
  module: "nodenext",
  target: "es2023",
  types: ["node"],
}
