// The starts of runs and logins. Each answers its call once, and once more for each time that the user has to log in.

import { randomBytes } from "node:crypto"
import { CallsheetError } from "@callsheet/format"
import type { LoginQuestion } from "../calls/index.ts"
import { messages } from "../messages.ts"

export interface Start<Started> {
  readonly answer: (started: Started) => void
  /** Answers with the URL of a login page. The next answer goes to the call that waits for the login. */
  readonly askToLogIn: (url: string) => void
  readonly isCancelled: () => boolean
}

interface Login<Started> {
  readonly next: Promise<Started>
  readonly cancel: () => void
}

export class Starts<Started> {
  readonly #logins = new Map<string, Login<Started>>()
  readonly #ask: (login: LoginQuestion) => Started

  constructor(ask: (login: LoginQuestion) => Started) {
    this.#ask = ask
  }

  /** Begins a start. `abort` is called if the user cancels a login. */
  begin(abort: () => void) {
    let waiting = createAnswer<Started>()
    let isCancelled = false
    const logins: string[] = []
    const start: Start<Started> = {
      answer: (started) => waiting.resolve(started),
      askToLogIn: (url) => {
        const { resolve } = waiting
        waiting = createAnswer<Started>()
        const login = randomBytes(16).toString("base64url")
        logins.push(login)
        const cancel = (): void => {
          isCancelled = true
          abort()
        }
        this.#logins.set(login, { next: waiting.promise, cancel })
        resolve(this.#ask({ login, url }))
      },
      isCancelled: () => isCancelled,
    }
    return {
      ...start,
      first: waiting.promise,
      fail: (error: unknown): void => waiting.reject(error),
      end: (): void => {
        waiting.reject(ended())
        for (const login of logins) this.#logins.delete(login)
      },
    }
  }

  next(login: string): Promise<Started> {
    return this.#find(login).next
  }

  cancel(login: string): void {
    this.#find(login).cancel()
  }

  #find(login: string): Login<Started> {
    const found = this.#logins.get(login)
    if (found === undefined) throw ended()
    return found
  }
}

const ended = (): CallsheetError => new CallsheetError(messages["login-required"].ended())

function createAnswer<Started>() {
  let settle: { resolve: (started: Started) => void; reject: (error: unknown) => void } | undefined
  const promise = new Promise<Started>((resolve, reject) => {
    settle = { resolve, reject }
  })
  // The page may be gone before the answer.
  promise.catch(() => undefined)
  return {
    promise,
    resolve: (started: Started): void => settle?.resolve(started),
    reject: (error: unknown): void => settle?.reject(error),
  }
}
