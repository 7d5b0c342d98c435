// What is filled in on the pages of operations, for as long as the page is open: texts of saved requests that nobody saved.

import { create } from "zustand"
import type { EditedText } from "../blocks/form-context.tsx"
import { noHistory, redoStep, undoStep, withStep, type EditHistory } from "../editing/edit-history.ts"
import { changeBetween } from "../editing/text-change.ts"

interface Draft {
  readonly text: string
  readonly history: EditHistory
}

const useDrafts = create<{ readonly drafts: ReadonlyMap<string, Draft> }>(() => ({ drafts: new Map() }))

/** `first` is what it holds before anything is filled in. */
export const useOperationDraft = (key: string, first: string): string =>
  useDrafts(({ drafts }) => drafts.get(key)?.text ?? first)

/** How it is edited; each step can be taken back and done again. */
export function operationDraft(key: string, first: string): EditedText {
  const now = (): Draft => useDrafts.getState().drafts.get(key) ?? { text: first, history: noHistory }
  const put = (draft: Draft | undefined): void => {
    if (draft !== undefined) useDrafts.setState(({ drafts }) => ({ drafts: new Map(drafts).set(key, draft) }))
  }
  return {
    now: () => now().text,
    edit: (edit, merge) => {
      const { text, history } = now()
      const next = edit(text)
      const change = changeBetween(text, next)
      if (change !== undefined)
        put({ text: next, history: withStep(history, change, { merge, now: Date.now() }) })
    },
    undo: () => put(undoStep(now().history, now().text)),
    redo: () => put(redoStep(now().history, now().text)),
  }
}
