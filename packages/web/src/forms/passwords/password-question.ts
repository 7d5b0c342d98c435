// The question about passwords that waits for an answer.

import { create } from "zustand"
import { askBeforeSavingRequests } from "../../files/text-to-save.ts"
import type { PlainPassword } from "./plain-passwords.ts"

export interface PasswordQuestion {
  readonly api: string
  readonly passwords: readonly PlainPassword[]
  /** `plain` saves them as they are. Otherwise, the variables that hold them, in the same order. */
  readonly answer: (answer: "plain" | "cancel" | readonly string[]) => void
}

export const usePasswordQuestion = create<{ readonly asked: PasswordQuestion | undefined }>(() => ({
  asked: undefined,
}))

/** Asks before the file of a saved request gets a password. The code is loaded when the first request is saved. */
export const watchPasswords = (): void =>
  askBeforeSavingRequests(async ({ api }, text, onDisk) =>
    (await import("./ask-about-passwords.ts")).askAboutPasswords(api, text, onDisk),
  )
