// A value that a script declares secret is shown nowhere, whatever the script and later blocks do with it.

import { EventEmitter, once } from "node:events"
import { rm } from "node:fs/promises"
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import { startApi, type ApiServer } from "../harness/api-server.ts"
import { callsheet, createFolder, readText, type CallResult, type Files } from "../harness/callsheet.ts"
import { assert, document, request } from "../run/shop-project.ts"

/** Contains characters that JSON, URLs, XML and shells escape in different ways. */
const token = String.raw`t0k/en+"42"=&<\é~wxyz`

const scripts = `
import { execSync } from "node:child_process"
import { writeSync } from "node:fs"
import type { TransformContext } from "@callsheet/sdk"

export async function signIn(ctx: TransformContext) {
  const response = await fetch(ctx.env("shop").baseUrl + "/token", { signal: ctx.signal })
  const { token } = (await response.json()) as { token: string }
  console.log("before", token)
  const same = ctx.secret(token)
  console.log("raw", token, { token })
  console.error("base64", Buffer.from(token).toString("base64"))
  console.log(["pair", Buffer.from("user:" + token).toString("base64"), encodeURIComponent(token)])
  process.stdout.write(token + "\\n")
  process.stderr.write(token)
  writeSync(1, "direct " + token + "\\n")
  execSync('printf "program %s" "$TOKEN"', { stdio: "inherit", env: { TOKEN: token } })
  return { token: same, nested: { [token]: [token, JSON.stringify({ token })] } }
}

const tokenOf = (ctx: any): string => ctx.get("plan.token")
export const throws = (ctx: any) => { throw new Error("refused: " + tokenOf(ctx), { cause: tokenOf(ctx) }) }
export const throwsText = (ctx: any) => { throw tokenOf(ctx) }
export const returnsText = (ctx: any) => tokenOf(ctx)
export const exits = (ctx: any) => { writeSync(2, tokenOf(ctx)); process.exit(0) }
export const rejects = (ctx: any) => { setTimeout(() => void Promise.reject(new Error(tokenOf(ctx))), 5) }
`

const scripted = (type: string, exportName: string, more: object = {}) => ({
  id: exportName,
  type,
  script: { name: "tokens", exportName },
  ...more,
})

const blocks = [
  scripted("transform", "signIn", { id: "plan" }),
  request("send", {
    operation: "postEcho",
    overrides: {
      params: { header: { "x-token": "{{plan.token}}" }, query: { token: "{{plan.token}}" } },
      body: { token: "{{plan.token}}" },
    },
  }),
  assert("compared", ["send.response.body.json.token", "equals", "another"], ["plan.token", "equals", 1]),
  scripted("assert", "throws"),
  scripted("condition", "throwsText", { then: [assert("never", ["plan.token", "equals", 1])] }),
  scripted("loop", "returnsText", { mode: "until", blocks: [assert("polled", ["plan", "exists"])] }),
  scripted("script", "exits"),
  scripted("script", "rejects"),
  request("last", { operation: "getItem", overrides: { params: { path: { id: "{{plan.token}}" } } } }),
]

const shop = (baseUrl: string): Files => ({
  "apis/shop/openapi.json": document,
  "apis/shop/environments/schema.json": {
    version: 1,
    variables: { baseUrl: { type: "string", required: true } },
  },
  "apis/shop/environments/local.json": { baseUrl },
})

let api: ApiServer
let ran: CallResult
let texts: Readonly<Record<string, string>>

beforeAll(async () => {
  api = await startApi({
    "GET /token": { body: { token } },
    "*": ({ json, headers, url }) => ({ body: { json, url, header: headers["x-token"] } }),
  })
  const folder = await createFolder({
    ...shop(api.url),
    "apis/workflow/w.json": { version: 1, blocks },
    "apis/workflow/scripts/w/tokens.ts": scripts,
  })
  const files = ["json=out/report.json", "junit=out/report.xml", "coverage=out/coverage.md"]
  const words = files.flatMap((file) => ["--reporter", file])
  const asked = [
    "run",
    "w",
    "--reporter",
    "pretty",
    ...words,
    "--on-failure",
    "continue",
    "--debug",
    "--verify-no-leak",
  ]
  ran = await callsheet(asked, { folder, timeoutMs: 60_000 })
  texts = {
    "standard output": ran.stdout,
    "standard error": ran.stderr,
    "report.json": (await readText(folder, "out/report.json")) ?? "",
    "report.xml": (await readText(folder, "out/report.xml")) ?? "",
    "coverage.md": (await readText(folder, "out/coverage.md")) ?? "",
  }
}, 90_000)

afterAll(() => api.close())

/** Written by hand, because the search must not share code with the mask. */
const spellings = (): readonly string[] => {
  const inJson = JSON.stringify(token).slice(1, -1)
  const percent = encodeURIComponent(token)
  const inXml = token.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;")
  const texts = [token, inJson, JSON.stringify(inJson).slice(1, -1), percent, percent.toLowerCase(), inXml]
  // Without the digits at both ends, because the token determines only some of their bits.
  const base64 = ["", "~", "~~"].map((before) => {
    const digits = Buffer.from(before + token).toString("base64")
    return digits.slice(before === "" ? 0 : before.length + 1).replace(/.=*$/, "")
  })
  return [...texts, ...base64]
}

describe("a value that a script declares secret", () => {
  it("is sent", () => {
    const sent = api.requests.find(({ path, method }) => path === "/echo" && method === "POST")
    expect(sent?.json).toEqual({ token })
    expect(sent?.query.get("token")).toBe(token)
    expect(api.requests.at(-1)?.url).toBe(`/items/${encodeURIComponent(token)}`)
  })

  it("is found nowhere by callsheet's own search", () => {
    expect([ran.exitCode, ran.stderr]).toEqual([1, ""])
  })

  it("is in no report and on no stream", () => {
    const hits = Object.entries(texts).flatMap(([name, text]) =>
      spellings().flatMap((spelling) => (text.includes(spelling) ? [`${name}: ${spelling}`] : [])),
    )
    expect(hits).toEqual([])
  })

  it("is replaced by *** where it would be", () => {
    const { runs } = JSON.parse(texts["report.json"] ?? "") as { runs: [{ blocks: unknown[] }] }
    const report = JSON.stringify(runs[0].blocks)
    expect(report).toContain(`  'pair',\\n  'dXNlcj***',\\n  '***'\\n`)
    expect(report).toContain(`"logs":["before ***","raw *** { token: '***' }","base64 ***"`)
    expect(report).toContain(`"direct ***\\nprogram ***"`)
    expect(report).toContain(`"nested":{"***":["***","{\\"token\\":\\"***\\"}"]}`)
    expect(report).toContain(`refused: ***`)
    expect(report).toContain(`the script threw \\"***\\"`)
    expect(report).toContain(`returned the string \\"***\\"`)
    expect(texts["standard output"]).toContain("***")
    expect(texts["report.xml"]).toContain("***")
  })
})

/** Every other iteration gets a token from the script of the previous one, through a server. */
const racing = {
  version: 1,
  blocks: [
    {
      id: "race",
      type: "loop",
      mode: "times",
      count: 20,
      execution: "parallel",
      iteratorVar: "i",
      blocks: [
        {
          id: "{{i}}",
          type: "condition",
          script: { name: "race", exportName: "isEven" },
          then: [{ id: "{{i}}-tell", type: "script", script: { name: "race", exportName: "tell" } }],
          else: [
            request("{{i}}-hear", { operation: "echo", overrides: { params: { query: { i: "{{i}}" } } } }),
          ],
        },
      ],
    },
  ],
}

const racers = `
const even = (ctx: any): boolean => ctx.iteration.index % 2 === 0
export const isEven = even
export const tell = async (ctx: any) => {
  const token = "race-token-" + crypto.randomUUID()
  ctx.secret(token)
  await fetch(ctx.env("shop").baseUrl + "/tell/" + ctx.iteration.index + "/" + token)
}
`

it("is secret for parallel work from the moment the call returns", async () => {
  const tokenSent = new EventEmitter().setMaxListeners(0)
  const tokens = new Map<string, string>()
  const server = await startApi({
    "GET /echo": async ({ query }) => {
      const index = String(Number(query.get("i")) - 1)
      if (!tokens.has(index)) await once(tokenSent, index)
      return { body: { token: tokens.get(index) } }
    },
    "*": ({ path }) => {
      const [, , index = "", token = ""] = path.split("/")
      tokens.set(index, token)
      tokenSent.emit(index)
      return { body: {} }
    },
  })
  const folder = await createFolder({
    ...shop(server.url),
    "apis/workflow/race.json": racing,
    "apis/workflow/scripts/race/race.ts": racers,
  })
  vi.stubEnv("XDG_CACHE_HOME", folder)
  try {
    const built = "../../packages/cli/dist/index.js"
    const { run } = (await import(built)) as typeof import("../../packages/cli/src/index.ts")
    const events: string[] = []
    const onEvent = (event: object): void => void events.push(JSON.stringify(event))
    const report = await run({
      project: folder,
      workflows: ["race"],
      concurrency: 6,
      onEvent,
      verifyNoLeak: true,
    })
    expect(report.status).toBe("passed")
    expect(events.filter((event) => event.includes("race-token-"))).toEqual([])
    expect(events.filter((event) => event.includes('"token":"***"'))).toHaveLength(10)
  } finally {
    vi.unstubAllEnvs()
    await server.close()
    await rm(folder, { recursive: true })
  }
}, 60_000)
