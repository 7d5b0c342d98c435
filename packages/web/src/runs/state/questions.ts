// Questions of the server that need an answer before anything is sent. They are shown one by one.

import { create } from "zustand"
import type {
  FileName,
  LoginQuestion,
  ProductionQuestion,
  RunStarted,
  TrustQuestion,
} from "@callsheet/server/calls"
import { call } from "../../connection/call.ts"

type Question =
  | { readonly unsaved: readonly FileName[]; readonly what: SentKind }
  | { readonly ask: ProductionQuestion; readonly what: SentKind }
  | { readonly trust: TrustQuestion; readonly what: SentKind }
  | { readonly login: LoginQuestion; readonly what: SentKind }

export type SentKind = "run" | "send"

/** The properties of a dialog that asks a question. */
export interface QuestionProps<Q> {
  readonly question: Q
  readonly what: SentKind
  readonly onCancel: () => void
  readonly onConfirm: (answer: string) => void
}

export interface Asked {
  readonly question: Question
  readonly answer: (confirmation: string | undefined) => void
}

export const useQuestion = create<{ readonly asked: Asked | undefined }>(() => ({ asked: undefined }))

export interface Answers {
  readonly confirmation?: string
  readonly trust?: string
}

/** Sends an order, and sends it again after each answer. Undefined if the user refuses. */
export async function startAsking(
  what: SentKind,
  send: (answers: Answers) => Promise<RunStarted>,
): Promise<string | undefined> {
  let answers: Answers = {}
  let started = await send(answers)
  for (;;) {
    if ("run" in started) return started.run
    if ("login" in started) {
      const next = await waitForLogin(started.login, what)
      if (next === undefined) return undefined
      started = next
      continue
    }
    const yes = await ask({ ...started, what })
    if (yes === undefined) return undefined
    answers = "trust" in started ? { ...answers, trust: yes } : { ...answers, confirmation: yes }
    started = await send(answers)
  }
}

/** Shows the login until the server goes on. Undefined if the user cancels. */
async function waitForLogin(login: LoginQuestion, what: SentKind): Promise<RunStarted | undefined> {
  const waiting = new AbortController()
  const next = call("runs.login", { login: login.login }, { signal: waiting.signal })
  const canceled = ask({ login, what })
  const { asked } = useQuestion.getState()
  try {
    const started = await Promise.race([next, canceled])
    if (typeof started === "object") return started
    waiting.abort()
    await call("runs.cancelLogin", { login: login.login })
    return undefined
  } finally {
    next.catch(() => undefined)
    asked?.answer(undefined)
  }
}

/** Asks about files with unsaved changes. Undefined if the user cancels. */
export async function askAboutUnsaved(
  unsaved: readonly FileName[],
): Promise<"saved" | "as-saved-before" | undefined> {
  const answer = await ask({ unsaved, what: "run" })
  return answer === "saved" || answer === "as-saved-before" ? answer : undefined
}

function ask(question: Question): Promise<string | undefined> {
  // The earlier question isn't visible anymore.
  useQuestion.getState().asked?.answer(undefined)
  return new Promise((resolve) => {
    const asked: Asked = {
      question,
      answer: (confirmation) => {
        if (useQuestion.getState().asked === asked) useQuestion.setState({ asked: undefined })
        resolve(confirmation)
      },
    }
    useQuestion.setState({ asked })
  })
}
