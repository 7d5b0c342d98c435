// `npm run version` in a copy of the repository.

import { execFile } from "node:child_process"
import { cp, mkdtemp, readFile, readdir, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { expect, it, onTestFinished } from "vitest"
import { root } from "../package/packed.ts"

const run = promisify(execFile)

interface Manifest {
  readonly version: string
  readonly dependencies?: Readonly<Record<string, string>>
}

it("gives all packages the version that the recorded changes ask for, and writes the changelog", async () => {
  const folder = await copyRepository()
  const read = (path: string): Promise<string> => readFile(join(folder, path), "utf8")
  const readVersion = async (name: string) =>
    JSON.parse(await read(`packages/${name}/package.json`)) as Manifest
  const before = (await readVersion("cli")).version
  const [major, minor = ""] = before.split(".")
  const next = `${major}.${Number(minor) + 1}.0`
  await addChange(folder, "one", "minor", "`callsheet run` has the reporter `example`.")
  await addChange(folder, "two", "patch", "`callsheet run` no longer forgets an example.")

  await run("npm", ["run", "--silent", "version"], { cwd: folder })

  for (const name of await readdir(join(folder, "packages"))) {
    const { version, dependencies = {} } = await readVersion(name)
    const own = Object.entries(dependencies).filter(([name]) => /^@?callsheet/.test(name))
    expect([name, version, own.filter(([, wanted]) => wanted !== next)]).toEqual([name, next, []])
    expect(await readdir(join(folder, "packages", name))).not.toContain("CHANGELOG.md")
  }
  const changes = `## ${next} (${new Date().toISOString().slice(0, 10)})

### Added

- \`callsheet run\` has the reporter \`example\`.

### Fixed

- \`callsheet run\` no longer forgets an example.

## ${before} (`
  expect(await read("CHANGELOG.md")).toContain(changes)
  expect(await read("docs/start/install.md")).not.toContain(before)
  expect(JSON.parse(await read("package-lock.json"))).toMatchObject({
    packages: { "packages/cli": { version: next, dependencies: { "@callsheet/sdk": next } } },
  })
  expect((await readdir(join(folder, ".changeset"))).filter((name) => name.endsWith(".md"))).toEqual([
    "README.md",
  ])
})

/** Copies the files that git knows, as they are now. */
async function copyRepository(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "callsheet-version-"))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const { stdout } = await run(
    "git",
    ["ls-files", "-z", ".changeset", "docs", "packages", "scripts", "*.*"],
    {
      cwd: root,
      maxBuffer: 10_000_000,
    },
  )
  for (const path of stdout.split("\0").filter((path) => path !== "" && !path.startsWith("tests/")))
    await cp(join(root, path), join(folder, path))
  const git = (...words: string[]) =>
    run("git", ["-c", "user.name=Ada", "-c", "user.email=ada@shop.example", ...words], { cwd: folder })
  await git("init", "--quiet")
  await git("add", "--all")
  await git("commit", "--quiet", "--message", "Copy")
  return folder
}

const addChange = (folder: string, name: string, kind: string, text: string): Promise<void> =>
  writeFile(join(folder, ".changeset", `${name}.md`), `---\ncallsheet: ${kind}\n---\n\n${text}\n`)
