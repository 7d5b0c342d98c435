// Checks `--watch`: a changed file reruns the workflows that it affects, and keys work. Needs a terminal.

import { mkdir, rename, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from "vitest"
import { startApi, type ApiServer } from "../harness/api-server.ts"
import { callsheet, createFolder, writeFiles, type Files } from "../harness/callsheet.ts"
import { hasTerminal, openTerminal } from "../harness/terminal.ts"
import { assert, document, echo, request, shopFiles } from "./shop-project.ts"

const waiting = "q to quit\n"

let api: ApiServer
/** The names of the workflows whose check fails. */
let failing: Set<string>
/** Called with the name of each workflow that sends its request. */
let onRun: (name: string) => Promise<void> | void
beforeEach(async () => {
  failing = new Set()
  onRun = () => undefined
  api = await startApi({
    "/echo": async ({ query }) => {
      const at = query.get("at") ?? ""
      await onRun(at)
      return { status: failing.has(at) ? 500 : 200, body: { at } }
    },
    "*": { status: 204 },
  })
})
afterEach(async () => await api.close())

const check = assert("check", ["get.response.status", "equals", 200])
const get = (at: string) => request("get", { operation: "echo", overrides: { params: { query: { at } } } })
const workflow = (at: string, ...more: readonly unknown[]) => ({
  version: 1,
  blocks: [get(at), check, ...more],
})
const script = (id: string, name: string) => ({ id, type: "script", script: { name, exportName: "run" } })

const other = { openapi: "3.1.0", info: { title: "Other", version: "1" } }
const files = (more: Files = {}): Files => {
  const { "apis/workflow/w.json": _, ...rest } = shopFiles(api.url, [echo("get")])
  return {
    ...rest,
    "apis/shop/openapi.json": document,
    "apis/workflow/alpha.json": workflow("alpha"),
    "apis/workflow/beta.json": workflow("beta"),
    ...more,
  }
}

/** Starts a watched run in a project. */
async function watch(words: readonly string[], more: Files = {}) {
  const folder = await createFolder(files(more))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const terminal = openTerminal(["run", ...words, "--watch"], { folder })
  onTestFinished(terminal.close)
  /** Returns the workflows of the next run, by the requests that they send. */
  const ran = async (): Promise<readonly string[]> => {
    const before = sent
    await terminal.until(waiting)
    sent = api.requests.length
    return api.requests.slice(before).map(({ query }) => query.get("at") ?? "")
  }
  let sent = api.requests.length
  const write = (changed: Files): Promise<void> => writeFiles(folder, changed)
  return { ...terminal, folder, ran, write }
}

describe.runIf(hasTerminal)("--watch", () => {
  it("runs once, then what a changed workflow affects, until q", async () => {
    const { ran, write, press, ended, until } = await watch(["--all"])
    expect(await ran()).toEqual(["alpha", "beta"])
    await write({ "apis/workflow/beta.json": workflow("beta", { ...check, id: "again" }) })
    expect(await until("running beta\n")).toContain("changed: apis/workflow/beta.json")
    expect(await ran()).toEqual(["beta"])
    press("q")
    expect(await ended).toBe(0)
  })

  it("runs all, failed ones, or the last ones again at a key, and ends at Ctrl-C", async () => {
    const { ran, press, ended, until, folder } = await watch(["--all"])
    failing.add("beta")
    expect(await ran()).toEqual(["alpha", "beta"])
    press("f")
    expect(await ran()).toEqual(["beta"])
    press("\r")
    expect(await ran()).toEqual(["beta"])
    press("a")
    expect(await ran()).toEqual(["alpha", "beta"])
    failing.clear()
    press("f")
    expect(await ran()).toEqual(["beta"])
    press("f")
    await until("nothing has failed\n")
    press("\u0003")
    expect(await ended).toBe(130)
    const { stderr } = await callsheet(["run", "--last-failed"], { folder })
    expect(stderr).toContain("nothing failed in the last run")
  })

  it("stores what failed in all of its runs, for --last-failed", async () => {
    failing.add("alpha")
    const { ran, write, press, ended, folder } = await watch(["--all"])
    await ran()
    await write({ "apis/workflow/beta.json": workflow("beta", { ...check, id: "again" }) })
    expect(await ran()).toEqual(["beta"])
    press("q")
    await ended
    const { report } = await callsheet(["run", "--last-failed", "--json"], { folder })
    expect(report?.runs.map(({ workflow: name }) => name)).toEqual(["alpha"])
  })

  it("runs what changes during a run afterwards", async () => {
    const { ran, write } = await watch(["--all"])
    await ran()
    onRun = async (name) => {
      if (name !== "alpha") return
      onRun = () => undefined
      await write({ "apis/workflow/beta.json": workflow("beta", { ...check, id: "again" }) })
    }
    await write({ "apis/workflow/alpha.json": workflow("alpha", { ...check, id: "again" }) })
    expect(await ran()).toEqual(["alpha", "beta"])
  })

  it("shows the errors of a broken file and runs it when it is repaired", async () => {
    const { ran, write, until } = await watch(["--all"])
    await ran()
    await write({ "apis/workflow/beta.json": "{" })
    expect(await until(waiting)).toContain("apis/workflow/beta.json:1:2: ")
    await write({ "apis/workflow/beta.json": workflow("beta") })
    expect(await ran()).toEqual(["beta"])
    await write({ "callsheet.json": "{" })
    expect(await until(waiting)).toContain("callsheet.json:1:2: ")
    await write({ "callsheet.json": { version: 1 } })
    expect(await ran()).toEqual(["alpha", "beta"])
  })

  it("sees workflows that appear and disappear", async () => {
    const { ran, write, folder, press } = await watch(["--all"])
    await ran()
    await write({ "apis/workflow/gamma.json": workflow("gamma") })
    expect(await ran()).toEqual(["gamma"])
    await rename(join(folder, "apis/workflow/gamma.json"), join(folder, "apis/workflow/delta.json"))
    expect(await ran()).toEqual(["gamma"])
    await rm(join(folder, "apis/workflow/delta.json"))
    press("a")
    expect(await ran()).toEqual(["alpha", "beta"])
  })

  it("ends with the code of an interrupted run", async () => {
    const { press, until, ended } = await watch(["alpha"], { "apis/workflow/alpha.json": workflow("slow") })
    const started = new Promise<void>((resolve) => {
      onRun = () => {
        resolve()
        return new Promise(() => undefined)
      }
    })
    await started
    press("\u0003")
    await until("interrupted")
    expect(await ended).toBe(130)
  })
})

describe.runIf(hasTerminal)("what a file affects", () => {
  const payments = {
    "apis/pay/openapi.json": { ...other, paths: document.paths },
    "apis/pay/environments/local.json": { baseUrl: "" },
    "apis/pay/environments/schema.json": {
      version: 1,
      variables: { baseUrl: { type: "string", required: true } },
    },
  }
  const saved = { version: 1, operation: "echo", params: { query: { at: "saved" } } }
  const project = (): Files => ({
    ...payments,
    "apis/pay/environments/local.json": { baseUrl: api.url },
    "apis/shop/requests/tools/one.json": saved,
    "apis/workflow/paying.json": {
      version: 1,
      blocks: [{ ...get("paying"), request: { ...get("paying").request, api: "pay" } }],
    },
    "apis/workflow/saved.json": {
      version: 1,
      blocks: [{ id: "get", type: "request", request: { api: "shop", resource: "tools", instance: "one" } }],
    },
  })
  const shopOnes = ["alpha", "beta", "saved"]

  it.each<[string, string, unknown, readonly string[]]>([
    ["an environment", "apis/shop/environments/local.secrets.env", "token=another\n", shopOnes],
    [
      "an OpenAPI document",
      "apis/pay/openapi.json",
      { ...payments["apis/pay/openapi.json"], tags: [] },
      ["paying"],
    ],
    ["a saved request", "apis/shop/requests/tools/one.json", { ...saved, description: "x" }, ["saved"]],
    ["callsheet.json", "callsheet.json", { version: 1 }, ["alpha", "beta", "paying", "saved"]],
  ])("%s affects the workflows that read it", async (_, file, content, expected) => {
    const { ran, write } = await watch(["--all"], project())
    await ran()
    await write({ [file]: content })
    expect(await ran()).toEqual(expected)
  })

  it("part of a document affects the workflows of the API, wherever the part is", async () => {
    const schema = { type: "object" }
    const response = {
      description: "Any.",
      content: { "application/json": { schema: { $ref: "../../schemas/echo.json" } } },
    }
    const operation = { operationId: "echo", tags: ["tools"], responses: { default: response } }
    const { ran, write } = await watch(["--all"], {
      ...project(),
      "apis/pay/openapi.json": { ...other, paths: { "/echo": { get: operation } } },
      "schemas/echo.json": schema,
      "apis/workflow/paying.json": {
        version: 1,
        validateContracts: true,
        blocks: [{ ...get("paying"), request: { ...get("paying").request, api: "pay" } }],
      },
    })
    await ran()
    await write({ "schemas/echo.json": { ...schema, description: "x" } })
    expect(await ran()).toEqual(["paying"])
    await write({ "schemas/echo.json": schema })
    expect(await ran()).toEqual(["paying"])
  })

  it("a script affects the workflows that import it, also through an alias of tsconfig.json", async () => {
    const source = (name: string) => `import { value } from "${name}"\nexport const run = () => void value\n`
    const { ran, write } = await watch(["--all"], {
      "tsconfig.json": { compilerOptions: { paths: { "@lib/*": ["./lib/*"] } } },
      "lib/aliased.ts": "export const value = 1\n",
      "apis/workflow/scripts/shared.ts": "export const value = 1\n",
      "apis/workflow/alpha.json": workflow("alpha", script("s", "one")),
      "apis/workflow/scripts/alpha/one.ts": source("@lib/aliased.ts"),
      "apis/workflow/beta.json": workflow("beta", script("s", "two")),
      "apis/workflow/scripts/beta/two.ts": source("../shared.ts"),
      "apis/workflow/gamma.json": workflow("gamma"),
    })
    expect(await ran()).toEqual(["alpha", "beta", "gamma"])
    await write({ "apis/workflow/scripts/shared.ts": "export const value = 2\n" })
    expect(await ran()).toEqual(["beta"])
    await write({ "lib/aliased.ts": "export const value = 2\n" })
    expect(await ran()).toEqual(["alpha"])
    await write({ "apis/workflow/scripts/alpha/one.ts": source("../shared.ts") })
    expect(await ran()).toEqual(["alpha"])
    await write({ "apis/workflow/scripts/shared.ts": "export const value = 3\n" })
    expect(await ran()).toEqual(["alpha", "beta"])
  })

  it("a data file affects the entries that read it, and a before entry affects all", async () => {
    const inputs = { at: { type: "string", default: "none" } }
    const suites = {
      nightly: {
        before: ["beta"],
        workflows: [
          { workflow: "rows", data: "data/rows.csv" },
          { workflow: "alpha", finally: ["gamma"] },
        ],
      },
    }
    const { ran, write } = await watch(["--suite", "nightly"], {
      "callsheet.json": { version: 1, suites },
      "data/rows.csv": "at\none\n",
      "apis/workflow/rows.json": { ...workflow("{{at}}"), inputs },
      "apis/workflow/gamma.json": workflow("gamma"),
    })
    expect(await ran()).toEqual(["beta", "one", "alpha", "gamma"])
    await write({ "data/rows.csv": "at\none\ntwo\n" })
    expect(await ran()).toEqual(["beta", "one", "two"])
    await write({ "apis/workflow/gamma.json": workflow("gamma", { ...check, id: "again" }) })
    expect(await ran()).toEqual(["beta", "alpha", "gamma"])
    await write({ "apis/workflow/beta.json": workflow("beta", { ...check, id: "again" }) })
    expect(await ran()).toEqual(["beta", "one", "two", "alpha", "gamma"])
  })

  it("no other file affects anything", async () => {
    const { ran, folder, write } = await watch(["alpha"], project())
    await ran()
    await mkdir(join(folder, "apis/workflow/scripts/beta"), { recursive: true })
    await writeFile(join(folder, "apis/workflow/scripts/beta/new.ts"), "")
    await write({ "apis/workflow/beta.json": workflow("beta", { ...check, id: "again" }) })
    await write({ "apis/pay/environments/local.json": { baseUrl: `${api.url}/` } })
    await write({ "apis/workflow/alpha.json": workflow("alpha", { ...check, id: "again" }) })
    expect(await ran()).toEqual(["alpha"])
  })
})

describe("--watch is misuse", () => {
  it.each([
    [["alpha", "--watch"], "--watch needs a terminal for input and output"],
    [["--watch", "--last-failed"], "hint: in --watch, press f to run what failed"],
    [["--watch"], "no workflow given"],
  ])("without a terminal, and with options that contradict it: %s", async (words, expected) => {
    const { exitCode, stderr } = await callsheet(["run", ...words], { files: files() })
    expect([exitCode, api.requests.length]).toEqual([2, 0])
    expect(stderr).toContain(expected)
  })
})
