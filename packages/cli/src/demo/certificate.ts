// Self-signed certificates for servers on loopback: X.509 (RFC 5280) in DER (ITU-T X.690), because Node has no maker of them.

import { generateKeyPairSync, randomBytes, sign } from "node:crypto"
import { isIP, isIPv4 } from "node:net"

export interface CertificateOptions {
  /** Host names and IP addresses that it is for. */
  readonly names?: readonly string[]
  readonly notBefore?: Date
  readonly notAfter?: Date
}

export interface Certificate {
  /** PEM; PKCS #8. */
  readonly key: string
  /** PEM. */
  readonly cert: string
}

const dayMs = 24 * 60 * 60 * 1000

/**
 * Makes a key (P-256) and a certificate that signs itself; valid from yesterday for 30 days, for this machine's own
 * names, where nothing else is said.
 *
 * @example
 * createServer(makeCertificate({ names: ["localhost"] }), listener)
 */
export function makeCertificate(options: CertificateOptions = {}): Certificate {
  const now = Date.now()
  const {
    names = ["localhost", "127.0.0.1", "::1"],
    notBefore = new Date(now - dayMs),
    notAfter = new Date(now + 30 * dayMs),
  } = options
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "prime256v1" })
  const name = sequence(set(sequence(commonName, text(names[0] ?? "callsheet"))))
  const content = sequence(
    explicit(0, integer(Buffer.of(2))),
    // 127 bits: positive, and never shorter than the 64 that readers ask for.
    integer(Buffer.concat([Buffer.of(0x40), randomBytes(15)])),
    ecdsaWithSha256,
    name,
    sequence(time(notBefore), time(notAfter)),
    name,
    publicKey.export({ type: "spki", format: "der" }),
    explicit(3, sequence(sequence(subjectAltName, octets(sequence(...names.map(generalName)))))),
  )
  const der = sequence(content, ecdsaWithSha256, bits(sign("sha256", content, privateKey)))
  return {
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${der.toString("base64").replace(/.{1,64}/g, "$&\n")}-----END CERTIFICATE-----\n`,
  }
}

function encode(tag: number, content: Buffer): Buffer {
  const { length } = content
  const head =
    length < 0x80
      ? [length]
      : length < 0x100
        ? [0x81, length]
        : [0x82, Math.floor(length / 0x100), length % 0x100]
  return Buffer.concat([Buffer.of(tag, ...head), content])
}

const sequence = (...parts: readonly Buffer[]): Buffer => encode(0x30, Buffer.concat(parts))
const set = (...parts: readonly Buffer[]): Buffer => encode(0x31, Buffer.concat(parts))
const explicit = (tag: number, content: Buffer): Buffer => encode(0xa0 + tag, content)
const integer = (content: Buffer): Buffer => encode(0x02, content)
const octets = (content: Buffer): Buffer => encode(0x04, content)
const bits = (content: Buffer): Buffer => encode(0x03, Buffer.concat([Buffer.of(0), content]))
const text = (content: string): Buffer => encode(0x0c, Buffer.from(content))

/** Two digits of the year up to 2049, four from then on (RFC 5280 section 4.1.2.5). */
function time(date: Date): Buffer {
  const digits = date.toISOString().replace(/\.\d+|[-:T]/g, "")
  return date.getUTCFullYear() < 2050
    ? encode(0x17, Buffer.from(digits.slice(2)))
    : encode(0x18, Buffer.from(digits))
}

/** RFC 5280 section 4.2.1.6: `dNSName` or `iPAddress`. */
const generalName = (name: string): Buffer =>
  isIP(name) === 0 ? encode(0x82, Buffer.from(name)) : encode(0x87, addressBytes(name))

const groups = (part: string): string[] => (part === "" ? [] : part.split(":"))

function addressBytes(address: string): Buffer {
  if (isIPv4(address)) return Buffer.from(address.split(".").map(Number))
  const [front = "", back] = address.split("::")
  const head = groups(front)
  const tail = groups(back ?? "")
  const zeros = Array.from({ length: 8 - head.length - tail.length }, () => "0")
  return Buffer.from([...head, ...zeros, ...tail].map((group) => group.padStart(4, "0")).join(""), "hex")
}

const commonName = Buffer.from("0603550403", "hex")
const subjectAltName = Buffer.from("0603551d11", "hex")
/** 1.2.840.10045.4.3.2 */
const ecdsaWithSha256 = Buffer.from("300a06082a8648ce3d040302", "hex")
