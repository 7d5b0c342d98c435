// Reads the names that a module exports from its syntax tree (Babel's, before anything is rewritten). Types don't
// count.

interface Named {
  readonly type: string
  readonly name?: string
  readonly value?: string
}

interface Pattern extends Named {
  readonly left?: Pattern
  readonly argument?: Pattern
  readonly elements?: readonly (Pattern | null)[]
  readonly properties?: readonly {
    readonly type: string
    readonly value?: Pattern
    readonly argument?: Pattern
  }[]
}

interface Declaration {
  readonly type: string
  readonly declare?: boolean
  readonly id?: Named | null
  readonly declarations?: readonly { readonly id: Pattern }[]
}

/** A top-level statement, reduced to what exports need. */
export interface ModuleItem {
  readonly type: string
  readonly exportKind?: "type" | "value"
  readonly source?: unknown
  readonly declaration?: Declaration | null
  readonly exported?: Named
  readonly specifiers?: readonly {
    readonly type: string
    readonly exportKind?: "type" | "value"
    readonly exported: Named
  }[]
}

interface FoundExports {
  readonly exports: readonly string[]
  /** False if other files or the running module add exports: `export *`, `export =`, CommonJS. */
  readonly complete: boolean
}

export function readExports(body: readonly ModuleItem[]): FoundExports {
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

function namesOf(item: ModuleItem): string[] {
  const specifiers = (item.specifiers ?? [])
    .filter((specifier) => specifier.exportKind !== "type")
    .map((specifier) => exportName(specifier.exported))
  const declared = item.declaration
  return declared === undefined || declared === null ? specifiers : [...specifiers, ...declaredBy(declared)]
}

function declaredBy(declaration: Declaration): string[] {
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

function boundBy(pattern: Pattern | null | undefined): string[] {
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
      return (pattern.properties ?? []).flatMap((property) => boundBy(property.value ?? property.argument))
    default:
      return []
  }
}

/** An identifier, or the string of `export { x as "a name" }`. */
const exportName = (name: Named): string => name.name ?? name.value ?? ""
