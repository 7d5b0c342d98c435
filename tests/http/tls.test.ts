// Checks that TLS certificates are verified unless a file turns this off, and that each failure has a reason.

import { once } from "node:events"
import { createServer, type AddressInfo, type Socket } from "node:net"
import { request } from "node:https"
import { createServer as createTlsServer } from "node:tls"
import { describe, expect, it, onTestFinished, vi } from "vitest"
import { startFaultServer, type FaultServer } from "../fault-server/fault-server.ts"
import { expired, localhost, notYetValid, otherHost } from "../harness/certificates.ts"
import { arrived, createClient, failed } from "./send.ts"

async function tlsServer(tls = localhost): Promise<FaultServer> {
  const server = await startFaultServer({ tls })
  onTestFinished(() => server.close())
  return server
}

describe("a certificate", () => {
  it.each([
    ["self-signed", localhost, /it is self-signed \(DEPTH_ZERO_SELF_SIGNED_CERT\)/],
    ["expired", expired, /it has expired \(CERT_HAS_EXPIRED\)/],
    ["not yet valid", notYetValid, /it is not valid yet \(CERT_NOT_YET_VALID\)/],
  ] as const)("that is %s fails the request with that reason", async (_name, certificate, reason) => {
    const server = await tlsServer(certificate)
    const outcome = failed(
      await createClient().send(server.url("ok"), {
        method: "POST",
        body: new TextEncoder().encode("secret"),
      }),
    )
    expect(outcome.code).toBe("request-failed")
    expect(outcome.message).toMatch(reason)
    expect(outcome.hint).toContain('set "tls": { "verify": false }')
    expect(server.arrived).toEqual([])
  })

  it("that is not trusted is accepted if verifyTls is false, and only by that request", async () => {
    const server = await tlsServer()
    const client = createClient()
    expect(arrived(await client.send(server.url("ok"), { verifyTls: false })).text).toBe("ok")
    expect(arrived(await client.send(server.url("ok"), { verifyTls: false })).text).toBe("ok")
    expect(server.made()).toBe(1)
    // The other request's connection and session are not reused.
    expect(failed(await client.send(server.url("ok"))).message).toContain("self-signed")
  })

  it("is verified whatever NODE_TLS_REJECT_UNAUTHORIZED says", async () => {
    vi.stubEnv("NODE_TLS_REJECT_UNAUTHORIZED", "0")
    onTestFinished(() => void vi.unstubAllEnvs())
    const server = await tlsServer()
    expect(failed(await createClient().send(server.url("ok"))).message).toContain("self-signed")
  })

  it("for another host is distinguished from an untrusted one", async () => {
    const server = await tlsServer(otherHost)
    const { describeError } = await import("../../packages/engine/src/node/http/fault.ts")
    const { createTargetParser } = await import("../../packages/engine/src/node/http/origin.ts")
    // No test can make this process trust a certificate. The error is real, but the test checks only its text.
    const outgoing = request({ host: "127.0.0.1", port: server.port, ca: otherHost.cert, agent: false }).end()
    const [error] = (await once(outgoing, "error").catch((cause: unknown) => [cause])) as [
      NodeJS.ErrnoException,
    ]
    const target = createTargetParser({ http: undefined, https: undefined, exceptions: [] })(server.origin)
    if (!target.ok) throw new Error("no target")
    expect(describeError(error, { origin: target.target.origin, isOriginSecret: false }).message).toBe(
      "the server's certificate is not trusted: it was issued for other host names (ERR_TLS_CERT_ALTNAME_INVALID)",
    )
  })
})

describe("the wrong protocol on a port", () => {
  it("https to a plaintext server reports that", async () => {
    const server = createServer((socket) => socket.end("HTTP/1.1 400 Bad Request\r\n\r\n"))
    server.listen(0, "127.0.0.1")
    await once(server, "listening")
    onTestFinished(() => void server.close())
    const { port } = server.address() as AddressInfo
    const outcome = failed(await createClient().send(`https://127.0.0.1:${port}/`))
    expect(outcome.message).toMatch(new RegExp(`does not speak TLS on port ${port}`))
    expect(outcome.hint).toContain("http://")
  })

  it("http to a TLS server fails, and reports the reason if the server sends it", async () => {
    const server = await tlsServer()
    const outcome = failed(await createClient().send(`http://127.0.0.1:${server.port}/ok`))
    expect(outcome.code).toBe("request-failed")
    expect(outcome.message).toMatch(/speaks TLS on this port|without sending a response|reset the connection/)
  })

  it.each([
    [{ minVersion: "TLSv1", maxVersion: "TLSv1" }, /protocol version/, "TLS 1.2 and 1.3"],
    [{ minVersion: "TLSv1.1", maxVersion: "TLSv1.1" }, /protocol version/, "TLS 1.2 and 1.3"],
    [
      { maxVersion: "TLSv1.2", ciphers: "AES128-SHA256" },
      /handshake failure|no shared cipher/,
      "cipher suites",
    ],
  ] as const)("with %j gives OpenSSL's reason and a hint", async (settings, reason, hint) => {
    const server = createTlsServer({ ...localhost, ciphers: "DEFAULT@SECLEVEL=0", ...settings })
    server.on("tlsClientError", () => undefined).listen(0, "127.0.0.1")
    await once(server, "listening")
    onTestFinished(() => void server.close())
    const { port } = server.address() as AddressInfo
    const outcome = failed(await createClient().send(`https://127.0.0.1:${port}/`))
    expect(outcome.message).toMatch(/^the TLS handshake failed: /)
    expect(outcome.message).toMatch(reason)
    expect(outcome.hint).toContain(hint)
  })

  it("a handshake that hangs ends at the deadline, which is named", async () => {
    const sockets: Socket[] = []
    const server = createServer((socket) => sockets.push(socket.on("error", () => undefined)))
    server.listen(0, "127.0.0.1")
    await once(server, "listening")
    onTestFinished(() => {
      for (const socket of sockets) socket.destroy()
      server.close()
    })
    const { port } = server.address() as AddressInfo
    const outcome = failed(await createClient().send(`https://127.0.0.1:${port}/`, { timeoutMs: 200 }))
    expect(outcome.code).toBe("request-timeout")
    expect(outcome.message).toContain("during the TLS handshake")
  })
})
