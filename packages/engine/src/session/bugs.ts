// What a session does if callsheet itself is wrong: the part that failed ends with an error, and everything else goes on.

import { CallsheetError, type Finding, type RunError } from "@callsheet/format"
import { messages } from "../messages.ts"

export type Bugs = ReturnType<typeof createBugs>

/** Creates the place where a session notes unexpected errors. `onBug` receives them, to print them. */
export function createBugs(onBug: ((error: unknown) => void) | undefined) {
  let count = 0
  const note = (error: unknown): Finding => {
    count++
    if (error instanceof CallsheetError) return error
    onBug?.(error)
    // The error's message may quote a secret.
    const name = error instanceof Error && /^[A-Za-z]{1,40}$/.test(error.name) ? error.name : typeof error
    return messages["unexpected-error"].bug(name)
  }
  return {
    /** Notes an error. The session can't end with success from then on. Returns what to report in its place. */
    note,
    isEmpty: (): boolean => count === 0,
    /** Wraps a function whose caller must not see an error. */
    guard:
      <Given extends unknown[]>(call: (...given: Given) => void) =>
      (...given: Given): void => {
        try {
          call(...given)
        } catch (error) {
          note(error)
        }
      },
  }
}

export const runErrorOf = ({ code, message }: Finding): RunError => ({ code, message, problems: [] })
