// Resolves an expression of a script to a value, if it comes from the function's context. Pure.

import type { SyntaxNode } from "@lezer/common"
import type { FieldView, ScriptTypesView, NamedField } from "@callsheet/server/calls"
import { parsePath } from "@callsheet/format"
import { fixedFields } from "./context-members.ts"

export type Meaning =
  /** The context itself, such as `AssertContext`. */
  | { readonly is: "context"; readonly context: string }
  | { readonly is: "function"; readonly name: string }
  | { readonly is: "value"; readonly field: FieldView }

export interface Ground {
  readonly types: ScriptTypesView
  readonly readText: (node: SyntaxNode) => string
}

const MAX_STEPS = 40

export function meaningOf(node: SyntaxNode | null, ground: Ground, left = MAX_STEPS): Meaning | undefined {
  if (node === null || left === 0) return undefined
  const inner = (child: SyntaxNode | null): Meaning | undefined => meaningOf(child, ground, left - 1)
  switch (node.name) {
    case "VariableName":
      return variable(node, ground, left)
    case "MemberExpression":
      return memberOf(inner(node.firstChild), memberName(node, ground), ground)
    case "CallExpression":
      return resultOf(inner(node.firstChild), node, ground)
    case "InstantiationExpression":
    case "PostfixExpression":
    case "AwaitExpression":
      return inner(node.name === "AwaitExpression" ? node.lastChild : node.firstChild)
    case "ParenthesizedExpression":
      return inner(node.firstChild?.nextSibling ?? null)
    case "BinaryExpression":
      return isFallback(node, ground) ? inner(node.firstChild) : undefined
    default:
      return undefined
  }
}

/** `a ?? b` counts as `a`. */
const isFallback = (node: SyntaxNode, { readText }: Ground): boolean =>
  node.getChildren("LogicOp").some((operator) => readText(operator) === "??")

function memberName(node: SyntaxNode, { readText }: Ground): string | undefined {
  const property = node.getChild("PropertyName")
  if (property !== null) return readText(property)
  const key = node.getChild("String") ?? node.getChild("Number")
  return key === null ? undefined : unquoted(readText(key))
}

function memberOf(
  owner: Meaning | undefined,
  name: string | undefined,
  { types }: Pick<Ground, "types">,
): Meaning | undefined {
  if (owner === undefined || name === undefined || owner.is === "function") return undefined
  if (owner.is === "value") return valueOf(stepOf(owner.field, name))
  if (name === "inputs") return { is: "value", field: { words: "object", fields: types.inputs } }
  const fixed = fixedFields.find((field) => field.name === name)
  return fixed === undefined ? { is: "function", name } : valueOf(fixed)
}

function resultOf(
  callee: Meaning | undefined,
  call: SyntaxNode,
  { types, readText }: Ground,
): Meaning | undefined {
  if (callee?.is !== "function") return undefined
  const first =
    call.getChild("ArgList")?.getChild("String") ?? call.getChild("ArgList")?.getChild("TemplateString")
  if (first === null || first === undefined) return undefined
  const text = unquoted(readText(first))
  if (callee.name === "get") return valueOf(fieldAt(types.names, text))
  return callee.name === "env" ? valueOf(types.environments.find(({ name }) => name === text)) : undefined
}

const valueOf = (field: FieldView | undefined): Meaning | undefined =>
  field === undefined ? undefined : { is: "value", field }

/** Returns the text in quotes, even without the closing quote. */
export const unquoted = (text: string): string => text.replace(/^["'`]/, "").replace(/["'`]$/, "")

/** Returns the nearest declaration of the name around the node. */
function variable(node: SyntaxNode, ground: Ground, left: number): Meaning | undefined {
  const name = ground.readText(node)
  for (let around = node.parent; around !== null; around = around.parent) {
    const lists = [around.getChild("ParamList"), ...around.getChildren("VariableDeclaration")]
    for (const list of [...lists, ...exported(around)]) {
      const found = list === null ? undefined : declaredIn(list, name, { node, ground, left })
      if (found !== undefined) return found.meaning
    }
  }
  return undefined
}

const exported = (around: SyntaxNode): readonly (SyntaxNode | null)[] =>
  around.getChildren("ExportDeclaration").map((declaration) => declaration.getChild("VariableDeclaration"))

interface Search {
  readonly node: SyntaxNode
  readonly ground: Ground
  readonly left: number
}

/** Yields each pattern in a declaration or a list of parameters, with its value. */
function declaredIn(
  list: SyntaxNode,
  name: string,
  { node, ground, left }: Search,
): { readonly meaning: Meaning | undefined } | undefined {
  for (let child = list.firstChild; child !== null; child = child.nextSibling) {
    if (child.name !== "VariableDefinition" && child.name !== "ObjectPattern") continue
    const way = wayTo(child, name, ground)
    if (way === undefined) continue
    // `const x = x.y` must not resolve to itself.
    if (list.name === "VariableDeclaration" && list.to > node.from && list.from < node.from)
      return { meaning: undefined }
    const start =
      list.name === "ParamList" ? contextOf(child, ground) : meaningOf(initial(child), ground, left - 1)
    return { meaning: way.reduce<Meaning | undefined>((here, step) => memberOf(here, step, ground), start) }
  }
  return undefined
}

/** Returns the members that lead from a value to the name in a pattern. Empty for the value itself. */
function wayTo(pattern: SyntaxNode, name: string, ground: Ground): readonly string[] | undefined {
  if (pattern.name === "VariableDefinition") return ground.readText(pattern) === name ? [] : undefined
  for (const property of pattern.getChildren("PatternProperty")) {
    const key = property.getChild("PropertyName")
    const inner = property.getChild("VariableDefinition") ?? property.getChild("ObjectPattern")
    if (inner === null) continue
    const rest = wayTo(inner, name, ground)
    if (rest !== undefined) return [ground.readText(key ?? inner), ...rest]
  }
  return undefined
}

function initial(pattern: SyntaxNode): SyntaxNode | null {
  for (let next = pattern.nextSibling; next !== null && next.name !== ","; next = next.nextSibling)
    if (next.name === "Equals") return next.nextSibling
  return null
}

function contextOf(parameter: SyntaxNode, { readText }: Ground): Meaning | undefined {
  const annotation = parameter.nextSibling
  if (annotation?.name !== "TypeAnnotation") return undefined
  const [, context] = /^\s*:\s*(\w*Context)\b/.exec(readText(annotation)) ?? []
  return context === undefined ? undefined : { is: "context", context }
}

/** Returns the field after a step. For an index, returns the type of the array's items. */
export function stepOf({ fields, items }: FieldView, name: string): FieldView | undefined {
  if (items !== undefined && /^\d+$/.test(name)) return items
  return fields?.find((field) => field.name === name)
}

/** Returns the field at the end of a path. Undefined if it is unknown. */
export function fieldAt(names: readonly NamedField[], path: string): FieldView | undefined {
  const parsed = parsePath(path)
  if (!parsed.ok) return undefined
  const [first, ...rest] = parsed.segments
  let here: FieldView | undefined = names.find(({ name }) => name === first)
  for (const segment of rest) here = here === undefined ? undefined : stepOf(here, segment)
  return here
}

/** An incomplete path: the text before its last step, the steps in that text, and the typed part. */
interface OpenPath {
  readonly head: string
  readonly separator: "" | "." | "["
  readonly step: string
}

export function openPath(text: string): OpenPath {
  const [, head = "", separator = "", step = ""] = /^(?:([^]*?)([.[]))?([^.[\]"]*)$/.exec(text) ?? []
  return { head, separator: separator === "." || separator === "[" ? separator : "", step }
}
