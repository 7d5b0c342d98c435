// Checks the question before a run against production, and the effect of each answer.

import { rm } from "node:fs/promises"
import { join } from "node:path"
import { PassThrough } from "node:stream"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { run } from "../../packages/cli/src/commands/run.ts"
import { Options } from "../../packages/cli/src/args/options.ts"
import { plain, type Output } from "../../packages/cli/src/screen.ts"
import { startApi, type ApiServer } from "../harness/api-server.ts"
import { callsheet, createFolder, readText, writeFiles } from "../harness/callsheet.ts"

const request = (id: string, operation: string, api = "shop") => ({
  id,
  type: "request",
  request: { api, operation },
})
const workflow = (...blocks: object[]) => ({ version: 1, blocks })
const api = (url: string, environments: Readonly<Record<string, object>>) => ({
  "openapi.json": {
    openapi: "3.1.0",
    info: { title: "Shop", version: "1" },
    paths: { "/items": { get: { responses: {} }, post: { responses: {} }, delete: { responses: {} } } },
  },
  "environments/schema.json": {
    version: 1,
    variables: {
      baseUrl: { type: "string", required: true, default: url },
      key: { type: "string", required: false, secret: true },
    },
  },
  ...Object.fromEntries(
    Object.entries(environments).map(([name, content]) => [`environments/${name}.json`, content]),
  ),
})
const under = (folder: string, files: Readonly<Record<string, object>>) =>
  Object.fromEntries(Object.entries(files).map(([name, content]) => [`${folder}/${name}`, content]))

let server: ApiServer
let folder: string

beforeEach(async () => {
  server = await startApi({ "*": { body: [] } })
  folder = await createFolder()
  await writeFiles(folder, {
    ...under("apis/shop", api(server.url, { live: { level: "production" } })),
    ...under("apis/pay", api(server.url, { "live-eu": { level: "production" }, local: {} })),
    "apis/workflow/sync.json": workflow(
      request("list", "GET /items"),
      {
        id: "either",
        type: "condition",
        if: { source: "list.response.status", operator: "equals", value: 200 },
        then: [request("made", "POST /items")],
        else: [request("gone", "DELETE /items"), request("other", "GET /items", "pay")],
      },
      { id: "twice", type: "loop", mode: "times", count: 2, blocks: [request("add", "POST /items")] },
      { id: "note", type: "script", script: { name: "note", exportName: "note" } },
    ),
    "apis/workflow/read.json": workflow(request("all", "GET /items")),
    "apis/workflow/scripts/sync/note.ts": `import { writeFileSync } from "node:fs"
writeFileSync(${JSON.stringify(join(folder, "loaded"))}, "yes")
export const note = () => {}
`,
  })
})
afterEach(async () => {
  await server.close()
  await rm(folder, { recursive: true, force: true })
})

const sent = () => server.requests.map(({ method }) => method)
const loaded = () => readText(folder, "loaded")

function record(): Output & { readonly text: () => string } {
  let text = ""
  return {
    write: (more) => void (text += more),
    isTerminal: true,
    isLive: false,
    columns: () => 80,
    style: plain,
    text: () => text,
  }
}

/** Runs at a terminal where the user answers when the question appears. */
async function answered(answer: string | undefined) {
  const [out, err, input] = [record(), record(), new PassThrough()]
  const write = (text: string): void => {
    err.write(text)
    if (!text.includes("[y/N]")) return
    seen = { sent: sent(), question: text }
    if (answer === undefined) input.end()
    else input.write(answer)
  }
  let seen: { readonly sent: readonly string[]; readonly question: string } | undefined
  const exitCode = await run({
    words: ["sync", "read"],
    options: new Options(new Map([["env", ["pay=live-eu"]]])),
    screen: { out, err: { ...err, write }, isInteractive: true, input },
    cwd: folder,
    environment: {},
    scriptEntry: new URL("../../packages/cli/dist/script-child.js", import.meta.url),
    exit: (code) => {
      throw new Error(`exit ${code}`)
    },
  })
  return { exitCode, seen, out: out.text(), err: err.text() }
}

describe("a run against production", () => {
  it("asks once, with the totals of all workflows, before anything is sent or loaded", async () => {
    const { exitCode, seen } = await answered("y\n")
    expect(seen?.sent).toEqual([])
    expect(seen?.question).toBe(
      [
        "production: requests will be sent to",
        "",
        `  shop → live ${server.url}     at least 5 requests   GET 2, POST 2, perhaps DELETE, 1 more of these`,
        `  pay → live-eu ${server.url}   at least 0 requests   perhaps GET`,
        "",
        "POST and DELETE may change data. Send them? [y/N] ",
      ].join("\n"),
    )
    expect(exitCode).toBe(0)
    expect(sent()).toEqual(["GET", "POST", "POST", "POST", "GET"])
    expect(await loaded()).toBe("yes")
  })

  it.each([["\n"], ["n\n"], [undefined]])("sends and loads nothing after the answer %j", async (answer) => {
    const { exitCode, err, out } = await answered(answer)
    expect([exitCode, sent(), await loaded()]).toEqual([2, [], undefined])
    expect(err).toMatch(/the run against production \(shop=live, .*\) was not confirmed; it would have sent/)
    expect(err).toContain("(confirm-required)")
    expect(out).toContain("2 workflows: 2 could not start (sync, read)")
  })

  it("shows the same without a terminal, with the complete command, which works", async () => {
    const words = ["run", "sync", "--env", "pay=live-eu", "--seed", "7", "--max-response-size", "2000"]
    const refused = await callsheet(words, { folder, stdin: "y\n" })
    expect([refused.exitCode, sent(), await loaded()]).toEqual([2, [], undefined])
    expect(refused.stderr).toContain(
      "a run against production (shop=live, pay=live-eu) requires confirmation; this one would send at least 4 requests to shop (GET 1, POST 2, perhaps DELETE, 1 more of these) and at least 0 requests to pay (perhaps GET) (confirm-required)",
    )
    const [, command = ""] = /to run without confirmation: callsheet (.*)/.exec(refused.stderr) ?? []
    expect(command).toBe("run sync --env shop=live --env pay=live-eu --max-response-size 2000 --seed 7 --yes")
    expect((await callsheet(command.split(" "), { folder })).exitCode).toBe(0)
    expect(sent()).toEqual(["GET", "POST", "POST", "POST"])
  })

  it("counts every row, repetition and cleanup, and repeats options that choose them", async () => {
    const sku = { sku: { type: "string" } }
    const clean = { workflow: "clean", as: "sweep" }
    await writeFiles(folder, {
      "apis/workflow/buy.json": { ...workflow(request("add", "POST /items")), inputs: sku },
      "apis/workflow/clean.json": workflow(request("gone", "DELETE /items")),
      "rows.csv": "sku\nA\nB\nC\n",
      "callsheet.json": {
        version: 1,
        suites: {
          s: {
            before: [{ workflow: "read", finally: ["clean"] }],
            workflows: [{ workflow: "buy", data: "rows.csv", finally: ["clean"] }, clean],
            finally: ["read"],
            env: { shop: "live" },
          },
        },
      },
    })
    const suite = ["run", "--suite", "s", "--repeat", "2"]
    const refused = await callsheet(suite, { folder })
    expect(refused.stderr).toContain("would send at least 17 requests to shop (GET 2, POST 6, DELETE 9)")
    const [, command = ""] = /to run without confirmation: callsheet (.*)/.exec(refused.stderr) ?? []
    expect(command).toBe("run --suite s --repeat 2 --yes")
    expect((await callsheet(command.split(" "), { folder })).exitCode).toBe(0)
    expect(sent()).toHaveLength(17)

    const rows = await callsheet(["run", "buy", "--data", "rows.csv", "--bail=2"], { folder })
    expect(rows.stderr).toContain("would send at least 3 requests to shop (POST 3)")
    expect(rows.stderr).toContain("callsheet run buy --env shop=live --data rows.csv --bail=2 --yes")
  })

  it("blocks only the workflows that use production", async () => {
    await writeFiles(folder, { "apis/workflow/safe.json": workflow(request("all", "GET /items", "pay")) })
    const { exitCode, stderr } = await callsheet(["run", "read", "safe", "--env", "pay=local"], { folder })
    expect([exitCode, sent()]).toEqual([2, ["GET"]])
    expect(stderr).toContain("would send at least 1 request to shop (GET 1) (confirm-required)")
  })

  it.each([["--env", "shop=live"], []])(
    "never puts a secret into the suggested command, given %j",
    async (...chosen) => {
      const pay = request("all", "GET /items", chosen.length === 0 ? "pay" : "shop")
      const withInputs = { ...workflow(pay), inputs: { text: { type: "string" }, other: { type: "string" } } }
      await writeFiles(folder, { "apis/workflow/with-inputs.json": withInputs })
      // After shell escaping, the text no longer matches the mask.
      const secret = `it's "s3cr3t" $HOME`
      const env = { CALLSHEET_VAR__SHOP__KEY: secret, CALLSHEET_VAR__PAY__KEY: secret }
      const given = ["--input", `text=<${secret}>`, "--input", "other=plain"]
      const { exitCode, stderr } = await callsheet(["run", "with-inputs", ...chosen, ...given], {
        folder,
        env,
      })
      expect(exitCode).toBe(2)
      expect(stderr).toContain("--input 'text=<***>' --input other=plain")
      expect(stderr).not.toContain("s3cr3t")
    },
  )
})
