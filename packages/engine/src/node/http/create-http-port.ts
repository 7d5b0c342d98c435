// The HTTP port over Node's own client.

import type { HttpPort } from "../../ports.ts"
import { createConnections } from "./connections.ts"
import { createCookies, type Cookies } from "./cookies.ts"
import { createFirstHopFinder } from "./first-hop.ts"
import { createTargetParser } from "./origin.ts"
import { readProxies, type ProcessEnvironment } from "./proxy.ts"
import { sendRequest, type Shared } from "./sending.ts"
import { UnderWay } from "./under-way.ts"

export interface HttpPortOptions {
  /** The maximum number of open connections if at most that many requests are in flight. */
  readonly concurrency: number
  /** The source of HTTP_PROXY, HTTPS_PROXY and NO_PROXY. Lowercase names take precedence. */
  readonly processEnvironment: ProcessEnvironment
  /** The `user-agent` of requests that don't set one, such as `callsheet/1.2.3`. Default: `callsheet`. */
  readonly userAgent?: string
  /** The cookie jars of an earlier run, to continue its sessions. Default: new jars. */
  readonly cookies?: Cookies | undefined
}

/** Creates the port. */
export function createHttpPort(options: HttpPortOptions): HttpPort {
  const parse = createTargetParser(readProxies(options.processEnvironment))
  const shared: Shared = {
    connections: createConnections(options.concurrency),
    cookies: options.cookies ?? createCookies(),
    parse,
    firstHop: createFirstHopFinder(parse),
    underWay: new UnderWay(),
    userAgent: options.userAgent ?? "callsheet",
  }
  return {
    send: (request, sendOptions) => sendRequest(shared, request, sendOptions),
    forgetCookies: shared.cookies.clear,
    close: () => shared.connections.close(),
  }
}
