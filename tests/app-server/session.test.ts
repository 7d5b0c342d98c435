// Checks how a page gets its session, and that requests without one are rejected.

import { execFile } from "node:child_process"
import { platform } from "node:os"
import { promisify } from "node:util"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { tell } from "../harness/tell.ts"
import { secretOf, startTestApp, type TestApp } from "./start-test-app.ts"

let app: TestApp
let time = 0
beforeEach(async () => {
  time = 0
  app = await startTestApp({ now: () => time })
})
afterEach(() => app.close())

describe("a link", () => {
  it("contains 256 bits after #, which no server and no Referer sees", () => {
    expect(app.link).toMatch(new RegExp(`^${app.origin}/#link=[A-Za-z0-9_-]{43}$`))
    expect(app.makeLink()).not.toBe(app.link)
  })

  it("is exchanged once for a cookie of this port and a key", async () => {
    const link = secretOf(app.link)
    const first = await app.post("/session", { link })
    expect(first.status).toBe(200)
    const cookie = /^callsheet-session-(\d+)=([A-Za-z0-9_-]{43}); HttpOnly; SameSite=Strict; Path=\/$/.exec(
      first.headers["set-cookie"] ?? "",
    )
    expect(cookie?.[1]).toBe(String(app.port))
    expect((JSON.parse(first.body) as { key: string }).key).toMatch(/^[A-Za-z0-9_-]{43}$/)
    expect(first.body).not.toContain(cookie?.[2])
    const second = await app.post("/session", { link })
    expect(second.status).toBe(401)
    expect(second.headers["set-cookie"]).toBeUndefined()
  })

  it("works for five minutes, and not longer", async () => {
    const [young, old] = [secretOf(app.makeLink()), secretOf(app.makeLink())]
    time += 5 * 60_000 - 1
    expect((await app.post("/session", { link: young })).status).toBe(200)
    time += 1
    expect((await app.post("/session", { link: old })).status).toBe(401)
  })

  it("is rejected without saying what is wrong", async () => {
    const link = secretOf(app.link)
    const wrong = ["", link.slice(1), `${link}A`, link.toUpperCase(), link.toLowerCase(), app.owner, app.link]
    const answers = await Promise.all(wrong.map((guess) => app.post("/session", { link: guess })))
    expect(new Set(answers.map(({ status, body }) => `${status} ${body}`)).size).toBe(1)
    expect(answers[0]?.status).toBe(401)
    expect((await app.post("/session", { link })).status).toBe(200)
  })
})

describe("a session", () => {
  it("accepts calls with cookie and key", async () => {
    const answer = await app.post("/api/project.read", {}, await app.enter())
    expect(answer.status).toBe(200)
    expect(app.calls).toEqual([["project.read", {}]])
  })

  it("lasts overnight, until the server stops", async () => {
    const session = await app.enter()
    time += 24 * 60 * 60_000
    expect((await app.post("/api/project.read", {}, session)).status).toBe(200)
    expect((await app.post("/session/resume", {}, session)).status).toBe(200)
  })

  it("continues in a reloaded page, by cookie and key, and the cookie gives nobody the key", async () => {
    const [cookie, key] = await app.enter()
    if (cookie === undefined || key === undefined) throw new Error("no session")
    const answer = await app.post("/session/resume", {}, [cookie, key])
    expect([answer.status, answer.body]).toEqual([200, "{}"])
    const byCookie = await app.post("/session/resume", {}, [cookie])
    expect(byCookie.status).toBe(401)
    expect(byCookie.text).not.toContain(key[1])
    expect((await app.post("/session/resume", {})).status).toBe(401)
  })

  // Only the administrator can start a process of another user.
  it.runIf(platform() === "linux" && process.getuid?.() === 0)(
    "is not accepted from another user's process on this machine, and neither is a link",
    async () => {
      const session = await app.enter()
      const link = secretOf(app.link)
      const statuses = await postAsOtherUser([
        ["/session/resume", {}, session],
        ["/events", {}, session],
        ["/session", { link }, []],
      ])
      expect(statuses).toEqual([401, 401, 401])
      expect(app.calls).toEqual([])
    },
  )

  it("accepts no cookie and no key that is wrong, truncated, in another case, doubled or from an earlier start", async () => {
    const earlier = await startTestApp()
    const old = await earlier.enter()
    await earlier.close()
    const [cookie, key] = await app.enter()
    if (cookie === undefined || key === undefined) throw new Error("no session")
    const [name = "", value = ""] = cookie[1].split("=")
    const keys = [...wrongOf(key[1]), value, app.owner, old[1]?.[1] ?? "", ""]
    const cookies = [...wrongOf(value), key[1], app.owner, old[0]?.[1].split("=")[1] ?? "", ""]
    const tries = [
      [],
      [cookie],
      [key],
      ...keys.map((wrong) => [cookie, ["x-callsheet-key", wrong] as const]),
      ...cookies.map((wrong) => [["cookie", `${name}=${wrong}`] as const, key]),
      [cookie, key, key],
      [["cookie", cookie[1].replace(String(app.port), "1")] as const, key],
      [["cookie", cookie[1].toUpperCase()] as const, key],
      [["x-callsheet-session", value] as const, key],
    ]
    const answers = await Promise.all(tries.map((headers) => app.post("/api/project.read", {}, headers)))
    expect(new Set(answers.map(({ status, body }) => `${status} ${body}`)).size).toBe(1)
    expect(answers[0]?.status).toBe(401)
    expect(app.calls).toEqual([])
    tell(`tokens: ${tries.length} tries: 0 successes`)
  })

  it("survives cookies with the same name from another server on this machine", async () => {
    const [cookie, key] = await app.enter()
    if (cookie === undefined || key === undefined) throw new Error("no session")
    const tossed = `other=1; callsheet-session-${app.port}=tossed; ${cookie[1]}`
    expect((await app.post("/api/project.read", {}, [["cookie", tossed], key])).status).toBe(200)
  })
})

describe("the port file", () => {
  it("lets its reader create another link", async () => {
    const answer = await app.post("/link", {}, [["x-callsheet-owner", app.owner]])
    expect(answer.status).toBe(200)
    const { link } = JSON.parse(answer.body) as { link: string }
    expect((await app.post("/session", { link: secretOf(link) })).status).toBe(200)
  })

  it("is useless to a page, with a session or without", async () => {
    const session = await app.enter()
    const tries = [[], session, [["x-callsheet-owner", app.owner.toUpperCase()] as const]]
    const answers = await Promise.all(tries.map((headers) => app.post("/link", {}, headers)))
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401])
    const foreign = [
      ["x-callsheet-owner", app.owner],
      ["origin", "http://localhost:3000"],
    ] as const
    expect((await app.post("/link", {}, foreign)).status).toBe(403)
  })
})

function wrongOf(secret: string): readonly string[] {
  const flipped = secret.startsWith("A") ? `B${secret.slice(1)}` : `A${secret.slice(1)}`
  return [secret.toUpperCase(), secret.toLowerCase(), secret.slice(1), `${secret}x`, `x${secret}`, flipped]
}

type Post = readonly [target: string, body: unknown, headers: readonly (readonly [string, string])[]]

const NOBODY = 65_534

/** Sends them from a process of another user, and returns the response statuses. */
async function postAsOtherUser(posts: readonly Post[]): Promise<readonly number[]> {
  const script = `
    const [origin, posts] = JSON.parse(process.argv[1])
    const statuses = []
    for (const [target, body, headers] of posts) {
      const all = [["content-type", "application/json"], ...headers]
      statuses.push((await fetch(origin + target, { method: "POST", headers: all, body: JSON.stringify(body) })).status)
    }
    console.log(JSON.stringify(statuses))`
  const words = ["--input-type=module", "-e", script, JSON.stringify([app.origin, posts])]
  const { stdout } = await promisify(execFile)(process.execPath, words, { uid: NOBODY, cwd: "/", env: {} })
  return JSON.parse(stdout) as readonly number[]
}
