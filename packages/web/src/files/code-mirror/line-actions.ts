// Actions on the lines of a read-only text: a menu, and boxes to tick.

import { Prec, StateEffect, StateField, type Extension } from "@codemirror/state"
import { EditorView, gutter, GutterMarker, highlightActiveLine, keymap } from "@codemirror/view"

export interface LineActions {
  /** Opens the menu of the cursor's line, which is scrolled into view. Absent if there is no menu. */
  readonly onMenu?: ((line: number) => void) | undefined
  /** Ticks a line, or clears its tick. Returns false if it can't be ticked. */
  readonly onTick: (line: number) => boolean
}

/** Sets the numbers of the ticked lines. */
export const setTicks = StateEffect.define<ReadonlySet<number>>()

const ticks = StateField.define<ReadonlySet<number>>({
  create: () => new Set(),
  update: (before, { effects }) => effects.findLast((effect) => effect.is(setTicks))?.value ?? before,
})

class Box extends GutterMarker {
  readonly #isTicked: boolean
  constructor(isTicked: boolean) {
    super()
    this.#isTicked = isTicked
  }
  override toDOM(): HTMLElement {
    const box = document.createElement("span")
    box.className = this.#isTicked ? "cm-tick cm-ticked" : "cm-tick"
    box.textContent = "✓"
    return box
  }
}

const boxes = { true: new Box(true), false: new Box(false) }

const lineAt = (view: EditorView, offset: number): number => view.state.doc.lineAt(offset).number

const atCursor = (does: (line: number) => boolean | void) => (view: EditorView) => {
  view.dispatch({ effects: EditorView.scrollIntoView(view.state.selection.main.head) })
  return does(lineAt(view, view.state.selection.main.head)) !== false
}

/** Does nothing without actions. */
export function lineActions(actions: LineActions | undefined): Extension {
  if (actions === undefined) return []
  const { onMenu, onTick } = actions
  return [
    ticks,
    highlightActiveLine(),
    gutter({
      class: "cm-ticks",
      lineMarker: (view, { from }) => {
        const { number, text } = view.state.doc.lineAt(from)
        if (/^\s*[}\]]/.test(text)) return null
        return boxes[`${view.state.field(ticks).has(number)}`]
      },
      lineMarkerChange: ({ startState, state }) => startState.field(ticks) !== state.field(ticks),
      initialSpacer: () => boxes.false,
      domEventHandlers: {
        mousedown: (view, { from }) => onTick(lineAt(view, from)),
      },
    }),
    Prec.high(keymap.of([{ key: "Space", run: atCursor(onTick) }])),
    ...(onMenu === undefined ? [] : [lineMenu(onMenu)]),
  ]
}

const menuKeys = ["Enter", "Shift-F10", "ContextMenu"] as const

function lineMenu(onMenu: (line: number) => void): Extension {
  return [
    Prec.high(keymap.of(menuKeys.map((key) => ({ key, run: atCursor(onMenu) })))),
    EditorView.domEventHandlers({
      contextmenu: (event, view) => {
        const offset = view.posAtCoords({ x: event.clientX, y: event.clientY })
        if (offset === null) return false
        view.dispatch({ selection: { anchor: offset } })
        onMenu(lineAt(view, offset))
        event.preventDefault()
        return true
      },
    }),
  ]
}
