import { describe, expect, it } from "vitest"
import { guard, type GuardState, type RawRequest } from "./guard.ts"

const state: GuardState = {
  hosts: new Set(["127.0.0.1:4000", "localhost:4000", "[::1]:4000"]),
  cookieName: "callsheet-session-4000",
  isAsset: (path) => path === "/" || path === "/assets/page.js",
  isCookie: (value) => value === "cookie",
  isKey: (value) => value === "key",
  isOwner: (value) => value === "owner",
}
const host = ["Host", "127.0.0.1:4000"]
const page: RawRequest = { method: "GET", target: "/", headers: host, isFromOtherUser: () => false }
const judge = (request: Partial<RawRequest>) => {
  const verdict = guard({ ...page, ...request }, state)
  return verdict.kind === "refused" ? verdict.refusal.status : verdict.kind
}
const post = (target: string, ...headers: string[]) =>
  judge({ method: "POST", target, headers: [...host, "content-type", "application/json", ...headers] })
const session = ["cookie", "callsheet-session-4000=cookie", "x-callsheet-key", "key"]

describe("guard", () => {
  it("allows assets without a session", () => {
    expect(judge({})).toBe("asset")
    expect(judge({ target: "/assets/page.js" })).toBe("asset")
  })

  it("allows each route with its required credentials, and with nothing less", () => {
    expect(post("/session")).toBe("open-session")
    expect(post("/session/resume")).toBe(401)
    expect(post("/session/resume", ...session.slice(0, 2))).toBe(401)
    expect(post("/session/resume", ...session)).toBe("resume-session")
    expect(post("/events", ...session)).toBe("events")
    expect(post("/events", ...session.slice(0, 2))).toBe(401)
    expect(post("/events", ...session.slice(2))).toBe(401)
    expect(post("/api/project.read", ...session)).toBe("call")
    expect(post("/link", ...session)).toBe(401)
    expect(post("/link", "x-callsheet-owner", "owner")).toBe("make-link")
  })

  it("allows no session over a connection of another user", () => {
    const headers = [...host, "content-type", "application/json", ...session]
    const request = { method: "POST", headers, isFromOtherUser: () => true }
    expect(judge({ ...request, target: "/session/resume" })).toBe(401)
    expect(judge({ ...request, target: "/events" })).toBe(401)
  })

  it("checks Host before everything else", () => {
    const foreign = { headers: ["Host", "evil.example"] }
    expect(judge({ ...foreign, method: "OPTIONS" })).toBe(403)
    expect(judge({ ...foreign, target: "/nowhere" })).toBe(403)
    expect(judge({ ...foreign, method: "POST", target: "/link" })).toBe(403)
  })

  it("checks every Host header, whatever the case of its name", () => {
    expect(judge({ headers: [] })).toBe(403)
    expect(judge({ headers: [...host, ...host] })).toBe(403)
    expect(judge({ headers: ["hOsT", "localhost:4000"] })).toBe("asset")
  })

  it("does not mistake a header's value for its name", () => {
    expect(judge({ headers: ["x", "host", ...host] })).toBe("asset")
    expect(judge({ headers: [...host, "x", "origin", "y", "z"] })).toBe("asset")
  })

  it("requires the origin of the host that was called", () => {
    expect(judge({ headers: [...host, "origin", "http://127.0.0.1:4000"] })).toBe("asset")
    expect(judge({ headers: [...host, "origin", "http://localhost:4000"] })).toBe(403)
    expect(judge({ headers: ["host", "[::1]:4000", "origin", "http://[::1]:4000"] })).toBe("asset")
  })

  it("finds the cookie among others, in one header or in several", () => {
    const key = session.slice(2)
    expect(post("/events", "cookie", "a=b; callsheet-session-4000=cookie;c=d", ...key)).toBe("events")
    expect(post("/events", "cookie", "a=b", ...session)).toBe("events")
    expect(post("/events", "cookie", "xcallsheet-session-4000=cookie", ...key)).toBe(401)
    expect(post("/events", "cookie", "callsheet-session-4000", ...key)).toBe(401)
  })

  it("reports which methods a path allows", () => {
    expect(guard({ ...page, target: "/events" }, state)).toMatchObject({
      refusal: { status: 405, allow: "POST" },
    })
    expect(guard({ ...page, method: "POST" }, state)).toMatchObject({
      refusal: { status: 405, allow: "GET" },
    })
  })

  it("doesn't find a path among inherited properties", () => {
    for (const target of ["/__proto__", "/api/constructor", "constructor", "/api/hasOwnProperty"])
      expect([403, 404]).toContain(post(target, ...session))
  })
})
