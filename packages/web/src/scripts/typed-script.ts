// What the editor of a script offers and explains: paths from the workflow's types, and everything else from TypeScript.
// Loaded with the editor.

import type { Completion, CompletionContext, CompletionResult } from "@codemirror/autocomplete"
import { syntaxTree } from "@codemirror/language"
import type { EditorState } from "@codemirror/state"
import type { EditorView } from "@codemirror/view"
import type { SyntaxNode } from "@lezer/common"
import { parsePath } from "@callsheet/format"
import type { Input, ScriptId, ScriptTypesView } from "@callsheet/server/calls"
import { call } from "../connection/call.ts"
import { describeMeaning, type Meaning } from "../files/code-mirror/meanings.ts"
import { showPosition } from "../files/shown-problem.ts"
import { hashOfBlock } from "../routes/route.ts"
import { goTo } from "../routes/use-route.ts"
import { completeScript } from "./complete-script.ts"
import { fieldAt, meaningOf, unquoted } from "./meaning-of.ts"

export interface TypedScript {
  readonly id: ScriptId
  readonly types: ScriptTypesView
  /** True if TypeScript answers. */
  readonly isChecked: boolean
}

/** Completes paths in strings from the workflow's types, and members with TypeScript's answer. */
export async function completeTyped(
  context: CompletionContext,
  { id, types, isChecked }: TypedScript,
): Promise<CompletionResult | null> {
  const own = completeScript(context, { types, script: id.script })
  const word = context.matchBefore(/\.[\w$]*$/)
  if (!isChecked || word === null || isText(syntaxTree(context.state).resolveInner(context.pos, -1)))
    return own
  const input = placeAt(id, context.state, context.pos)
  const { names } = await call("types.complete", input).catch(() => ({ names: [] }))
  if (context.aborted || names.length === 0) return own
  const known = new Map(own?.options.map((option) => [option.label, option]))
  const optionOf = (name: string, index: number): Completion => ({
    ...(known.get(name) ?? { label: name }),
    boost: -index / 1000,
    info: () => infoOf(input, name),
  })
  return { from: word.from + 1, options: names.map(optionOf), validFor: /^[\w$]*$/ }
}

async function infoOf(input: Input<"types.describe">, entry: string): Promise<HTMLElement | null> {
  const { meaning } = await call("types.describe", { ...input, entry }).catch(() => ({ meaning: undefined }))
  return meaning === undefined ? null : describeMeaning(meaning)
}

/** Explains a path by the workflow's types, and leads to its block. Asks TypeScript about anything else. */
export async function findMeaning(
  { state }: EditorView,
  position: number,
  { id, types, isChecked }: TypedScript,
): Promise<Meaning | undefined> {
  const path = pathAt(state, position, types)
  if (path !== undefined) return meaningOfPath(path, id.workflow, types)
  if (!isChecked) return undefined
  const input = placeAt(id, state, position)
  const { meaning } = await call("types.describe", input).catch(() => ({ meaning: undefined }))
  if (meaning === undefined) return undefined
  const { definition } = meaning
  return {
    ...meaning,
    goTo:
      definition &&
      (() => {
        const { workflow, script, ...place } = definition
        showPosition({ kind: "script", workflow, script }, place)
        goTo({ kind: "script", workflow, script })
      }),
  }
}

function placeAt(id: ScriptId, state: EditorState, position: number): Input<"types.complete"> {
  const line = state.doc.lineAt(position)
  return { script: id, text: state.sliceDoc(), line: line.number, column: position - line.from + 1 }
}

const isText = ({ name }: SyntaxNode): boolean => name === "String" || name === "TemplateString"

/** Returns the path at a position, if it is the argument of `get` or `has`. */
function pathAt(state: EditorState, position: number, types: ScriptTypesView): string | undefined {
  const node = syntaxTree(state).resolveInner(position, -1)
  const call = node.parent?.name === "ArgList" ? node.parent.parent : null
  if (!isText(node) || call === null) return undefined
  const readText = ({ from, to }: SyntaxNode): string => state.sliceDoc(from, to)
  const callee = meaningOf(call.firstChild, { types, readText })
  const isReader = callee?.is === "function" && (callee.name === "get" || callee.name === "has")
  return isReader ? unquoted(readText(node)) : undefined
}

function meaningOfPath(path: string, workflow: string, types: ScriptTypesView): Meaning | undefined {
  const parsed = parsePath(path)
  const [block = ""] = parsed.ok ? parsed.segments : []
  const field = fieldAt(types.names, path)
  const isBlock =
    types.names.some(({ name }) => name === block) && !types.inputs.some(({ name }) => name === block)
  if (field === undefined && !isBlock) return undefined
  const { words = "unknown", description = "" } = field ?? {}
  return {
    type: `${path}: ${words === "" ? "unknown" : words}`,
    documentation: description,
    goTo:
      isBlock && block !== "env" ? () => (window.location.hash = hashOfBlock(workflow, block)) : undefined,
  }
}
