// Wraps long lines, with the indentation of the line before the parts that follow.

import type { Extension } from "@codemirror/state"
import { Decoration, EditorView, ViewPlugin, type DecorationSet, type ViewUpdate } from "@codemirror/view"

/** Deeper lines would leave no room for their text. In characters. */
const MAX_INDENT = 24

/** The left padding of a line in the theme, in pixels. */
const padding = 6

const hanging = Array.from({ length: MAX_INDENT + 1 }, (_, indent) =>
  Decoration.line({
    attributes: { style: `padding-left: calc(${padding}px + ${indent}ch); text-indent: -${indent}ch` },
  }),
)

const indents = ViewPlugin.define(
  (view) => {
    const plugin = {
      decorations: decorate(view),
      update: ({ docChanged, viewportChanged, view: shown }: ViewUpdate): void => {
        if (docChanged || viewportChanged) plugin.decorations = decorate(shown)
      },
    }
    return plugin
  },
  { decorations: ({ decorations }) => decorations },
)

function decorate({ state, visibleRanges }: EditorView): DecorationSet {
  const found = visibleRanges.flatMap(({ from, to }) => {
    const lines = []
    for (let at = from; at <= to;) {
      const line = state.doc.lineAt(at)
      const indent = /^ */.exec(state.sliceDoc(line.from, Math.min(line.to, line.from + MAX_INDENT)))?.[0]
        .length
      const decoration = hanging[Math.min(MAX_INDENT, (indent ?? 0) + 2)]
      if (decoration !== undefined) lines.push(decoration.range(line.from))
      at = line.to + 1
    }
    return lines
  })
  return Decoration.set(found, true)
}

export const wrappedLines: Extension = [EditorView.lineWrapping, indents]
