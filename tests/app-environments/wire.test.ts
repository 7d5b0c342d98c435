// Environment calls over HTTP: statuses, headers, and inputs that never reach a handler.

import { symlink } from "node:fs/promises"
import { join } from "node:path"
import { createEnvironmentHandlers, ChangeSets } from "@callsheet/server"
import { describe, expect, it, onTestFinished } from "vitest"
import { makeFolder, putAll } from "../app-project/open-project.ts"
import { startTestApp } from "../app-server/start-test-app.ts"
import { chain, folder } from "./open-environments.ts"

async function openApp() {
  const root = await makeFolder(chain)
  const said: string[] = []
  const { handlers } = createEnvironmentHandlers({
    root,
    processEnvironment: {},
    isRemote: () => false,
    changeSets: new ChangeSets({ noteChange: () => undefined }),
    noteChange: () => undefined,
    say: (line) => void said.push(line),
  })
  const app = await startTestApp({ root, handlers })
  onTestFinished(app.close)
  const session = await app.enter()
  const post = async (name: string, input: unknown) => {
    const { status, headers, body } = await app.post(`/api/${name}`, input, session)
    return { status, headers, body, value: JSON.parse(body) as Readonly<Record<string, unknown>> }
  }
  const etag = async (environment: string): Promise<unknown> => {
    const { value } = await post("environments.read", { api: "shop" })
    const columns = value["environments"] as readonly { readonly name: string; readonly etag: string }[]
    return columns.find(({ name }) => name === environment)?.etag
  }
  return { root, app, said, post, etag }
}

const base = { api: "shop", environment: "base", set: { timeout: 1 }, unset: [] }

describe("calls about environments", () => {
  it("reveal only by POST, in a response that is not cached", async () => {
    const { app, post, said } = await openApp()
    const input = { api: "shop", environment: "live", variable: "apiKey", purpose: "show" }
    const { status, headers, value } = await post("secrets.reveal", input)
    expect([status, headers["cache-control"], value]).toEqual([200, "no-store", { value: "s3cr3t-of-live" }])
    expect(said).toEqual(["revealed shop/live apiKey"])
    const got = await app.send({ method: "GET", target: "/api/secrets.reveal", headers: await app.enter() })
    expect(got.status).toBe(405)
    expect((await app.post("/api/secrets.reveal", input)).status).toBe(401)
    expect(said).toHaveLength(1)
  })

  it("respond 428 to a change without its base revision, and 409 if that is outdated", async () => {
    const { post, etag, root } = await openApp()
    expect(await post("environments.write", base)).toMatchObject({
      status: 428,
      value: { code: "etag-missing" },
    })
    const seen = await etag("base")
    await putAll(root, { [`${folder}/base.secrets.env`]: "apiKey=s3cr3t-of-another\n" })
    const { status, value, body } = await post("environments.write", { ...base, etag: seen })
    expect([status, value["code"]]).toEqual([409, "file-changed"])
    expect(body).not.toContain("s3cr3t")
  })

  it("don't let the second of two tabs overwrite what the first has written", async () => {
    const { post, etag } = await openApp()
    const seen = await etag("base")
    const both = await Promise.all(
      [1, 2].map((timeout) => post("environments.write", { ...base, etag: seen, set: { timeout } })),
    )
    expect(new Set(both.map(({ status }) => status))).toEqual(new Set([200, 409]))
  })

  it.each<[string, string, object, string]>([
    [
      "a level",
      "environments.create",
      { api: "shop", environment: "x", extends: null, level: "prod" },
      "field-value",
    ],
    [
      "a parent",
      "environments.create",
      { api: "shop", environment: "x", extends: "../x", level: null },
      "env-name",
    ],
    ["values", "environments.write", { ...base, etag: null, set: { "a b": 1 } }, "variable-name"],
    ["values", "environments.write", { ...base, etag: null, set: { level: "local" } }, "variable-reserved"],
    ["values", "environments.write", { ...base, etag: null, set: { timeout: [1] } }, "field-type"],
    ["values", "environments.write", { ...base, etag: null, set: { timeout: 2 ** 60 } }, "field-value"],
    ["names", "environments.write", { ...base, etag: null, unset: ["\ud800"] }, "field-value"],
    [
      "a purpose",
      "secrets.reveal",
      { api: "shop", environment: "base", variable: "apiKey", purpose: "look" },
      "field-value",
    ],
    [
      "a variable",
      "secrets.reveal",
      { api: "shop", environment: "base", variable: "__proto__.x", purpose: "show" },
      "variable-name",
    ],
    ["a change", "schemas.plan", { api: "shop", change: { do: "toString", name: "a" } }, "field-value"],
    [
      "a change",
      "schemas.plan",
      { api: "shop", change: { do: "delete", name: "a", to: "b" } },
      "field-unknown",
    ],
    [
      "a change",
      "schemas.plan",
      { api: "shop", change: { do: "rename", name: "a", to: "tls" } },
      "variable-reserved",
    ],
    [
      "a declaration",
      "schemas.plan",
      { api: "shop", change: { do: "add", name: "a", declaration: { type: "text", required: true } } },
      "field-value",
    ],
    [
      "a declaration",
      "schemas.plan",
      { api: "shop", change: { do: "add", name: "a", declaration: { type: "string" } } },
      "field-missing",
    ],
  ])("reject %s of %s: %j (%s)", async (_, name, input, code) => {
    const { post, app } = await openApp()
    expect(await post(name, input)).toMatchObject({ status: 400, value: { code } })
    expect(app.calls.filter(([called]) => called === name)).toEqual([])
  })

  it("write through no link that leads out of the project", async () => {
    const { post, etag, root } = await openApp()
    const outside = await makeFolder({ "mine.json": "{}", "mine.env": "apiKey=theirs\n" })
    await symlink(join(outside, "mine.env"), join(root, folder, "staging.secrets.env"))
    const write = await post("environments.write", {
      ...base,
      environment: "staging",
      etag: await etag("staging"),
      set: { apiKey: "s3cr3t" },
    })
    expect(write.status).toBeGreaterThanOrEqual(400)
    const change = { do: "rename", name: "apiKey", to: "token" }
    expect(await post("schemas.plan", { api: "shop", change })).toMatchObject({
      status: 422,
      value: { code: "link-outside" },
    })
    expect(write.body).not.toContain(outside)
  })
})
