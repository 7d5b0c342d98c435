// A bug in callsheet fails its own block. The rest of the run goes on, every listener gets a whole report, and the session
// ends with an error. Each test makes one call of a port throw, which none may do.

import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { runSession, SessionLog, type Ports, type SessionOptions, type WireRequest } from "@callsheet/engine"
import { createReportFold, type Report, type RunEvent } from "@callsheet/format"
import { readRun } from "../../packages/cli/src/session/read-workflows.ts"
import { sized } from "../harness/full-size.ts"

/** The message of every error. No output may quote it. */
const secret = "kettle-lantern-47"

class Broken extends Error {
  override readonly name = "TypeError"
}

const send = (id: string, more: object = {}) => ({
  id,
  type: "request",
  request: { api: "shop", operation: "addItem", overrides: { body: { n: "{{$uuid}}" } }, ...more },
})
const passes = { source: "first.response.status", operator: "exists" }
const inputs = { n: { type: "string", default: "1" } }

/** Every kind of block, in every kind of list. */
const blocks = [
  send("first"),
  { id: "check", type: "assert", assertions: [passes] },
  { id: "checked", type: "assert", script: { name: "helpers", exportName: "check" } },
  { id: "made", type: "transform", transforms: { status: "first.response.status" } },
  {
    id: "group",
    type: "group",
    blocks: [
      send("inside"),
      { id: "called", type: "script", script: { name: "helpers", exportName: "call" } },
    ],
  },
  { id: "choice", type: "condition", if: passes, then: [send("then")], else: [send("else")] },
  { id: "many", type: "loop", mode: "times", count: 3, execution: "parallel", blocks: [send("each")] },
  {
    id: "poll",
    type: "loop",
    mode: "until",
    maxIterations: 2,
    delayMs: 1,
    until: { source: "asked.response.status", operator: "equals", value: 200 },
    blocks: [send("asked")],
  },
  send("last"),
]

const responses = {
  200: { description: "Done.", content: { "application/json": { schema: { type: "object" } } } },
}
const files = {
  "apis/shop/openapi.json": {
    openapi: "3.1.0",
    info: { title: "Shop", version: "1" },
    components: { securitySchemes: { login: { type: "http", scheme: "digest" } } },
    security: [{ login: [] }],
    paths: {
      "/items": {
        post: {
          operationId: "addItem",
          requestBody: { content: { "application/json": { schema: { type: "object" } } } },
          responses,
        },
      },
      "/items/{id}": { delete: { operationId: "removeItem", responses } },
    },
  },
  "apis/shop/environments/schema.json": {
    version: 1,
    variables: { baseUrl: { type: "string", required: true }, login: { type: "string", required: true } },
  },
  "apis/shop/environments/local.json": { baseUrl: "http://127.0.0.1:1", login: "ada:pass" },
  "apis/workflow/main.json": { version: 1, inputs, validateContracts: true, blocks },
  "apis/workflow/prepare.json": { version: 1, blocks: [send("set")] },
  "apis/workflow/tidy.json": { version: 1, inputs, blocks: [send("tidied")] },
  "callsheet.json": {
    version: 1,
    suites: {
      nightly: {
        before: [{ workflow: "prepare" }],
        workflows: [
          { workflow: "main", inputs: { n: "{{prepare.set.response.status}}" } },
          { as: "again", workflow: "main", data: "rows.json" },
        ],
        finally: [{ workflow: "tidy", inputs: { n: "{{$uuid}}" } }],
      },
    },
  },
  "rows.json": [{ n: "1" }, { n: "2" }],
}

let root = ""
let read: Awaited<ReturnType<typeof readRun>>
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "callsheet-bugs-"))
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true })
    await writeFile(join(root, path), JSON.stringify(content))
  }
  const script = "export const check = () => undefined\nexport const call = () => undefined\n"
  await mkdir(join(root, "apis/workflow/scripts/main"), { recursive: true })
  await writeFile(join(root, "apis/workflow/scripts/main/helpers.ts"), script)
  read = await readRun({ root, cwd: root, wanted: [], suite: "nightly", named: [], data: undefined })
})
afterAll(() => rm(root, { recursive: true, force: true }))

const rowsOf = (count: number) =>
  Array.from({ length: count }, (_, at) => ({
    ok: true as const,
    row: { row: at + 1, inputs: { n: String(at) } },
  }))

/** Ports without a world. Every request is answered, and every script passes. */
function createPorts(): Ports {
  let time = 0
  const http: Ports["http"] = {
    send: async (request, { onSent }) => {
      onSent({ method: request.method, url: request.url, headers: {} })
      return {
        ok: true,
        response: {
          status: 200,
          headers: { "content-type": "application/json" },
          body: new TextEncoder().encode('{"id":"7"}'),
          durationMs: 1,
          redirects: [],
        },
      }
    },
    withOwnCookies: () => http,
    close: () => undefined,
  }
  return {
    http,
    auth: {
      send: (request: WireRequest, _, by) => {
        by.keepSecret("a-captured-secret", "a token")
        return by.send(request)
      },
      logIn: async () => undefined,
    },
    scripts: {
      describe: async () => ({ ok: true, exports: [], imports: [] }) as never,
      call: async ({ log, read, environment, secret: keep }) => {
        log("a line")
        read("inputs.n")
        environment("shop")
        keep("another-secret")
        return { ok: true }
      },
      warmUp: async () => undefined,
      close: async () => undefined,
    },
    files: {
      read: async () => new Uint8Array(),
      openRows: async () => ({
        check: async () => ({ problems: [], count: 2 }),
        rows: async function* () {
          yield* rowsOf(2)
        },
      }),
    },
    clock: { now: () => 1_700_000_000_000 + time, elapsed: () => ++time, sleep: async () => undefined },
    random: { integer: () => 1, uuid: () => "00000000-0000-4000-8000-000000000000" },
  }
}

type Fault = "throws" | "rejects" | "throws text"

/** Wraps every function of the ports, also of what they return. The call with the number `at` fails. */
function faulty<T extends object>(target: T, at: { left: number; hit?: string }, fault: Fault, path = ""): T {
  return new Proxy(target, {
    get: (object, name, receiver) => {
      const value: unknown = Reflect.get(object, name, receiver)
      const own = `${path}.${String(name)}`
      if (typeof value === "object" && value !== null) return faulty(value, at, fault, own)
      if (typeof value !== "function") return value
      return (...given: unknown[]): unknown => {
        if (at.left-- === 0) {
          at.hit = own
          if (fault === "throws text") throw secret
          if (fault === "rejects" && !/clock\.(now|elapsed)|random|withOwnCookies|warmUp|rows/.test(own))
            return Promise.reject(new Broken(secret))
          throw new Broken(secret)
        }
        const result: unknown = Reflect.apply(value, object, given)
        if (name === "openRows")
          return (result as Promise<object>).then((rows) => faulty(rows, at, fault, own))
        return result
      }
    },
  })
}

interface Session {
  readonly status: string
  readonly events: readonly RunEvent[]
  readonly complete: readonly RunEvent[]
  readonly report: Report
  readonly bugs: readonly unknown[]
}

async function perform(
  ports: Ports,
  options: SessionOptions = {},
  listen: readonly ((event: RunEvent) => void)[] = [],
): Promise<Session> {
  const events: RunEvent[] = []
  const log = new SessionLog()
  const bugs: unknown[] = []
  const fold = createReportFold()
  const status = await runSession({
    ...read,
    ports,
    readAllEnvironments: () => [],
    listen: [...listen, fold.apply, (event) => void events.push(event), log.append],
    options: {
      exchanges: true,
      coverage: true,
      leftovers: true,
      ...options,
      onBug: (error) => bugs.push(error),
    },
  })
  return { status, events, complete: [...log], report: fold.report, bugs }
}

/** Checks that everything that started also ended, and that no output quotes the error. */
function expectWhole({ events, complete, report }: Session): void {
  const of = (type: string) => events.filter((event) => event.type === type)
  const key = (event: RunEvent) => ("block" in event ? `${event.run} ${event.block}` : `${event.run}`)
  expect(of("block.finished").map(key).sort()).toEqual(of("block.started").map(key).sort())
  expect(of("run.finished").map(key).sort()).toEqual(of("run.started").map(key).sort())
  expect(complete.length).toBe(events.length)
  expect(JSON.stringify([events, complete, report])).not.toContain(secret)
}

describe("a bug", () => {
  it("has no effect on a session without one", async () => {
    const session = await perform(createPorts())
    expect({ status: session.status, bugs: session.bugs }).toEqual({ status: "passed", bugs: [] })
    expectWhole(session)
    const { runs } = session.report
    expect(runs.map(({ entry, status }) => `${entry} ${status}`)).toEqual([
      "prepare passed",
      "main passed",
      "again passed",
      "again passed",
      "tidy passed",
    ])
  })

  const faults: readonly (readonly [Fault, SessionOptions])[] = [
    ["rejects", { onFailure: "continue", jobs: 3 }],
    ["throws text", { onFailure: "continue" }],
    ["rejects", {}],
    ["throws", { onFailure: "continue", retries: 2, seed: 4 }],
  ]
  it.each(faults.slice(0, sized(2, 4)))(
    "in any call of a port, which %s, with %j, ends the session with an error and a whole report",
    { timeout: 120_000 },
    async (fault, options) => {
      const hits = new Set<string>()
      for (let call = 0; ; call++) {
        const at: { left: number; hit?: string } = { left: call }
        const session = await perform(faulty(createPorts(), at, fault), options).catch(
          (error: unknown) => error,
        )
        if (at.hit === undefined) break
        hits.add(at.hit)
        const where = `call ${call} of ${at.hit}`
        // Whatever must be there before the first run can still refuse the session.
        if (session instanceof Error || typeof session === "string") {
          expect(at.hit, where).toMatch(/scripts\.warmUp/)
          continue
        }
        const done = session as Session
        expect({ where, status: done.status }).toEqual({ where, status: "error" })
        expectWhole(done)
        // Cleanup runs whatever happens, unless it can't be planned or opened itself.
        if (!/describe|withOwnCookies|clock\.now/.test(at.hit))
          expect(
            done.report.runs.some(({ entry }) => entry === "tidy"),
            where,
          ).toBe(true)
      }
      expect([...hits].sort()).toEqual([
        ".auth.send",
        ".clock.elapsed",
        ".clock.now",
        ".files.openRows",
        ".files.openRows.check",
        ".files.openRows.rows",
        ".http.send",
        ".http.withOwnCookies",
        ".random.uuid",
        ".scripts.call",
        ".scripts.describe",
        ".scripts.warmUp",
      ])
    },
  )

  it("in a block fails that block, and what follows runs or not as after any failure", async () => {
    for (const onFailure of ["halt", "continue"] as const) {
      const at = { left: Infinity }
      const ports = createPorts()
      let sent = 0
      const { send: sendOne } = ports.http
      const http: Ports["http"] = {
        ...ports.http,
        // The second request of each run of `main` fails.
        send: (request, options) =>
          ++sent % 10 === 3 ? Promise.reject(new Broken(secret)) : sendOne(request, options),
        withOwnCookies: () => http,
      }
      const { report, status, bugs } = await perform(faulty({ ...ports, http }, at, "throws"), { onFailure })
      const main = report.runs.find(({ entry }) => entry === "main")
      const group = main?.blocks.find(({ id }) => id === "group")
      expect(status).toBe("error")
      expect(main).toMatchObject({ status: "error", error: { code: "unexpected-error" } })
      expect(group?.blocks?.[0]).toMatchObject({
        status: "failed",
        error: {
          code: "unexpected-error",
          message: expect.stringContaining("this is a bug in callsheet (TypeError)"),
        },
      })
      expect(group?.error?.code).toBe("child-failed")
      const after = main?.blocks.at(-1)?.status
      expect(after).toBe(onFailure === "halt" ? "skipped" : "passed")
      expect(bugs.length).toBeGreaterThan(0)
    }
  })

  it("in a listener costs no other listener an event", async () => {
    const faults: readonly ((event: RunEvent) => void)[] = [
      () => {
        throw new Broken(secret)
      },
      (event) => {
        if (event.type === "block.finished") throw new Broken(secret)
      },
      (event) => {
        if (event.type === "run.finished" && event.run === 0) throw secret
      },
      (event) => {
        if (event.type === "leftovers.found") throw undefined
      },
    ]
    const whole = await perform(createPorts())
    for (const fault of faults) {
      const session = await perform(createPorts(), {}, [fault])
      expect(session.status).toBe("error")
      expect(session.bugs.length).toBeGreaterThan(0)
      expect(session.events).toEqual(
        whole.events.map((event) => expect.objectContaining({ type: event.type })),
      )
      expectWhole(session)
    }
  })
})
