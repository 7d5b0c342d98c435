// Checks that --last-failed runs the workflows that failed in the project's last session. The user's state directory
// contains their names.

import { readdir, readFile, rename, rm, stat } from "node:fs/promises"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from "vitest"
import { startApi, type ApiServer } from "../harness/api-server.ts"
import { callsheet, createFolder, writeFiles, type CallOptions, type Files } from "../harness/callsheet.ts"
import { assert, document, echo, request, shopFiles } from "./shop-project.ts"

const posix = it.skipIf(process.platform === "win32")

let api: ApiServer
/** The names of the workflows whose check fails. */
let failing: Set<string>
beforeEach(async () => {
  failing = new Set()
  api = await startApi({
    "GET /echo": ({ query }) => ({ status: failing.has(query.get("at") ?? "") ? 500 : 200, body: {} }),
    "*": { status: 204 },
  })
})
afterEach(async () => await api.close())

const names = ["alpha", "beta", "gamma"]
const workflow = (at: string) => ({
  version: 1,
  blocks: [
    request("get", { operation: "echo", overrides: { params: { query: { at } } } }),
    assert("check", ["get.response.status", "equals", 200]),
  ],
})

const files = (more: Files = {}): Files => {
  const { "apis/workflow/w.json": _, ...rest } = shopFiles(api.url, [echo("get")])
  const workflows = names.map((name) => [`apis/workflow/${name}.json`, workflow(name)])
  return { ...rest, "apis/shop/openapi.json": document, ...Object.fromEntries(workflows), ...more }
}

/** A project in a directory that stays, so that its sessions follow each other. */
async function createProject(more: Files = {}) {
  const folder = await createFolder(files(more))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return {
    folder,
    state: join(folder, ".local", "state", "callsheet"),
    run: async (words: readonly string[], options: CallOptions = {}) => {
      const result = await callsheet(["run", ...words, "--json"], { folder, ...options })
      return { ...result, ran: (result.report?.runs ?? []).map(({ workflow, entry }) => entry ?? workflow) }
    },
  }
}

describe("--last-failed", () => {
  it("runs what failed until it passes, and then has nothing to run", async () => {
    const { run } = await createProject()
    failing = new Set(["alpha", "gamma"])
    expect((await run(["--all"])).ran).toEqual(names)
    failing = new Set(["gamma"])
    expect((await run(["--last-failed"])).ran).toEqual(["alpha", "gamma"])
    failing = new Set()
    const last = await run(["--last-failed"])
    expect([last.exitCode, last.ran]).toEqual([0, ["gamma"]])
    const { exitCode, stdout, stderr } = await run(["--last-failed"])
    expect([exitCode, stdout]).toEqual([2, ""])
    expect(stderr).toContain("nothing failed in the last run")
  })

  it("says that no session is recorded, and sends nothing", async () => {
    const { run } = await createProject()
    const { exitCode, stdout, stderr } = await run(["--all", "--last-failed"])
    expect([exitCode, stdout, api.requests.length]).toEqual([2, "", 0])
    expect(stderr).toContain("no record of an earlier run")
  })

  it("selects among workflows by name, --all and --grep", async () => {
    const { run } = await createProject()
    failing = new Set(["alpha", "gamma"])
    const selections = [["alpha", "beta"], ["--all"], ["--grep", "AMM"]]
    const ran = []
    for (const words of selections) {
      await run(["--all"])
      ran.push((await run([...words, "--last-failed"])).ran)
    }
    expect(ran).toEqual([["alpha"], ["alpha", "gamma"], ["gamma"]])
    await run(["--all"])
    const { exitCode, stderr } = await run(["beta", "--last-failed"])
    expect(exitCode).toBe(2)
    expect(stderr).toContain("none of these workflows failed")
    expect(stderr).toContain("these failed: alpha, gamma")
  })

  it("runs what could not start and what --bail stopped, but nothing flaky", async () => {
    const broken = { version: 1, blocks: [{ id: "a" }] }
    const { run, folder } = await createProject({ "apis/workflow/alpha.json": broken })
    const { ran } = await run(["--all", "--bail"])
    expect(ran).toEqual(names)
    await writeFiles(folder, { "apis/workflow/alpha.json": workflow("alpha") })
    expect((await run(["--last-failed"])).ran).toEqual(names)
    let answers = 0
    await api.close()
    api = await startApi({ "*": () => ({ status: answers++ === 0 ? 500 : 200, body: {} }) })
    await writeFiles(folder, files())
    const flaky = await run(["alpha", "--retries", "1"])
    expect([flaky.exitCode, flaky.report?.runs[1]?.flaky]).toEqual([0, true])
    expect((await run(["--last-failed"])).stderr).toContain("nothing failed in the last run")
  })

  it("skips workflows that no longer exist, and says so", async () => {
    const { run, folder } = await createProject()
    failing = new Set(["alpha", "gamma"])
    await run(["--all"])
    await rename(join(folder, "apis/workflow/alpha.json"), join(folder, "apis/workflow/delta.json"))
    const { ran, stderr } = await run(["--last-failed"])
    expect(ran).toEqual(["gamma"])
    expect(stderr).toContain('warning: "alpha" failed in the last run, but the project no longer has it')
  })

  it("refuses --data, because it doesn't know which rows failed", async () => {
    const { run } = await createProject({ "rows.csv": "at\na\n" })
    const { exitCode, stderr } = await run(["alpha", "--last-failed", "--data", "rows.csv"])
    expect(exitCode).toBe(2)
    expect(stderr).toContain("--last-failed can't be used with --data")
    expect(stderr).toContain("hint: callsheet doesn't record which rows failed")
  })
})

describe("--last-failed in a suite", () => {
  const settings = {
    "callsheet.json": {
      version: 1,
      suites: {
        nightly: {
          before: ["alpha"],
          workflows: [
            { workflow: "beta", as: "first" },
            { workflow: "beta", as: "second", finally: ["gamma"] },
            { workflow: "delta" },
          ],
          finally: [{ workflow: "alpha", as: "purge" }],
        },
      },
    },
    "apis/workflow/delta.json": workflow("delta"),
  }

  it("runs only the failed main entries, with before and their cleanup", async () => {
    const { run } = await createProject(settings)
    failing = new Set(["delta"])
    expect((await run(["--suite", "nightly"])).ran).toEqual([
      "alpha",
      "first",
      "second",
      "gamma",
      "delta",
      "purge",
    ])
    expect((await run(["--last-failed"])).ran).toEqual(["alpha", "delta", "purge"])
    // An entry also fails if its cleanup does.
    failing = new Set(["gamma"])
    await run(["--suite", "nightly", "--jobs", "3"])
    expect((await run(["--suite", "nightly", "--last-failed"])).ran).toEqual([
      "alpha",
      "second",
      "gamma",
      "purge",
    ])
  })

  it("runs the entries that a failure of before skipped", async () => {
    const { run } = await createProject(settings)
    failing = new Set(["alpha"])
    await run(["--suite", "nightly"])
    failing = new Set()
    expect((await run(["--last-failed"])).ran).toEqual([
      "alpha",
      "first",
      "second",
      "gamma",
      "delta",
      "purge",
    ])
  })

  it("skips entries that the suite no longer has, and finds workflows of other sessions", async () => {
    const { run, folder } = await createProject(settings)
    failing = new Set(["beta"])
    await run(["--suite", "nightly"])
    expect((await run(["--all", "--last-failed"])).ran).toEqual(["beta"])
    expect((await run(["--suite", "nightly", "--last-failed"])).ran).toEqual([
      "alpha",
      "first",
      "second",
      "gamma",
      "purge",
    ])
    const workflows = [{ workflow: "beta", as: "second" }]
    await writeFiles(folder, { "callsheet.json": { version: 1, suites: { nightly: { workflows } } } })
    const { ran, stderr } = await run(["--last-failed"])
    expect(ran).toEqual(["second"])
    expect(stderr).toContain('"first" failed in the last run, but the suite "nightly" no longer has it')
  })
})

it("suggests commands that select the same", async () => {
  const suites = { nightly: { workflows: ["alpha"] } }
  const { run, folder } = await createProject({ "callsheet.json": { version: 1, suites } })
  failing = new Set(["alpha"])
  await run(["--suite", "nightly"])
  await writeFiles(folder, { "apis/shop/environments/other.json": { baseUrl: api.url } })
  const { stderr } = await run(["--last-failed"])
  expect(stderr).toContain("callsheet run --suite nightly --last-failed --env shop=local")
})

describe("the record of the last session", () => {
  posix("contains only names, and only its user can read it", async () => {
    const { run, state } = await createProject()
    failing = new Set(["beta"])
    await run(["--all", "--var", "shop.baseUrl=http://user:s3cret-pass@127.0.0.1:1"])
    await run(["--all"])
    const [name = "", ...more] = await readdir(join(state, "sessions"))
    expect(more).toEqual([])
    const file = join(state, "sessions", name)
    expect(await readFile(file, "utf8")).toBe('{"version":1,"failed":[{"workflow":"beta"}]}\n')
    const modes = await Promise.all([state, join(state, "sessions"), file].map(async (path) => stat(path)))
    expect(modes.map(({ mode }) => mode & 0o777)).toEqual([0o700, 0o700, 0o600])
  })

  it("belongs to the project, whatever path leads to it", async () => {
    const { run, folder } = await createProject({ "other/apis/workflow/alpha.json": workflow("alpha") })
    failing = new Set(["beta"])
    await run(["--all"])
    const other = await callsheet(["run", "--last-failed", "--project", "other"], { folder })
    expect(other.stderr).toContain("no record of an earlier run")
    expect((await run(["--last-failed"], { cwd: "apis/workflow" })).ran).toEqual(["beta"])
  })

  it("stays as it is if a run is misuse", async () => {
    const { run } = await createProject()
    failing = new Set(["beta"])
    await run(["--all"])
    expect((await run(["alpha", "--input", "nope=1"])).exitCode).toBe(2)
    expect((await run(["--last-failed"])).ran).toEqual(["beta"])
  })

  it.skipIf(process.platform !== "linux")("is all that an unusable state directory costs", async () => {
    const { run } = await createProject()
    const env = { XDG_STATE_HOME: "/proc/nope" }
    const { exitCode, stderr, ran } = await run(["--all"], { env })
    expect([exitCode, stderr, ran]).toEqual([0, "", names])
    const last = await run(["--last-failed"], { env })
    expect(last.exitCode).toBe(2)
    expect(last.stderr).toContain("no record of an earlier run")
  })

  it("is ignored if it is broken", async () => {
    const { run, state, folder } = await createProject()
    await run(["--all"])
    const [name = ""] = await readdir(join(state, "sessions"))
    for (const text of ["", "{", '{"version":1}', '{"version":1,"failed":[{"workflow":1}]}']) {
      await writeFiles(folder, { [`.local/state/callsheet/sessions/${name}`]: text })
      const { exitCode, stderr } = await run(["--last-failed"])
      expect(exitCode).toBe(2)
      expect(stderr).toContain("no record of an earlier run")
    }
  })
})
