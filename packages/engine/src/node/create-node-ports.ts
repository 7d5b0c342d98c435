// Creates the ports of a run in a Node process. Loads only what a run uses.

import type { AuthPort, Clock, FilePort, Ports, Random } from "../ports.ts"
import type { Logins } from "./auth/token-store.ts"
import { createHttpPort, type HttpPortOptions } from "./http/create-http-port.ts"
import { createLazyScriptPort } from "./lazy-script-port.ts"
import { createOutlineStore } from "./outline-store.ts"
import type { ScriptPortOptions } from "./script/script-port.ts"
import { monotonicMs } from "./monotonic.ts"
import { findExposedSecrets } from "./programs/find-exposed-secrets.ts"
import { createUserPort } from "./user/user-port.ts"

interface NodePortsOptions extends HttpPortOptions, ScriptPortOptions {
  /** The maximum number of concurrent requests, and of concurrent scripts. */
  readonly concurrency: number
  readonly files: FilePort
  readonly userAgent: string
  /** Keeps logins for other ports. By default, they end with these. */
  readonly logins?: Logins | undefined
  readonly scriptEntry: URL
}

export function createNodePorts(options: NodePortsOptions): Ports {
  const user = createUserPort(options)
  const http = createHttpPort({ ...options, certificateOf: user.certificateOf })
  const world = { http, clock: systemClock, random: systemRandom }
  let auth: Promise<AuthPort> | undefined
  const loadAuth = () =>
    (auth ??= import("./auth/auth-port.ts").then(({ createAuthPort }) =>
      createAuthPort(world, options.logins),
    ))
  return {
    http,
    user,
    auth: {
      send: async (...parameters) => (await loadAuth()).send(...parameters),
      logIn: async (...parameters) => (await loadAuth()).logIn(...parameters),
    },
    scripts: createLazyScriptPort(options),
    files: options.files,
    findExposedSecrets: (files) => findExposedSecrets(files, options),
    clock: systemClock,
    random: systemRandom,
    outlines: createOutlineStore(),
  }
}

// Loading `node:crypto` takes several milliseconds, and most runs generate no random values.
const crypto = () => process.getBuiltinModule("node:crypto")

/** `integer` takes bounds up to 2^48 - 1. */
export const systemRandom: Random = {
  integer: (bound) => crypto().randomInt(bound),
  uuid: () => crypto().randomUUID(),
}

export const systemClock: Clock = {
  now: () => Date.now(),
  elapsed: monotonicMs,
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      const finish = (): void => {
        clearTimeout(timer)
        signal.removeEventListener("abort", finish)
        resolve()
      }
      const timer = setTimeout(finish, ms)
      if (signal.aborted) finish()
      else signal.addEventListener("abort", finish, { once: true })
    }),
}
