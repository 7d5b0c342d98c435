// A variable can refer to a secret that only the user's own program knows.

import { once } from "node:events"
import { existsSync } from "node:fs"
import { readFile, writeFile } from "node:fs/promises"
import { createServer, type AddressInfo } from "node:net"
import { join } from "node:path"
import { describe, expect, it, onTestFinished } from "vitest"
import { callsheet } from "../harness/callsheet.ts"
import { createHome, nodeResolver, projectFor, run, startShop } from "./user-file.ts"

const value = "kettle-lantern-47"
const batch = `let text = ""
process.stdin.on("data", (part) => (text += part)).on("end", () => {
  require("fs").appendFileSync(process.argv[1], text + "\\n")
  const { references } = JSON.parse(text)
  console.log(JSON.stringify({ values: Object.fromEntries(references.map((one) => [one, "${value}-" + one])) }))
})`

describe("a secret reference", () => {
  it("is replaced by the output of a command that runs once per reference, and is masked", async () => {
    const shop = await startShop()
    const print = `process.stdout.write("${value} " + process.argv[1] + "\\n")`
    const { env } = await createHome({
      version: 1,
      resolvers: { vault: nodeResolver(print, "op://{reference}") },
    })
    const { exitCode, stdout, stderr } = await run([], { files: projectFor(shop), env })
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" })
    expect(shop.requests[0]?.headers["x-key"]).toBe(`${value} op://shop/key`)
    expect(stdout).not.toContain(value)
    expect(stdout).not.toContain(Buffer.from(value).toString("base64"))
  })

  it("is resolved together with all others by one command that reads them, each only once", async () => {
    const shop = await startShop()
    const home = await createHome({})
    const calls = join(home.folder, "calls")
    await writeFile(
      home.file,
      JSON.stringify({ version: 1, resolvers: { vault: nodeResolver(batch, calls) } }),
    )
    const files = projectFor(shop, {
      "apis/shop/environments/staging.secrets.env": "other=secret://vault/b",
      "apis/shop/environments/unused.json": { apiKey: "secret://vault/never" },
    })
    const { exitCode, stderr } = await run(["--env", "staging", "--repeat", "2"], { files, env: home.env })
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" })
    expect(shop.requests.map(({ headers }) => headers["x-key"])).toEqual([
      `${value}-shop/key`,
      `${value}-shop/key`,
    ])
    expect((await readFile(calls, "utf8")).trim().split("\n")).toEqual(['{"references":["shop/key","b"]}'])
  })

  it("works in a secrets file and in a default, and is plain text everywhere else", async () => {
    const shop = await startShop()
    const { env } = await createHome({
      version: 1,
      resolvers: { vault: nodeResolver("console.log('key-' + process.argv[1])", "{reference}") },
    })
    const sent = async (files: Readonly<Record<string, unknown>>, words: readonly string[] = []) => {
      const { exitCode, stderr } = await run(words, { files: { ...projectFor(shop), ...files }, env })
      expect({ exitCode, stderr: stderr.replaceAll(/^warning: .*\n(?: .*\n)*/gm, "") }).toMatchObject({
        exitCode: 0,
      })
      return shop.requests.at(-1)?.headers["x-key"]
    }
    const empty = { "apis/shop/environments/staging.json": { baseUrl: shop.url } }
    const secrets = { ...empty, "apis/shop/environments/staging.secrets.env": "apiKey='secret://vault/a'" }
    expect(await sent(secrets)).toBe("key-a")
    const apiKey = { type: "string", required: true, secret: true, default: "secret://vault/b" }
    const schema = { version: 1, variables: { baseUrl: { type: "string", required: true }, apiKey } }
    const inDefault = { ...empty, "apis/shop/environments/schema.json": schema }
    expect(await sent(inDefault)).toBe("key-b")
    expect(await sent({}, ["--var", "shop.apiKey=secret://vault/c"])).toBe("secret://vault/c")
    const open = {
      version: 1,
      variables: { ...schema.variables, apiKey: { type: "string", required: true } },
    }
    expect(await sent({ "apis/shop/environments/schema.json": open })).toBe("secret://vault/shop/key")
  })

  it.each([
    ["exits with an error", nodeResolver(`console.log("${value}"); process.exit(3)`), "exited with code 3"],
    ["prints no JSON", nodeResolver("console.log('{')"), "not JSON"],
    ["prints another value", nodeResolver('console.log(\'{"values":{"x":"y"}}\')'), "has no value"],
    ["prints a number", nodeResolver('console.log(\'{"values":{"shop/key":1}}\')'), "is not text"],
    ["prints nothing", nodeResolver("", "{reference}"), "has no value"],
    [
      "prints invalid UTF-8",
      nodeResolver("process.stdout.write(Buffer.of(255))", "{reference}"),
      "is not text",
    ],
    ["doesn't exist", { command: ["./missing-program"] }, "could not be started"],
    [
      "never stops printing",
      nodeResolver("setInterval(() => console.log('x'.repeat(1e6)), 1)"),
      "larger than 4 MiB",
    ],
  ])("keeps the run from starting if its command %s", async (_, vault, reason) => {
    const shop = await startShop()
    const { env } = await createHome({ version: 1, resolvers: { vault } })
    const { exitCode, report, stderr } = await run([], { files: projectFor(shop), env })
    expect(exitCode).toBe(2)
    const message = report?.runs[0]?.error?.problems?.[0]?.message ?? stderr
    expect(message).toMatch(/"vault".*"apiKey".*"shop".*"staging"/)
    expect(message).toContain(reason)
    expect(report?.runs[0]?.error?.code).toBe("secret-unresolved")
    expect(`${stderr}${JSON.stringify(report)}`).not.toContain(value)
    expect(shop.requests).toEqual([])
  })

  it("says how to find out why a command failed", async () => {
    const { env } = await createHome({ version: 1, resolvers: { vault: nodeResolver("process.exit(3)") } })
    const { report } = await run([], { files: projectFor(await startShop()), env })
    expect(report?.runs[0]?.error?.problems?.[0]?.hint).toContain("run its command in a terminal")
  })

  it("names the resolver that the user-level file doesn't define, or the file that doesn't exist", async () => {
    const shop = await startShop()
    const { env } = await createHome({ version: 1 })
    const files = projectFor(shop)
    const unknown = await run([], { files, env })
    expect(unknown.exitCode).toBe(2)
    expect(unknown.report?.runs[0]?.error?.problems?.[0]).toMatchObject({
      code: "secret-unresolved",
      message: expect.stringContaining("does not define it"),
    })
    const missing = await run([], { files, env: { CALLSHEET_CONFIG: "/nowhere/config.json" } })
    expect(missing.exitCode).toBe(2)
    expect(missing.report?.runs[0]?.error?.problems?.[0]?.message).toContain(
      '"/nowhere/config.json" does not exist',
    )
    expect(shop.requests).toEqual([])
  })

  it("never becomes an option of the command, and can contain any character", async () => {
    const shop = await startShop()
    const resolver = nodeResolver("console.log(process.argv[1])", "{reference}")
    const { env } = await createHome({ version: 1, resolvers: { vault: resolver } })
    const outcome = async (reference: string) => {
      const own = { baseUrl: shop.url, apiKey: `secret://vault/${reference}` }
      const files = projectFor(shop, { "apis/shop/environments/staging.json": own })
      const { report } = await run([], { files, env })
      return report?.runs[0]?.error?.problems?.[0]?.message
    }
    expect(await outcome("--eval")).toContain('starts with "-"')
    expect(await outcome("\0")).toContain("could not be started")
    expect(await outcome("$(id) `id` ; id {reference} $& é")).toBeUndefined()
    expect(Buffer.from(String(shop.requests[0]?.headers["x-key"]), "latin1").toString("latin1")).toBe(
      "$(id) `id` ; id {reference} $& é",
    )
  })

  it("ends a command that hangs after 10 seconds, with the processes that it started", async () => {
    const shop = await startShop()
    // The grandchild stays connected for as long as it runs.
    const connections: Promise<unknown>[] = []
    const server = createServer((socket) =>
      connections.push(
        once(
          socket.on("error", () => undefined),
          "close",
        ),
      ),
    )
    server.listen(0, "127.0.0.1")
    await once(server, "listening")
    onTestFinished(() => void server.close())
    const { port } = server.address() as AddressInfo
    const grandchild = `require("net").connect(${port}, "127.0.0.1"); setInterval(() => {}, 1000)`
    const hang = `require("child_process").spawn(process.execPath, ["-e", ${JSON.stringify(grandchild)}], { stdio: "inherit" }); setInterval(() => {}, 1000)`
    const { env } = await createHome({ version: 1, resolvers: { vault: nodeResolver(hang) } })
    const { exitCode, report } = await run([], { files: projectFor(shop), env, timeoutMs: 25_000 })
    expect(exitCode).toBe(2)
    expect(report?.runs[0]?.error?.problems?.[0]?.message).toContain("within 10 seconds")
    expect(connections).toHaveLength(1)
    await connections[0]
  })

  it("starts nothing for validate, list, and env read without --reveal", async () => {
    const shop = await startShop()
    const home = await createHome({})
    const mark = join(home.folder, "started")
    const start = `require("fs").writeFileSync(${JSON.stringify(mark)}, ""); console.log("${value}")`
    const resolvers = { vault: nodeResolver(start, "{reference}") }
    await writeFile(home.file, JSON.stringify({ version: 1, resolvers }))
    const { env } = home
    const files = projectFor(shop)
    const call = (...words: readonly string[]) => callsheet(words, { files, env })
    expect(await call("validate")).toMatchObject({
      exitCode: 0,
      stderr: expect.not.stringContaining("secret-committed"),
    })
    expect((await call("list")).exitCode).toBe(0)
    expect((await call("env", "read", "shop", "staging")).exitCode).toBe(0)
    expect((await call("env", "read", "shop", "staging", "baseUrl", "--reveal")).stdout).toBe(`${shop.url}\n`)
    expect(existsSync(mark)).toBe(false)
    expect((await call("env", "read", "shop", "staging", "apiKey", "--reveal")).stdout).toBe(`${value}\n`)
    expect(existsSync(mark)).toBe(true)
  })
})
