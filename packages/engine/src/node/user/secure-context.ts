// The TLS context of connections with a client certificate, or with authorities of the user.

import { readFileSync } from "node:fs"
import { attempt } from "@callsheet/format"
import { messages } from "../../messages.ts"
import type { ClientCertificate } from "../../ports.ts"
import { CertificateError } from "../http/fault.ts"

type Tls = typeof import("node:tls")

export function secureContext(tls: Tls, origin: string, certificate: ClientCertificate) {
  const { fault, ca, ...own } = certificate
  if (fault !== undefined) return new CertificateError(fault)
  const unusable = unusableField(certificate)
  if (unusable !== undefined)
    return new CertificateError(
      messages["request-failed"].certificateFormat(origin, unusable.field, unusable.format),
    )
  try {
    const authorities = ca === undefined ? {} : { ca: [...systemAuthorities(tls), ca] }
    return { secureContext: tls.createSecureContext({ ...own, ...authorities }) }
  } catch (error) {
    const { code = "unknown error" } = error as NodeJS.ErrnoException
    return new CertificateError(messages["request-failed"].clientCertificate(origin, code))
  }
}

/**
 * Returns a field whose file has another format. OpenSSL silently ignores authorities that aren't in PEM format, and
 * the server's certificate would then seem untrusted.
 */
function unusableField({ cert, key, ca, pfx }: ClientCertificate) {
  for (const [field, bytes] of Object.entries({ cert, key, ca }))
    if (bytes !== undefined && !bytes.includes("-----BEGIN "))
      return { field, format: isBinary(bytes) ? "binary" : "text" } as const
  if (ca !== undefined && !/-----BEGIN (?:X509 |TRUSTED )?CERTIFICATE-----/.test(ca.toString("latin1")))
    return { field: "ca", format: "other" } as const
  return pfx?.includes("-----BEGIN ") === true ? ({ field: "pfx", format: "pem" } as const) : undefined
}

/** Returns whether a file looks like DER, which starts with a sequence (X.690 section 8.9). */
const isBinary = ({ 0: first }: Buffer): boolean => first === 0x30

/** Returns the authorities that Node trusts by default. Before Node 22.15, it can't list those of the user. */
function systemAuthorities(tls: Tls): readonly (string | Buffer)[] {
  const list: unknown = Reflect.get(tls, "getCACertificates")
  if (typeof list === "function") return Reflect.apply(list, tls, ["default"]) as string[]
  const extra = process.env["NODE_EXTRA_CA_CERTS"] ?? ""
  const added = extra === "" ? undefined : attempt(() => readFileSync(extra))
  return added === undefined ? tls.rootCertificates : [...tls.rootCertificates, added]
}
