// Reads the imports and process globals of a TypeScript file, by parsing it without running it.

import { parseAst } from "rolldown/parseAst"

export interface FileImport {
  readonly specifier: string
  readonly line: number
  /** Erased at run time: `import type`, `export type … from`, `import("x").T`. */
  readonly isType: boolean
  readonly isDynamic: boolean
}

/** A name that the file doesn't declare itself. */
interface GlobalUse {
  readonly name: string
  readonly line: number
}

export interface FileUses {
  readonly imports: readonly FileImport[]
  /** Lines with an `import()` of anything but a literal. */
  readonly computedImports: readonly number[]
  readonly globals: readonly GlobalUse[]
}

export interface Node {
  readonly type: string
  readonly start: number
  readonly [field: string]: unknown
}

const watchedGlobals = new Set(["process", "console"])

/** Throws if the file does not parse. */
export function readUses(file: string, text: string): FileUses {
  const imports: FileImport[] = []
  const computedImports: number[] = []
  const named: GlobalUse[] = []
  const declared = new Set<string>()
  const lineOf = (offset: number): number => text.slice(0, offset).split("\n").length
  const program = parseAst(text, { lang: file.endsWith(".tsx") ? "tsx" : "ts" }, file) as unknown as Node
  for (const node of walk(program)) {
    const found = importOf(node)
    if (found !== undefined) {
      const specifier = literal(found.source)
      const line = lineOf(node.start)
      if (specifier === undefined) computedImports.push(line)
      else imports.push({ specifier, line, isType: found.isType, isDynamic: found.isDynamic })
    }
    for (const pattern of bindingsOf(node)) declareNames(pattern, declared)
    if (node.type === "Identifier" && watchedGlobals.has(String(node["name"]))) {
      named.push({ name: String(node["name"]), line: lineOf(node.start) })
    }
  }
  return { imports, computedImports, globals: named.filter(({ name }) => !declared.has(name)) }
}

/** The patterns that bind names in a node: of variables, and of parameters. */
function bindingsOf(node: Node): readonly unknown[] {
  if (node.type === "VariableDeclarator") return [node["id"]]
  return Array.isArray(node["params"]) ? node["params"] : []
}

function declareNames(pattern: unknown, names: Set<string>): void {
  if (!isNode(pattern)) return
  if (pattern.type === "Identifier") names.add(String(pattern["name"]))
  const parts = [
    pattern["left"],
    pattern["argument"],
    pattern["value"],
    pattern["properties"],
    pattern["elements"],
  ]
  for (const part of parts.flat()) declareNames(part, names)
}

function importOf(
  node: Node,
): { readonly source: unknown; readonly isType: boolean; readonly isDynamic: boolean } | undefined {
  switch (node.type) {
    case "ImportDeclaration":
      return { source: node["source"], isType: node["importKind"] === "type", isDynamic: false }
    case "ExportNamedDeclaration":
    case "ExportAllDeclaration":
      if (!isNode(node["source"])) return undefined
      return { source: node["source"], isType: node["exportKind"] === "type", isDynamic: false }
    case "ImportExpression":
      return { source: node["source"], isType: false, isDynamic: true }
    case "TSImportType":
      return { source: node["source"] ?? node["argument"], isType: true, isDynamic: false }
    default:
      return undefined
  }
}

function literal(source: unknown): string | undefined {
  if (!isNode(source)) return undefined
  if (source.type === "TSLiteralType") return literal(source["literal"])
  return source.type === "Literal" && typeof source["value"] === "string" ? source["value"] : undefined
}

export function* walk(root: Node): Generator<Node> {
  const waiting: Node[] = [root]
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    yield node
    for (const [field, value] of Object.entries(node)) {
      if (isName(node, field)) continue
      for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) waiting.push(child)
    }
  }
}

/**
 * A name after a dot or before a colon is not a global: `run.process`, `{ console: 1 }`. `globalThis.process` is one.
 */
function isName(node: Node, field: string): boolean {
  if (node["computed"] === true) return false
  if (node.type === "MemberExpression" && field === "property") {
    const object = node["object"]
    return !(isNode(object) && object["name"] === "globalThis")
  }
  return field === "key" && node["shorthand"] !== true
}

export const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && typeof (value as { type?: unknown }).type === "string"
