// Creates an editor in a shadow root with constructed style sheets, because the page's Content-Security-Policy blocks
// all other styles.

import { setDiagnostics } from "@codemirror/lint"
import { openSearchPanel } from "@codemirror/search"
import {
  Annotation,
  Compartment,
  EditorState,
  Text,
  type Extension,
  type Transaction,
} from "@codemirror/state"
import { EditorView, type EditorViewConfig, type ViewUpdate } from "@codemirror/view"
import type { Problem } from "@callsheet/format"
import { changeBetween } from "../text/text-change.ts"
import { diagnosticsOf, rangeOf, type Mark } from "./diagnostics.ts"
import { extensionsFor, type EditorLook, lineEndOf, withPlainEnds } from "./extensions.ts"
import { lineActions, setTicks, type LineActions } from "./line-actions.ts"
import { wrappedLines } from "./wrapped-lines.ts"
import { isTypingPlaceholder, placeholders, type PlaceholderActions } from "./placeholders.ts"

export interface MountedEditor {
  /** Shows the text if it differs. The cursor stays, or moves to the change. */
  readonly show: (text: string) => void
  readonly mark: (problems: readonly Mark[]) => void
  /** Selects the position of a problem, and focuses the editor. */
  readonly goTo: (problem: Pick<Problem, "line" | "column">) => void
  readonly focus: () => void
  /** Opens the search panel. */
  readonly find: () => void
  /** Marks these lines as ticked. Their numbers are 1-based. */
  readonly tick: (lines: ReadonlySet<number>) => void
  /** Returns the line of the cursor, to show something next to it. */
  readonly cursorLine: () => Element | null
  /** Wraps long lines, or stops wrapping them. */
  readonly wrap: (wraps: boolean) => void
  readonly close: () => void
}

interface EditorContent extends Omit<EditorLook, "describedBy"> {
  readonly text: string
  /** Edits in a row with the same `merge` share an undo step. */
  readonly onChange: (text: string, merge: string | undefined) => void
  /** Called when the cursor hasn't moved for a short time. Line and column are 1-based. */
  readonly onCursor: (place: CursorPlace) => void
  /** The first position of the cursor, scrolled to the top. The editor doesn't take the focus. */
  readonly startsAt?: CursorPlace | undefined
  readonly lines?: LineActions | undefined
  readonly placeholders?: PlaceholderActions | undefined
  /** True if long lines wrap. It takes too long for text of several megabytes. */
  readonly wraps?: boolean | undefined
}

export interface CursorPlace {
  readonly line: number
  readonly column: number
}

const cursorPauseMs = 150

const fromOutside = Annotation.define<boolean>()

const keysId = "keys"

export function mountEditor(host: HTMLElement, content: EditorContent): MountedEditor {
  const root = host.shadowRoot ?? host.attachShadow({ mode: "open" })
  const place = makePlace(root, content.isReadOnly)
  let shown = content.text
  let cursorTimer: ReturnType<typeof setTimeout> | undefined
  const marks = createMarks()
  const wrapping = createWrapping(content.wraps)
  const listen = EditorView.updateListener.of((update: ViewUpdate) => {
    if (content.placeholders !== undefined) marks.follow(update.view)
    if (update.selectionSet && view.hasFocus) {
      clearTimeout(cursorTimer)
      cursorTimer = setTimeout(reportCursor, cursorPauseMs)
    }
    if (!update.docChanged || update.transactions.some((change) => change.annotation(fromOutside) === true))
      return
    shown = update.state.sliceDoc()
    content.onChange(shown, mergeKeyOf(update.transactions))
  })
  const reportCursor = (): void => {
    clearTimeout(cursorTimer)
    cursorTimer = undefined
    content.onCursor(cursorOf(view))
  }
  const stateOf = (text: string): EditorState =>
    EditorState.create({
      // The editor would treat plain line ends as part of a line, so split the text here.
      doc: toEditorText(withPlainEnds(text, lineEndOf(text))),
      extensions: [
        lineActions(content.lines),
        placeholders(content.placeholders),
        extensionsFor(text, { ...content, describedBy: keysId }),
        wrapping.extension(),
        listen,
      ],
    })
  const state = stateOf(content.text)
  const view = new EditorView({ ...startOf(state, content.startsAt), parent: place, root })
  return {
    show: (text) => {
      if (text === shown) return
      const isOtherEnd = lineEndOf(text) !== lineEndOf(shown)
      shown = text
      if (isOtherEnd) view.setState(stateOf(text))
      else showChange(view, withPlainEnds(text, lineEndOf(text)))
    },
    mark: (problems) => marks.mark(view, problems),
    goTo: (problem) => goTo(view, problem),
    focus: () => view.focus(),
    find: () => openSearchPanel(view),
    tick: (lines) => view.dispatch({ effects: setTicks.of(lines) }),
    wrap: (wraps) => wrapping.change(view, wraps),
    cursorLine: () => root.querySelector(".cm-activeLine"),
    close: () => {
      // Report the last position even if the editor closes before the timer fires.
      if (cursorTimer !== undefined) reportCursor()
      view.destroy()
      place.remove()
    },
  }
}

/** The wrapping of lines, which can change while the editor keeps its search, its folds and its position. */
function createWrapping(first = false) {
  const place = new Compartment()
  let wraps = first
  const current = (): Extension => (wraps ? wrappedLines : [])
  return {
    extension: () => place.of(current()),
    change: (view: EditorView, next: boolean): void => {
      if (next === wraps) return
      wraps = next
      view.dispatch({ effects: place.reconfigure(current()) })
    },
  }
}

/** Marks problems, except on the line where the user is still typing a placeholder. */
function createMarks() {
  let problems: readonly Mark[] = []
  let isTyping = false
  const draw = (view: EditorView): void => {
    const shown = isTyping ? problems.filter(({ line }) => line !== cursorOf(view).line) : problems
    view.dispatch(setDiagnostics(view.state, [...diagnosticsOf(shown, view.state.doc)]))
  }
  return {
    mark: (view: EditorView, found: readonly Mark[]): void => {
      problems = found
      draw(view)
    },
    follow: (view: EditorView): void => {
      const before = isTyping
      isTyping = view.hasFocus && isTypingPlaceholder(view.state)
      if (before !== isTyping) draw(view)
    },
  }
}

function goTo(view: EditorView, problem: Pick<Problem, "line" | "column">): void {
  const { from, to } = rangeOf(problem, view.state.doc)
  view.dispatch({
    selection: { anchor: from, head: to },
    effects: EditorView.scrollIntoView(from, { y: "center" }),
  })
  view.focus()
}

function startOf(
  state: EditorState,
  at: CursorPlace | undefined,
): Pick<EditorViewConfig, "state" | "scrollTo"> {
  if (at === undefined) return { state }
  const { from } = rangeOf(at, state.doc)
  return {
    state: state.update({ selection: { anchor: from } }).state,
    scrollTo: EditorView.scrollIntoView(from, { y: "start", yMargin: 24 }),
  }
}

const toEditorText = (plain: string): Text => Text.of(plain.split("\n"))

function cursorOf({ state }: EditorView): CursorPlace {
  const { head } = state.selection.main
  const line = state.doc.lineAt(head)
  return { line: line.number, column: head - line.from + 1 }
}

function showChange(view: EditorView, text: string): void {
  const change = changeBetween(view.state.doc.toString(), text)
  if (change === undefined) return
  const end = change.at + change.inserted.length
  view.dispatch({
    changes: {
      from: change.at,
      to: change.at + change.removed.length,
      insert: toEditorText(change.inserted),
    },
    annotations: fromOutside.of(true),
    // An undo in the editor moves the cursor to the change. An edit in a form doesn't.
    ...(view.hasFocus ? { selection: { anchor: end }, scrollIntoView: true } : {}),
  })
}

/** Returns the key with which continued typing becomes one undo step. */
function mergeKeyOf(transactions: readonly Transaction[]): string | undefined {
  if (transactions.some((change) => change.isUserEvent("input.type"))) return "editor.type"
  return transactions.some((change) => change.isUserEvent("delete")) ? "editor.delete" : undefined
}

function makePlace(root: ShadowRoot, isReadOnly: boolean): HTMLElement {
  const place = document.createElement("div")
  place.style.height = "100%"
  const keys = document.createElement("p")
  keys.id = keysId
  keys.hidden = true
  keys.textContent = isReadOnly
    ? "Read only."
    : "Tab indents. Escape, then Tab leaves the editor. Ctrl F searches. F8 goes to the next problem."
  place.append(keys)
  root.append(place)
  return place
}
