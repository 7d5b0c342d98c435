import { once } from "node:events"
import { readdir, rm } from "node:fs/promises"
import { createServer, type AddressInfo } from "node:net"
import { join } from "node:path"
import { describe, expect, it, onTestFinished } from "vitest"
import { callsheet, createFolder, readText, writeFiles, type Files } from "../harness/callsheet.ts"

const operation = (operationId: string) => ({ operationId, responses: { 200: { description: "Done." } } })
const document = (...operations: string[]) => ({
  openapi: "3.1.0",
  info: { title: "Shop", version: "1" },
  servers: [{ url: "http://127.0.0.1:9" }],
  paths: Object.fromEntries(operations.map((name) => [`/${name}`, { get: operation(name) }])),
})
const workflow = (...blocks: object[]) => ({ version: 1, blocks })
const request = (api: string, name: string) => ({
  id: name,
  type: "request",
  request: { api, operation: name },
})

const valid: Files = {
  "apis/shop/openapi.json": document("ping"),
  "apis/shop/environments/schema.json": {
    version: 1,
    variables: { baseUrl: { type: "string", required: false } },
  },
  "apis/shop/environments/local.json": { baseUrl: "http://127.0.0.1:9" },
  "apis/pay/openapi.json": document("charge"),
  "apis/workflow/checkout.json": workflow(request("shop", "ping")),
  "apis/workflow/refund.json": workflow(request("pay", "charge")),
}

/** One error in each kind of file. */
const wrong: Files = {
  ...valid,
  "apis/shop/environments/local.json": '{\n  "baseUlr": "http://127.0.0.1:9"\n}\n',
  "apis/pay/openapi.json": "{",
  "apis/pay/requests/charges/create.json": '{\n  "version": 2\n}\n',
  "apis/unused/environments/local.json": '{ "level": "prod" }',
  "apis/workflow/checkout.json": workflow(request("shop", "pnig")),
  "apis/workflow/refund.json": '{ "version": 1 }',
}

const filesIn = (text: string): readonly string[] => [
  ...new Set([...text.matchAll(/^(?:warning: )?(apis\/[^:\n]+)/gm)].map(([, file = ""]) => file)),
]

const temporaryFolder = async (files: Files): Promise<string> => {
  const folder = await createFolder(files)
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

describe("callsheet validate", () => {
  it("reports what it checked if nothing is wrong", async () => {
    expect(await callsheet(["validate"], { files: valid })).toEqual({
      exitCode: 0,
      signal: undefined,
      stdout: "✓ no problems; 2 workflows, 2 APIs, 1 environment checked\n",
      stderr: "",
    })
  })

  it("finds all problems in all files at once, including files that no workflow uses", async () => {
    const { exitCode, stdout, stderr } = await callsheet(["validate"], { files: wrong })
    expect(exitCode).toBe(1)
    expect(stderr).toBe("")
    expect(filesIn(stdout)).toEqual([
      "apis/pay/openapi.json",
      "apis/pay/requests/charges/create.json",
      "apis/shop/environments/local.json",
      "apis/unused/environments/local.json",
      "apis/workflow/checkout.json",
      "apis/workflow/refund.json",
    ])
    expect(stdout).toContain(
      'apis/shop/environments/local.json:2:3: "baseUlr" is not declared in schema.json (variable-undeclared)\n  hint: did you mean "baseUrl"?\n',
    )
    expect(stdout).toMatch(/\n\n✗ \d+ errors in 6 files; 2 workflows, 3 APIs, 2 environments checked\n$/)
  })

  it("checks a workflow, by name or file, with all files of the APIs it uses and no others", async () => {
    for (const word of ["checkout", "apis/workflow/checkout.json"]) {
      const { exitCode, stdout } = await callsheet(["validate", word], { files: wrong })
      expect(exitCode).toBe(1)
      expect(filesIn(stdout)).toEqual(["apis/shop/environments/local.json", "apis/workflow/checkout.json"])
      expect(stdout).toMatch(/1 workflow, 1 API, 1 environment checked\n$/)
    }
    expect(await callsheet(["validate", "checkout"], { files: { ...wrong, ...valid } })).toMatchObject({
      exitCode: 0,
    })
  })

  it("checks a workflow against a Swagger 2.0 document", async () => {
    const ok = { description: "", schema: { $ref: "#/definitions/Order" } }
    const parameters = [
      { name: "title", in: "formData", type: "string", required: true },
      { name: "dry", in: "query", type: "boolean" },
    ]
    const old = {
      swagger: "2.0",
      info: { title: "Shop", version: "1" },
      definitions: { Order: { type: "object", properties: { id: { type: "integer" } } } },
      paths: { "/orders": { post: { operationId: "order", parameters, responses: { 200: ok } } } },
    }
    const files = (field: string, query: string, property: string) => ({
      "apis/shop/openapi.json": old,
      "apis/shop/environments/local.json": { baseUrl: "http://127.0.0.1:9" },
      "apis/shop/environments/schema.json": valid["apis/shop/environments/schema.json"]!,
      "apis/workflow/w.json": workflow(
        {
          id: "send",
          type: "request",
          request: {
            api: "shop",
            operation: "order",
            overrides: { body: { [field]: "a" }, params: { query: { [query]: "true" } } },
          },
        },
        {
          id: "look",
          type: "assert",
          assertions: [{ source: `send.response.body.${property}`, operator: "exists" }],
        },
      ),
    })
    expect(await callsheet(["validate"], { files: files("title", "dry", "id") })).toMatchObject({
      exitCode: 0,
      stdout: "✓ no problems; 1 workflow, 1 API, 1 environment checked\n",
    })
    const { stdout } = await callsheet(["validate"], { files: files("titel", "dyr", "di") })
    const codes = new Set([...stdout.matchAll(/\(([a-z-]+)\)$/gm)].map(([, code]) => code))
    expect(codes).toEqual(
      new Set(["body-field-missing", "body-field-unknown", "parameter-unknown", "source-unresolved"]),
    )
  })

  it("allows warnings up to the limit", async () => {
    const files = { ...valid, "apis/shop/environments/old.secrets.env": "a=1\n" }
    const warned = await callsheet(["validate"], { files })
    expect(warned).toMatchObject({ exitCode: 0, stderr: "" })
    expect(warned.stdout).toMatch(
      /^warning: apis\/shop\/environments\/old\.secrets\.env: .*\(env-missing\)$/m,
    )
    expect(warned.stdout).toMatch(/^! 1 warning in 1 file; /m)
    expect(await callsheet(["validate", "--max-warnings", "1"], { files })).toMatchObject({ exitCode: 0 })
    const refused = await callsheet(["validate", "--max-warnings=0"], { files })
    expect(refused.exitCode).toBe(1)
    expect(refused.stdout).toMatch(/^✗ 1 warning \(more than the 0 allowed\) in 1 file; /m)
  })

  it("warns about files that it doesn't read, and run says why they are not workflows", async () => {
    const strays = {
      "apis/workflow/sub/pay.json": workflow(request("shop", "ping")),
      "apis/workflow/buy.yaml": "version: 1\nblocks: []\n",
      "apis/workflow/sell.JSON": workflow(request("shop", "ping")),
      "apis/shop/request/pings/ping.json": { version: 1, operation: "ping" },
    }
    const files = {
      ...valid,
      ...strays,
      "apis/shop/requests/pings/ping.json": { version: 1, operation: "ping" },
    }
    const { exitCode, stdout } = await callsheet(["validate"], { files })
    expect(exitCode).toBe(0)
    const only = "callsheet reads workflows only from apis/workflow/<name>.json"
    expect(stdout.split("\n\n")[0]).toBe(
      [
        'warning: apis/shop/request: callsheet does not read the directory "request" (file-stray)',
        '  hint: did you mean "requests"?',
        `warning: apis/workflow/buy.yaml: ${only} (file-stray)`,
        "  hint: write its content to apis/workflow/buy.json",
        `warning: apis/workflow/sell.JSON: ${only} (file-stray)`,
        "  hint: move it to apis/workflow/sell.json",
        `warning: apis/workflow/sub/pay.json: ${only} (file-stray)`,
        "  hint: move it to apis/workflow/pay.json",
      ].join("\n"),
    )
    const run = async (argument: string) => {
      const { exitCode, stderr } = await callsheet(["run", argument], { files })
      expect(exitCode).toBe(2)
      return stderr
    }
    for (const argument of ["pay", "apis/workflow/sub/pay.json", "./apis/workflow/sub/../sub/pay.json"])
      expect(await run(argument)).toBe(
        `"apis/workflow/sub/pay.json" is not a workflow: ${only} (workflow-unknown)\n  hint: move it to apis/workflow/pay.json\n`,
      )
    expect(await run("apis/workflow/buy.yaml")).toContain('"apis/workflow/buy.yaml" is not a workflow: ')
    expect(await run("apis/shop/request/pings/ping.json")).toContain(
      '"apis/shop/request" is not a workflow: ',
    )
    expect(await run("apis/shop/requests/pings/ping.json")).toBe(
      `"apis/shop/requests/pings/ping.json" is not a workflow: ${only} (workflow-unknown)\n`,
    )
    expect(await run("apis/workflow/nothing.json")).toContain("the project has no workflow")
  })

  it("prints only errors with --quiet, but still counts the warnings", async () => {
    const files = { ...wrong, "apis/shop/environments/old.secrets.env": "a=1\n" }
    const { stdout, exitCode } = await callsheet(["validate", "checkout", "--quiet"], { files })
    expect(exitCode).toBe(1)
    expect(stdout).not.toContain("warning: ")
    expect(stdout).toMatch(/errors, 1 warning in 3 files/)
  })

  it.each([
    [["validate", "chekout"], 'did you mean "checkout"?'],
    [["validate", "--format", "sarfi"], 'did you mean "sarif"?'],
    [["validate", "--json", "--format", "github"], "--json can't be used with --format github"],
    [["validate", "--max-warnings", "-1"], "--max-warnings must be a whole number"],
    [["validate", "--project", "nowhere"], "project-missing"],
  ])("rejects %j as misuse", async (words, message) => {
    const { exitCode, stdout, stderr } = await callsheet(words, { files: valid })
    expect([exitCode, stdout]).toEqual([2, ""])
    expect(stderr).toContain(message)
  })

  it("colors its output only on request", async () => {
    const files = { ...wrong, "apis/shop/environments/old.secrets.env": "a=1\n" }
    const plain = await callsheet(["validate"], { files })
    const colored = await callsheet(["validate"], { files, env: { FORCE_COLOR: "1" } })
    expect(plain.stdout).not.toContain("\u001b")
    expect(colored.stdout).toContain("\u001b[31mapis/workflow/checkout.json:")
    expect(colored.stdout).toContain("\u001b[33mwarning:")
    expect(colored.stdout.replaceAll(/\u001b\[\d+m/g, "")).toBe(plain.stdout)
  })

  it("escapes control characters in names and messages", async () => {
    const files = { ...valid, "apis/workflow/checkout.json": { version: 1, blocks: [], "\u001b[2J": 1 } }
    const { stdout } = await callsheet(["validate"], { files })
    expect(stdout).toContain("(field-unknown)")
    expect(stdout).not.toContain("\u001b")
  })

  it.runIf(process.platform !== "win32")("first repairs what a killed command left half done", async () => {
    const folder = await temporaryFolder({
      ...valid,
      "apis/shop/environments/child.json": { extends: "local" },
    })
    // The first rename publishes the journal. The process ends before the second.
    const killer = `
      const fs = require("node:fs")
      const rename = fs.renameSync
      let renames = 0
      fs.renameSync = (...words) => (++renames === 2 ? process.kill(process.pid, "SIGKILL") : rename(...words))
      require("node:module").syncBuiltinESMExports()`
    await writeFiles(folder, { "killer.cjs": killer })
    const env = { NODE_OPTIONS: `--require ${join(folder, "killer.cjs")}` }
    const killed = await callsheet(["env", "rename", "shop", "local", "dev"], { folder, env })
    expect(killed.signal).toBe("SIGKILL")
    const { exitCode, stdout, stderr } = await callsheet(["validate"], { folder })
    expect([exitCode, stdout]).toEqual([0, "✓ no problems; 2 workflows, 2 APIs, 2 environments checked\n"])
    expect(stderr).toContain("finished an interrupted change")
    expect(await readText(folder, "apis/shop/environments/child.json")).toContain('"dev"')
  })
})

describe("an untrusted project", () => {
  it("runs none of its code, starts none of its programs and sends nothing", async () => {
    let connections = 0
    const server = createServer((socket) => {
      connections++
      socket.destroy()
    }).listen(0, "127.0.0.1")
    await once(server, "listening")
    onTestFinished(() => void server.close())
    const { port } = server.address() as AddressInfo
    const trace = `import { writeFileSync } from "node:fs"\nwriteFileSync("TRACE", "ran")\n`
    const touch = `void fetch("http://127.0.0.1:${port}/")\nprocess.exit(7)\n`
    const folder = await temporaryFolder({
      ...valid,
      "package.json": { type: "module", scripts: { prepare: "touch TRACE" } },
      "apis/shop/environments/local.json": { baseUrl: `http://127.0.0.1:${port}` },
      "apis/shop/openapi.json": {
        ...document("ping"),
        components: { schemas: { Far: { $ref: `http://127.0.0.1:${port}/schema.json` } } },
      },
      "apis/workflow/scripts/checkout/pay.ts": `${trace}${touch}import "./helper.ts"\nexport const pay = () => true\n`,
      "apis/workflow/scripts/checkout/helper.ts": `${trace}export const help = 1\n`,
      "apis/workflow/checkout.json": workflow(request("shop", "ping"), {
        id: "pay",
        type: "script",
        script: { name: "pay", exportName: "pay" },
      }),
    })
    const before = await readdir(folder, { recursive: true })
    const { exitCode, stdout } = await callsheet(["validate"], { folder })
    expect(exitCode).toBe(1)
    expect(stdout).toMatch(/^apis\/shop\/openapi\.json:\d+:\d+: .*references to URLs \(link-outside\)\n/)
    expect(stdout).toContain("✗ 1 error in 1 file")
    // The user's own cache is in the home directory, which is the project's here.
    const after = (await readdir(folder, { recursive: true })).filter((path) => !path.startsWith(".cache"))
    expect(after.sort()).toEqual(before.sort())
    expect(connections).toBe(0)
  })

  it("reports a missing export of a script without running it", async () => {
    const files = {
      ...valid,
      "apis/workflow/scripts/checkout/pay.ts": `throw new Error("never")\nexport const pya = () => true\n`,
      "apis/workflow/checkout.json": workflow({
        id: "pay",
        type: "script",
        script: { name: "pay", exportName: "pay" },
      }),
    }
    const { exitCode, stdout } = await callsheet(["validate", "checkout"], { files })
    expect(exitCode).toBe(1)
    expect(stdout).toContain('does not export "pay" (script-missing)\n  hint: did you mean "pya"?')
  })
})
