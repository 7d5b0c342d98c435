// The meaning of a name in the text: shown under the pointer, and followed to where the name is defined.

import type { Extension } from "@codemirror/state"
import { EditorView, hoverTooltip, keymap } from "@codemirror/view"
import { visibleLines } from "../../ui/visible-text.ts"

export interface Meaning {
  /** A line of code, such as `lines: Line[]`. */
  readonly type: string
  readonly documentation: string
  /** Shows the definition. Absent if it isn't in the project. */
  readonly goTo?: (() => void) | undefined
}

export type FindMeaning = (view: EditorView, position: number) => Promise<Meaning | undefined>

const hoverMs = 300

export const meanings = (find: FindMeaning): Extension => [
  hoverTooltip(
    async (view, position) => {
      const meaning = await find(view, position)
      const word = view.state.wordAt(position)
      if (meaning === undefined || word === null) return null
      const { from: pos, to: end } = word
      return { pos, end, above: true, create: () => ({ dom: describeMeaning(meaning) }) }
    },
    { hoverTime: hoverMs },
  ),
  keymap.of([{ key: "F12", run: (view) => follow(view, view.state.selection.main.head, find) }]),
  EditorView.domEventHandlers({
    mousedown: (event, view) => {
      if (event.button !== 0 || !(event.ctrlKey || event.metaKey)) return false
      const position = view.posAtCoords({ x: event.clientX, y: event.clientY })
      if (position === null) return false
      event.preventDefault()
      return follow(view, position, find)
    },
  }),
]

function follow(view: EditorView, position: number, find: FindMeaning): true {
  const { doc } = view.state
  void find(view, position).then((meaning) => {
    // An answer about an earlier text could lead to the wrong place. The user may also have left the editor.
    if (view.state.doc === doc && view.dom.isConnected) meaning?.goTo?.()
  })
  return true
}

export function describeMeaning({ type, documentation }: Meaning): HTMLElement {
  const dom = document.createElement("div")
  dom.className = "cm-meaning"
  const code = document.createElement("code")
  code.textContent = visibleLines(type)
  dom.append(code)
  if (documentation !== "") {
    const text = document.createElement("p")
    text.textContent = visibleLines(documentation)
    dom.append(text)
  }
  return dom
}
