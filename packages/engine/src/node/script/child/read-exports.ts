// Reads the names that a module exports, without types, from Babel's syntax tree before Babel rewrites it.

/** A node of the syntax tree, reduced to what is needed to read exports. */
export interface SyntaxNode {
  readonly type: string
  readonly exportKind?: "type" | "value"
  readonly declare?: boolean
  readonly name?: string
  /** The value of a string literal, or of an object's property. */
  readonly value?: string | SyntaxNode
  readonly id?: SyntaxNode | null
  readonly left?: SyntaxNode
  readonly argument?: SyntaxNode
  readonly exported?: SyntaxNode
  readonly declaration?: SyntaxNode | null
  readonly declarations?: readonly SyntaxNode[]
  readonly specifiers?: readonly SyntaxNode[]
  readonly elements?: readonly (SyntaxNode | null)[]
  readonly properties?: readonly SyntaxNode[]
}

interface FoundExports {
  readonly exports: readonly string[]
  /** False if other files or the running module can add exports: `export *`, `export =` or CommonJS. */
  readonly complete: boolean
}

export function readExports(body: readonly SyntaxNode[]): FoundExports {
  const names = new Set<string>()
  let complete = true
  let isModule = false
  for (const item of body) {
    if (/^(?:Import|Export)/.test(item.type)) isModule = true
    if (item.exportKind === "type") continue
    switch (item.type) {
      case "ExportDefaultDeclaration":
        names.add("default")
        break
      case "ExportAllDeclaration":
      case "TSExportAssignment":
        complete = false
        break
      case "ExportNamedDeclaration":
        for (const name of namesOf(item)) names.add(name)
        break
    }
  }
  return { exports: [...names], complete: complete && isModule }
}

function namesOf(item: SyntaxNode): string[] {
  const specifiers = (item.specifiers ?? [])
    .filter((specifier) => specifier.exportKind !== "type")
    .map(({ exported }) => exportName(exported))
  const declared = item.declaration
  return declared === undefined || declared === null ? specifiers : [...specifiers, ...declaredBy(declared)]
}

function declaredBy(declaration: SyntaxNode): string[] {
  if (declaration.declare === true) return []
  switch (declaration.type) {
    case "VariableDeclaration":
      return (declaration.declarations ?? []).flatMap(({ id }) => boundBy(id))
    case "FunctionDeclaration":
    case "ClassDeclaration":
    case "TSEnumDeclaration":
    case "TSModuleDeclaration":
    case "TSImportEqualsDeclaration":
      return declaration.id === undefined || declaration.id === null ? [] : [exportName(declaration.id)]
    default:
      return []
  }
}

function boundBy(pattern: SyntaxNode | null | undefined): string[] {
  switch (pattern?.type) {
    case "Identifier":
      return [exportName(pattern)]
    case "AssignmentPattern":
      return boundBy(pattern.left)
    case "RestElement":
      return boundBy(pattern.argument)
    case "ArrayPattern":
      return (pattern.elements ?? []).flatMap((element) => boundBy(element))
    case "ObjectPattern":
      return (pattern.properties ?? []).flatMap((property) => boundBy(property))
    case "ObjectProperty":
      return typeof pattern.value === "object" ? boundBy(pattern.value) : []
    default:
      return []
  }
}

/** Returns the name of an identifier, or the string in `export { x as "a name" }`. */
const exportName = (node: SyntaxNode | undefined): string =>
  node?.name ?? (typeof node?.value === "string" ? node.value : "")
