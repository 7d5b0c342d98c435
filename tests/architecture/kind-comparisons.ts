// Finds where a TypeScript file compares a block's kind with a literal, by parsing it without running it.

import { parseAst } from "rolldown/parseAst"
import { blockKinds } from "@callsheet/format"

interface Node {
  readonly type: string
  readonly start: number
  readonly [field: string]: unknown
}

/** Names of files and of the page's routes in code. Their `kind` is not a block's. */
const filesAndRoutes: ReadonlySet<string> = new Set(["file", "to", "other", "name", "route"])

const kinds: ReadonlySet<unknown> = new Set(blockKinds)

/**
 * The lines of `x.type === "loop"`, `case "loop"` and `["loop", "group"].includes(x.type)`, one for each compared
 * literal.
 */
export function kindComparisons(file: string, text: string): readonly number[] {
  const lines: number[] = []
  const compare = (subject: unknown, ...words: readonly unknown[]): void => {
    if (!isKind(subject)) return
    for (const word of words)
      if (isNode(word) && kinds.has(word["value"])) lines.push(text.slice(0, word.start).split("\n").length)
  }
  visit(parseAst(text, { lang: file.endsWith("x") ? "tsx" : "ts" }) as unknown as Node, (node) => {
    switch (node.type) {
      case "BinaryExpression":
        if (!/^[!=]==?$/.test(String(node["operator"]))) return
        compare(node["left"], node["right"])
        compare(node["right"], node["left"])
        return
      case "SwitchStatement":
        for (const one of nodesIn(node["cases"])) compare(node["discriminant"], one["test"])
        return
      case "CallExpression": {
        const [subject] = nodesIn(node["arguments"])
        compare(subject, ...wordsOfList(node["callee"]))
      }
    }
  })
  return lines.sort((a, b) => a - b)
}

/** Returns whether an expression is the kind or type of something. Files and routes don't count. */
function isKind(subject: unknown): boolean {
  if (!isNode(subject)) return false
  if (subject.type === "ChainExpression") return isKind(subject["expression"])
  if (subject.type === "Identifier") return isKindName(subject["name"])
  if (subject.type !== "MemberExpression") return false
  const { property, object } = subject as unknown as { readonly property: Node; readonly object: Node }
  return (
    isKindName(property["name"] ?? property["value"]) &&
    !(object.type === "Identifier" && filesAndRoutes.has(String(object["name"])))
  )
}

const isKindName = (name: unknown): boolean =>
  typeof name === "string" && /^(?:type|kind)$|(?:Type|Kind)$/.test(name)

/** The items of `[…].includes` and `new Set([…]).has`. */
function wordsOfList(callee: unknown): readonly Node[] {
  if (!isNode(callee) || callee.type !== "MemberExpression" || !isNode(callee["object"])) return []
  const list = callee["object"]
  if (list.type === "ArrayExpression") return nodesIn(list["elements"])
  const [given] = list.type === "NewExpression" ? nodesIn(list["arguments"]) : []
  return given?.type === "ArrayExpression" ? nodesIn(given["elements"]) : []
}

function visit(node: Node, see: (node: Node) => void): void {
  see(node)
  for (const value of Object.values(node)) {
    if (isNode(value)) visit(value, see)
    else for (const inner of nodesIn(value)) visit(inner, see)
  }
}

const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && typeof (value as Node).type === "string"

const nodesIn = (value: unknown): readonly Node[] => (Array.isArray(value) ? value.filter(isNode) : [])
