// The extensions of the code editor. The open file handles undo and redo, so there is no history.

import {
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
  type CompletionSource,
} from "@codemirror/autocomplete"
import { defaultKeymap, indentWithTab } from "@codemirror/commands"
import { javascript } from "@codemirror/lang-javascript"
import { json } from "@codemirror/lang-json"
import { xml } from "@codemirror/lang-xml"
import {
  bracketMatching,
  foldGutter,
  foldKeymap,
  indentOnInput,
  indentUnit,
  syntaxHighlighting,
} from "@codemirror/language"
import { lintGutter, lintKeymap } from "@codemirror/lint"
import { search, searchKeymap, getSearchQuery, setSearchQuery } from "@codemirror/search"
import { EditorState, type Extension } from "@codemirror/state"
import {
  drawSelection,
  dropCursor,
  EditorView,
  highlightActiveLineGutter,
  highlightSpecialChars,
  keymap,
  lineNumbers,
  ViewPlugin,
  type ViewUpdate,
} from "@codemirror/view"
import { hiddenCharacters, visibleText } from "../../ui/visible-text.ts"
import { meanings, type FindMeaning } from "./meanings.ts"
import { highlighting, panelTheme, theme, tooltipTheme } from "./theme.ts"

/** Counting more would block typing. */
const MAX_MATCHES = 10_000

/** Shows the number of matches in the search panel, and which one is selected. */
const matchCount = ViewPlugin.define((view) => {
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

export type EditorLanguage = "json" | "typescript" | "xml" | "text"

const languages: { readonly [L in EditorLanguage]: () => Extension } = {
  json,
  typescript: () => javascript({ typescript: true }),
  xml,
  text: () => [],
}

export interface EditorLook {
  readonly language: EditorLanguage
  readonly label: string
  readonly isReadOnly: boolean
  /** The id of the element that describes the editor. */
  readonly describedBy: string
  readonly completions: CompletionSource | undefined
  readonly findMeaning?: FindMeaning | undefined
}

export function extensionsFor(text: string, look: EditorLook): Extension {
  const lineEnd = lineEndOf(text)
  return [
    EditorState.lineSeparator.of(lineEnd),
    EditorView.clipboardInputFilter.of((pasted) => pasted.replace(/\r\n?|\n/g, lineEnd)),
    indentUnit.of(indentOf(text)),
    languages[look.language](),
    completing(look),
    look.findMeaning === undefined ? [] : meanings(look.findMeaning),
    readOnly(look.isReadOnly),
    EditorView.contentAttributes.of({
      "aria-label": look.label,
      "aria-describedby": look.describedBy,
      // Without a tabindex, accessibility checks would report that the keyboard can't reach the scroll container.
      tabindex: "0",
      // Names in tests aren't spelling mistakes, and no text may leave the page for a spelling check.
      spellcheck: "false",
      autocorrect: "off",
      autocapitalize: "off",
      translate: "no",
    }),
    general,
  ]
}

function completing({ language, completions }: EditorLook): Extension {
  if (completions !== undefined)
    return [
      autocompletion({ icons: false }),
      EditorState.languageData.of(() => [{ autocomplete: completions }]),
    ]
  return language === "typescript" ? autocompletion({ icons: false }) : []
}

const readOnly = (isReadOnly: boolean): Extension =>
  isReadOnly ? [EditorState.readOnly.of(true)] : [indentOnInput(), closeBrackets(), dropCursor()]

const general: Extension = [
  lineNumbers(),
  lintGutter(),
  foldGutter(),
  highlightActiveLineGutter(),
  highlightSpecialChars({ specialChars: hiddenCharacters("\t\n"), render: specialCharacter }),
  drawSelection(),
  bracketMatching(),
  search({ top: true }),
  matchCount,
  syntaxHighlighting(highlighting),
  theme,
  panelTheme,
  tooltipTheme,
  keymap.of([
    ...closeBracketsKeymap,
    ...completionKeymap,
    ...searchKeymap,
    ...foldKeymap,
    ...lintKeymap,
    // The page handles Ctrl-Enter, which runs the workflow.
    ...defaultKeymap.filter(({ key }) => key !== "Mod-Enter"),
    indentWithTab,
  ]),
]

function specialCharacter(code: number, description: string | null): HTMLElement {
  const mark = document.createElement("span")
  const shown = visibleText(String.fromCodePoint(code))
  mark.textContent = shown
  mark.className = "cm-specialChar"
  mark.title = description ?? shown
  return mark
}

/** Returns CRLF if all line ends are CRLF, otherwise LF. With LF, a carriage return is a normal character. */
export function lineEndOf(text: string): "\r\n" | "\n" {
  const first = text.indexOf("\n")
  if (first < 1 || text[first - 1] !== "\r") return "\n"
  return /(?:^|[^\r])\n|\r(?!\n)/.test(text) ? "\n" : "\r\n"
}

export const withPlainEnds = (text: string, lineEnd: "\r\n" | "\n"): string =>
  lineEnd === "\n" ? text : text.replaceAll("\r\n", "\n")

/** Returns the indentation of the first indented line. */
function indentOf(text: string): string {
  const [, indent] = /\n(\t|[ ]{1,8})\S/.exec(text.slice(0, 10_000)) ?? []
  return indent ?? "  "
}
