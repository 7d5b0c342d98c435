// The real HTTP port, over Node's own client.

import type { HttpPort } from "../../ports.ts"
import { createConnections } from "./connections.ts"
import { createCookies, type Cookies } from "./cookies.ts"
import { createFirstHopFinder } from "./first-hop.ts"
import { createTargetParser } from "./origin.ts"
import { readProxies, type ProcessEnvironment } from "./proxy.ts"
import { sendRequest, type Shared } from "./sending.ts"
import { UnderWay } from "./under-way.ts"

export interface HttpPortOptions {
  /** Open connections at most, as long as no more requests than that are under way. */
  readonly concurrency: number
  /** Where HTTP_PROXY, HTTPS_PROXY and NO_PROXY are looked up, lower case first. */
  readonly processEnvironment: ProcessEnvironment
  /** The `user-agent` of requests that set none: `callsheet/1.2.3`. Left out: `callsheet`. */
  readonly userAgent?: string
  /** Those of a run before, for one that goes on with them. Left out: none. */
  readonly cookies?: Cookies | undefined
}

/**
 * Makes the port. Its cookie jars live as long as it does, where none are given: make one for each run.
 *
 * @example
 * const http = createHttpPort({ concurrency: 32, processEnvironment: process.env })
 */
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
    close: () => shared.connections.close(),
  }
}
