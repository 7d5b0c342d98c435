// Headers that a response must not have twice, and codings that are none, are read as other clients do, with a warning.

import { gzipSync } from "node:zlib"
import { describe, expect, it, onTestFinished } from "vitest"
import { answer } from "../fault-server/faults.ts"
import { startFaultServer } from "../fault-server/fault-server.ts"
import { arrived, createClient, failed } from "./send.ts"

async function respond(bytes: Uint8Array) {
  const server = await startFaultServer({
    answer: (socket, { path }) => void socket.write(path === "/" ? bytes : answer(path)),
  })
  onTestFinished(() => server.close())
  const outcome = await createClient().send(`${server.origin}/`)
  const warnings = outcome.ok ? (outcome.response.warnings ?? []).map(({ message }) => message) : []
  return { outcome, warnings, origin: server.origin }
}

const types = (...values: readonly string[]) => values.map((value) => `Content-Type: ${value}`)

describe("a content type that is sent twice", () => {
  it.each([
    [types("application/json", "application/json"), "application/json", 2],
    [types("text/html", "application/json; charset=utf-8"), "application/json; charset=utf-8", 2],
    [types("application/json", ""), "application/json", 2],
    [types("application/json", "garbage"), "application/json", 2],
    [types("application/json", "*/*"), "application/json", 2],
    [types("application/json, application/json"), "application/json", 2],
    [types("a/b", "c/d", 'e/f; x="1, 2"'), 'e/f; x="1, 2"', 3],
    [types('e/f; x="1, 2"'), 'e/f; x="1, 2"', undefined],
    [types("application/json"), "application/json", undefined],
    [types("garbage", "more garbage"), "more garbage", 2],
  ])("%j is read as %s", async (lines, expected, count) => {
    const { outcome, warnings } = await respond(answer("{}", lines))
    expect(arrived(outcome).headers["content-type"]).toBe(expected)
    expect(warnings).toEqual(
      count === undefined
        ? []
        : [
            `the response has ${count} values of the header "content-type"; callsheet uses the last valid one, ${JSON.stringify(expected)}`,
          ],
    )
  })
})

describe("a location that is sent twice", () => {
  const moved = (...places: readonly string[]) =>
    answer(
      "",
      places.map((place) => `Location: ${place}`),
      "302 Found",
    )

  it.each([
    [["/a", "/a"], "/a"],
    [["/a", "/b"], "/b"],
    [["/a", "http://["], "/a"],
    [["/a", "mailto:me@a.example"], "/a"],
    [["/a", "b,c"], "/b,c"],
    [["/x, y", "/d"], "/d"],
  ])("%j leads to %s", async (places, path) => {
    const { outcome, warnings } = await respond(moved(...places))
    expect(arrived(outcome).text).toBe(path)
    expect(warnings).toEqual([
      'the response has 2 values of the header "location"; callsheet uses the last valid one',
    ])
  })

  it("may contain a comma if it is sent once", async () => {
    const { outcome, warnings } = await respond(moved("/a,b"))
    expect(arrived(outcome).text).toBe("/a,b")
    expect(warnings).toEqual([])
  })
})

describe("a content coding that is none", () => {
  it.each(["UTF-8", "utf8", "iso-8859-1", "none", "aws-chunked", "binary", "Identity, None"])(
    "%s: the body is read as it is",
    async (coding) => {
      const { outcome, warnings } = await respond(answer("plain", [`Content-Encoding: ${coding}`]))
      expect(arrived(outcome).text).toBe("plain")
      expect(warnings).toEqual([
        `the header "content-encoding" of the response names no content coding: ${JSON.stringify(coding)}; callsheet read the body as it is`,
      ])
    },
  )

  it("doesn't keep a real one from being decoded", async () => {
    const { outcome } = await respond(answer(gzipSync("plain"), ["Content-Encoding: aws-chunked, gzip"]))
    expect(arrived(outcome).text).toBe("plain")
  })

  it.each(["lzma", "compress", "dcb", "gzip;q=1", "exi"])(
    "%s is unknown, and the hint says what to do",
    async (coding) => {
      const { outcome } = await respond(answer("plain", [`Content-Encoding: ${coding}`]))
      expect(failed(outcome).message).toBe(
        `could not decode the response: the content coding "${coding}" is unknown`,
      )
      expect(failed(outcome).hint).toContain('"accept-encoding: identity"')
    },
  )
})
