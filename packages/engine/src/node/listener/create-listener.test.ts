import { once } from "node:events"
import { connect, type AddressInfo } from "node:net"
import { text } from "node:stream/consumers"
import { describe, expect, it, onTestFinished } from "vitest"
import { createListener, type Answering } from "./create-listener.ts"
import { readTarget } from "./read-target.ts"

/** Sends bytes to a listener. Returns what it answers, and the bugs that it reports. */
async function send(bytes: string, answering: Partial<Answering>) {
  const bugs: unknown[] = []
  const { server } = createListener(
    { connections: 4 },
    { request: () => undefined, onBug: (error) => bugs.push(error), ...answering },
  )
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1")
  socket.write(bytes)
  return { answer: await text(socket), bugs, server }
}

const get = (headers = ""): string => `GET / HTTP/1.1\r\nhost: a\r\n${headers}\r\n`
const bug = new Error("a bug")
const fail = (): never => {
  throw bug
}

describe("a listener", () => {
  it.each<readonly [string, string, Partial<Answering>]>([
    ["throws", get(), { request: fail }],
    ["rejects", get(), { request: () => Promise.reject(bug) }],
    ["rejects later", get(), { request: () => new Promise((_, reject) => void setImmediate(reject, bug)) }],
    ["throws for an Expect header", get("expect: 100-continue\r\n"), { request: fail }],
    ["throws for an unknown Expect header", get("expect: more\r\n"), { request: fail }],
    [
      "throws for a header that can't be sent",
      get(),
      { request: (_, response) => void response.setHeader("x", "a\r\nb") },
    ],
  ])("answers with 500 if a function %s", async (_, bytes, answering) => {
    const { answer, bugs } = await send(bytes, answering)
    expect(answer).toMatch(/^HTTP\/1\.1 500 /)
    expect(answer).not.toContain("a bug\n")
    expect(bugs).toHaveLength(1)
  })

  it.each<readonly [string, string, Partial<Answering>]>([
    [
      "the answer has started",
      get(),
      {
        request: (_, response) => {
          response.flushHeaders()
          fail()
        },
      },
    ],
    ["a tunnel is asked for", "CONNECT a:1 HTTP/1.1\r\nhost: a\r\n\r\n", { connect: fail }],
    ["the bytes are not HTTP", "\u0016\u0003\u0001\r\n\r\n", { clientError: fail }],
  ])("closes the connection of a bug if %s", async (_, bytes, answering) => {
    const { bugs } = await send(bytes, answering)
    expect(bugs).toEqual([bug])
  })

  it("survives an error of its socket", async () => {
    const { server, bugs } = await send(get("connection: close\r\n"), {
      request: (_, response) => void response.end("ok"),
    })
    server.emit("error", new Error("EMFILE"))
    expect(bugs).toEqual([])
  })
})

describe("a request target", () => {
  it.each(["//", "///[", "/%", "/\\", "//user@:99999", "/http://[", `/${"%".repeat(100_000)}`])(
    "is read without an error: %.20s",
    (target) => {
      expect(readTarget(target)?.path).toBe(target)
    },
  )

  it.each(["*", "", "http://[", "a:1", "?x", "\\\\a"])("that is not a path is not read: %s", (target) => {
    expect(readTarget(target)).toBeUndefined()
  })

  it("keeps invalid escapes in its query", () => {
    expect(readTarget("/a?b=%zz&b=%&__proto__=1?2#3")?.query.getAll("b")).toEqual(["%zz", "%"])
  })
})
