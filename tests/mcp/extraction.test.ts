// An agent that writes and runs workflows learns nothing about the characters of a secret.

import { readFileSync, renameSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { ApiServer } from "../harness/api-server.ts"
import { restoreFiles } from "../harness/callsheet.ts"
import { attacks, type Attack } from "./attacks.ts"
import { commit, git } from "./git.ts"
import { serve } from "./serve.ts"
import { startVault, vaultFiles, type Secrets } from "./vault.ts"

type Agent = Awaited<ReturnType<typeof serve>>

const secrets: readonly Secrets[] = [
  { apiKey: "s3cr3t-Alpha-0451", pin: 4711, short: "q7", other: "m00n-Light-5555" },
  { apiKey: "Z9y8x7-oMega-9137", pin: 8123, short: "z9", other: "w4ve-Table-8080" },
]

let vault: ApiServer
let agents: readonly Agent[]

beforeAll(async () => {
  vault = await startVault()
  agents = await Promise.all(secrets.map((each) => serve(vaultFiles(vault.url, each))))
})
afterAll(async () => {
  await Promise.all(agents.map((agent) => agent.close()))
  await vault.close()
})

/** A workflow can read only the variables of APIs that it sends requests to. */
const touch = { id: "touched", type: "request", request: { api: "vault", operation: "echo" } }

interface Explained {
  readonly code: string
  readonly message: string
  readonly causes: readonly string[]
  readonly assertions: readonly { readonly message?: string }[]
}

let written = 0

/** Writes a workflow as an agent does, and runs it. Returns everything that the agent sees. */
async function attack(agent: Agent, { blocks, workflow = {}, into, run }: Attack, name: string) {
  const path = `apis/workflow/${into ?? name}.json`
  const content = { version: 1, onFailure: "continue", ...workflow, blocks: [touch, ...blocks] }
  const { text } = into === undefined ? { text: "{}" } : await agent.call("read_file", { path })
  const edits = Object.entries(content).map(([key, value]) => ({
    op: Object.hasOwn(JSON.parse(text) as object, key) ? "replace" : "add",
    path: `/${key}`,
    value,
  }))
  const change = into === undefined ? { text: JSON.stringify(content) } : { edits }
  const { proposal } = await agent.call("propose_change", { path, ...change })
  await agent.call("apply_proposal", { proposal, acknowledgeWeakening: true })
  const sent = vault.requests.length
  const result = await agent.call("run", run ?? { workflow: into ?? name, environment: "local" })
  const requests = vault.requests.slice(sent).map(({ method }) => method)
  const explained: Explained[] = []
  for (let failure = 1; failure <= 60; failure++) {
    const found = await agent.call<Explained>("explain_failure", { failure }).catch(() => undefined)
    if (found === undefined) break
    explained.push(found)
  }
  return { result, requests, explained }
}

/** Removes what differs between any two runs. */
const steady = (seen: unknown): unknown =>
  JSON.parse(
    JSON.stringify(seen, (key, value: unknown) =>
      key === "durationMs" || key === "date" || key === "content-length" ? 0 : value,
    ).replaceAll(/ in \d+ ms/g, ""),
  )

/** Leaves out the values. */
const verdictsOf = ({ result, requests, explained }: Awaited<ReturnType<typeof attack>>): unknown => ({
  status: result.status,
  runs: result.runs,
  requests,
  explained: explained.map(({ code, message, causes, assertions }) => ({
    code,
    message,
    causes,
    assertions: assertions.map((one) => one.message),
  })),
})

describe("an agent that", () => {
  it.each(Object.entries(attacks))("%s sees the same for two secrets", async (_, each) => {
    const name = `attack${written++}`
    const [one, other] = [agents[0] as Agent, agents[1] as Agent]
    const seen = [await attack(one, each, name), await attack(other, each, name)]
    expect(seen[0]?.result.runs.length).toBeGreaterThan(0)
    expect(seen[0]?.result.status, JSON.stringify(seen[0]?.result.failures)).toBe("failed")
    const [first, second] = seen.map((all) => steady(each.isWhole === true ? verdictsOf(all) : all))
    expect(first).toEqual(second)
    for (const [at, { apiKey, other: live }] of secrets.entries())
      expect([apiKey, live].filter((part) => JSON.stringify(seen[at]).includes(part))).toEqual([])
  })
})

const undecided = { code: "secret-undecidable" }
const one = secrets[0] as Secrets
const reviewed = "apis/workflow/reviewed.json"
const run = (agent: Agent, more: object = {}) =>
  agent.call("run", { workflow: "reviewed", environment: "local", ...more })

describe("a comparison with a secret", () => {
  it("is decided if the workflow is as it was when the session started", async () => {
    expect(await run(agents[0] as Agent)).toMatchObject({ status: "passed", failures: [] })
    expect(await run(agents[1] as Agent)).toMatchObject({
      status: "failed",
      failures: [{ code: "assertion-failed" }],
    })
  })

  it("is not decided if the agent chose an input, and says why", async () => {
    const { failures } = await run(agents[0] as Agent, { inputs: { guess: "s3" } })
    expect(failures).toMatchObject([
      { ...undecided, message: "1 of 1 assertion compares a secret, so it is not decided" },
    ])
    expect(failures[0].hint).toContain("ask a person")
    const explained = await (agents[0] as Agent).call("explain_failure")
    expect(explained).toMatchObject({
      docs: "docs/reference/errors-runs.md#secret-undecidable",
      assertions: [{ message: "the assertion compares a secret, so it is not decided" }],
    })
    expect(explained.assertions[0]).not.toHaveProperty("received")
    expect(explained.assertions[0]).not.toHaveProperty("expected")
  })

  const changes: Readonly<Record<string, (folder: string) => void>> = {
    "the workflow": (folder) => change(folder, reviewed, "check", "judge"),
    "the workflow's description": (folder) =>
      change(folder, reviewed, '"version"', '"$schema": "x", "version"'),
    "callsheet.json": (folder) => change(folder, "callsheet.json", "all", "some"),
    "the baseline": (folder) =>
      writeFileSync(join(folder, "callsheet.baseline.json"), '{ "version": 1, "violations": [] }'),
    "a saved request that it uses": (folder) =>
      change(folder, "apis/vault/requests/echo/q7.json", "echo", "post"),
    "a script that it calls": (folder) =>
      change(folder, "apis/workflow/scripts/reviewed/peek.ts", '"s3"', '"Z9"'),
    "a script that its script imports": (folder) =>
      change(folder, "apis/workflow/scripts/reviewed/base.ts", "true", "!!1"),
  }
  const script = `import { base } from "./base.ts"\nexport const isKey = (ctx) => base && ctx.env("vault").apiKey.includes("s3")\n`
  const full = (secret: Secrets) => ({
    ...vaultFiles(vault.url, secret),
    [reviewed]: {
      version: 1,
      blocks: [
        { id: "first", type: "request", request: { api: "vault", instance: "q7" } },
        { id: "scripted", type: "assert", script: { name: "peek", exportName: "isKey" } },
        {
          id: "check",
          type: "assert",
          assertions: [{ source: "env.vault.apiKey", operator: "contains", value: "s3" }],
        },
      ],
    },
    "apis/workflow/scripts/reviewed/peek.ts": script,
    "apis/workflow/scripts/reviewed/base.ts": "export const base = true\n",
    ".gitignore": "*.secrets.env\napis/workflow/ignored.json\n",
  })
  const change = (folder: string, file: string, from: string, to: string): void => {
    const path = join(folder, file)
    const text = readFileSync(path, "utf8")
    expect(text).toContain(from)
    writeFileSync(path, text.replace(from, to))
  }

  describe("in a repository", () => {
    let agent: Agent
    beforeAll(async () => {
      agent = await serve(full(one), {}, commit)
    })
    afterAll(() => agent.close())

    it.each(Object.entries(changes))("is not decided if %s differs from the last commit", async (_, edit) => {
      edit(agent.folder)
      const changed = await run(agent)
      expect(changed.failures[0]).toMatchObject(undecided)
      commit(agent.folder)
      expect(await run(agent)).toMatchObject({ status: "passed" })
    })
  })

  describe("without a repository", () => {
    let agent: Agent
    beforeAll(async () => {
      agent = await serve(full(one))
    })
    afterAll(() => agent.close())

    it.each(Object.entries(changes))("is not decided if %s has changed since the start", async (_, edit) => {
      await restoreFiles(agent.folder, full(one))
      expect(await run(agent)).toMatchObject({ status: "passed" })
      edit(agent.folder)
      const changed = await run(agent)
      expect(changed.failures[0]).toMatchObject(undecided)
    })
  })

  it.each([
    ["has no commit", (folder: string) => git(folder, "init")],
    [
      "ignores the workflow",
      (folder: string) => {
        writeFileSync(join(folder, ".gitignore"), "apis/workflow/\n*.secrets.env\n")
        commit(folder)
      },
    ],
    [
      "has another version since before the start",
      (folder: string) => {
        commit(folder)
        change(folder, reviewed, "check", "judge")
      },
    ],
    [
      "has only staged it",
      (folder: string) => {
        commit(folder)
        change(folder, reviewed, "check", "judge")
        git(folder, "add", "--all")
      },
    ],
    [
      "can't be read",
      (folder: string) => {
        commit(folder)
        writeFileSync(join(folder, ".git/HEAD"), "x")
      },
    ],
    [
      "hides the change",
      (folder: string) => {
        commit(folder)
        git(folder, "update-index", "--assume-unchanged", reviewed)
        change(folder, reviewed, "check", "judge")
      },
    ],
    [
      "has a link to the workflow",
      (folder: string) => {
        renameSync(join(folder, reviewed), join(folder, "elsewhere.json"))
        symlinkSync("../../elsewhere.json", join(folder, reviewed))
        commit(folder)
      },
    ],
  ])("is not decided if the repository %s", async (_, prepare) => {
    const agent = await serve(full(one), {}, prepare)
    const { failures } = await run(agent)
    await agent.close()
    expect(failures[0]).toMatchObject(undecided)
  })

  it("is decided for a committed workflow, whatever other files say", async () => {
    const agent = await serve(full(one), {}, commit)
    const text = JSON.stringify({ version: 1, blocks: [] })
    const { proposal } = await agent.call("propose_change", { path: "apis/workflow/new.json", text })
    await agent.call("apply_proposal", { proposal })
    const result = await run(agent)
    await agent.close()
    expect(result).toMatchObject({ status: "passed" })
  })
})

describe("a workflow that an agent wrote", () => {
  const useful = [
    {
      id: "sent",
      type: "request",
      request: {
        api: "vault",
        operation: "echo",
        overrides: { params: { header: { "x-give": "{{env.vault.apiKey}}" } } },
      },
    },
    {
      id: "check",
      type: "assert",
      assertions: [
        { source: "sent.response.status", operator: "equals", value: 200 },
        { source: "sent.response.headers.x-echo", operator: "exists" },
        { source: "sent.response.headers.x-echo", operator: "hasValue" },
        { source: "sent.response.body.method", operator: "equals", value: "GET" },
        { source: "env.vault.baseUrl", operator: "contains", value: "127.0.0.1" },
      ],
    },
    { id: "base", type: "transform", script: { name: "peek", exportName: "open" } },
    {
      id: "mixed",
      type: "transform",
      transforms: { key: "env.vault.apiKey", path: "sent.response.body.path" },
    },
    { id: "cut", type: "transform", script: { name: "peek", exportName: "first" } },
    {
      id: "signed",
      type: "request",
      request: {
        api: "vault",
        operation: "echo",
        overrides: { params: { header: { "x-give": "{{cut.letter}}" } } },
      },
    },
    {
      id: "public",
      type: "assert",
      assertions: [
        { source: "base.open", operator: "contains", value: "127.0.0.1" },
        { source: "mixed.path", operator: "equals", value: "/echo" },
        { source: "signed.response.status", operator: "equals", value: 200 },
      ],
    },
    {
      id: "quiet",
      type: "condition",
      script: { name: "peek", exportName: "quiet" },
      then: [{ id: "yes", type: "assert", assertions: [{ source: "sent", operator: "exists" }] }],
    },
  ]

  it("still sends secrets, and decides everything else", async () => {
    const agent = agents[0] as Agent
    const sent = vault.requests.length
    const { result } = await attack(agent, { into: "scripted", blocks: useful }, "")
    expect(result).toMatchObject({ status: "passed", failures: [] })
    expect(vault.requests.slice(sent).map(({ headers }) => headers["x-give"])).toEqual([
      undefined,
      one.apiKey,
      one.apiKey.charAt(0),
    ])
  })
})
