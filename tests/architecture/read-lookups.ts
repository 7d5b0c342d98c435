// Finds where code reads or sets a property by a name that isn't known when it is compiled. On a plain object, such a name
// may be `constructor` or `__proto__`.

import { join } from "node:path"
import { SyntaxKind, type Node, type SourceFile } from "typescript/unstable/ast"
import {
  isBinaryExpression,
  isBindingElement,
  isComputedPropertyName,
  isDeleteExpression,
  isElementAccessExpression,
  isParenthesizedExpression,
  isAsExpression,
  isStringLiteral,
} from "typescript/unstable/ast/is"
import {
  API,
  isIntersectionType,
  isUnionType,
  TypeFlags,
  type Checker,
  type Type,
} from "typescript/unstable/sync"

export interface Lookup {
  readonly file: string
  readonly line: number
  readonly text: string
}

/** Reads the files of a project, given by the path of its `tsconfig.json`. `paths` selects its files. */
export function readLookups(config: string, paths: (path: string) => boolean): readonly Lookup[] {
  const api = new API({ cwd: join(config, "..") })
  try {
    const project = api.updateSnapshot({ openProject: config }).getProject(config)
    if (project === undefined) throw new Error(`TypeScript did not open ${config}`)
    const { program, checker } = project
    return program
      .getSourceFileNames()
      .filter(paths)
      .flatMap((file) =>
        lookupsIn(program.getSourceFile(file), checker).map((lookup) => ({ file, ...lookup })),
      )
  } finally {
    api.close()
  }
}

/** The name by which a node reads or sets a property. Undefined if it doesn't, or only deletes one. */
function nameOf(node: Node, parent: Node | undefined): Node | undefined {
  if (isElementAccessExpression(node))
    return parent !== undefined && isDeleteExpression(parent) ? undefined : node.argumentExpression
  if (isBinaryExpression(node) && node.operatorToken.kind === SyntaxKind.InKeyword) return node.left
  if (isBindingElement(node) && node.propertyName !== undefined && isComputedPropertyName(node.propertyName))
    return node.propertyName.expression
  return undefined
}

type Found = Omit<Lookup, "file">

function lookupsIn(file: SourceFile | undefined, checker: Checker): readonly Found[] {
  if (file === undefined) return []
  const uses: { readonly node: Node; readonly name: Node }[] = []
  const visit = (node: Node, parent?: Node): void => {
    const name = nameOf(node, parent)
    if (name !== undefined && !isStringLiteral(name)) uses.push({ node, name: withoutCast(name) })
    node.forEachChild((child) => visit(child, node))
  }
  visit(file)
  if (uses.length === 0) return []
  const types = checker.getTypeAtLocation(uses.map(({ name }) => name))
  return uses.flatMap(({ node }, at) => {
    const type = types[at]
    if (type === undefined || !isOpen(type, checker)) return []
    const start = node.getStart(file)
    const line = file.text.slice(0, start).split("\n").length
    const text = file.text.split("\n")[line - 1]?.trim() ?? ""
    return [{ line, text }]
  })
}

/** A cast doesn't make a name known. */
function withoutCast(node: Node): Node {
  return isAsExpression(node) || isParenthesizedExpression(node) ? withoutCast(node.expression) : node
}

const anyText =
  TypeFlags.String | TypeFlags.TemplateLiteral | TypeFlags.StringMapping | TypeFlags.Any | TypeFlags.Unknown

/** Returns whether a value of the type can be any text. A key of the object's own type can't. */
function isOpen(type: Type, checker: Checker): boolean {
  if ((type.flags & anyText) !== 0) return true
  if (isUnionType(type) || isIntersectionType(type))
    return type.getTypes().some((part) => isOpen(part, checker))
  if ((type.flags & (TypeFlags.TypeParameter | TypeFlags.Conditional)) === 0) return false
  const constraint = checker.getBaseConstraintOfType(type)
  return constraint === undefined || isOpen(constraint, checker)
}
