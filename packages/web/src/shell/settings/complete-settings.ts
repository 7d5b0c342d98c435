// Completion in `callsheet.json`: fields from the shape of the file, and names from the project.

import type { Completion, CompletionContext, CompletionResult } from "@codemirror/autocomplete"
import { ensureSyntaxTree, syntaxTree } from "@codemirror/language"
import type { EditorView } from "@codemirror/view"
import type { SyntaxNode } from "@lezer/common"
import { projectFileShape, type JsonPointer, type Shape } from "@callsheet/format"
import { fieldsToAdd, keysInSettings, namesInSettings } from "@callsheet/language"
import type { ProjectView } from "@callsheet/server/calls"

const LONGEST_PARSE_MS = 500

export function completeSettings(context: CompletionContext, project: ProjectView): CompletionResult | null {
  const { state, pos } = context
  const tree = ensureSyntaxTree(state, pos, LONGEST_PARSE_MS) ?? syntaxTree(state)
  const node = tree.resolveInner(pos, -1)
  const isString = node.name === "PropertyName" || node.name === "String"
  const isClosed = pos === node.to
  if (isString ? isClosed : !context.explicit) return null
  const place = placeOf(node, ({ from, to }) => state.sliceDoc(from, to))
  const options = place.is === "key" ? keysAt(place, project) : valuesAt(place.pointer, project)
  const [from, to] = isString ? [node.from + 1, node.to - 1] : [pos, pos]
  return options.length === 0 ? null : { from, to, options, validFor: /^[^"]*$/ }
}

type Read = (node: SyntaxNode) => string

type Place =
  | { readonly is: "value"; readonly pointer: JsonPointer }
  /** A key of the object at `pointer`, which has `taken` already. */
  | { readonly is: "key"; readonly pointer: JsonPointer; readonly taken: ReadonlySet<string> }

function placeOf(node: SyntaxNode, read: Read): Place {
  const isKey = node.name === "PropertyName"
  if (node.name === "String") return { is: "value", pointer: pointerTo(node, read) }
  const within = nearest((isKey && node.parent?.parent) || node, /^(?:Object|Array|Property|JsonText)$/)
  if (within.name !== "Object") return { is: "value", pointer: stepsInto(within, read) }
  const others = within.getChildren("Property").filter((property) => property.from !== node.from)
  return {
    is: "key",
    pointer: pointerTo(within, read),
    taken: new Set(others.map((one) => keyOf(one, read))),
  }
}

function nearest(node: SyntaxNode, names: RegExp): SyntaxNode {
  let around = node
  while (around.parent !== null && !names.test(around.name)) around = around.parent
  return around
}

const pointerTo = (value: SyntaxNode, read: Read): JsonPointer =>
  value.parent === null ? [] : stepsInto(value.parent, read)

/** Returns the pointer of a value directly in `around`. The index of an item doesn't matter here. */
function stepsInto(around: SyntaxNode, read: Read): JsonPointer {
  if (around.name === "Array") return [...pointerTo(around, read), 0]
  if (around.name === "Property")
    return [...(around.parent === null ? [] : pointerTo(around.parent, read)), keyOf(around, read)]
  return around.parent === null ? [] : stepsInto(around.parent, read)
}

function keyOf(property: SyntaxNode, read: Read): string {
  const name = property.getChild("PropertyName")
  return name === null ? "" : read(name).slice(1, -1)
}

function keysAt(
  { pointer, taken }: Extract<Place, { is: "key" }>,
  project: ProjectView,
): readonly Completion[] {
  const fields = fieldsToAdd(projectFileShape, pointer, { value: undefined, taken })
  const options = fields.map(({ name: label, field, isRequired }, index) => ({
    label,
    type: "property",
    info: field.summary,
    boost: 50 - index,
    ...(isRequired ? { detail: "required" } : {}),
    apply: insertKey(field.shape),
  }))
  const names = keysInSettings(pointer, project).filter((name) => !taken.has(name))
  return [...options, ...names.map((label) => ({ label, apply: insertKey({ is: "string" }) }))]
}

function valuesAt(pointer: JsonPointer, project: ProjectView): readonly Completion[] {
  return namesInSettings(pointer, project).map((label) => ({ label, apply: insertValue }))
}

type Apply = Extract<Completion["apply"], (...given: never) => void>

/** Inserts a key in quotes, with an empty value to type in if it has none yet. */
const insertKey =
  (shape: Shape): Apply =>
  (view, { label }, from, to) => {
    const { start, end } = quotedRange(view, from, to)
    const hasValue = /^\s*:/.test(view.state.sliceDoc(end, end + 100))
    const [open, close] = hasValue ? ["", ""] : bracketsOf(shape)
    const before = JSON.stringify(label) + (hasValue ? "" : `: ${open}`)
    replace(view, { from: start, to: end, insert: before + close }, start + before.length)
  }

const insertValue: Apply = (view, { label }, from, to) => {
  const { start, end } = quotedRange(view, from, to)
  const insert = JSON.stringify(label)
  replace(view, { from: start, to: end, insert }, start + insert.length)
}

/** Extends the range to the quotes around it, if there are any. */
function quotedRange({ state }: EditorView, from: number, to: number) {
  const isQuoted = state.sliceDoc(from - 1, from) === '"' && state.sliceDoc(to, to + 1) === '"'
  return isQuoted ? { start: from - 1, end: to + 1 } : { start: from, end: to }
}

const replace = (
  view: EditorView,
  changes: { from: number; to: number; insert: string },
  anchor: number,
): void => view.dispatch({ changes, selection: { anchor }, userEvent: "input.complete" })

function bracketsOf({ is }: Shape): readonly [string, string] {
  if (is === "object" || is === "map") return ["{", "}"]
  if (is === "array") return ["[", "]"]
  return is === "string" ? ['"', '"'] : ["", ""]
}
