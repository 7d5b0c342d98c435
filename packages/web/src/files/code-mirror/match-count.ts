// Shows the number of matches in the search panel, and which one is selected.

import { getSearchQuery, setSearchQuery } from "@codemirror/search"
import type { EditorState } from "@codemirror/state"
import { ViewPlugin, type EditorView, type ViewUpdate } from "@codemirror/view"

/** Counting more would block typing. */
const MAX_MATCHES = 10_000

export const matchCount = ViewPlugin.define((view) => {
  const words = document.createElement("span")
  words.className = "cm-match-count"
  words.setAttribute("role", "status")
  return {
    update: (update: ViewUpdate) => {
      const isNewQuery = update.transactions.some(({ effects }) =>
        effects.some((one) => one.is(setSearchQuery)),
      )
      if (words.isConnected && !isNewQuery && !update.selectionSet && !update.docChanged) return
      // The panel is added after the update.
      queueMicrotask(() => show(view, words))
    },
  }
})

function show(view: EditorView, words: HTMLElement): void {
  const field = view.dom.querySelector(".cm-search [name=search]")
  if (field === null) return
  if (!words.isConnected) field.after(words)
  const text = countWords(view.state)
  if (words.textContent !== text) words.textContent = text
}

function countWords(state: EditorState): string {
  const query = getSearchQuery(state)
  if (query.search === "" || !query.valid) return ""
  const { from, to } = state.selection.main
  let total = 0
  let current = 0
  const matches = query.getCursor(state)
  for (let next = matches.next(); next.done !== true && total < MAX_MATCHES; next = matches.next()) {
    total++
    if (next.value.from === from && next.value.to === to) current = total
  }
  const all = total === MAX_MATCHES ? `${total.toLocaleString("en")}+` : total.toLocaleString("en")
  return current === 0 ? `${all} found` : `${current.toLocaleString("en")} of ${all}`
}
