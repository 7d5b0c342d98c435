// Questions of the server that need an answer before anything is sent. They are shown one by one.

import { create } from "zustand"
import type { FileName, ProductionQuestion, TrustQuestion } from "@callsheet/server/calls"

type Question =
  | { readonly unsaved: readonly FileName[]; readonly what: SentKind }
  | { readonly ask: ProductionQuestion; readonly what: SentKind }
  | { readonly trust: TrustQuestion; readonly what: SentKind }

export type SentKind = "run" | "send"

interface Asked {
  readonly question: Question
  readonly answer: (confirmation: string | undefined) => void
}

export const useQuestion = create<{ readonly asked: Asked | undefined }>(() => ({ asked: undefined }))

export interface Answers {
  readonly confirmation?: string
  readonly trust?: string
}

type Started =
  | { readonly run: string }
  | { readonly ask: ProductionQuestion }
  | { readonly trust: TrustQuestion }

/** Sends an order, and sends it again after each answer. Undefined if the user refuses. */
export async function startAsking(
  what: SentKind,
  send: (answers: Answers) => Promise<Started>,
): Promise<string | undefined> {
  let answers: Answers = {}
  for (;;) {
    const started = await send(answers)
    if ("run" in started) return started.run
    const yes = await ask({ ...started, what })
    if (yes === undefined) return undefined
    answers = "trust" in started ? { ...answers, trust: yes } : { ...answers, confirmation: yes }
  }
}

/** Asks about files with unsaved changes. Undefined if the user cancels. */
export async function askAboutUnsaved(
  what: SentKind,
  unsaved: readonly FileName[],
): Promise<"saved" | "as-saved-before" | undefined> {
  const answer = await ask({ unsaved, what })
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
