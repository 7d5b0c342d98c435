// Reads the exports and imports of a module, without types, from Babel's syntax tree before Babel changes it.

import type { ScriptModule } from "@callsheet/language"

/** The parts of a syntax tree's node that are needed to read exports. */
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
  readonly init?: SyntaxNode | null
  readonly expression?: SyntaxNode
  readonly object?: SyntaxNode
  readonly property?: SyntaxNode
  readonly callee?: SyntaxNode
  readonly arguments?: readonly SyntaxNode[]
  readonly local?: SyntaxNode
  readonly kind?: string
  readonly source?: SyntaxNode | null
  readonly loc?: { readonly start: { readonly line: number; readonly column: number } }
  readonly exported?: SyntaxNode
  readonly declaration?: SyntaxNode | null
  readonly declarations?: readonly SyntaxNode[]
  readonly specifiers?: readonly SyntaxNode[]
  readonly elements?: readonly (SyntaxNode | null)[]
  readonly properties?: readonly SyntaxNode[]
}

export function readModule(body: readonly SyntaxNode[]): Omit<ScriptModule, "io" | "lazyImports"> {
  const names = new Set<string>()
  const imports: { specifier: string; line: number; column: number }[] = []
  const constants = constantsOf(body)
  const values = new Map<string, string>()
  const addValue = (name: string, value: string | undefined): void => {
    if (value !== undefined) values.set(name, value)
  }
  let complete = true
  let isModule = false
  for (const item of body) {
    if (/^(?:Import|Export)/.test(item.type)) isModule = true
    if (item.exportKind === "type") continue
    const { value: specifier } = item.source ?? {}
    if (typeof specifier === "string" && item.loc !== undefined)
      imports.push({ specifier, line: item.loc.start.line, column: item.loc.start.column + 1 })
    switch (item.type) {
      case "ExportDefaultDeclaration":
        names.add("default")
        addValue("default", plainValue(item.declaration) ?? constants.get(item.declaration?.name ?? ""))
        break
      case "ExportAllDeclaration":
      case "TSExportAssignment":
        complete = false
        break
      case "ExportNamedDeclaration":
        for (const [name, local] of namesOf(item)) {
          names.add(name)
          if (typeof specifier !== "string") addValue(name, constants.get(local))
        }
        break
    }
  }
  return {
    exports: [...names],
    complete: complete && isModule,
    values: Object.fromEntries(values),
    imports,
  }
}

/** Describes the values of the module's constants that can't be functions. */
function constantsOf(body: readonly SyntaxNode[]): ReadonlyMap<string, string> {
  const constants = new Map<string, string>()
  for (const item of body) {
    const statement = item.declaration ?? item
    const own = statement.kind === "const" ? (statement.declarations ?? []) : [statement]
    for (const { type, id, init } of own) {
      const value = plainValue(init ?? { type })
      if (id?.type === "Identifier" && value !== undefined) constants.set(exportName(id), value)
    }
  }
  return constants
}

const plainValues: ReadonlyMap<string, string> = new Map([
  ["NumericLiteral", "a number"],
  ["StringLiteral", "a string"],
  ["TemplateLiteral", "a string"],
  ["BooleanLiteral", "a boolean"],
  ["NullLiteral", "null"],
  ["RegExpLiteral", "a regular expression"],
  ["ArrayExpression", "an array"],
  ["ObjectExpression", "an object"],
  ["ClassExpression", "a class"],
  ["ClassDeclaration", "a class"],
  ["TSEnumDeclaration", "an enum"],
])

/** Describes a value that can't be a function. Undefined if the syntax leaves that open. */
function plainValue(node: SyntaxNode | null | undefined): string | undefined {
  let inner = node
  while (inner?.expression !== undefined && /^(?:TS|Parenthesized)/.test(inner.type)) inner = inner.expression
  return plainValues.get(inner?.type ?? "")
}

/** Returns the exported names, each with its name inside the module. */
function namesOf(item: SyntaxNode): (readonly [name: string, local: string])[] {
  const specifiers = (item.specifiers ?? [])
    .filter((specifier) => specifier.exportKind !== "type")
    .map(({ exported, local }) => [exportName(exported), exportName(local)] as const)
  const declared = item.declaration
  if (declared === undefined || declared === null) return specifiers
  return [...specifiers, ...declaredBy(declared).map((name) => [name, name] as const)]
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
