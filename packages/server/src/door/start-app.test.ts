import { networkInterfaces } from "node:os"
import { describe, expect, it } from "vitest"
import { hostsOf, originOf, settleHost } from "./start-app.ts"

describe("settleHost", () => {
  it("is 127.0.0.1 unless another address is requested", () => {
    expect(settleHost(undefined, false)).toEqual({ address: "127.0.0.1", isRemote: false })
    expect(settleHost("localhost", false)).toEqual({ address: "127.0.0.1", isRemote: false })
    expect(settleHost("::1", false)).toEqual({ address: "::1", isRemote: false })
    expect(settleHost("127.0.0.2", true)).toEqual({ address: "127.0.0.2", isRemote: false })
  })

  it.each([
    "0.0.0.0",
    "::",
    "192.168.1.2",
    "::ffff:192.168.1.2",
    "fe80::1",
    "127.0.0.1.evil.example",
    "example.com",
    "",
  ])("rejects %j if other machines were not allowed", (host) => {
    expect(() => settleHost(host, false)).toThrow(expect.objectContaining({ code: "usage" }))
  })

  it("accepts other addresses, but no names, if other machines are allowed", () => {
    expect(settleHost("0.0.0.0", true)).toEqual({ address: "0.0.0.0", isRemote: true })
    expect(() => settleHost("example.com", true)).toThrow(expect.objectContaining({ code: "usage" }))
  })
})

describe("hostsOf", () => {
  it("are three names, each with the port", () => {
    const hosts = hostsOf({ address: "127.0.0.1", isRemote: false }, 4000)
    expect([...hosts]).toEqual(["127.0.0.1:4000", "localhost:4000", "[::1]:4000"])
  })

  it("have no port if it is HTTP's default, as browsers write them", () => {
    expect([...hostsOf({ address: "127.0.0.1", isRemote: false }, 80)]).toEqual([
      "127.0.0.1",
      "localhost",
      "[::1]",
    ])
  })

  it("include the address that other machines use, if they are allowed", () => {
    const one = hostsOf({ address: "192.168.1.2", isRemote: true }, 4000)
    expect(one.has("192.168.1.2:4000")).toBe(true)
    const own = Object.values(networkInterfaces()).flatMap((list = []) =>
      list.filter(({ internal }) => !internal),
    )
    const any = hostsOf({ address: "0.0.0.0", isRemote: true }, 4000)
    for (const { address, family } of own)
      expect(any.has(family === "IPv6" ? `[${address}]:4000` : `${address}:4000`)).toBe(true)
    expect(any.has("0.0.0.0:4000")).toBe(false)
  })
})

describe("originOf", () => {
  it("is where a browser finds the server", () => {
    expect(originOf({ address: "127.0.0.1", isRemote: false }, 4000)).toBe("http://127.0.0.1:4000")
    expect(originOf({ address: "::1", isRemote: false }, 4000)).toBe("http://[::1]:4000")
    expect(originOf({ address: "0.0.0.0", isRemote: true }, 4000)).not.toContain("0.0.0.0")
  })
})
