// Colors and sizes of the code editor. They come from the page's tokens, because a shadow root inherits custom
// properties.

import { HighlightStyle } from "@codemirror/language"
import { EditorView } from "@codemirror/view"
import { tags } from "@lezer/highlight"

export const theme = EditorView.theme({
  "&": {
    height: "100%",
    color: "var(--text)",
    backgroundColor: "var(--raised)",
    fontSize: "13px",
  },
  // The frame around the shadow root already shows the focus.
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.55" },
  ".cm-content": { padding: "8px 0", caretColor: "var(--text)" },
  ".cm-line": { padding: "0 12px 0 6px" },
  ".cm-cursor, .cm-dropCursor": { borderLeftColor: "var(--text)" },
  "& .cm-selectionBackground, &.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground": {
    backgroundColor: "var(--accent-soft)",
  },
  ".cm-activeLine": { backgroundColor: "transparent" },
  ".cm-gutters": {
    color: "var(--muted)",
    backgroundColor: "var(--sunken)",
    borderRight: "1px solid var(--line)",
    fontVariantNumeric: "tabular-nums",
  },
  ".cm-activeLineGutter": { color: "var(--text)", backgroundColor: "transparent" },
  ".cm-ticks .cm-gutterElement": { cursor: "pointer", padding: "0 3px" },
  ".cm-tick": {
    display: "inline-block",
    boxSizing: "border-box",
    width: "14px",
    height: "14px",
    border: "1px solid var(--line-strong)",
    borderRadius: "3px",
    fontSize: "11px",
    lineHeight: "12px",
    textAlign: "center",
    verticalAlign: "middle",
    color: "transparent",
  },
  ".cm-ticked": { color: "var(--raised)", backgroundColor: "var(--accent)", borderColor: "var(--accent)" },
  ".cm-foldPlaceholder": {
    color: "var(--muted)",
    backgroundColor: "var(--sunken)",
    border: "1px solid var(--line)",
    padding: "0 6px",
    margin: "0 2px",
  },
  ".cm-foldGutter .cm-gutterElement": { cursor: "pointer", padding: "0 3px" },
  "&.cm-focused .cm-matchingBracket": {
    backgroundColor: "var(--accent-soft)",
    boxShadow: "inset 0 0 0 1px var(--accent)",
  },
  "&.cm-focused .cm-nonmatchingBracket": { backgroundColor: "var(--error-soft)" },
  ".cm-searchMatch": { backgroundColor: "var(--warning-soft)", boxShadow: "inset 0 0 0 1px var(--warning)" },
  ".cm-searchMatch-selected": {
    backgroundColor: "var(--accent-soft)",
    boxShadow: "inset 0 0 0 1px var(--accent)",
  },
  ".cm-selectionMatch": { backgroundColor: "var(--hover)" },
  ".cm-chip": {
    backgroundColor: "var(--accent-soft)",
    borderRadius: "4px",
    boxShadow: "0 0 0 1px color-mix(in srgb, var(--accent) 35%, transparent)",
  },
  ".cm-specialChar": {
    color: "var(--warning)",
    backgroundColor: "var(--warning-soft)",
    borderRadius: "3px",
    padding: "0 1px",
  },
})

export const panelTheme = EditorView.theme({
  ".cm-panels": { color: "var(--text)", backgroundColor: "var(--side)" },
  ".cm-panels.cm-panels-top": { borderBottom: "1px solid var(--line)" },
  ".cm-panels.cm-panels-bottom": { borderTop: "1px solid var(--line)" },
  ".cm-panel.cm-search": {
    display: "flex",
    flexWrap: "wrap",
    alignItems: "center",
    gap: "6px",
    padding: "8px 36px 8px 10px",
    fontFamily: "var(--sans)",
    fontSize: "13px",
  },
  ".cm-panel.cm-search br": { flexBasis: "100%", content: '""', display: "block", height: "0" },
  ".cm-panel.cm-search label": { display: "inline-flex", alignItems: "center", gap: "4px", fontSize: "12px" },
  ".cm-match-count": { minWidth: "72px", color: "var(--muted)", fontVariantNumeric: "tabular-nums" },
  ".cm-panel.cm-search [name=close]": { top: "6px", right: "8px", padding: "2px 8px", fontSize: "16px" },
  ".cm-panel.cm-panel-lint [name=close]": { minWidth: "24px", minHeight: "24px", fontSize: "16px" },
  ".cm-textfield": {
    height: "28px",
    margin: "0",
    padding: "0 8px",
    color: "var(--text)",
    backgroundColor: "var(--raised)",
    border: "1px solid var(--line-strong)",
    borderRadius: "6px",
    fontFamily: "var(--mono)",
    fontSize: "13px",
  },
  ".cm-button": {
    height: "28px",
    margin: "0",
    padding: "0 10px",
    color: "var(--text)",
    backgroundColor: "var(--raised)",
    backgroundImage: "none",
    border: "1px solid var(--line)",
    borderRadius: "6px",
    fontFamily: "inherit",
    fontSize: "12px",
    cursor: "pointer",
  },
  ".cm-button:active": { backgroundColor: "var(--hover)", backgroundImage: "none" },
  ".cm-textfield:focus-visible, .cm-button:focus-visible, input:focus-visible, button:focus-visible": {
    outline: "2px solid var(--accent)",
    outlineOffset: "1px",
  },
  ".cm-panel.cm-panel-lint ul [aria-selected]": { backgroundColor: "var(--accent-soft)" },
  ".cm-panel.cm-panel-lint ul:focus [aria-selected]": {
    backgroundColor: "var(--accent-soft)",
    color: "var(--text)",
  },
})

export const tooltipTheme = EditorView.theme({
  ".cm-tooltip": {
    color: "var(--text)",
    backgroundColor: "var(--raised)",
    border: "1px solid var(--line)",
    borderRadius: "8px",
    boxShadow: "var(--shadow)",
    zIndex: "10",
  },
  ".cm-tooltip.cm-tooltip-autocomplete > ul": {
    borderRadius: "8px",
    fontFamily: "var(--mono)",
    fontSize: "13px",
    minWidth: "240px",
    maxHeight: "min(280px, 40vh)",
  },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li": { padding: "3px 10px", lineHeight: "1.5" },
  ".cm-tooltip-autocomplete ul li[aria-selected]": {
    color: "var(--text)",
    backgroundColor: "var(--accent-soft)",
  },
  ".cm-completionMatchedText": { textDecoration: "none", fontWeight: "700", color: "var(--accent)" },
  ".cm-completionDetail": { marginLeft: "12px", color: "var(--muted)", fontStyle: "normal" },
  ".cm-tooltip.cm-completionInfo": {
    maxWidth: "360px",
    padding: "8px 12px",
    fontFamily: "var(--sans)",
    fontSize: "13px",
    whiteSpace: "pre-wrap",
  },
  ".cm-meaning": { maxWidth: "560px", maxHeight: "40vh", overflow: "auto", padding: "6px 12px" },
  ".cm-meaning code": { fontFamily: "var(--mono)", fontSize: "13px", whiteSpace: "pre-wrap" },
  ".cm-meaning p": { margin: "6px 0 0", fontFamily: "var(--sans)", fontSize: "13px", whiteSpace: "pre-wrap" },
  ".cm-completionInfo .cm-meaning": { padding: "0" },
  ".cm-tooltip-lint": { overflow: "hidden" },
  ".cm-diagnostic": {
    padding: "6px 12px",
    borderLeft: "3px solid",
    fontFamily: "var(--sans)",
    fontSize: "13px",
    maxWidth: "560px",
    whiteSpace: "pre-wrap",
  },
  ".cm-diagnostic-error": { borderLeftColor: "var(--error)" },
  ".cm-diagnostic-warning": { borderLeftColor: "var(--warning)" },
  ".cm-lintRange-error": {
    backgroundImage: "none",
    textDecoration: "underline wavy var(--error) 1px",
    textUnderlineOffset: "3px",
  },
  ".cm-lintRange-warning": {
    backgroundImage: "none",
    textDecoration: "underline wavy var(--warning) 1px",
    textUnderlineOffset: "3px",
  },
  ".cm-lintPoint:after": { borderBottomColor: "var(--error)" },
  ".cm-gutter-lint": { width: "18px" },
  ".cm-lint-marker": { width: "12px", height: "12px", marginTop: "4px", borderRadius: "50%" },
  ".cm-lint-marker-error": { content: "none", backgroundColor: "var(--error)" },
  ".cm-lint-marker-warning": { content: "none", backgroundColor: "var(--warning)", borderRadius: "3px" },
})

export const highlighting = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: "var(--blue)" },
  { tag: [tags.string, tags.special(tags.string), tags.regexp], color: "var(--good)" },
  { tag: [tags.number, tags.bool, tags.null, tags.atom], color: "var(--warning)" },
  { tag: [tags.keyword, tags.operatorKeyword, tags.modifier], color: "var(--violet)" },
  { tag: [tags.typeName, tags.className, tags.namespace], color: "var(--accent)" },
  { tag: [tags.function(tags.variableName), tags.function(tags.propertyName)], color: "var(--accent)" },
  { tag: [tags.comment, tags.lineComment, tags.blockComment], color: "var(--muted)", fontStyle: "italic" },
  { tag: tags.invalid, color: "var(--error)" },
])
