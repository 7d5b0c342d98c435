// A plugin of the compiler: compiles every form of `import.meta`, and the decorators of class members as TypeScript's
// `experimentalDecorators` does. jiti's own plugins leave both incomplete.

import type { SyntaxNode } from "./read-exports.ts"
import { runtimeName } from "./runtime.ts"

export interface ParsedFile {
  readonly ast: { readonly program: { readonly type: string; readonly body: SyntaxNode[] } }
  readonly scope: { readonly globals: Readonly<Record<string, SyntaxNode>> }
}

interface ClassMember {
  type: string
  readonly key: object
  readonly computed?: boolean
  readonly static?: boolean
  readonly declare?: boolean
  readonly value?: object | null
  decorators?: readonly { readonly expression: object }[] | null
}

interface Class {
  readonly type: string
  readonly id?: object | null
  readonly body: { body: object[] }
  readonly decorators?: readonly object[] | null
}

interface Path<Node> {
  readonly node: Node
  readonly parentPath: Path<{ readonly type: string }>
  replaceWith(node: object): void
  insertAfter(nodes: readonly object[]): void
  traverse(visitor: object): void
}

interface BabelTools {
  readonly template: { readonly expression: (code: string) => (parts?: object) => object }
  readonly types: {
    isIdentifier(node: object): node is { readonly name: string }
    stringLiteral(text: string): object
    arrayExpression(items: readonly object[]): object
    arrowFunctionExpression(parameters: readonly object[], body: object): object
    cloneNode(node: object): object
    expressionStatement(expression: object): object
    identifier(name: string): object
    numericLiteral(value: number): object
    sequenceExpression(items: readonly object[]): object
    privateName(id: object): object
    classPrivateProperty(key: object, value: object): object
    staticBlock(body: readonly object[]): object
  }
}

/** Creates the plugin. `readSyntax` receives the file before any plugin changes it. */
export const createBabelPlugin =
  (readSyntax: (file: ParsedFile) => void) =>
  ({ template, types }: BabelTools) => {
    const meta = template.expression(`${runtimeName}.meta`)
    return {
      pre: (file: ParsedFile & { readonly path: Path<object> }) => {
        readSyntax(file)
        const mark = createMarker({ template, types })
        mark(file.ast.program)
        file.path.traverse({
          "BlockStatement|StaticBlock|SwitchCase|ArrowFunctionExpression": ({ node }: Path<Marked>) =>
            mark(node),
          MetaProperty: (path: Path<{ readonly meta: { readonly name: string } }>) => {
            if (path.node.meta.name === "import") path.replaceWith(meta())
          },
        })
      },
      visitor: {
        // The plugins for metadata and for parameters add their decorators when a program is entered, too.
        Program: (path: Path<object>) =>
          path.traverse({ Class: (found: Path<Class>) => decorateMembers(found, { template, types }) }),
      },
    }
  }

interface Marked {
  readonly type: string
  body?: object | object[]
  readonly consequent?: object[]
}

interface Statement {
  readonly type: string
  readonly loc?: { readonly start: { readonly line: number } } | null
  readonly declaration?: Statement | null
}

/** Declarations that run nothing, or have to stay first. */
const isSilent = ({ type }: Statement): boolean =>
  /^(?:TS|Import|ExportAll|FunctionDeclaration|Declare|EmptyStatement|BlockStatement)/.test(type)

/** Creates a function that makes each statement of a node say that it starts. */
function createMarker({ template, types }: BabelTools): (node: Marked) => void {
  const at = template.expression(`${runtimeName}.at(LINE)`)
  const callFor = ({ loc }: Statement): object | undefined =>
    loc === undefined || loc === null ? undefined : at({ LINE: types.numericLiteral(loc.start.line) })
  const markList = (list: object[]): void => {
    const marked = list.flatMap((item) => {
      const statement = item as Statement
      const isExport = statement.type.startsWith("Export")
      const call = isSilent(isExport ? (statement.declaration ?? { type: "Import" }) : statement)
        ? undefined
        : callFor(statement)
      return call === undefined ? [item] : [types.expressionStatement(call), item]
    })
    // Babel finds a statement again only in the same list.
    list.splice(0, list.length, ...marked)
  }
  return (node) => {
    const { body, consequent } = node
    if (consequent !== undefined) markList(consequent)
    else if (Array.isArray(body)) markList(body as object[])
    else if (node.type === "ArrowFunctionExpression" && body !== undefined) {
      const call = (body as Statement).type === "BlockStatement" ? undefined : callFor(body as Statement)
      if (call !== undefined) node.body = types.sequenceExpression([call, body])
    }
  }
}

/**
 * Replaces the decorators of a class's members by calls after the class: first those of instances. If the class may have
 * no name there, or is decorated itself, the calls are in a static block at its end.
 */
function decorateMembers(path: Path<Class>, { template, types }: BabelTools): void {
  const { id, type, body, decorators: own } = path.node
  const name = type === "ClassDeclaration" && (own ?? []).length === 0 ? id : undefined
  const decorate = template.expression(
    `${runtimeName}.decorate(DECORATORS, TARGET, { key: KEY, isField: IS_FIELD })`,
  )
  const initialize = template.expression(`${runtimeName}.field(this, KEY, INITIALIZER)`)
  const keyOf = ({ key, computed }: ClassMember): object =>
    computed !== true && types.isIdentifier(key) ? types.stringLiteral(key.name) : types.cloneNode(key)
  const calls: { readonly static: object[]; readonly instance: object[] } = { static: [], instance: [] }
  body.body = body.body.flatMap((item) => {
    const member = item as ClassMember
    const isField = member.type === "ClassProperty"
    const { decorators, static: isStatic = false, value } = member
    if (!(isField || member.type === "ClassMethod") || (decorators ?? []).length === 0) return [item]
    const target = template.expression(isStatic ? "CLASS" : "CLASS.prototype")({
      CLASS: name === undefined || name === null ? template.expression("this")() : types.cloneNode(name),
    })
    const call = decorate({
      DECORATORS: types.arrayExpression((decorators ?? []).map(({ expression }) => expression)),
      TARGET: target,
      KEY: keyOf(member),
      IS_FIELD: template.expression(String(isField))(),
    })
    calls[isStatic ? "static" : "instance"].push(types.expressionStatement(call))
    member.decorators = null
    if (!isField || isStatic) return [item]
    if (member.declare === true) return []
    const initializer =
      value === null || value === undefined
        ? template.expression("undefined")()
        : types.arrowFunctionExpression([], value)
    // A private field runs code at the field's place, and nothing else can see it.
    const hidden = types.privateName(types.identifier(`callsheet${calls.instance.length}`))
    return [types.classPrivateProperty(hidden, initialize({ KEY: keyOf(member), INITIALIZER: initializer }))]
  })
  const statements = [...calls.instance, ...calls.static]
  if (statements.length === 0) return
  if (name === undefined || name === null) body.body.push(types.staticBlock(statements))
  else (path.parentPath.node.type.startsWith("Export") ? path.parentPath : path).insertAfter(statements)
}
