// Checks that marking a secret runs git without running programs from the repository's settings.

import { execFileSync } from "node:child_process"
import { chmod, copyFile, mkdir, readdir, writeFile } from "node:fs/promises"
import { join, relative } from "node:path"
import { describe, expect, it } from "vitest"
import type { SchemaChange } from "@callsheet/server/calls"
import { commitsOf } from "../../packages/server/src/git/git-history.ts"
import { makeFolder } from "../app-project/open-project.ts"
import { folder, openEnvironments } from "./open-environments.ts"

const schema = {
  version: 1,
  variables: {
    port: { type: "string", required: false },
    apiKey: { type: "string", required: false, secret: true },
  },
}

const shop = {
  [`${folder}/schema.json`]: schema,
  [`${folder}/dev.json`]: { port: "p0rt-of-dev" },
  [`${folder}/dev.secrets.env`]: "apiKey=s3cr3t-of-dev\n",
  ".gitignore": "*.secrets.env\n",
}

const toSecret: SchemaChange = {
  do: "change",
  name: "port",
  declaration: { type: "string", required: false, secret: true },
}

const processEnvironment = { PATH: process.env["PATH"], HOME: "/nonexistent" }

function git(root: string, ...words: readonly string[]): string {
  const who = [
    "-c",
    "user.name=Somebody",
    "-c",
    "user.email=somebody@example.com",
    "-c",
    "commit.gpgSign=false",
  ]
  return execFileSync("git", [...who, ...words], {
    cwd: root,
    encoding: "utf8",
    env: { ...processEnvironment },
  })
}

function commit(root: string, message: string): void {
  git(root, "add", "--all")
  git(root, "commit", "--quiet", "--allow-empty", "--message", message)
}

async function notesOf(root: string): Promise<readonly string[]> {
  const opened = await openEnvironments(root, { processEnvironment })
  const { notes } = await opened.call("schemas.plan", { api: "shop", change: toSecret })
  // This note doesn't come from git.
  return notes.filter((note) => !note.startsWith("Reports in other places"))
}

/** A repository of the project with one commit that changed the value file and one that didn't. */
async function makeRepository(): Promise<string> {
  const root = await makeFolder(shop)
  git(root, "init", "--quiet")
  commit(root, "First, with p0rt-of-dev and s3cr3t-of-dev \u001b[31mred\u202e")
  await writeFile(join(root, "README.md"), "Hello\n")
  commit(root, "Say hello")
  return root
}

describe("git's report on a value that leaves a file", () => {
  it("lists the commits that changed the file, masked and printable, and no others", async () => {
    const root = await makeRepository()
    const hash = git(root, "log", "--format=%h", "--", folder).trim()
    const notes = await notesOf(root)
    expect(notes[0]).toContain(
      `The values are removed from ${folder}/dev.json. They stay in the repository's history`,
    )
    expect(notes[1]).toMatch(
      new RegExp(
        `^Commit ${hash} of \\d{4}-\\d\\d-\\d\\d might contain them: "First, with \\*\\*\\* and \\*\\*\\* \ufffd\\[31mred\ufffd"$`,
      ),
    )
    expect(notes).toHaveLength(2)
  })

  it("lists commits of other branches too", async () => {
    const root = await makeRepository()
    git(root, "checkout", "--quiet", "-b", "side")
    await writeFile(join(root, folder, "dev.json"), '{"port": "other"}')
    commit(root, "On the side")
    git(root, "checkout", "--quiet", "-")
    expect((await notesOf(root)).join("\n")).toContain("On the side")
  })

  it("lists at most twenty commits, and says how many more there are", async () => {
    const root = await makeRepository()
    for (let count = 1; count <= 22; count++) {
      await writeFile(join(root, folder, "dev.json"), JSON.stringify({ port: `port ${count}` }))
      commit(root, `Change ${count}`)
    }
    const notes = await notesOf(root)
    expect(notes).toHaveLength(22)
    expect(notes[1]).toContain("Change 22")
    expect(notes.at(-1)).toBe("3 more commits might contain them.")
  })

  it("reports a secrets file that is itself in version control", async () => {
    const root = await makeRepository()
    git(root, "add", "--force", `${folder}/dev.secrets.env`)
    expect((await notesOf(root)).at(-1)).toBe(
      `${folder}/dev.secrets.env is under version control. To remove it, run git rm --cached.`,
    )
  })

  it("reports a missing commit, repository or git", async () => {
    const root = await makeFolder(shop)
    expect((await notesOf(root)).join()).toContain("the project is not in a git repository")
    git(root, "init", "--quiet")
    expect((await notesOf(root)).join()).toContain("No commit contains these files")
    const opened = await openEnvironments(root, { processEnvironment: { PATH: "" } })
    const { notes } = await opened.call("schemas.plan", { api: "shop", change: toSecret })
    expect(notes.join()).toContain("git is not installed")
  })

  it("waits for git only up to its time limit", async () => {
    const slow = await makeFolder({ git: "#!/bin/sh\nsleep 60\n" })
    await chmod(join(slow, "git"), 0o755)
    const root = await makeFolder(shop)
    const place = { root, processEnvironment: { PATH: `${slow}:/bin:/usr/bin` }, deadlineMs: 200 }
    expect(await commitsOf([`${folder}/dev.json`], place)).toEqual({ is: "no-answer" })
  })

  it("runs no git from inside the project or from the current directory", async () => {
    const root = await makeFolder({ ...shop, "bin/git": "#!/bin/sh\ntouch ../ran\n" })
    await chmod(join(root, "bin/git"), 0o755)
    const beside = await makeFolder({ git: `#!/bin/sh\ntouch ${join(root, "ran")}\n` })
    await chmod(join(beside, "git"), 0o755)
    const above = join(beside, "node_modules/.bin")
    await mkdir(above, { recursive: true })
    await copyFile(join(beside, "git"), join(above, "git"))
    const path = [join(root, "bin"), above, "", ".", relative(process.cwd(), beside)].join(":")
    const place = { root, processEnvironment: { PATH: path } }
    expect(await commitsOf([`${folder}/dev.json`], place)).toEqual({ is: "no-git" })
    expect(await readdir(root)).not.toContain("ran")
  })
})

describe("a repository whose settings run programs", () => {
  /** Configures programs that would each create a file with its name. */
  async function spoil(root: string, evidence: string): Promise<void> {
    const run = (name: string): string => join(evidence, `run-${name}`)
    const names = [
      "fsmonitor",
      "pager",
      "ssh",
      "external",
      "textconv",
      "gpg",
      "hook",
      "alias",
      "editor",
      "askpass",
      "proxy",
      "upload",
      "filter",
    ]
    for (const name of names) {
      await writeFile(run(name), `#!/bin/sh\ntouch ${join(evidence, `ran-${name}`)}\ncat\n`)
      await chmod(run(name), 0o755)
    }
    const lines = [
      [
        "core",
        [
          `fsmonitor = ${run("fsmonitor")}`,
          `pager = ${run("pager")}`,
          `sshCommand = ${run("ssh")}`,
          `hooksPath = ${evidence}/hooks`,
          `editor = ${run("editor")}`,
          `askPass = ${run("askpass")}`,
          `gitProxy = ${run("proxy")}`,
          `alternateRefsCommand = ${run("proxy")}`,
          "repositoryFormatVersion = 1",
        ],
      ],
      ["pager", [`log = ${run("pager")}`]],
      ["alias", [`log = !${run("alias")}`]],
      ["log", ["showSignature = true", "diffMerges = on", "follow = true"]],
      ["gpg", [`program = ${run("gpg")}`, "format = openpgp"]],
      ['gpg "ssh"', [`program = ${run("gpg")}`]],
      ["diff", [`external = ${run("external")}`]],
      ['diff "spoilt"', [`command = ${run("external")}`, `textconv = ${run("textconv")}`]],
      [
        'filter "spoilt"',
        [`clean = ${run("filter")}`, `smudge = ${run("filter")}`, `process = ${run("filter")}`],
      ],
      ["extensions", ["partialClone = origin"]],
      [
        'remote "origin"',
        ["promisor = true", `url = ext::${run("upload")}`, `uploadpack = ${run("upload")}`],
      ],
      ["protocol", ["allow = always"]],
    ] as const
    const text = lines
      .map(([section, keys]) => `[${section}]\n${keys.map((key) => `\t${key}\n`).join("")}`)
      .join("")
    await writeFile(join(root, ".git/config"), text, { flag: "a" })
    await writeFile(join(root, ".gitattributes"), "* diff=spoilt filter=spoilt\n")
    await mkdir(join(evidence, "hooks"))
    for (const hook of ["post-index-change", "reference-transaction", "fsmonitor-watchman"]) {
      await writeFile(join(evidence, "hooks", hook), `#!/bin/sh\ntouch ${join(evidence, "ran-hook")}\n`)
      await chmod(join(evidence, "hooks", hook), 0o755)
    }
  }

  const ran = async (evidence: string) => (await readdir(evidence)).filter((name) => name.startsWith("ran-"))

  /** A commit that claims to be signed: `log.showSignature` runs a program to verify it. */
  function sign(root: string): void {
    const raw = git(root, "cat-file", "commit", "HEAD")
    const signature = "gpgsig -----BEGIN PGP SIGNATURE-----\n \n x\n -----END PGP SIGNATURE-----\n"
    const signed = raw.replace(/\n\n/, `\n${signature}\n`)
    const hash = execFileSync("git", ["hash-object", "-t", "commit", "-w", "--stdin"], {
      cwd: root,
      input: signed,
      encoding: "utf8",
    })
    git(root, "update-ref", "HEAD", hash.trim())
  }

  it("runs none of them", async () => {
    const root = await makeRepository()
    await writeFile(join(root, folder, "dev.json"), '{"port": "changed"}')
    commit(root, "Change it")
    sign(root)
    const evidence = await makeFolder({})
    await spoil(root, evidence)
    // Proves that the trap works: git itself runs some of these programs.
    execFileSync("git", ["log", "-p", "--ext-diff", "--", folder], {
      cwd: root,
      stdio: "ignore",
      env: { ...processEnvironment },
    })
    expect(await ran(evidence)).toEqual(expect.arrayContaining(["ran-external", "ran-gpg"]))
    for (const name of await ran(evidence)) execFileSync("rm", [join(evidence, name)])
    const notes = await notesOf(root)
    expect(notes.join("\n")).toContain("Change it")
    expect(await ran(evidence)).toEqual([])
  })

  it("fetches no missing objects of a partial clone", async () => {
    const root = await makeRepository()
    await writeFile(join(root, folder, "dev.json"), '{"port": "changed"}')
    commit(root, "Change it")
    const evidence = await makeFolder({})
    const tree = git(root, "rev-parse", "HEAD~1^{tree}").trim()
    await spoil(root, evidence)
    execFileSync("rm", ["-f", join(root, ".git/objects", tree.slice(0, 2), tree.slice(2))])
    const notes = await notesOf(root)
    expect(notes.length).toBeGreaterThan(0)
    expect(await ran(evidence)).toEqual([])
  })
})
