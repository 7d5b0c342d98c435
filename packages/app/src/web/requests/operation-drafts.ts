// What is filled in on the pages of operations, for as long as the page is open: texts of saved requests that nobody saved.

import { create } from "zustand"
import type { EditText } from "../blocks/form-context.tsx"

const useDrafts = create<{ readonly texts: ReadonlyMap<string, string> }>(() => ({ texts: new Map() }))

/** `first` is what it holds before anything is filled in. */
export const useOperationDraft = (key: string, first: string): string =>
  useDrafts(({ texts }) => texts.get(key) ?? first)

export const editOperationDraft =
  (key: string, first: string): EditText =>
  (edit) =>
    useDrafts.setState(({ texts }) => ({ texts: new Map(texts).set(key, edit(texts.get(key) ?? first)) }))
