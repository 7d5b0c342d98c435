// Client certificates and authorities come only from the user-level file, by origin and environment.

import { createPrivateKey } from "node:crypto"
import { describe, expect, it } from "vitest"
import { localhost } from "../harness/certificates.ts"
import { startMtls } from "./mtls-server.ts"
import { createHome, projectFor, run } from "./user-file.ts"

const passphrase = "kettle-lantern-47"
const encryptedKey = createPrivateKey(localhost.key).export({
  type: "pkcs8",
  format: "pem",
  cipher: "aes-256-cbc",
  passphrase,
})

/** The same certificate and key as `localhost`, as PKCS #12 with the passphrase. */
const pfx = Buffer.from(
  `
MIID7AIBAzCCA6IGCSqGSIb3DQEHAaCCA5MEggOPMIIDizCCAkIGCSqGSIb3DQEHBqCCAjMwggIvAgEAMIICKAYJKoZIhvcNAQcB
MFcGCSqGSIb3DQEFDTBKMCkGCSqGSIb3DQEFDDAcBAhz21iu0j8plAICCAAwDAYIKoZIhvcNAgkFADAdBglghkgBZQMEASoEELy5
3DtZoOOJjxPTyOmOCP+AggHAXfJUlo9+BHYLf4Lw2Va6bU/fh3F0i5Sr+0jT2MIrGjEge1We0UL6jI2CJTpeiXC7abl06WTEp0HK
l0bWyoqrjel24RmKi/sudJWMU4c+Njb8fdKOAehAU9OmoeWJ0695KrpcJYpV30LsQbqzk7bw4nfaMoGEhUqXzUw31+IjYXYWiRy8
9N/U1TkMvaYobuvRdn2ygChVq1oC9Fiy7j11QRMY3IGmsaIgbUscPIyiKXToRIXROOHkr4lePbmgp6WRgy2oEcnuzUHzypw5Yetx
ti6JXkhnW2JgtILpCdUno+q5GXalWOJPDHJtodYoysCV6odzZ7fTA9sE+v8IykbAecFNsmf2WwlD2iTfrtYUlxCANnC0lYlWxx2r
lcMVeZ4rOoVT5mvGf+cDDRkrY+XOkKxy1WJT5DHYtGg7LmzFU+WHkFXPTwyfcdgUiRiyAhYN9y4xXrRPC/wCzhsCpqBQw2azosZK
Qo5oI8O0S5h0rX8MSRuAiVyj0sJhUq5PpSKcnumZ7VQT6In7w3IahnL8KUqm1ikIaigo5gWi2zcyu7iBjxxX/t+YfwZLkd5m0Hh0
Inzas0Rd2NWtZU5sN+VujjCCAUEGCSqGSIb3DQEHAaCCATIEggEuMIIBKjCCASYGCyqGSIb3DQEMCgECoIHvMIHsMFcGCSqGSIb3
DQEFDTBKMCkGCSqGSIb3DQEFDDAcBAhnibl/cp+bbAICCAAwDAYIKoZIhvcNAgkFADAdBglghkgBZQMEASoEECJ9NyMGpUejXviA
b8EovcIEgZDHOenT1cpC8YdPSsXiuKTKNd/0fqsUGmc4zPrvDIBysP9MJGpoob9xYUTN1ZqVXHZ2vMl+p2bxQQEGleVCjeEI3hM/
yxlCS+bb9a42l/2n5LH2BW0vlwGniYtzREyzSRlVpsv0qB79KPLBrATh94PNro8b5EsxExIqa79NJZhaXM3Aq6bt4CMf7qNcxDBI
ycYxJTAjBgkqhkiG9w0BCRUxFgQUPdiOwf0eB1R62RPHCGmOgXF9WeEwQTAxMA0GCWCGSAFlAwQCAQUABCDX0ixNoj32XKcW8thv
0Gjc9tJvl+wWHOSRlq+MW073AwQI5wXN0GgWs1wCAggA
`,
  "base64",
)

/** The bytes of a PEM file. */
const der = (pem: string): Buffer => Buffer.from(pem.replaceAll(/-----.*-----|\s/g, ""), "base64")

const files = {
  "client.der": der(localhost.cert),
  "key.der": createPrivateKey(localhost.key).export({ type: "pkcs8", format: "der" }),
  "notes.txt": "no certificate\n",
  "client.pem": localhost.cert,
  "client.key": localhost.key,
  "locked.key": encryptedKey,
  "client.pfx": pfx,
}
const ca = { ca: "client.pem" }
const pair = { ...ca, cert: "client.pem", key: "client.key" }

const project = (url: string) =>
  projectFor(
    { url },
    {
      "apis/shop/environments/staging.json": { baseUrl: url, apiKey: "x" },
      "apis/shop/environments/local.json": { extends: "staging" },
    },
  )

/** Runs the request with these entries, and returns the exit code and what went wrong. */
async function send(url: string, certificates: readonly object[], environment = "staging") {
  const { env } = await createHome({ version: 1, certificates }, files)
  const result = await run(["--env", environment], { files: project(url), env })
  const error = result.report?.runs[0]?.blocks[0]?.error
  expect(`${result.stdout}${result.stderr}`).not.toContain(passphrase)
  return { exitCode: result.exitCode, code: error?.code, message: error?.message, stderr: result.stderr }
}

describe("a certificate in the user-level file", () => {
  it.each([
    ["cert and key", pair],
    ["an encrypted key", { ...pair, key: "locked.key", passphrase }],
    ["a PKCS #12 file", { ...ca, pfx: "client.pfx", passphrase }],
  ])("identifies the client by %s", async (_, certificate) => {
    const server = await startMtls(true)
    expect(await send(server.url, [{ origin: server.url, ...certificate }])).toMatchObject({ exitCode: 0 })
    expect(server.clients).toEqual(["localhost"])
  })

  it("with only an authority makes callsheet trust it for that origin, and sends no certificate", async () => {
    const [server, other] = [await startMtls(false), await startMtls(false)]
    expect(await send(server.url, [{ origin: `${server.url.toUpperCase()}/`, ...ca }])).toMatchObject({
      exitCode: 2,
    })
    expect(await send(server.url, [{ origin: `${server.url}/`, ...ca }])).toMatchObject({ exitCode: 0 })
    expect(server.clients).toEqual([undefined])
    const untrusted = await send(other.url, [{ origin: server.url, ...ca }])
    expect(untrusted).toMatchObject({ exitCode: 1, message: expect.stringContaining("self-signed") })
    expect(other.clients).toEqual([])
  })

  it("for an environment takes precedence over one for all, and others don't get it", async () => {
    const server = await startMtls(false)
    const entries = [
      { origin: server.url, ...ca },
      { origin: server.url, environment: "staging", ...pair },
    ]
    await send(server.url, entries, "staging")
    await send(server.url, entries, "local")
    await send(server.url, [{ origin: server.url, environment: "other", ...pair }], "local")
    expect(server.clients).toEqual(["localhost", undefined])
  })

  it.each([
    [
      { ca: "client.der" },
      /"ca" for \S+ is a binary \(DER\) file; expected PEM format.*openssl x509 -inform der/,
    ],
    [{ ...pair, cert: "client.der" }, /"cert" for \S+ is a binary \(DER\) file/],
    [{ ...pair, key: "key.der" }, /"key" for \S+ is a binary \(DER\) file.*openssl pkey -inform der/],
    [{ ca: "notes.txt" }, /"ca" for \S+ is not in PEM format: it has no line "-----BEGIN/],
    [{ ca: "client.key" }, /"ca" for \S+ contains no certificate/],
    [{ ...ca, pfx: "client.pem" }, /"pfx" for \S+ is in PEM format; expected PKCS #12.*"cert" and "key"/],
  ])("in another format is named: %j", async (certificate, message) => {
    const server = await startMtls(false)
    expect(await send(server.url, [{ origin: server.url, ...certificate }])).toMatchObject({
      exitCode: 1,
      code: "request-failed",
      message: expect.stringMatching(message),
    })
  })

  it("that can't be used fails the request, with the reason", async () => {
    const server = await startMtls(true)
    const outcome = (certificate: object) => send(server.url, [{ origin: server.url, ...certificate }])
    expect(await outcome({ ...pair, key: "missing.key" })).toMatchObject({
      exitCode: 1,
      code: "request-failed",
      message: expect.stringContaining('"key"'),
    })
    expect(await outcome({ ...pair, key: "locked.key", passphrase: "wrong" })).toMatchObject({
      exitCode: 1,
      message: expect.stringContaining("can't be used"),
    })
    expect(await outcome(ca)).toMatchObject({
      exitCode: 1,
      message: expect.stringContaining("certificate required"),
    })
    expect(server.clients).toEqual([])
  })

  it("can't come from a file of the project", async () => {
    const server = await startMtls(true)
    const own = {
      baseUrl: server.url,
      apiKey: "x",
      tls: { verify: false, cert: "client.pem", key: "client.key" },
    }
    const more = { ...files, "apis/shop/environments/staging.json": own }
    const { exitCode } = await run([], { files: { ...projectFor(server), ...more } })
    expect(exitCode).toBe(1)
    expect(server.clients).toEqual([])
  })
})
