// Marks placeholders in the code editor, and reports the one under the pointer or at the cursor.

import { Prec, type EditorState, type Extension } from "@codemirror/state"
import { Decoration, EditorView, keymap, MatchDecorator, ViewPlugin, type ViewUpdate } from "@codemirror/view"
import type { LineColumn } from "@callsheet/format"
import { openTokens, tokenAt, tokensIn, type FieldToken } from "@callsheet/language"

/** A placeholder in the text. Line and column are 1-based. */
export interface EditorToken extends FieldToken, LineColumn {
  readonly element: () => Element | null
}

export interface PlaceholderActions {
  /** The placeholder under the pointer. */
  readonly onHover: (token: EditorToken | undefined) => void
  readonly onShow: (token: EditorToken) => void
  readonly onGo: (token: EditorToken) => void
}

/** The actions must not change. */
export function placeholders(actions: PlaceholderActions | undefined): Extension {
  if (actions === undefined) return []
  const under = (event: MouseEvent, view: EditorView): EditorToken | undefined => {
    const { target } = event
    const isChip = target instanceof Element && target.closest(".cm-chip") !== null
    const at = isChip ? view.posAtCoords({ x: event.clientX, y: event.clientY }) : null
    return at === null ? undefined : tokenIn(view, at)
  }
  const run =
    (act: (token: EditorToken) => void) =>
    (view: EditorView): boolean => {
      const token = tokenIn(view, view.state.selection.main.head)
      if (token !== undefined) act(token)
      return token !== undefined
    }
  return [
    chips,
    EditorView.domEventHandlers({
      mousemove: (event, view) => actions.onHover(under(event, view)),
      mouseleave: () => actions.onHover(undefined),
      mousedown: (event, view) => {
        const token = event.button === 0 && (event.ctrlKey || event.metaKey) ? under(event, view) : undefined
        if (token === undefined) return false
        event.preventDefault()
        actions.onGo(token)
        return true
      },
    }),
    Prec.high(
      keymap.of([
        { key: "Mod-i", run: run(actions.onShow) },
        { key: "Mod-b", run: run(actions.onGo) },
      ]),
    ),
  ]
}

/** Returns the placeholder at an offset. A string of JSON never spans lines. */
function tokenIn(view: EditorView, at: number): EditorToken | undefined {
  const { from, text, number: line } = view.state.doc.lineAt(at)
  const token = tokenAt(tokensIn(text, "text"), at - from)
  if (token === undefined) return undefined
  return {
    ...token,
    line,
    column: token.from + 1,
    from: from + token.from,
    to: from + token.to,
    element: () => {
      const { node } = view.domAtPos(from + token.from + 1)
      return node instanceof Element ? node : node.parentElement
    },
  }
}

/** Returns whether the user is still typing a placeholder at the cursor. */
export function isTypingPlaceholder({ doc, selection }: EditorState): boolean {
  const { from, text } = doc.lineAt(selection.main.head)
  return openTokens(text.slice(0, selection.main.head - from)).length > 0
}

const matcher = new MatchDecorator({
  regexp: /\{\{(?:(?!\{\{|\}\}).)+\}\}/g,
  // CodeMirror's own .cm-placeholder is gray and can't be selected.
  decoration: Decoration.mark({ class: "cm-chip" }),
})

const chips = ViewPlugin.define(
  (view) => {
    let decorations = matcher.createDeco(view)
    return {
      update: (update: ViewUpdate) => void (decorations = matcher.updateDeco(update, decorations)),
      decorations: () => decorations,
    }
  },
  { decorations: (plugin) => plugin.decorations() },
)
