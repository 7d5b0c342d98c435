import { X509Certificate } from "node:crypto"
import { once } from "node:events"
import { createServer, request } from "node:https"
import type { AddressInfo } from "node:net"
import { describe, expect, it } from "vitest"
import { makeCertificate, type Certificate } from "./certificate.ts"

/** The status of a request that trusts exactly this certificate, or the code of the refusal. */
async function ask(certificate: Certificate, host: string): Promise<number | string | undefined> {
  const server = createServer(certificate, (_incoming, response) => response.end("ok"))
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const { port } = server.address() as AddressInfo
  try {
    return await new Promise((resolve) => {
      const outgoing = request({
        host: "127.0.0.1",
        servername: host,
        port,
        ca: certificate.cert,
        agent: false,
      })
      outgoing.on("response", (response) => resolve(response.resume().statusCode))
      outgoing.on("error", (error: NodeJS.ErrnoException) => resolve(error.code))
      outgoing.end()
    })
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

describe("a certificate", () => {
  it("is for the names and addresses given", () => {
    const names = ["api.example", "127.0.0.1", "::1", "2001:db8::7:1"]
    const certificate = new X509Certificate(makeCertificate({ names }).cert)
    for (const name of names) {
      const known = name.includes("api") ? certificate.checkHost(name) : certificate.checkIP(name)
      expect(known, name).toBeDefined()
    }
    expect(certificate.checkHost("other.example")).toBeUndefined()
    expect(certificate.checkIP("127.0.0.2")).toBeUndefined()
  })

  it("signs itself", () => {
    const certificate = new X509Certificate(makeCertificate().cert)
    expect(certificate.verify(certificate.publicKey)).toBe(true)
    expect(certificate.checkIssued(certificate)).toBe(true)
  })

  it("keeps its times to the second, beyond 2049 too", () => {
    const notBefore = new Date("2020-02-29T01:02:03Z")
    const notAfter = new Date("2051-12-31T23:59:59Z")
    const certificate = new X509Certificate(makeCertificate({ notBefore, notAfter }).cert)
    expect(new Date(certificate.validFrom)).toEqual(notBefore)
    expect(new Date(certificate.validTo)).toEqual(notAfter)
  })

  it("serves a client that trusts it, and no other name", async () => {
    const certificate = makeCertificate({ names: ["localhost"] })
    expect(await ask(certificate, "localhost")).toBe(200)
    expect(await ask(certificate, "example.test")).toBe("ERR_TLS_CERT_ALTNAME_INVALID")
  })

  it("holds many names, so that its lengths need two bytes", () => {
    const names = Array.from({ length: 40 }, (_, index) => `host-${index}.example`)
    expect(new X509Certificate(makeCertificate({ names }).cert).checkHost("host-39.example")).toBeDefined()
  })
})
