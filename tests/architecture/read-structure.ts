// Parses a TypeScript file and finds the numbers for structure.test.ts.

import { parseAst } from "rolldown/parseAst"
import { isNode, walk, type Node } from "./read-imports.ts"

export interface Finding {
  readonly is: "function" | "non-null" | "assertion" | "double-assertion" | "optional-spread"
  readonly line: number
  readonly lines: number
}

/** Throws if the file does not parse. */
export function readStructure(file: string, text: string): readonly Finding[] {
  const findings: Finding[] = []
  const lineOf = (offset: number): number => text.slice(0, offset).split("\n").length
  const program = parseAst(text, { lang: file.endsWith(".tsx") ? "tsx" : "ts" }, file) as unknown as Node
  for (const node of walk(program)) {
    const is = kindOf(node)
    if (is === undefined) continue
    const line = lineOf(node.start)
    findings.push({ is, line, lines: lineOf(Number(node["end"])) - line + 1 })
  }
  return findings
}

function kindOf(node: Node): Finding["is"] | undefined {
  switch (node.type) {
    case "FunctionDeclaration":
    case "FunctionExpression":
      return "function"
    case "ArrowFunctionExpression":
      return returnsTable(node) ? undefined : "function"
    case "TSNonNullExpression":
      return "non-null"
    case "TSAsExpression":
      if (isConst(node)) return undefined
      return viaUnknown(node) ? "double-assertion" : "assertion"
    case "SpreadElement":
      return isOptionalSpread(node) ? "optional-spread" : undefined
    default:
      return undefined
  }
}

/** `() => ({ … })` delays a table, whose functions are measured one by one. */
function returnsTable(node: Node): boolean {
  let body = node["body"]
  while (isNode(body) && body.type === "ParenthesizedExpression") body = body["expression"]
  return isNode(body) && body.type === "ObjectExpression"
}

function isConst(node: Node): boolean {
  const type = node["typeAnnotation"]
  if (!isNode(type) || type.type !== "TSTypeReference") return false
  const name = type["typeName"]
  return isNode(name) && name["name"] === "const"
}

function viaUnknown(node: Node): boolean {
  const inner = node["expression"]
  if (!isNode(inner) || inner.type !== "TSAsExpression") return false
  const type = inner["typeAnnotation"]
  return isNode(type) && type.type === "TSUnknownKeyword"
}

/** `...(x === undefined ? {} : { x })`, with the branches either way round. */
function isOptionalSpread(node: Node): boolean {
  let inner = node["argument"]
  while (isNode(inner) && inner.type === "ParenthesizedExpression") inner = inner["expression"]
  if (!isNode(inner) || inner.type !== "ConditionalExpression") return false
  return [inner["consequent"], inner["alternate"]].some(
    (branch) =>
      isNode(branch) &&
      branch.type === "ObjectExpression" &&
      (branch["properties"] as unknown[]).length === 0,
  )
}
