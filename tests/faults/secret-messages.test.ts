// Checks messages about a request that can't be sent, or a response that can't be read, because of a
// secret.

import { rm } from "node:fs/promises"
import { connect } from "node:net"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest"
import { answer } from "../fault-server/faults.ts"
import { startFaultServer, type Fault } from "../fault-server/fault-server.ts"
import { startApi, type ApiServer } from "../harness/api-server.ts"
import { callsheet, createFolder, readText, writeFiles } from "../harness/callsheet.ts"
import { otherHost } from "../harness/certificates.ts"

const canary = "k3y-canary-41"
let api: ApiServer
let folder: string

const look = (header: string) => ({
  id: "look",
  type: "request",
  request: { api: "shop", instance: "look", overrides: { params: { header: { [header]: "{{key}}" } } } },
})

beforeAll(async () => {
  api = await startApi({ "*": { body: { ok: true } } })
  folder = await createFolder({
    "apis/shop/environments/schema.json": {
      version: 1,
      variables: {
        baseUrl: { type: "string", required: true, secret: true },
        key: { type: "string", required: false, secret: true },
      },
    },
    "apis/shop/environments/local.json": {},
    "apis/shop/environments/local.secrets.env": `baseUrl=${api.url}\nkey=plain-text\n`,
    "apis/shop/requests/tools/look.json": { version: 1, method: "GET", path: "/look" },
    "apis/workflow/w.json": { version: 1, blocks: [look("x-key")] },
  })
})
afterAll(async () => {
  await api.close()
  await rm(folder, { recursive: true })
})

const call = async (words: string, env: Readonly<Record<string, string>> = {}) => {
  const { exitCode, stdout, stderr } = await callsheet([...words.split(" "), "--debug"], { folder, env })
  return { exitCode, text: stdout + stderr }
}

/** Runs a workflow with three reporters. Returns the exit code, standard error, and the output of each reporter. */
async function callReporters(workflow: string, env: Readonly<Record<string, string>>) {
  const words = ["run", workflow, "--verify-no-leak", "--debug", "--reporter=pretty"]
  const files = ["json", "junit"]
  const { exitCode, stdout, stderr } = await callsheet(
    [...words, ...files.map((name) => `--reporter=${name}=out/${name}`)],
    { folder, env },
  )
  const reports = await Promise.all(files.map((name) => readText(folder, `out/${name}`)))
  await rm(join(folder, "out"), { recursive: true })
  return { exitCode, texts: [stdout, ...reports.map(String)].map((report) => stderr + report) }
}

describe("a message about a request that can't be sent", () => {
  it.each([
    [
      "a header that HTTP does not allow",
      "KEY",
      `${canary}\nx: y`,
      "contains a line break, which HTTP does not allow",
    ],
    ["a header beyond Latin-1", "KEY", `${canary}\u20ac`, "contains a character outside Latin-1"],
    ["an invalid URL", "BASE_URL", `${canary}://:x`, "is not an http or https URL"],
    ["a URL with a space", "BASE_URL", `http://${canary} x/`, "contains spaces or control characters"],
    ["an unknown host", "BASE_URL", `http://${canary}.invalid/v1`, "request-failed"],
    ["a host without TLS", "BASE_URL", `https://127.0.0.1:9/${canary}`, "request-failed"],
    ["an invalid port", "BASE_URL", `http://user:${canary}@127.0.0.1:99999/`, "is not an http or https URL"],
  ])("names %s without its value", async (_, variable, value, said) => {
    const { exitCode, texts } = await callReporters("w", { [`CALLSHEET_VAR__SHOP__${variable}`]: value })
    for (const text of texts) {
      expect(text).toContain(said)
      expect(text.toLowerCase()).not.toContain(canary)
    }
    expect(exitCode).toBe(/URL|spaces/.test(said) ? 2 : 1)
  })
})

describe("a message about a file that can't be read", () => {
  const files: readonly (readonly [string, string])[] = [
    ["apis/shop/environments/local.secrets.env", `baseUrl=http://127.0.0.1:9\nkey='${canary}\n`],
    ["apis/shop/environments/local.secrets.env", `baseUrl=http://127.0.0.1:9\n${canary}\n`],
    ["apis/shop/environments/local.json", `{"key": "${canary}" "x"}`],
    ["apis/shop/environments/local.json", `{"key": "${canary}", "extends": 7}`],
    ["apis/shop/environments/local.json", `{"key": ${canary}}`],
    ["apis/shop/environments/local.json", `{"key": {"of": "${canary}"}}`],
    ["apis/shop/environments/local.secrets.env", `baseUrl=x\nkey="a\n${canary}\n${canary}=\n`],
    ["apis/shop/environments/local.secrets.env", `baseUrl=x\nexport ${canary}\nkey=a\u0000${canary}\n`],
    ["apis/shop/openapi.json", `{"info": {"title": "${canary}" "x"}}`],
    ["apis/shop/openapi.yaml", `info:\n  title: "${canary}\n  x: [${canary}\n`],
  ]
  it.each(files)("quotes nothing of %s (%#)", async (file, content) => {
    await writeFiles(folder, { [file]: content })
    for (const words of [
      "run w",
      "run w --json",
      "validate",
      "validate --json",
      "env read shop local",
      "list",
    ]) {
      const { text } = await call(words)
      expect(text, words).not.toContain(canary)
    }
    await rm(join(folder, file))
    await writeFiles(folder, {
      "apis/shop/environments/local.json": {},
      "apis/shop/environments/local.secrets.env": `baseUrl=${api.url}\nkey=plain-text\n`,
    })
  })
})

/** A proxy that routes every host to one port of this machine. */
const tunnelTo =
  (port: number): Fault =>
  (socket) => {
    const upstream = connect(port, "127.0.0.1")
    upstream.on("error", () => socket.destroy())
    socket.on("close", () => upstream.destroy())
    socket.write("HTTP/1.1 200 Connection established\r\n\r\n")
    socket.removeAllListeners("data")
    socket.pipe(upstream).pipe(socket)
  }

async function startProxy(fault: Fault): Promise<string> {
  const proxy = await startFaultServer({ answer: fault })
  onTestFinished(() => proxy.close())
  return `http://us:${canary}-of-the-proxy@127.0.0.1:${proxy.port}`
}

/** Runs with every reporter and returns all output. */
async function callAll(env: Readonly<Record<string, string>>): Promise<string> {
  const { exitCode, texts } = await callReporters("w", env)
  expect(exitCode).toBe(1)
  return texts.join("")
}

describe("a message about a server or a proxy", () => {
  const host = { CALLSHEET_VAR__SHOP__BASE_URL: `https://${canary}.example/` }

  it("doesn't name the host of a certificate for other hosts", async () => {
    const server = await startFaultServer({ tls: otherHost })
    onTestFinished(() => server.close())
    await writeFiles(folder, { "ca.pem": otherHost.cert })
    const text = await callAll({
      ...host,
      HTTPS_PROXY: await startProxy(tunnelTo(server.port)),
      NODE_EXTRA_CA_CERTS: join(folder, "ca.pem"),
    })
    expect(text).toContain("it was issued for other host names")
    expect(text).not.toContain(canary)
    // Node's own message contains both names.
    expect(text).not.toContain("other.example")
  })

  it("names no host that a proxy rejects, and no part of the proxy's URL", async () => {
    const text = await callAll({
      ...host,
      HTTPS_PROXY: await startProxy((socket) => void socket.end(answer(canary, [], `407 ${canary}`))),
    })
    expect(text).toContain("did not accept the user name and password in HTTPS_PROXY (status 407)")
    expect(text).not.toContain(canary)
  })

  it.each([
    ["does not exist", `http://us:${canary}@127.0.0.1:1`, "the proxy 127.0.0.1:1 refused the connection"],
    ["is unknown", `http://us:${canary}@proxy.invalid`, 'the host name "proxy.invalid"'],
    ["speaks another protocol", `socks5://us:${canary}@proxy.invalid`, "HTTPS_PROXY is not the URL"],
    ["is not a URL", `http://us:${canary}@a b/`, "HTTPS_PROXY is not the URL"],
  ])("quotes no user information of a proxy that %s", async (_, proxy, said) => {
    const text = await callAll({ CALLSHEET_VAR__SHOP__BASE_URL: "https://api.example/", HTTPS_PROXY: proxy })
    expect(text).toContain(said)
    expect(text).not.toContain(canary)
  })

  it.each([
    ["a status line", `HTTP/1.1 2x0 ${canary}\r\n\r\n`],
    ["a header", `HTTP/1.1 200 OK\r\nbad ${canary}: x\r\n\r\n`],
    ["a length", `HTTP/1.1 200 OK\r\ncontent-length: ${canary}\r\n\r\n`],
    ["a coding", answer(canary, [`content-encoding: ${canary}`]).toString()],
    ["a location", answer("", [`location: http://${canary}:x/`], "302 Found").toString()],
  ])("quotes nothing from a response that is broken in %s", async (_, bytes) => {
    const server = await startFaultServer({ answer: (socket) => void socket.end(bytes) })
    onTestFinished(() => server.close())
    const text = await callAll({
      CALLSHEET_VAR__SHOP__BASE_URL: server.origin,
      CALLSHEET_VAR__SHOP__KEY: canary,
    })
    expect(text).toContain("request-failed")
    expect(text).not.toContain(canary)
  })
})

describe("an error of a script", () => {
  const throws = {
    "an error": "throw new Error(key)",
    "an error with a cause": "throw new Error('a', { cause: new Error(key) })",
    "an error with a code and a name": "throw Object.assign(new Error('a'), { code: key, name: key, key })",
    "several errors": "throw new AggregateError([new Error(key)], key)",
    "a text": "throw key",
    "an object": "throw { key, toString: () => key }",
    "an error of JSON": "JSON.parse('{' + key)",
    "an error of a URL": "new URL(key)",
    "an error of a module": "await import('./' + key + '.ts')",
    "an error of a file": "(await import('node:fs')).readFileSync('/' + key)",
    "a TypeError": "null[key]",
    "a late error": "setTimeout(() => { throw new Error(key) }, 1); await ctx.sleep(5000)",
    "a late rejection": "void Promise.reject(new Error(key)); await ctx.sleep(5000)",
    "an invalid result": "return { [key]: () => key }",
  }

  it("shows no secret, whatever the script throws", async () => {
    const functions = Object.values(throws).map(
      (body, index) =>
        `export const f${index} = async (ctx) => { const key = ctx.env("shop").key + "-"; ${body} }`,
    )
    const blocks = functions.map((_, index) => ({
      id: `f${index}`,
      type: "transform",
      script: { name: "s", exportName: `f${index}` },
    }))
    await writeFiles(folder, {
      "apis/workflow/s.json": { version: 1, onFailure: "continue", blocks: [look("x-key"), ...blocks] },
      "apis/workflow/scripts/s/s.ts": functions.join("\n"),
    })
    const { exitCode, texts } = await callReporters("s", { CALLSHEET_VAR__SHOP__KEY: canary })
    for (const text of texts) expect(text).not.toContain(canary)
    expect(exitCode).toBe(1)
    expect(texts[1]?.match(/"status":"failed"/g)).toHaveLength(blocks.length + 2)
  })
})
