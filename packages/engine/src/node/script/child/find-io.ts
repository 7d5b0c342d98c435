// Finds in a script's syntax what it uses of the outside world: files, the network and processes.

import { isBuiltin } from "node:module"
import { ownOf } from "@callsheet/format"
import type { ScriptModule } from "@callsheet/language"
import type { SyntaxNode } from "./read-exports.ts"

export type OutsideUses = Pick<ScriptModule, "io" | "lazyImports">

/** Modules of Node that only compute. */
const pure = new Set(
  "assert assert/strict async_hooks buffer constants crypto events path path/posix path/win32 perf_hooks punycode querystring stream stream/promises string_decoder timers timers/promises url util util/types zlib".split(
    " ",
  ),
)
const reachingGlobals = new Set(["fetch", "WebSocket", "EventSource", "XMLHttpRequest", "eval"])
const reachingMembers = new Set(["getBuiltinModule", "binding", "_linkedBinding", "dlopen", "kill", "chdir"])

/** Returns whether a module of Node does more than compute. */
export const reachesOut = (specifier: string): boolean =>
  isBuiltin(specifier) && !pure.has(specifier.replace(/^node:/, ""))

/** Searches a program. `globals` contains the first use of each name that the program doesn't declare. */
export function findIo(
  body: readonly SyntaxNode[],
  globals: Readonly<Record<string, SyntaxNode>>,
): OutsideUses {
  const io: { what: string; line: number; column: number }[] = []
  const lazyImports: string[] = []
  const add = (what: string, { loc }: SyntaxNode): void => {
    if (loc !== undefined) io.push({ what, line: loc.start.line, column: loc.start.column + 1 })
  }
  for (const name of reachingGlobals) {
    const node = ownOf(globals, name)
    if (node !== undefined) add(name, node)
  }
  for (const node of nodesIn(body)) {
    const member = memberOf(node)
    if (member !== undefined && isReaching(member) && Object.hasOwn(globals, member.object))
      add(`${member.object}.${member.name}`, node)
    const load = loadOf(node, Object.hasOwn(globals, "require"))
    if (load === undefined) continue
    if (load.specifier === undefined) add(load.what, node)
    else if (reachesOut(load.specifier)) add(load.specifier, node)
    else lazyImports.push(load.specifier)
  }
  return { io, lazyImports }
}

interface Member {
  readonly object: string
  readonly name: string
}

const isReaching = ({ object, name }: Member): boolean =>
  object === "process"
    ? reachingMembers.has(name)
    : (object === "globalThis" || object === "global") && reachingGlobals.has(name)

function memberOf({ type, object, property }: SyntaxNode): Member | undefined {
  if (!/^(?:Optional)?MemberExpression$/.test(type) || object?.name === undefined) return undefined
  const name = property?.name ?? property?.value
  return typeof name === "string" ? { object: object.name, name } : undefined
}

/** Returns what a call loads: `import("x")` or `require("x")`. Without `specifier`, the name is computed. */
function loadOf(node: SyntaxNode, hasRequire: boolean): { what: string; specifier?: string } | undefined {
  const { type, callee, source, arguments: [first] = [] } = node
  const isImport = type === "ImportExpression" || (type === "CallExpression" && callee?.type === "Import")
  const isRequire = type === "CallExpression" && callee?.name === "require" && hasRequire
  if (type === "TSExternalModuleReference") return loadFrom("require", node.expression)
  if (!isImport && !isRequire) return undefined
  return loadFrom(isImport ? "import" : "require", source ?? first)
}

const loadFrom = (how: string, named: SyntaxNode | undefined) =>
  named?.type === "StringLiteral" && typeof named.value === "string"
    ? { what: how, specifier: named.value }
    : { what: `${how}(…)` }

/** Yields every node of a syntax tree. Iterative, because code nests without limit. */
function* nodesIn(body: readonly SyntaxNode[]): Generator<SyntaxNode> {
  const work: unknown[] = [...body]
  for (let item = work.pop(); item !== undefined; item = work.pop()) {
    if (typeof item !== "object" || item === null) continue
    if ("type" in item && typeof item.type === "string") yield item as SyntaxNode
    for (const [key, child] of Object.entries(item))
      if (typeof child === "object" && child !== null && key !== "loc" && !key.endsWith("Comments"))
        work.push(child)
  }
}
