// `validate`, `run` and `env write` find secrets files that git tracks or would add, and print commands that repair it.

import { execFileSync, spawnSync } from "node:child_process"
import { chmodSync, existsSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { describe, expect, it, onTestFinished } from "vitest"
import { callsheet, createFolder } from "../harness/callsheet.ts"

const hasGit = spawnSync("git", ["--version"]).status === 0

const files = {
  "apis/shop/environments/schema.json": {
    version: 1,
    variables: {
      token: { type: "string", required: false, secret: true },
      tier: { type: "string", required: false },
    },
  },
  "apis/shop/environments/local.json": {},
  "apis/shop/environments/local.secrets.env": "token=s3cr3t-t0k3n-42\n",
  "apis/workflow/w.json": {
    version: 1,
    blocks: [
      { id: "p", type: "request", request: { api: "shop", operation: "GET /" } },
      { id: "g", type: "group", blocks: [] },
    ],
  },
  "apis/shop/openapi.json": {
    openapi: "3.1.0",
    info: { title: "Shop", version: "1" },
    servers: [{ url: "http://127.0.0.1:9" }],
    paths: { "/": { get: { responses: { 200: { description: "" } } } } },
  },
}
const secrets = "apis/shop/environments/local.secrets.env"

interface Place {
  /** The directory of the test. */
  readonly base: string
  /** The project, relative to `base`. */
  readonly project: string
}

/** Creates a project in a directory of its own. */
async function place(project = "."): Promise<Place> {
  const inside = project === "." ? "" : `${project}/`
  const base = await createFolder(
    Object.fromEntries(Object.entries(files).map(([path, text]) => [inside + path, text])),
  )
  onTestFinished(() => rmSync(base, { recursive: true, force: true }))
  return { base, project }
}

/** Creates a project in a new repository. */
async function initialized(project?: string): Promise<Place> {
  const at = await place(project)
  git(at.base, "init", "-q")
  return at
}

function git(folder: string, ...words: string[]): string {
  const settings = ["-c", "user.name=a", "-c", "user.email=a@b.example", "-c", "protocol.file.allow=always"]
  return execFileSync("git", [...settings, ...words], {
    cwd: folder,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  })
}

const root = ({ base, project }: Place): string => join(base, project)

const write = (folder: string, path: string, text: string): void => {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text)
}

const validate = (at: Place, options: { cwd?: string; env?: Record<string, string | undefined> } = {}) =>
  callsheet(["validate"], { folder: at.base, cwd: at.project, ...options })

/** How a repository treats the secrets file. Returns the place of the project. */
type Repository = () => Promise<Place>

const tracked: Readonly<Record<string, Repository>> = {
  "in a commit": async () => {
    const at = await initialized()
    git(at.base, "add", ".")
    git(at.base, "commit", "-qm", "x")
    return at
  },
  "in the index, although a rule ignores it": async () => {
    const at = await initialized()
    git(at.base, "add", ".")
    write(at.base, ".gitignore", "*.secrets.env\n")
    return at
  },
  "in an index of version 4": async () => {
    const at = await initialized()
    write(at.base, ".gitignore", "*.secrets.env\n")
    git(at.base, "add", "-f", ".")
    git(at.base, "update-index", "--index-version", "4")
    return at
  },
  "in a split index": async () => {
    const at = await initialized()
    write(at.base, ".gitignore", "*.secrets.env\n")
    git(at.base, "add", "-f", ".")
    git(at.base, "update-index", "--split-index")
    return at
  },
  "of a project in a subdirectory with blanks, quotes and umlauts": async () => {
    const at = await initialized("-my tests/it's ü")
    git(at.base, "add", ".")
    return at
  },
  "in a repository inside the project": async () => {
    const at = await initialized()
    git(join(at.base, "apis/shop"), "init", "-q")
    git(join(at.base, "apis/shop"), "add", ".")
    return at
  },
  "in a worktree": async () => {
    const at = await place("main")
    git(root(at), "init", "-q")
    git(root(at), "add", ".")
    git(root(at), "commit", "-qm", "x")
    git(root(at), "worktree", "add", "-q", "../other")
    return { ...at, project: "other" }
  },
  "in a submodule": async () => {
    const at = await place("tests")
    git(root(at), "init", "-q")
    git(root(at), "add", ".")
    git(root(at), "commit", "-qm", "x")
    mkdirSync(join(at.base, "all"))
    git(join(at.base, "all"), "init", "-q")
    git(join(at.base, "all"), "submodule", "--quiet", "add", "../tests", "sub")
    return { ...at, project: "all/sub" }
  },
  "through a link": async () => {
    const at = await place()
    mkdirSync(join(at.base, "shared"))
    renameSync(join(at.base, secrets), join(at.base, "shared/all.env"))
    symlinkSync("../../../shared/all.env", join(at.base, secrets))
    git(at.base, "init", "-q")
    git(at.base, "add", "shared")
    write(at.base, ".gitignore", "*.secrets.env\n")
    return at
  },
}

const unignored: Readonly<Record<string, Repository>> = {
  "if there is no rule": async () => {
    const at = await initialized()
    return at
  },
  "if a later line is an exception": async () => {
    const at = await initialized()
    write(at.base, ".gitignore", "*.secrets.env\n!local.secrets.env\n")
    return at
  },
  "if a deeper file has an exception": async () => {
    const at = await initialized()
    write(at.base, ".gitignore", "*.secrets.env\n")
    write(at.base, "apis/.gitignore", "# keep\n!*.secrets.env\n")
    return at
  },
  "if the rules are in another directory": async () => {
    const at = await initialized("tests")
    write(at.base, "other/.gitignore", "*.secrets.env\n")
    return at
  },
  "if the rules are a link": async () => {
    const at = await initialized()
    write(at.base, "rules", "*.secrets.env\n")
    symlinkSync("rules", join(at.base, ".gitignore"))
    return at
  },
}

const hidden: Readonly<Record<string, Repository>> = {
  "a usual rule": async () => {
    const at = await initialized()
    write(at.base, ".gitignore", "*.secrets.env\n")
    git(at.base, "add", ".")
    return at
  },
  "a rule above the project": async () => {
    const at = await initialized("tests")
    write(at.base, ".gitignore", "node_modules/\r\n**/*.secrets.env\r\n")
    git(at.base, "add", ".")
    return at
  },
  "an ignored directory": async () => {
    const at = await initialized("tests")
    write(at.base, ".gitignore", "/tests/\n")
    return at
  },
  ".git/info/exclude": async () => {
    const at = await initialized()
    write(at.base, ".git/info/exclude", "*.env\n")
    return at
  },
  "no repository": async () => place(),
  "a broken repository": async () => {
    const at = await place()
    write(at.base, ".git/HEAD", "nonsense")
    return at
  },
}

const command = /run: (git .*?)(?:; add the line|; remove the line|; replace the secrets)/
const printed = /with: (printf .*)$/m

describe.skipIf(!hasGit)("a secrets file that git tracks", () => {
  it.each(Object.entries(tracked))(
    "is an error of validate, whose command repairs it: %s",
    async (_, repository) => {
      const at = await repository()
      const { exitCode, stdout } = await validate(at)
      expect(exitCode).toBe(1)
      expect(stdout).toContain(`${secrets}: git tracks this file`)
      expect(stdout).not.toContain("s3cr3t")
      const [, repair = ""] = command.exec(stdout) ?? []
      execFileSync("sh", ["-c", repair], { cwd: root(at), stdio: ["ignore", "ignore", "inherit"] })
      const [, ignore] = printed.exec(stdout.split("; replace")[0] ?? "") ?? []
      if (ignore !== undefined) execFileSync("sh", ["-c", ignore], { cwd: root(at) })
      expect((await validate(at)).stdout).not.toMatch(/git tracks/)
    },
  )

  it("is a warning of a run that uses it, and keeps a strict one from starting", async () => {
    const at = await (tracked["in a commit"] as Repository)()
    const words = ["run", "w", "--json"]
    const { report } = await callsheet(words, { folder: at.base })
    expect(report?.warnings).toContainEqual(
      expect.objectContaining({ code: "secrets-tracked", file: secrets }),
    )
    const strict = await callsheet([...words, "--strict"], { folder: at.base })
    expect([strict.exitCode, strict.report?.status]).toEqual([2, "error"])
    writeFileSync(join(at.base, secrets), "")
    const unused = await callsheet(words, { folder: at.base })
    expect(unused.report?.warnings?.filter(({ code }) => code === "secrets-tracked")).toEqual([])
  })

  it("is reported by env write, with a command for the working directory", async () => {
    const at = await (tracked["in a commit"] as Repository)()
    const options = { folder: at.base, cwd: "apis/workflow", stdin: "n3w-t0k3n-value" }
    const { exitCode, stderr } = await callsheet(["env", "write", "shop", "local", "token=-"], options)
    expect(exitCode).toBe(0)
    expect(stderr).toContain("git rm --cached -- ../shop/environments/local.secrets.env")
    const plain = await callsheet(["env", "write", "shop", "local", "tier=gold"], { folder: at.base })
    expect(plain.stderr).not.toContain("git")
  })

  it("is repaired from outside of the repository, too", async () => {
    const at = await (
      tracked["of a project in a subdirectory with blanks, quotes and umlauts"] as Repository
    )()
    const outside = await createFolder({})
    onTestFinished(() => rmSync(outside, { recursive: true, force: true }))
    const { stdout } = await callsheet(["validate", "--project", root(at)], { folder: outside })
    const [, repair = ""] = command.exec(stdout) ?? []
    expect(repair).toMatch(/^git -C /)
    execFileSync("sh", ["-c", repair], { cwd: outside, stdio: "ignore" })
    expect(git(at.base, "ls-files")).not.toContain("secrets.env")
  })
})

describe.skipIf(!hasGit)("a secrets file that git doesn't ignore", () => {
  it.each(Object.entries(unignored))("is a warning with its repair: %s", async (_, repository) => {
    const at = await repository()
    const { exitCode, stdout } = await validate(at)
    expect(exitCode).toBe(0)
    expect(stdout).toContain(`warning: ${secrets}: git doesn't ignore this file`)
    const [, add] = printed.exec(stdout) ?? []
    const [, line, file = ""] = /remove the line (!\S+) \(([^:]+):\d+\)/.exec(stdout) ?? []
    expect([add, line].filter((each) => each !== undefined)).toHaveLength(1)
    if (existsSync(join(root(at), "rules"))) rmSync(join(root(at), ".gitignore"))
    if (add !== undefined) execFileSync("sh", ["-c", add], { cwd: root(at) })
    else {
      const rules = execFileSync("grep", ["-vxF", "--", line ?? "", join(at.base, file)], {
        encoding: "utf8",
      })
      writeFileSync(join(at.base, file), rules)
    }
    expect((await validate(at)).stdout).not.toContain("git doesn't ignore")
  })

  it("is a warning of a run", async () => {
    const at = await (unignored["if there is no rule"] as Repository)()
    const { report } = await callsheet(["run", "w", "--json"], { folder: at.base })
    expect(report?.warnings).toContainEqual(
      expect.objectContaining({ code: "secrets-unignored", file: secrets }),
    )
  })
})

describe.skipIf(!hasGit)("nothing is reported", () => {
  const said = /git (?:tracks|doesn't ignore)/

  it.each(Object.entries(hidden))("with %s", async (_, repository) => {
    const at = await repository()
    expect((await validate(at)).stdout).not.toMatch(said)
  })

  it("with a global rule", async () => {
    const at = await (unignored["if there is no rule"] as Repository)()
    const home = await createFolder({ ".config/git/ignore": "*.secrets.env\n" })
    onTestFinished(() => rmSync(home, { recursive: true, force: true }))
    const env = { HOME: home, XDG_CONFIG_HOME: join(home, ".config") }
    expect((await validate(at, { env })).stdout).not.toMatch(said)
  })

  it("without git", async () => {
    const at = await (tracked["in a commit"] as Repository)()
    expect((await validate(at, { env: { PATH: "" } })).stdout).not.toMatch(said)
  })

  it("in the repository of a git hook's variables", async () => {
    const at = await (hidden["a usual rule"] as Repository)()
    const other = await (tracked["in a commit"] as Repository)()
    const env = { GIT_DIR: join(other.base, ".git"), GIT_WORK_TREE: other.base }
    expect((await validate(at, { env })).stdout).not.toMatch(said)
  })
})

it.skipIf(!hasGit)("starts no program that the repository names", async () => {
  const at = await (tracked["in a commit"] as Repository)()
  const mark = join(at.base, "started")
  write(at.base, "evil.sh", `#!/bin/sh\ntouch '${mark}'\n`)
  chmodSync(join(at.base, "evil.sh"), 0o755)
  write(at.base, ".git/hooks/post-index-change", `#!/bin/sh\ntouch '${mark}'\n`)
  chmodSync(join(at.base, ".git/hooks/post-index-change"), 0o755)
  for (const name of [
    "core.fsmonitor",
    "core.pager",
    "core.sshCommand",
    "diff.external",
    "core.askPass",
    "alias.ls-files",
  ])
    git(at.base, "config", name, name.startsWith("alias") ? `!${at.base}/evil.sh` : `${at.base}/evil.sh`)
  git(at.base, "config", "core.untrackedCache", "true")
  rmSync(mark, { force: true })
  for (const words of [["validate"], ["run", "w"]])
    expect(((each) => each.stdout + each.stderr)(await callsheet(words, { folder: at.base }))).toContain(
      "git tracks",
    )
  expect(existsSync(mark)).toBe(false)
})
