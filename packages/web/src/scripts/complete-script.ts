// Completes scripts: members of the context, paths in strings, and fields from API documents.

import type { Completion, CompletionContext, CompletionResult } from "@codemirror/autocomplete"
import { ensureSyntaxTree, syntaxTree } from "@codemirror/language"
import type { SyntaxNode } from "@lezer/common"
import { formatPath } from "@callsheet/format"
import type { FieldView, NamedField, ScriptTypesView } from "@callsheet/server/calls"
import { visibleText } from "../ui/visible-text.ts"
import { contextMembers, contextNames } from "./context-members.ts"
import { fieldAt, openPath, meaningOf, unquoted, type Ground, type Meaning } from "./meaning-of.ts"

interface CompletedScript {
  readonly types: ScriptTypesView
  /** Without `.ts`. */
  readonly script: string
}

/** Usually, the text above the cursor has already been parsed. */
const longestParseMs = 500

export function completeScript(
  context: CompletionContext,
  { types, script }: CompletedScript,
): CompletionResult | null {
  const { state, pos } = context
  const tree = ensureSyntaxTree(state, pos, longestParseMs) ?? syntaxTree(state)
  const node = tree.resolveInner(pos, -1)
  const ground: Ground = { types, readText: ({ from, to }) => state.sliceDoc(from, to) }
  if (isText(node))
    return completeText(node, { pos, ground, names: namesIn(node, { types, script }, ground) })
  const annotation = context.matchBefore(/:\s*\w*$/)
  if (node.name === "TypeName" || (annotation !== null && isInParameters(node)))
    return completeContext(context)
  return completeMember(node, pos, ground)
}

const isText = ({ name }: SyntaxNode): boolean => name === "String" || name === "TemplateString"

const isInParameters = (node: SyntaxNode): boolean =>
  node.name === "ParamList" || node.parent?.name === "ParamList" || node.parent?.name === "TypeAnnotation"

function completeContext(context: CompletionContext): CompletionResult | null {
  const word = context.matchBefore(/\w*$/)
  if (word === null) return null
  return {
    from: word.from,
    options: contextNames.map((label) => ({ label, type: "interface", detail: "@callsheet/sdk" })),
    validFor: /^\w*$/,
  }
}

interface Place {
  readonly pos: number
  readonly ground: Ground
  readonly names: readonly NamedField[]
}

/** Completes text in quotes: a path, the name of an API, or a member in brackets. */
function completeText(node: SyntaxNode, { pos, ground, names }: Place): CompletionResult | null {
  const typed = ground.readText(node).slice(1, pos - node.from)
  const { parent } = node
  if (parent?.name === "MemberExpression") {
    const owner = meaningOf(parent.firstChild, ground)
    return owner?.is === "value" ? members(owner.field.fields ?? [], pos - typed.length, /^[^"'`]*$/) : null
  }
  const call = parent?.name === "ArgList" ? parent.parent : null
  const callee = meaningOf(call?.firstChild ?? null, ground)
  if (callee?.is !== "function" || parent?.firstChild?.nextSibling?.from !== node.from) return null
  if (callee.name === "env") return members(ground.types.environments, pos - typed.length, /^[^"'`]*$/)
  return callee.name === "get" || callee.name === "has" ? completePath(typed, pos, names) : null
}

function completePath(typed: string, pos: number, names: readonly NamedField[]): CompletionResult | null {
  const { head, separator, step } = openPath(unquoted(typed))
  const from = pos - step.length
  if (separator === "") return members(names, from, pathStep)
  const owner = fieldAt(names, head)
  if (owner === undefined) return null
  if (separator === "[")
    return owner.items === undefined
      ? null
      : { from, options: [{ ...optionOf({ name: "0", ...owner.items }), apply: "0]" }], validFor: /^\d*$/ }
  return members(owner.fields ?? [], from, pathStep)
}

const pathStep = /^[^.[\]"'`]*$/

/** Omits names that a path with dots can't contain. */
function members(fields: readonly NamedField[], from: number, validFor: RegExp): CompletionResult | null {
  const options = fields.filter(({ name }) => isPlainStep(name)).map(optionOf)
  return options.length === 0 ? null : { from, options, validFor }
}

const isPlainStep = (name: string): boolean => formatPath([name]) === name && visibleText(name) === name

function completeMember(node: SyntaxNode, pos: number, ground: Ground): CompletionResult | null {
  const expression = node.name === "MemberExpression" ? node : node.parent
  if (expression?.name !== "MemberExpression" || expression.firstChild === null) return null
  const isName = node.name === "PropertyName"
  if (!isName && node.name !== "." && node.name !== "?." && !node.type.isError) return null
  const options = memberOptions(meaningOf(expression.firstChild, ground))
  return options.length === 0 ? null : { from: isName ? node.from : pos, options, validFor: /^[\w$]*$/ }
}

function memberOptions(owner: Meaning | undefined): readonly Completion[] {
  if (owner === undefined || owner.is === "function") return []
  if (owner.is === "context")
    return contextMembers(owner.context).map(({ name, type, description, isFunction }, index) => ({
      label: name,
      type: isFunction ? "method" : "property",
      detail: type,
      info: description,
      boost: 50 - index,
    }))
  const { fields = [], kinds } = owner.field
  const own = fields.filter(({ name }) => /^[A-Za-z_$][\w$]*$/.test(name)).map(optionOf)
  const isOne = (kind: "array" | "string"): boolean => kinds?.includes(kind) === true
  return [...own, ...(isOne("array") ? ofArrays : []), ...(isOne("string") ? ofStrings : [])]
}

const builtIn = (names: string): readonly Completion[] =>
  names.split(" ").map((label) => ({ label, type: label === "length" ? "property" : "method", boost: -10 }))

const ofArrays = builtIn(
  "length at every filter find findIndex flatMap forEach includes join map reduce some",
)
const ofStrings = builtIn(
  "length at endsWith includes indexOf match replace slice split startsWith toLowerCase trim",
)

function optionOf({ name, words, required, description, values, kinds }: NamedField & FieldView): Completion {
  const isObject = kinds?.includes("object") === true || kinds?.includes("array") === true
  const info = [description, valuesText(values)]
    .filter((part) => part !== undefined && part !== "")
    .join("\n")
  return {
    label: name,
    type: isObject ? "class" : "property",
    detail: visibleText(`${words}${required === false ? ", may be absent" : ""}`),
    ...(info === "" ? {} : { info: visibleInfo(info) }),
  }
}

const visibleInfo = (text: string): string => text.split("\n").map(visibleText).join("\n").slice(0, 600)

const valuesText = (values: FieldView["values"]): string | undefined =>
  values === undefined || values.length === 0
    ? undefined
    : `One of: ${values
        .slice(0, 12)
        .map((value) => JSON.stringify(value))
        .join(", ")}${values.length > 12 ? ", …" : ""}`

/**
 * Returns the names that the function around the cursor can read, depending on the blocks that call it. Without any,
 * returns all names.
 */
function namesIn(
  node: SyntaxNode,
  { types, script }: CompletedScript,
  ground: Ground,
): readonly NamedField[] {
  const name = exportedAround(node, ground)
  const calls = types.calls.filter((call) => call.script === script && call.exportName === name)
  if (calls.length === 0) return types.names
  const known = new Set(calls.flatMap((call) => call.names))
  return types.names.filter((field) => known.has(field.name))
}

function exportedAround(node: SyntaxNode, { readText }: Ground): string | undefined {
  let around: SyntaxNode | null = node
  while (around !== null && around.name !== "ExportDeclaration") around = around.parent
  const declaration = around?.getChild("FunctionDeclaration") ?? around?.getChild("VariableDeclaration")
  const definition = declaration?.getChild("VariableDefinition")
  return definition === null || definition === undefined ? undefined : readText(definition)
}
