// Five kinds of blocks run scripts, and a script has the same outcome in each.

import { readdirSync, readFileSync } from "node:fs"
import { rm } from "node:fs/promises"
import { fileURLToPath } from "node:url"
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import { fits, fn } from "../../packages/engine/src/node/script/testing/faulty-script.ts"
import { callsheet, createFolder, type CallResult } from "../harness/callsheet.ts"
import { blockAt, blockOf, places, seenAt, untouched, type Place, type Seen } from "./places.ts"

interface Behavior {
  readonly what: string
  readonly script: string
  readonly called?: { readonly name?: string; readonly exportName?: string }
  readonly timeoutMs?: number
  /** By kind of block only where the format requires different results. */
  readonly seen: Seen | ((place: Place) => Seen)
}

const passes = (...logs: string[]): Seen => ({ status: "passed", logs })
const fails = (code: string, message: string, ...logs: string[]): Seen => ({
  status: "failed",
  code,
  message,
  logs,
})
const at = (place: string): string => `\n    at apis/workflow/scripts/FLOW/it.ts:${place}`

const behaviors: readonly Behavior[] = [
  {
    what: "succeeds and prints something",
    script: fn(`console.log("a", { b: 1 }); ctx.log("c"); process.stderr.write("d"); ${fits}`),
    seen: passes("a { b: 1 }", "c", "d"),
  },
  {
    what: "reads its context",
    script: fn(`ctx.log(Object.keys(ctx).filter((key) => key !== "iteration").join()); ${fits}`),
    seen: (place) =>
      passes(
        `workflow,block,inputs,get,has,env,log,expect,signal,secret,sleep${{ assert: ",assert", script: ",untranslated" }[place as string] ?? ""}`,
      ),
  },
  {
    what: "throws",
    script: fn(`ctx.log("first"); throw new Error("no luck")`),
    seen: fails("script-error", `no luck${at("2:25")}`, "first"),
  },
  {
    what: "runs too long",
    script: fn(`ctx.log("first"); while (true) {}`),
    timeoutMs: 800,
    seen: fails(
      "script-timeout",
      "the script did not finish within 800 ms and was stopped at apis/workflow/scripts/FLOW/it.ts:2; if it needs more time, set the block's timeoutMs",
      "first",
    ),
  },
  {
    what: "ends its process",
    script: fn(`ctx.log("first"); process.exit(0)`),
    seen: fails(
      "script-error",
      `the script ended its process with exit code 0 before it finished${at("2:27")}`,
      "first",
    ),
  },
  {
    what: "rejects after its end",
    script: fn(`setTimeout(() => void Promise.reject(new Error("late")), 30); ${fits}`),
    seen: fails("script-error", `unhandled promise rejection: late${at("2:38")}`),
  },
  {
    what: "returns an unusable result",
    script: fn("return new Map()"),
    seen: (place) => {
      if (place === "assert" || place === "script") return passes()
      const wanted = place === "transform" ? "a plain object" : "true or false"
      return fails("script-result", `the script returned an instance of Map; expected ${wanted}`)
    },
  },
  {
    what: "has a secret",
    script: fn(`ctx.log(ctx.secret("t0ken-4711"), btoa("t0ken-4711")); throw new Error("of t0ken-4711")`),
    seen: fails("script-error", `of ***${at("2:62")}`, "*** ***"),
  },
  {
    what: "is named by a token",
    script: fn(`ctx.log("found"); ${fits}`),
    called: { name: "{{file}}", exportName: "{{function}}" },
    seen: passes("found"),
  },
  {
    what: "is named by an unresolvable token",
    script: fn(fits),
    called: { exportName: "{{nobody}}" },
    seen: fails("token-unresolved", '{{nobody}} does not resolve: nothing is named "nobody" here'),
  },
  {
    what: "is named by a token that leads out of its directory",
    script: fn(fits),
    called: { name: "{{outside}}" },
    seen: fails(
      "script-missing",
      'the script apis/workflow/scripts/FLOW/../untouched.ts does not exist (did you mean "untouched"?)',
    ),
  },
  {
    what: "is missing an export that only a run can check",
    script: `export * from "./untouched"`,
    called: { exportName: "other" },
    seen: fails("script-error", `the script has no export "other"; expected a function`),
  },
  {
    what: "changes what others use",
    script: fn(
      `Object.assign(Object.prototype, { polluted: 1 }); process.env.SC10 = "x"; process.chdir("/"); ${fits}`,
    ),
    seen: passes(),
  },
]

const nameOf = (behavior: Behavior): string => `flow-${behaviors.indexOf(behavior)}`
const afterwards = (place: Place): string => `after-${place}`

const workflowOf = ({ called, timeoutMs }: Behavior): object => ({
  version: 1,
  inputs: {
    file: { type: "string", required: false, default: "it" },
    function: { type: "string", required: false, default: "fn" },
    outside: { type: "string", required: false, default: "../untouched" },
  },
  blocks: places.flatMap((place) => [
    blockAt(place, {
      id: place,
      script: { name: "it", exportName: "fn", ...called },
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
    }),
    { id: afterwards(place), type: "script", script: { name: "untouched", exportName: "fn" } },
  ]),
})

const filesOf = (behavior: Behavior): Record<string, unknown> => ({
  [`apis/workflow/${nameOf(behavior)}.json`]: workflowOf(behavior),
  [`apis/workflow/scripts/${nameOf(behavior)}/it.ts`]: behavior.script,
  [`apis/workflow/scripts/${nameOf(behavior)}/untouched.ts`]: untouched,
})

describe("a script that", () => {
  let result: CallResult
  beforeAll(async () => {
    const files = Object.assign({}, ...behaviors.map(filesOf)) as Record<string, unknown>
    const words = ["run", "--all", "--on-failure", "continue", "--reporter", "json"]
    result = await callsheet(words, { files, timeoutMs: 90_000 })
  }, 100_000)

  it.each(behaviors)("$what has the same outcome in every kind of block", (behavior) => {
    const found = places.map((place) => [
      place,
      seenAt(blockOf(result.report, nameOf(behavior), place)),
      seenAt(blockOf(result.report, nameOf(behavior), afterwards(place))),
    ])
    const wanted = places.map((place) => {
      const seen = typeof behavior.seen === "function" ? behavior.seen(place) : behavior.seen
      const { message } = seen
      const named = message === undefined ? {} : { message: message.replace("FLOW", nameOf(behavior)) }
      return [place, { ...seen, ...named }, passes()]
    })
    expect(found).toEqual(wanted)
  })

  it("fails affects no other part of the run", () => {
    const others = result.stderr.replaceAll(/^warning: .*\((?:field-value|token-unresolved)\)\n/gm, "")
    expect([result.exitCode, result.signal, others]).toEqual([1, undefined, ""])
    expect(result.report?.runs.map(({ workflow }) => workflow)).toEqual(behaviors.map(nameOf).sort())
  })
})

describe("a canceled script", () => {
  const calling = (id: string) => ({ id, script: { name: "it", exportName: "fn" } })
  const next = { type: "script", ...calling("next") }
  let folder: string
  beforeAll(async () => {
    const script = fn(`ctx.log("here"); await ctx.sleep(60_000); ${fits}`)
    const files = places.map((place) => ({
      [`apis/workflow/${place}.json`]: { version: 1, blocks: [blockAt(place, calling(place)), next] },
      [`apis/workflow/scripts/${place}/it.ts`]: script,
    }))
    folder = await createFolder(Object.assign({}, ...files) as Record<string, unknown>)
    vi.stubEnv("XDG_CACHE_HOME", folder)
  })
  afterAll(async () => {
    vi.unstubAllEnvs()
    await rm(folder, { recursive: true })
  })

  it.each(places)("in %s is reported as canceled, and nothing runs after it", async (place) => {
    const built = "../../packages/cli/dist/index.js"
    const { run } = (await import(built)) as typeof import("../../packages/cli/src/index.ts")
    const controller = new AbortController()
    const report = await run({
      project: folder,
      workflows: [place],
      signal: controller.signal,
      onEvent: ({ type }) => (type === "log.written" ? controller.abort() : undefined),
    })
    const seen = [place, "next"].map((id) => seenAt(blockOf(report, place, id)))
    expect(seen).toEqual([
      { status: "skipped", reason: "cancelled", logs: ["here"] },
      { status: "skipped", reason: "cancelled", logs: [] },
    ])
    expect(report.status).toBe("failed")
  })
})

describe("the script port", () => {
  const engine = fileURLToPath(new URL("../../packages/engine/src", import.meta.url))

  it("is called by one module of the engine, which the five runners call", () => {
    const callers: string[] = []
    const users: string[] = []
    for (const file of readdirSync(engine, { recursive: true, encoding: "utf8" })) {
      if (!file.endsWith(".ts") || /\.test\.ts$|^node\b/.test(file)) continue
      const text = readFileSync(`${engine}/${file}`, "utf8")
      if (/\bscripts\b[\s\S]{0,3}\.\s*call\b|\bScriptCall\b/.test(text)) callers.push(file)
      if (/\bcallScript\b/.test(text)) users.push(file)
    }
    expect(callers.sort()).toEqual(["blocks/script.ts", "ports.ts"])
    const runners = ["assert", "condition", "loop", "script", "transform"].map((name) => `blocks/${name}.ts`)
    expect(users.sort()).toEqual(runners)
  })
})
