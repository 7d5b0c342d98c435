// The starts of runs. Each answers its call once, and a login once more for each time that the user has to log in.

import { randomBytes } from "node:crypto"
import { CallsheetError } from "@callsheet/format"
import type { RunStarted } from "../calls/index.ts"
import { messages } from "../messages.ts"

export interface RunStart {
  readonly answer: (started: RunStarted) => void
  /** Answers with the URL of a login page. The next answer goes to `runs.login`. */
  readonly askToLogIn: (url: string) => void
  readonly isCancelled: () => boolean
}

interface Login {
  readonly next: Promise<RunStarted>
  readonly cancel: () => void
}

export class RunStarts {
  readonly #logins = new Map<string, Login>()

  /** Begins a start. `abort` is called if the user cancels a login. */
  begin(abort: () => void) {
    let waiting = createAnswer()
    let isCancelled = false
    const logins: string[] = []
    const start: RunStart = {
      answer: (started) => waiting.resolve(started),
      askToLogIn: (url) => {
        const { resolve } = waiting
        waiting = createAnswer()
        const login = randomBytes(16).toString("base64url")
        logins.push(login)
        const cancel = (): void => {
          isCancelled = true
          abort()
        }
        this.#logins.set(login, { next: waiting.promise, cancel })
        resolve({ login: { login, url } })
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

  next(login: string): Promise<RunStarted> {
    return this.#find(login).next
  }

  cancel(login: string): void {
    this.#find(login).cancel()
  }

  #find(login: string): Login {
    const found = this.#logins.get(login)
    if (found === undefined) throw ended()
    return found
  }
}

const ended = (): CallsheetError => new CallsheetError(messages["login-required"].ended())

function createAnswer() {
  let settle: { resolve: (started: RunStarted) => void; reject: (error: unknown) => void } | undefined
  const promise = new Promise<RunStarted>((resolve, reject) => {
    settle = { resolve, reject }
  })
  // The page may be gone before the answer.
  promise.catch(() => undefined)
  return {
    promise,
    resolve: (started: RunStarted): void => settle?.resolve(started),
    reject: (error: unknown): void => settle?.reject(error),
  }
}
