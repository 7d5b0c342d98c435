// A load-test file can't confirm a run against production. Calls the engine as Artillery does.

import { EventEmitter } from "node:events"
import { rm } from "node:fs/promises"
import { join } from "node:path"
import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest"
import { startApi, type ApiServer } from "../harness/api-server.ts"
import { createFolder } from "../harness/callsheet.ts"

interface Engine {
  readonly init: () => Promise<void>
  readonly createScenario: (
    scenario: { readonly workflow: string; readonly inputs?: object },
    events: EventEmitter,
  ) => (context: object, done: (error: Error | null) => void) => Promise<void>
}
const path = "../../packages/artillery-engine/index.js"
const { default: CallsheetEngine } = (await import(path)) as {
  default: new (script: object, events: EventEmitter, helpers: object) => Engine
}

let api: ApiServer
let project: string
let printed: string

beforeEach(async () => {
  api = await startApi({ "*": { body: { ok: true } } })
  project = await createFolder({
    "apis/shop/environments/schema.json": {
      version: 1,
      variables: { baseUrl: { type: "string", required: true } },
    },
    "apis/shop/environments/local.json": { baseUrl: api.url },
    "apis/shop/environments/live.json": { extends: "local", level: "production" },
    "apis/shop/requests/any/ping.json": { version: 1, method: "POST", path: "/ping" },
    "apis/workflow/one.json": {
      version: 1,
      inputs: { yes: { type: "boolean", required: false } },
      blocks: [{ id: "ping", type: "request", request: { api: "shop", instance: "ping" } }],
    },
  })
  printed = ""
  const print = vi.spyOn(process.stderr, "write").mockImplementation((text) => {
    printed += String(text)
    return true
  })
  onTestFinished(async () => {
    print.mockRestore()
    vi.unstubAllEnvs()
    await api.close()
    await rm(project, { recursive: true, force: true })
  })
})

/** Runs one virtual user of a load test in the project. Returns its error. */
async function load(settings: unknown, rest: Readonly<Record<string, unknown>> = {}): Promise<string> {
  const { scenario = {}, config = {}, ...more } = rest as Readonly<Record<string, object>>
  const script = {
    config: { target: "unused", engines: { callsheet: settings }, ...config },
    scenarios: [{ engine: "callsheet", workflow: "one", ...scenario }],
    _scriptPath: join(project, "load.json"),
    ...more,
  }
  const events = new EventEmitter().on("error", () => undefined)
  try {
    const engine = new CallsheetEngine(script, events, { template: (value: unknown) => value })
    await engine.init()
    const [first] = script.scenarios
    return await new Promise<string>((resolve) => {
      void engine.createScenario(first!, events)({ vars: {} }, (error) => resolve(error?.message ?? "passed"))
    })
  } catch (error) {
    return (error as Error).message
  }
}

describe("a load test", () => {
  it.each<[string, unknown]>([
    ["true", { env: "live", yes: true }],
    ["text", { env: "live", yes: "true" }],
    ["a number", { env: "live", yes: 1 }],
    ["false", { env: "live", yes: false }],
    ["null", { env: { shop: "live" }, yes: null }],
    ["a template", { env: "live", yes: "{{ $processEnvironment.YES }}" }],
  ])("can't confirm production by the setting yes with %s", async (_, settings) => {
    const message = await load(settings)
    expect(message).toContain('config.engines.callsheet has the setting "yes"')
    expect(message).toContain("remove it")
    expect(message).toContain("CALLSHEET_YES=1")
    expect(api.requests).toEqual([])
  })

  it.each<[string, unknown, Readonly<Record<string, unknown>>]>([
    ["Yes", { env: "live", Yes: true }, {}],
    ["__proto__", JSON.parse('{ "env": "live", "__proto__": { "yes": true } }'), {}],
    ["an inherited setting", Object.assign(Object.create({ yes: true }), { env: "live" }), {}],
    ["confirm", { env: "live", confirm: true }, {}],
    ["CALLSHEET_YES", { env: "live", CALLSHEET_YES: "1" }, {}],
    ["the scenario", { env: "live" }, { scenario: { yes: true, CALLSHEET_YES: "1" } }],
    ["the inputs", { env: "live" }, { scenario: { inputs: { yes: true } } }],
    ["the config", { env: "live" }, { config: { yes: true, variables: { CALLSHEET_YES: ["1"] } } }],
    ["the script", { env: "live" }, { yes: true }],
    ["a variable of the API", { env: "live", vars: { shop: { yes: "true" } } }, {}],
  ])("can't confirm production by %s", async (_, settings, rest) => {
    expect(await load(settings, rest)).not.toBe("passed")
    expect(api.requests).toEqual([])
  })

  it("says once how to allow production", async () => {
    expect(await load({ env: "live" })).toMatch(/production \(shop=live\) requires confirmation/)
    expect(printed).toMatch(/^error: .*production \(shop=live\).*CALLSHEET_YES=1\)\n$/)
  })

  it.each(["0", "", "false", "no", "2", " 1"])("isn't confirmed by CALLSHEET_YES=%j", async (value) => {
    vi.stubEnv("CALLSHEET_YES", value)
    expect(await load({ env: "live" })).toContain("requires confirmation")
    expect(api.requests).toEqual([])
  })

  it("is confirmed by CALLSHEET_YES=1, and needs nothing for other environments", async () => {
    expect(await load({ env: "local" })).toBe("passed")
    vi.stubEnv("CALLSHEET_YES", "1")
    expect(await load({ env: "live" })).toBe("passed")
    expect(await load({ env: "live", yes: true })).toContain("remove it")
    expect(api.requests).toHaveLength(2)
  })
})
