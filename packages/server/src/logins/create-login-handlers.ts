// Answers calls about logins without a run. A token stays in the engine's memory, so no answer contains one.

import type { Logins } from "@callsheet/engine"
import { CallsheetError, type Finding } from "@callsheet/format"
import type { Input, LoginStarted } from "../calls/index.ts"
import type { HandlersOf } from "../handlers.ts"
import { messages } from "../messages.ts"
import type { AuthenticatedProject } from "../project/read-authentication.ts"
import type { WithPorts } from "../runs/going-run.ts"
import { Starts, type Start } from "../runs/run-starts.ts"

interface LoginHandlersOptions extends AuthenticatedProject {
  readonly withPorts: WithPorts
  /** The same as those of runs. */
  readonly logins: Logins
  /** Returns whether other machines can reach the server. If so, nobody logs in. */
  readonly isRemote: () => boolean
  readonly onBug: (error: unknown) => void
}

/** The maximum number of logins that wait. Another one cancels the oldest. */
const MAX_WAITING = 4

export function createLoginHandlers(options: LoginHandlersOptions) {
  const starts = new Starts<LoginStarted>((login) => ({ login }))
  const waiting = new Set<AbortController>()
  const begin = (input: Input<"logins.start">): Promise<LoginStarted> => {
    if (options.isRemote()) throw new CallsheetError(messages["remote-refused"].login())
    const [oldest] = waiting
    if (waiting.size >= MAX_WAITING) oldest?.abort()
    const controller = new AbortController()
    waiting.add(controller)
    const start = starts.begin(() => controller.abort())
    void logIn(input, { ...options, start, signal: controller.signal })
      .then((fault) =>
        fault === undefined ? start.answer({ isLoggedIn: true }) : start.fail(new CallsheetError(fault)),
      )
      .catch(start.fail)
      .finally(() => {
        waiting.delete(controller)
        start.end()
      })
    return start.first
  }
  const handlers: HandlersOf<"logins"> = {
    "logins.start": async (input) => begin(input),
    "logins.wait": ({ login }) => starts.next(login),
    "logins.cancel": async ({ login }) => {
      starts.cancel(login)
      return {}
    },
    "logins.end": async (input) => {
      for (const key of await keysOf(input, options)) options.logins.delete(key)
      return {}
    },
  }
  return {
    handlers,
    close: (): void => {
      for (const controller of waiting) controller.abort()
    },
  }
}

interface LoggingIn extends LoginHandlersOptions {
  readonly start: Start<LoginStarted>
  readonly signal: AbortSignal
}

/** Returns why the login failed. */
async function logIn(
  { scheme, ...named }: Input<"logins.start">,
  { start, signal, ...options }: LoggingIn,
): Promise<Finding | undefined> {
  const { findAuthenticated } = await import("../project/read-authentication.ts")
  const { masker, ...found } = await findAuthenticated(named, options)
  const { createCookies, logInTo } = await import("@callsheet/engine")
  const kept = { cookies: createCookies(), scriptContents: new Map(), logins: options.logins }
  const fault = await options.withPorts(kept, (ports) =>
    logInTo({ ...found, scheme }, { ports, signal, onUrl: start.askToLogIn, onBug: options.onBug }),
  )
  if (fault === undefined) return undefined
  const { code, message, hint } = fault
  return { code, message: masker.text(message), hint: hint === undefined ? undefined : masker.text(hint) }
}

/** Returns the keys of a scheme's clients. */
async function keysOf({ scheme, ...named }: Input<"logins.end">, project: AuthenticatedProject) {
  const { findAuthenticated } = await import("../project/read-authentication.ts")
  const { operation, document, environment } = await findAuthenticated(named, project)
  const { describeAuth } = await import("@callsheet/engine")
  const { alternatives } = describeAuth({ operation, document, environment, isSet: () => false })
  return alternatives
    .flat()
    .flatMap(({ scheme: { name }, auth }) => (name === scheme && auth?.kind === "oauth2" ? [auth.key] : []))
}
