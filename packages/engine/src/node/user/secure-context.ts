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
  try {
    const authorities = ca === undefined ? {} : { ca: [...systemAuthorities(tls), ca] }
    return { secureContext: tls.createSecureContext({ ...own, ...authorities }) }
  } catch (error) {
    const { code = "unknown error" } = error as NodeJS.ErrnoException
    return new CertificateError(messages["request-failed"].clientCertificate(origin, code))
  }
}

/** Returns the authorities that Node trusts by default. Before Node 22.15, it can't list those of the user. */
function systemAuthorities(tls: Tls): readonly (string | Buffer)[] {
  const list: unknown = Reflect.get(tls, "getCACertificates")
  if (typeof list === "function") return Reflect.apply(list, tls, ["default"]) as string[]
  const extra = process.env["NODE_EXTRA_CA_CERTS"] ?? ""
  const added = extra === "" ? undefined : attempt(() => readFileSync(extra))
  return added === undefined ? tls.rootCertificates : [...tls.rootCertificates, added]
}
