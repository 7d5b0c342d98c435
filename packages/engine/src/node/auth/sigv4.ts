// Signs requests with AWS Signature Version 4.

import { sign } from "aws4"
import type { RequestAuth, WireRequest } from "../../ports.ts"

/** Returns the headers of a signature at a time in milliseconds since 1970. */
export function signRequest(
  request: WireRequest,
  auth: Extract<RequestAuth, { readonly kind: "sigv4" }>,
  nowMs: number,
): WireRequest["headers"] {
  const { host, pathname, search } = new URL(request.url)
  const own = request.headers.filter(([name]) => /^(?:host|content-type|x-amz-.*)$/i.test(name))
  const given = Object.fromEntries(own.map(([name, value]) => [name.toLowerCase(), value]))
  const date = new Date(nowMs).toISOString().replaceAll(/[:-]|\.\d{3}/g, "")
  const { headers = {} } = sign(
    {
      method: request.method,
      path: pathname + search,
      headers: { host, "x-amz-date": date, ...given },
      body: request.body === undefined ? "" : Buffer.from(request.body),
      service: auth.service,
      ...(auth.region === undefined ? {} : { region: auth.region }),
    },
    {
      accessKeyId: auth.accessKeyId,
      secretAccessKey: auth.secretAccessKey,
      ...(auth.sessionToken === undefined ? {} : { sessionToken: auth.sessionToken }),
    },
  )
  return Object.entries(headers)
    .filter(([name]) => !Object.hasOwn(given, name) && name !== "host" && name !== "Content-Length")
    .map(([name, value]) => [name.toLowerCase(), String(value)])
}
