// The GitHub Action: every step of `action.yml` runs in bash as in a runner, with the built command.

import { exec } from "node:child_process"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { chmod, rm, unlink } from "node:fs/promises"
import { join } from "node:path"
import { promisify } from "node:util"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { startApi, type ApiServer } from "../harness/api-server.ts"
import { createFolder, program, writeFiles, type Files } from "../harness/callsheet.ts"
import { assert, request, shopFiles } from "../run/shop-project.ts"
import { action, root, runAction, systemPath, type Place } from "./run-action.ts"

let api: ApiServer
let place: Place
let workspace: string

beforeEach(async () => {
  api = await startApi({
    "/items/slow": async () => {
      await new Promise((resolve) => setTimeout(resolve, 300))
      return { body: {} }
    },
    "*": ({ path }) => ({ status: path.endsWith("bad") ? 500 : 200, body: {} }),
  })
  const folder = await createFolder()
  workspace = join(folder, "workspace")
  place = { folder, workspace }
  const { "apis/workflow/w.json": _, ...base } = shopFiles(api.url, [])
  await writeFiles(workspace, { ...base, ...workflows("one", "two", "slow") })
  await link("node_modules/.bin/callsheet", `exec "${process.execPath}" "${program}" "$@"`)
})
afterEach(async () => {
  await api.close()
  await rm(place.folder, { recursive: true })
})

const workflows = (...names: readonly string[]): Files =>
  Object.fromEntries(
    names.map((name) => {
      const get = request("get", { operation: "getItem", overrides: { params: { path: { id: name } } } })
      const blocks = [get, assert("ok", ["get.response.status", "equals", 200])]
      return [`apis/workflow/${name}.json`, { version: 1, blocks }]
    }),
  )

/** Writes a program of one line into the workspace. */
async function link(path: string, line: string): Promise<string> {
  const file = join(workspace, path)
  await writeFiles(workspace, { [path]: `#!/bin/sh\n${line}\n` })
  await chmod(file, 0o755)
  return file
}

const use = (inputs: Readonly<Record<string, string>>) => runAction(place, { env: "local", ...inputs })
const paths = (): readonly string[] => api.requests.map(({ path }) => path).sort()
const artifacts = (name: string): readonly string[] =>
  readdirSync(join(place.folder, "artifacts", name)).sort()

describe("a run", () => {
  it("passes with a report, a record and a summary", async () => {
    const { exitCode, outputs, summary } = await use({})
    expect(exitCode).toBe(0)
    expect(paths()).toEqual(["/items/one", "/items/slow", "/items/two"])
    expect(outputs).toMatchObject({
      "exit-code": "0",
      "artifact-url": "https://github.example/artifacts/callsheet",
    })
    expect(readFileSync(outputs["report"] ?? "", "utf8")).toContain("<html")
    expect(existsSync(outputs["record"] ?? "")).toBe(true)
    expect(artifacts("callsheet")).toEqual(["callsheet.callsheet", "report.html"])
    expect(summary).toMatch(/^## callsheet\n/)
  })

  it("fails with the exit code of the command, annotates, and still uploads", async () => {
    await writeFiles(workspace, workflows("bad"))
    const { exitCode, outputs, log, summary } = await use({})
    expect(exitCode).toBe(1)
    expect(outputs["exit-code"]).toBe("1")
    expect(log).toMatch(/^::error .*file=apis\/workflow\/bad\.json/m)
    expect(summary).toContain("### Failures")
    expect(artifacts("callsheet")).toContain("report.html")
  })

  it("selects workflows, a suite and options, one per line", async () => {
    await writeFiles(workspace, {
      "callsheet.json": { version: 1, suites: { nightly: { workflows: ["two"] } } },
    })
    expect((await use({ workflows: "one\nslow\n", annotate: "false" })).summary).toBe("")
    expect(paths()).toEqual(["/items/one", "/items/slow"])
    api.forget()
    const arguments_ = `--reporter=junit=${place.folder}/report.xml\n--retries=1\n`
    expect((await use({ suite: "nightly", arguments: arguments_ })).exitCode).toBe(0)
    expect(paths()).toEqual(["/items/two"])
    expect(existsSync(join(place.folder, "report.xml"))).toBe(true)
  })

  it("runs what differs from a commit, in a project below the root", async () => {
    const git = "git -c user.name=a -c user.email=a@example.com"
    await promisify(exec)(
      `mkdir services && mv apis services && echo "*.secrets.env" >.gitignore && git init -q -b main . && git add services .gitignore && ${git} commit -qm first`,
      { cwd: workspace },
    )
    const inputs = { project: "services", "changed-since": "HEAD" }
    expect((await use(inputs)).exitCode).toBe(0)
    expect(paths()).toEqual([])
    const [changed] = Object.values(workflows("two"))
    await writeFiles(workspace, {
      "services/apis/workflow/two.json": { ...(changed as object), onFailure: "continue" },
    })
    const second = await use(inputs)
    expect(second.exitCode, second.log).toBe(0)
    expect(paths()).toEqual(["/items/two"])
  })

  it("exits with 2 if callsheet can't start or is not installed", async () => {
    const unknown = await use({ workflows: "three" })
    expect([unknown.exitCode, unknown.outputs["exit-code"]]).toEqual([2, "2"])
    await unlink(join(workspace, "node_modules/.bin/callsheet"))
    const missing = await use({})
    expect(missing.exitCode).toBe(2)
    expect(missing.log).toMatch(/^::error title=callsheet action::callsheet is not installed\. Run `npm ci`/m)
    expect(api.requests).toEqual([])
  })

  it.each(["report", "record"])("fails if callsheet passes without a %s", async (file) => {
    const removed = `${place.folder}/temp/callsheet/out/callsheet/${file === "report" ? "report.html" : "callsheet.callsheet"}`
    await link("node_modules/.bin/callsheet", `"${process.execPath}" "${program}" "$@" && rm "${removed}"`)
    const { exitCode, log } = await use({})
    expect(exitCode).toBe(2)
    expect(log).toContain(`::error title=callsheet action::callsheet passed, but`)
  })
})

describe("shards", () => {
  it("become one report, and balance the next run by their durations", async () => {
    const runAll = async (runId: string) => {
      place = { ...place, runId }
      const parts: (readonly string[])[] = []
      for (const shard of ["1/2", "2/2"]) {
        api.forget()
        const { exitCode, summary } = await use({ shard, timings: "true" })
        expect([exitCode, summary]).toEqual([0, ""])
        parts.push(paths())
      }
      const merged = await runAction(place, { command: "merge", timings: "true" })
      expect(merged.log).not.toContain("::error")
      expect(merged.exitCode).toBe(0)
      for (const name of ["one", "two", "slow"]) expect(merged.summary).toContain(`| ${name} |`)
      return parts
    }
    expect(await runAll("1")).toEqual([["/items/one", "/items/two"], ["/items/slow"]])
    expect(readdirSync(join(place.folder, "artifacts")).sort()).toEqual([
      "callsheet",
      "callsheet-shard-1-of-2",
      "callsheet-shard-2-of-2",
    ])
    expect(await runAll("2")).toEqual([["/items/slow"], ["/items/one", "/items/two"]])
    expect(readdirSync(join(place.folder, "caches"))).toHaveLength(2)
  })

  it("fail if one is missing, if there are none, and if one failed", async () => {
    const none = await runAction(place, { command: "merge" })
    expect([none.exitCode, none.log]).toEqual([2, expect.stringContaining("There are no shards to merge")])
    await writeFiles(workspace, workflows("bad"))
    await use({ shard: "1/2" })
    const one = await runAction(place, { command: "merge" })
    expect([one.exitCode, one.log]).toEqual([2, expect.stringContaining("these shards are missing: 2")])
    await use({ shard: "2/2" })
    const both = await runAction(place, { command: "merge", timings: "true" })
    expect(both.exitCode).toBe(1)
    expect(both.log).toMatch(/^::error .*file=apis\/workflow\/bad\.json/m)
    expect(existsSync(join(place.folder, "caches"))).toBe(false)
  })
})

describe("where callsheet comes from", () => {
  it("installs packed tarballs outside of the repository", async () => {
    await unlink(join(workspace, "node_modules/.bin/callsheet"))
    await link("package/callsheet", `exec "${process.execPath}" "${program}" "$@"`)
    const manifest = { name: "callsheet", version: "1.2.3", bin: "callsheet" }
    await writeFiles(workspace, { "package/package.json": manifest, "packed files/note.txt": "" })
    await promisify(exec)("tar -czf 'packed files/callsheet-1.2.3.tgz' package", { cwd: workspace })
    const { exitCode, log } = await use({ packages: "packed files/callsheet-1.2.3.tgz\n", workflows: "one" })
    expect(exitCode, log).toBe(0)
    expect(paths()).toEqual(["/items/one"])
    expect(existsSync(join(workspace, "node_modules/callsheet"))).toBe(false)
    for (const [packages, message] of [
      ["packed files/none.tgz", "must be the path of a"],
      ["packed files/note.txt", "must be the path of a"],
      ["\n", "has only empty lines"],
    ] as const) {
      const refused = await use({ packages })
      expect([refused.exitCode, refused.log]).toEqual([2, expect.stringContaining(message)])
    }
  })

  it("installs a version from npm without its scripts", async () => {
    const installed = '#!/bin/sh\\nexec "$NODE" "$PROGRAM" "$@"\\n'
    const npm = await link(
      "bin/npm",
      `echo "$@" > "${place.folder}/npm.log"; mkdir -p node_modules/.bin; cd node_modules/.bin; printf '${installed}' > callsheet; chmod 755 callsheet`,
    )
    const PATH = `${join(npm, "..")}:${systemPath}`
    place = { ...place, env: { PATH, NODE: process.execPath, PROGRAM: program } }
    expect((await use({ version: "1.2.3", workflows: "one" })).exitCode).toBe(0)
    expect(readFileSync(join(place.folder, "npm.log"), "utf8")).toBe(
      "install --no-save --no-audit --no-fund --ignore-scripts -- callsheet@1.2.3\n",
    )
  })

  it("runs an image with the repository, its own files and the variables of callsheet, and nothing else", async () => {
    const log = join(place.folder, "docker.log")
    const docker = await link(
      "bin/docker",
      `exec "${process.execPath}" "${root}/tests/action/docker.mjs" "$@"`,
    )
    await writeFiles(workspace, { "apis/shop/environments/local.secrets.env": "" })
    place = {
      ...place,
      env: {
        PATH: `${join(docker, "..")}:${systemPath}`,
        DOCKER_LOG: log,
        CALLSHEET_PROGRAM: program,
        CALLSHEET_VAR__SHOP__TOKEN: "s3cr3t-t0k3n",
        OTHER_TOKEN: "private",
      },
    }
    const { exitCode, summary } = await use({ image: "ghcr.io/team/callsheet:1.2.3", workflows: "one" })
    expect(exitCode).toBe(0)
    expect(summary).toContain("| one |")
    expect(artifacts("callsheet")).toEqual(["callsheet.callsheet", "report.html"])
    const words = JSON.parse(readFileSync(log, "utf8")) as readonly string[]
    expect(words.join(" ")).not.toMatch(/s3cr3t|OTHER_TOKEN/)
    expect(words).toEqual(expect.arrayContaining(["--read-only", "CALLSHEET_VAR__SHOP__TOKEN"]))
  })
})

describe("inputs", () => {
  it.each([
    [{ command: "deploy" }, "`command` must be `run` or `merge`"],
    [{ timings: "yes" }, "`timings` must be `true` or `false`"],
    [{ annotate: "" }, "`annotate` must be `true` or `false`"],
    [{ shard: "half" }, "`shard` must be a part and a count"],
    [{ version: "^1" }, "`version` must be an exact version"],
    [{ image: "--privileged" }, "`image` must be a reference to an image"],
    [{ artifact: "../up" }, "`artifact` must be letters"],
    [{ project: "services" }, "`project` must be a directory that contains `apis/`"],
    [{ version: "1.2.3", image: "callsheet" }, "Use only one of the inputs `version`"],
    [{ workflows: "one", suite: "nightly" }, "Use only one of the inputs `workflows` and `suite`"],
    [{ command: "merge", suite: "nightly" }, "With `merge`, leave out"],
    [{ timings: "true" }, "`timings` needs `shard`"],
  ])("refuse %j", async (inputs: Readonly<Record<string, string>>, message) => {
    const { exitCode, log, outputs } = await use(inputs)
    expect(exitCode).toBe(2)
    expect(log).toContain(`::error title=callsheet action::`)
    expect(log).toContain(message)
    expect(outputs["exit-code"]).toBe("")
    expect(api.requests).toEqual([])
  })

  // `arguments` is for text that the author of the workflow wrote.
  const texts = Object.keys(action.inputs).filter((name) => !["arguments", "retention-days"].includes(name))
  it.each(texts)("run nothing that the text of %s contains", async (name) => {
    const hostile = [
      "$(touch ran)",
      "`touch ran`",
      "'; touch ran; '",
      '"; touch ran; "',
      "::notice::hidden",
      "exit-code=0",
    ].join("\n")
    for (const text of [hostile, "--all"]) {
      const { exitCode, log, outputs } = await use({ [name]: text })
      expect(exitCode, log).toBe(2)
      expect(log).not.toMatch(/^::notice/m)
      expect(["", "2"]).toContain(outputs["exit-code"])
    }
    expect(readdirSync(workspace).sort()).toEqual(["apis", "node_modules"])
    expect(api.requests).toEqual([])
  })
})

describe("docs/guide/ci.md", () => {
  it("has a row for each input with its description and default", () => {
    const page = readFileSync(join(root, "docs/guide/ci.md"), "utf8")
    const rows = [...page.matchAll(/^\| `([a-z-]+)` +\| (.+?) +\| (.*?) *\|$/gm)]
    const wanted = Object.entries(action.inputs).map(([name, input]) => [
      name,
      input.description,
      input.default === "" ? "" : `\`${input.default}\``,
    ])
    expect(rows.map(([, ...cells]) => cells)).toEqual(wanted)
  })
})
