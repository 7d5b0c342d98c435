// Cuts the code of one test, or of the variables that a script sets, out of a script: its own statements, and those before
// them that they depend on.

import type { Statement } from "acorn"
import { getOrCreate } from "@callsheet/format"
import { draft, indent, line, type Line } from "./draft.ts"
import type { KnownValues } from "./known-values.ts"
import { asType, functionOf, keyOf, nameOf, namesIn, walk, type AnyNode } from "./syntax.ts"
import { Translator } from "./translate-code.ts"
import { refuse } from "./untranslatable.ts"
import { testers } from "./vocabulary.ts"

/** A statement, or one name of a declaration. */
interface Unit {
  readonly node: Statement
  readonly declares: readonly string[]
}

/** The statements that code may depend on: those of the script, and of the blocks around the code. */
export interface Surroundings {
  readonly units: readonly Unit[]
  readonly outer: ReadonlyMap<string, { readonly isFunction: boolean }>
  readonly known: KnownValues
  /** The names that the script assigns after their declaration. */
  readonly assigned: ReadonlySet<string>
}

export const noSurroundings = (known: KnownValues, assigned: ReadonlySet<string>): Surroundings => ({
  units: [],
  outer: new Map(),
  known,
  assigned,
})

/** Returns the names that a script assigns, other than in declarations. */
export function assignedIn(statements: readonly Statement[]): ReadonlySet<string> {
  const names = new Set<string>()
  for (const statement of statements)
    walk(statement, (node) => {
      const target = asType(node, "AssignmentExpression")?.left ?? asType(node, "UpdateExpression")?.argument
      if (target !== undefined && target.type !== "MemberExpression")
        for (const name of namesIn(target)) names.add(name)
    })
  return names
}

/** Adds the statements of a block to what the code in it may depend on. */
export function enter(around: Surroundings, statements: readonly Statement[]): Surroundings {
  const units = statements.flatMap(unitsOf)
  const outer = new Map(around.outer)
  for (const { node, declares } of units)
    for (const name of declares) outer.set(name, { isFunction: isFunction(node, name, around.assigned) })
  return { ...around, units: [...around.units, ...units], outer }
}

/** Returns the names that statements declare. */
export const declaredBy = (statements: readonly Statement[]): readonly string[] =>
  statements.flatMap((one) => unitsOf(one).flatMap(({ declares }) => declares))

function unitsOf(node: Statement): readonly Unit[] {
  if (node.type === "VariableDeclaration")
    return node.declarations.map((one) => ({
      node: { ...node, declarations: [one] },
      declares: namesIn(one.id),
    }))
  if (node.type === "FunctionDeclaration") return [{ node, declares: node.id === null ? [] : [node.id.name] }]
  return [{ node, declares: [] }]
}

function isFunction(node: Statement, name: string, assigned: ReadonlySet<string>): boolean {
  if (node.type === "FunctionDeclaration") return true
  const [declarator] = asType(node, "VariableDeclaration")?.declarations ?? []
  return functionOf(declarator?.init ?? undefined) !== undefined && !assigned.has(name)
}

/** Translates the code itself. What it depends on is added before it. */
type Translate = (translator: Translator) => readonly Line[]

interface Target {
  readonly translate: Translate
  /** The statement of the script that contains the code. What follows it doesn't matter. */
  readonly within: Statement
  /** The names that the code declares. */
  readonly declares?: readonly string[]
}

/** Returns code with what it depends on. Throws `Untranslatable`. */
export function sliceOf(around: Surroundings, { translate, within, declares = [] }: Target): readonly Line[] {
  const end = around.units.findIndex(({ node }) => node.start >= within.start)
  const before = end === -1 ? around.units : around.units.slice(0, end)
  const later = around.units.filter(
    (unit) => unit.node.type === "FunctionDeclaration" && !before.includes(unit),
  )
  const translator = translatorOf(around, "checks", false)
  const own = unwrapped(translate(translator))
  const included = new Map<Unit, readonly Line[]>()
  const units = [...before, ...later]
  include({ around, units, included, mode: "checks", used: [...translator.used] })
  const first = around.units.flatMap((unit) => included.get(unit) ?? [])
  const taken = new Set([...included.keys()].flatMap((unit) => unit.declares))
  // The code may declare a name again.
  const isClash = declares.some((name) => taken.has(name))
  return isClash ? [...first, line(draft`{`), ...indent(own), line(draft`}`)] : [...first, ...own]
}

/** Returns the lines of a block if there is nothing else. */
function unwrapped(lines: readonly Line[]): readonly Line[] {
  const inner = lines.slice(1, -1)
  const isBlock =
    lines[0]?.code.every((part) => part === "" || part === "{") === true &&
    inner.every(({ depth }) => depth > 0)
  return isBlock ? inner.map(({ depth, code }) => ({ depth: depth - 1, code })) : lines
}

/** Returns the code of statements of the script that set variables, with what they depend on. */
export function valuesOf(around: Surroundings, targets: readonly Statement[]): readonly Line[] {
  const included = new Map<Unit, readonly Line[]>()
  const used: string[] = []
  for (const unit of around.units) {
    if (!targets.includes(unit.node)) continue
    const translator = translatorOf(around, "values", false)
    included.set(unit, translator.statements([unit.node]))
    used.push(...translator.used)
  }
  include({ around, units: around.units, included, mode: "values", used })
  return around.units.flatMap((unit) => included.get(unit) ?? [])
}

const translatorOf = (around: Surroundings, mode: "checks" | "values", isDependency: boolean): Translator =>
  new Translator({ ...around, known: around.known.inner(), mode, isDependency })

interface Including {
  readonly around: Surroundings
  /** The units that code may depend on. */
  readonly units: readonly Unit[]
  readonly included: Map<Unit, readonly Line[]>
  readonly mode: "checks" | "values"
  /** The names that code uses. */
  readonly used: string[]
}

/** Includes the units that the used names depend on, and those that these depend on. */
function include({ around, units, included, mode, used }: Including): void {
  const done = new Set<string>()
  for (let name = used.pop(); name !== undefined; name = used.pop()) {
    if (done.has(name)) continue
    done.add(name)
    for (const unit of units) {
      if (included.has(unit) || !affects(unit, name)) continue
      const translator = translatorOf(around, mode, true)
      included.set(unit, translator.statements([unit.node]))
      used.push(...translator.used)
    }
  }
}

const mutators = new Set("push pop shift unshift splice sort reverse fill set add".split(" "))

/** Returns whether a statement gives a name a value, or changes it. */
function affects({ node, declares }: Unit, name: string): boolean {
  if (declares.includes(name)) return true
  const { names, isTest } = getOrCreate(changes, node, changesIn)
  if (!names.has(name)) return false
  return isTest || node.type === "FunctionDeclaration" ? refuse("a variable that a test changes") : true
}

interface Changes {
  readonly names: ReadonlySet<string>
  /** True if a test in the statement may change them. */
  readonly isTest: boolean
}

/** The changes by statement, because each slice asks for them. */
const changes = new WeakMap<Statement, Changes>()

function changesIn(statement: Statement): Changes {
  const names = new Set<string>()
  let isTest = false
  walk(statement, (node) => {
    const target = asType(node, "AssignmentExpression")?.left ?? asType(node, "UpdateExpression")?.argument
    const callee = asType(node, "CallExpression")?.callee
    const member = asType(callee, "MemberExpression")
    const isMutation = member !== undefined && mutators.has(keyOf(member) ?? "")
    for (const name of rootsOf(target ?? (isMutation ? member.object : undefined))) names.add(name)
    isTest ||= callee !== undefined && testers.has(nameOf(callee) ?? "")
  })
  return { names, isTest }
}

/** Returns the names that an assignment changes: `a` for `a.b[0]`. */
function rootsOf(target: AnyNode | undefined): readonly string[] {
  if (target === undefined) return []
  let at = target
  for (
    let member = asType(at, "MemberExpression");
    member !== undefined;
    member = asType(at, "MemberExpression")
  )
    at = member.object
  return at.type === "Identifier" || at.type.endsWith("Pattern") ? namesIn(at) : []
}
