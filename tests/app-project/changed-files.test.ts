// The explorer marks files that differ from the last commit. A repository's settings could run programs, and none runs.

import { execFileSync } from "node:child_process"
import { chmod, readdir, rm, symlink, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { makeFolder, openProject } from "./open-project.ts"
import { shop } from "./shop.ts"

const processEnvironment = { PATH: process.env["PATH"], HOME: "/nonexistent" }
const identity = ["-c", "user.name=Somebody", "-c", "user.email=somebody@example.com"]

const git = (root: string, ...words: readonly string[]): void =>
  void execFileSync("git", [...identity, ...words], { cwd: root, env: processEnvironment, stdio: "ignore" })

function commit(root: string): void {
  git(root, "add", "--all")
  git(root, "commit", "--message", "Something")
}

async function opened(root: string) {
  const { handlers } = await openProject(root, { processEnvironment })
  return async (): Promise<readonly string[]> => {
    const { files } = await handlers["project.changes"]({})
    return files.map(({ file, change }) => `${change} ${file}`).toSorted()
  }
}

describe("project.changes", () => {
  it("lists changed and new files, not ignored, deleted or equal ones", async () => {
    const root = await makeFolder({ ...shop, ".gitignore": "*.secrets.env\n" })
    git(root, "init")
    const changes = await opened(root)
    expect(await changes()).toContain("new apis/workflow/checkout.json")
    commit(root)
    expect(await changes()).toEqual([])
    await writeFile(join(root, "apis/workflow/checkout.json"), '{"version": 1, "blocks": []}')
    await writeFile(join(root, "apis/workflow/more ü.json"), "{}")
    await writeFile(join(root, "apis/shop/environments/local.secrets.env"), "apiKey=other\n")
    await writeFile(join(root, "README.md"), "outside\n")
    await writeFile(join(root, "callsheet.baseline.json"), '{"version": 1, "violations": []}')
    await symlink("/etc/hosts", join(root, "apis/workflow/link.json"))
    await rm(join(root, "apis/shop/openapi.json"))
    expect(await changes()).toEqual([
      "changed apis/workflow/checkout.json",
      "new apis/workflow/more ü.json",
      "new callsheet.baseline.json",
    ])
    commit(root)
    expect(await changes()).toEqual([])
  })

  it("lists paths from the project's root if the repository is above it, and ignores Windows line endings", async () => {
    const above = await makeFolder({
      "shop/apis/workflow/a.json": "{\n}\n",
      "shop/apis/workflow/b.json": "{}\n",
    })
    git(above, "init")
    commit(above)
    await writeFile(join(above, "shop/apis/workflow/a.json"), "{\r\n}\r\n")
    await writeFile(join(above, "shop/apis/workflow/b.json"), "[]\n")
    const changes = await opened(join(above, "shop"))
    expect(await changes()).toEqual(["changed apis/workflow/b.json"])
  })

  it("lists nothing without git or without a repository", async () => {
    const root = await makeFolder(shop)
    expect(await (await opened(root))()).toEqual([])
    git(root, "init")
    const { handlers } = await openProject(root, { processEnvironment: { PATH: "" } })
    expect(await handlers["project.changes"]({})).toEqual({ files: [] })
  })

  it("runs no program that the repository's settings name", async () => {
    const root = await makeFolder(shop)
    const evidence = await makeFolder({})
    git(root, "init")
    commit(root)
    const program = join(evidence, "program")
    await writeFile(program, `#!/bin/sh\ntouch "${evidence}/ran"\ncat\n`)
    await chmod(program, 0o755)
    await writeFile(
      join(root, ".git/config"),
      `[core]\n\tfsmonitor = ${program}\n\tpager = ${program}\n[filter "spoilt"]\n\tclean = ${program}\n\tprocess = ${program}\n`,
      { flag: "a" },
    )
    await writeFile(join(root, ".gitattributes"), "* filter=spoilt\n")
    await writeFile(join(root, "apis/workflow/checkout.json"), "{}")
    // Proves that the trap works: git itself runs them.
    git(root, "status")
    expect(await readdir(evidence)).toContain("ran")
    await rm(join(evidence, "ran"))
    expect(await (await opened(root))()).toEqual(["changed apis/workflow/checkout.json"])
    expect(await readdir(evidence)).not.toContain("ran")
  })
})
