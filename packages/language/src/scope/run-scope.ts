// Resolves placeholders and paths while a workflow runs. Looks for iterators, inputs, results and variables in each
// loop, innermost first.

import {
  type Block,
  createSuggester,
  describeType,
  type Exchange,
  isJsonObject,
  iterates,
  type JsonObject,
  type JsonValue,
  type LoopBlock,
  memo,
  ownOf,
  parsePathOnce,
  type PathSegments,
  type ResolvedEnvironment,
  resolveSegments,
  stepInto,
  walkBlocks,
  type Workflow,
} from "@callsheet/format"
import { iteratorNamed, leavesResult, lookUpName, type Meanings, readsEarlierIterations } from "./rules.ts"
import { foreignNames, reasons } from "../messages.ts"
import { describeGap } from "./response-gaps.ts"

export interface BlockResult {
  /** `{ response }` of a request, or the outputs of a transform. */
  readonly value: JsonObject
  /** Returns the unmasked exchanges behind the result. Called only if a block that reads the result fails. */
  readonly exchanges?: (() => readonly Exchange[]) | undefined
  readonly outlives: boolean
  /** The outputs that a transform omitted because their paths didn't resolve. Maps each name to its path. */
  readonly leftOut?: ReadonlyMap<string, string>
  readonly rawId: string
  /** True if the ids of two blocks expanded to the same string. The name then refers to neither. */
  readonly isAmbiguous?: boolean
  /** True if the content type is JSON, but the body isn't. The body is then the raw text. */
  readonly isBodyBroken?: boolean
  /**
   * True if nothing may be decided by the value: a script computed it from values that are masked in a record, or from
   * withheld secrets. A set names the outputs that this is true for.
   */
  readonly isUnknown?: boolean | ReadonlySet<string>
  /** True if the block failed without a result. The name then doesn't refer to an earlier iteration's result. */
  readonly isMissing?: boolean
}

export interface Iteration {
  readonly index: number
  readonly value: JsonValue
}

export interface Scope {
  readonly run: RunScope
  readonly outer: Scope | undefined
  /** The loop around this scope. Present if `iteration` is. */
  readonly loop: LoopBlock | undefined
  readonly iteration: Iteration | undefined
  readonly results: Map<string, BlockResult>
}

export interface RunScope {
  readonly inputs: ReadonlyMap<string, JsonValue>
  readonly environments: ReadonlyMap<string, ResolvedEnvironment>
  readonly workflow: Workflow
  /** Returns whether a string contains a secret. Messages must not quote parts of such a string. */
  readonly holdsSecret: (text: string) => boolean
  readonly unknown?: Unknown | undefined
  /** Set if nothing may be decided by a secret, because an agent started the run. */
  readonly withheld?: Withheld | undefined
  /** The inputs whose values were read from secrets. */
  readonly secretInputs?: ReadonlySet<string> | undefined
}

/** Values of which the run knows only that they exist, because a record masks them. */
export interface Unknown {
  /** The text that stands for unknown parts of values. */
  readonly text: string
  /** True if a block fails if its verdict depends on them. */
  readonly isStrict: boolean
}

/** Finds secrets in values of the run, in any encoding. */
export interface Withheld {
  readonly isIn: (value: JsonValue) => boolean
  /** Replaces the secrets in a value. */
  readonly hide: (value: JsonValue) => JsonValue
}

export const createRunScope = (run: RunScope): Scope => ({
  run,
  outer: undefined,
  loop: undefined,
  iteration: undefined,
  results: new Map(),
})

export const enterIteration = (outer: Scope, loop: LoopBlock, iteration: Iteration): Scope => ({
  run: outer.run,
  outer,
  loop,
  iteration,
  results: new Map(),
})

/** Stores a result by its expanded id. If another block already has the id, marks the result as ambiguous. */
export function putResult(results: Map<string, BlockResult>, id: string, result: BlockResult): void {
  const known = results.get(id)
  const isAmbiguous = known !== undefined && (known.isAmbiguous === true || known.rawId !== result.rawId)
  results.set(id, isAmbiguous ? { ...result, isAmbiguous } : result)
}

/** Copies the results of an iteration to the scope around the loop, where they replace those of earlier iterations. */
export function leaveIteration(scope: Scope): void {
  if (scope.outer === undefined) return
  for (const [id, result] of scope.results) if (result.outlives) putResult(scope.outer.results, id, result)
}

/** The results of parallel iterations, hidden until the loop ends. The iteration with the highest index wins. */
export class ResultsOfHighestIndex {
  readonly #results = new Map<string, { readonly result: BlockResult; readonly index: number }>()

  keep(scope: Scope, index: number): void {
    for (const [id, result] of scope.results) {
      if (!result.outlives) continue
      const known = this.#results.get(id)
      if (known !== undefined && known.result.rawId !== result.rawId) {
        this.#results.set(id, { result: { ...result, isAmbiguous: true }, index: Infinity })
      } else if (known === undefined || known.index < index) this.#results.set(id, { result, index })
    }
  }

  handTo(scope: Scope): void {
    for (const [id, { result }] of this.#results) putResult(scope.results, id, result)
  }
}

export type Lookup =
  | FoundValue
  | {
      readonly found: false
      readonly reason: string
      /** True if nothing may be decided by this: the path passes a withheld secret. */
      readonly isUnknown?: boolean
    }

interface FoundValue {
  readonly found: true
  readonly value: JsonValue
  readonly isSecret: boolean
  readonly isVariable: boolean
  /** The result that the value is a part of. */
  readonly from: BlockResult | undefined
  /**
   * True if nothing may be decided by the value: it is the text for unknown values, or comes from a withheld secret.
   */
  readonly isUnknown?: boolean
}

/** Looks up a path. `api` is set for request blocks, which can also read variables of that API by their plain names. */
export function lookUp(scope: Scope, path: string, api?: string): Lookup {
  const parsed = parsePathOnce(path)
  // The parser's message quotes a part of the text, which may be half of a secret.
  if (!parsed.ok) return missing(reasons.notAPath())
  const { unknown } = scope.run
  if (unknown !== undefined && path.includes(unknown.text)) return unknownValue(unknown)
  const [first] = parsed.segments
  const meanings = new RunMeanings(scope, parsed.segments, api)
  const looked = lookUpName(first, meanings) ?? missing(describeUnknown(scope.run, first))
  const { withheld } = scope.run
  const found = withheld === undefined || !looked.found ? looked : markSecret(looked, withheld)
  // A reason quotes single segments. Masking wouldn't recognize half of a secret such as `a.b`.
  return found.found || found.isUnknown === true || !scope.run.holdsSecret(path)
    ? found
    : missing(reasons.secretInName())
}

/** Marks a value that contains a secret. Nothing may be decided by the value of a secret variable. */
function markSecret(found: FoundValue, { isIn }: Withheld): Lookup {
  if (found.isSecret || found.isUnknown === true) return { ...found, isSecret: true, isUnknown: true }
  return isIn(found.value) ? { ...found, isSecret: true } : found
}

class RunMeanings implements Meanings<Lookup> {
  readonly #scope: Scope
  readonly #segments: PathSegments
  readonly #api: string | undefined

  constructor(scope: Scope, segments: PathSegments, api: string | undefined) {
    this.#scope = scope
    this.#segments = segments
    this.#api = api
  }

  iterator(name: string): Lookup | undefined {
    const iteration = iteratorNamed(this.#scope, name)?.iteration
    return iteration === undefined ? undefined : this.#walk(iteration.value)
  }

  input(name: string): Lookup | undefined {
    const { inputs, workflow, secretInputs } = this.#scope.run
    const value = inputs.get(name)
    if (value !== undefined) {
      const found = this.#walk(value)
      return found.found && secretInputs?.has(name) === true ? { ...found, isSecret: true } : found
    }
    return workflow.inputs !== undefined && Object.hasOwn(workflow.inputs, name)
      ? missing(reasons.noInput(name))
      : undefined
  }

  result(name: string): Lookup | undefined {
    const result = findResult(this.#scope, name)
    if (result === undefined) return undefined
    const { unknown, withheld } = this.#scope.run
    if (unknown !== undefined && isUnknownAt(result, this.#segments, unknown))
      return unknownValue(unknown, result)
    const found = walkResult(result, this.#segments, this.#scope.run)
    if (withheld === undefined) return found
    if (leadsPast(result.value, this.#segments, withheld)) return withholding
    return isUnknownOutput(result, this.#segments) ? { ...found, isUnknown: true } : found
  }

  #walk(value: JsonValue): Lookup {
    const { unknown, withheld } = this.#scope.run
    if (unknown !== undefined && leadsThrough(value, this.#segments, unknown)) return unknownValue(unknown)
    const isUnknown = withheld !== undefined && leadsPast(value, this.#segments, withheld)
    return isUnknown ? withholding : walk(value, this.#segments)
  }

  variable(): Lookup | undefined {
    return this.#api === undefined ? undefined : lookUpVariable(this.#scope, this.#api, this.#segments, 0)
  }

  environment(name: string): Lookup | undefined {
    const [, api, variable] = this.#segments
    if (name !== "env" || api === undefined) return undefined
    if (!this.#scope.run.environments.has(api)) return missing(reasons.unusedApi(api))
    if (variable === undefined) return missing(reasons.noVariableName(api))
    return lookUpVariable(this.#scope, api, this.#segments, 2) ?? missing(reasons.undeclared(api, variable))
  }
}

export function findResult(scope: Scope, id: string): BlockResult | undefined {
  for (let here: Scope | undefined = scope; here !== undefined; here = here.outer) {
    const result = here.results.get(id)
    if (result !== undefined) return result
    if (here.loop !== undefined && !readsEarlierIterations(here.loop) && bodyIds(here.loop).has(id))
      return undefined
  }
  return undefined
}

const bodyIds = memo(
  (loop: LoopBlock): ReadonlySet<string> =>
    new Set([...walkBlocks(loop.blocks)].map(({ block }) => block.id)),
)

function walkResult(result: BlockResult, segments: PathSegments, run: RunScope): Lookup {
  const [id = "", output] = segments
  if (result.isAmbiguous === true) return missing(reasons.ambiguous(id))
  if (result.isMissing === true) return missing(reasons.failed(id))
  const found = walk(result.value, segments, result)
  if (found.found || output === undefined) return found
  const ofResponse = describeGap(result, segments, run.holdsSecret)
  if (ofResponse !== undefined) return missing(ofResponse)
  const source = result.leftOut?.get(output)
  return source === undefined ? found : missing(reasons.leftOut(id, output, source))
}

function walk(value: JsonValue, segments: PathSegments, from?: BlockResult): Lookup {
  const resolution = resolveSegments(value, segments, 1)
  if (resolution.found)
    return { found: true, value: resolution.value, isSecret: false, isVariable: false, from }
  const parent = `"${segments.slice(0, resolution.at).join(".")}"`
  const name = segments[resolution.at] ?? ""
  const holder = resolveSegments(value, segments.slice(0, resolution.at), 1)
  // Name the type of the parent: a body may be text although JSON was expected.
  if (holder.found && (typeof holder.value !== "object" || holder.value === null))
    return missing(reasons.noProperty(parent, describeType(holder.value), name))
  return missing(reasons.noProperty(parent, undefined, name))
}

function lookUpVariable(scope: Scope, api: string, segments: PathSegments, at: number): Lookup | undefined {
  const name = segments[at]
  const environment = scope.run.environments.get(api)
  const variable = name === undefined ? undefined : environment?.variables.get(name)
  if (variable === undefined) return undefined
  if (variable.value === undefined) {
    return missing(reasons.noValue(variable.name, api, environment?.name ?? ""))
  }
  if (segments.length > at + 1) return missing(reasons.notAnObject(variable.name))
  const { value, declaration } = variable
  return { found: true, value, isSecret: declaration.secret === true, isVariable: true, from: undefined }
}

const namesOf = memo((run: RunScope) => {
  const blocks = new Map<string, Block>()
  const names = new Set(Object.keys(run.workflow.inputs ?? {}))
  for (const { block } of walkBlocks(run.workflow.blocks)) {
    blocks.set(block.id, block)
    if (leavesResult(block)) names.add(block.id)
    if (iterates(block) && block.iteratorVar !== undefined) names.add(block.iteratorVar)
  }
  for (const { variables } of run.environments.values()) for (const name of variables.keys()) names.add(name)
  return { blocks, suggest: createSuggester(names) }
})

function describeUnknown(run: RunScope, name: string): string {
  const { blocks, suggest } = namesOf(run)
  const block = blocks.get(name)
  if (block !== undefined) {
    return leavesResult(block) ? reasons.notRun(name) : reasons.noResult(name, block.type)
  }
  const api = [...run.environments.values()].find(({ variables }) => variables.has(name))?.api
  if (api !== undefined) return reasons.variableOfApi(name, api)
  const hint = ownOf(foreignNames, name) ?? suggest(name)
  return `${reasons.unknownName(name)}${hint === undefined ? "" : `; ${hint}`}`
}

const unknownValue = ({ text }: Unknown, from?: BlockResult): Lookup => ({
  found: true,
  value: text,
  isSecret: false,
  isVariable: false,
  from,
  isUnknown: true,
})

const isUnknownOutput = ({ isUnknown }: BlockResult, [, output]: PathSegments): boolean =>
  typeof isUnknown === "object" ? output === undefined || isUnknown.has(output) : isUnknown === true

const isUnknownAt = (result: BlockResult, segments: PathSegments, unknown: Unknown): boolean =>
  isUnknownOutput(result, segments) ||
  (result.isAmbiguous !== true && result.isMissing !== true && leadsThrough(result.value, segments, unknown))

/** Returns whether a path that doesn't resolve stops at an unknown text, or at an object with an unknown name. */
function leadsThrough(value: JsonValue, segments: PathSegments, { text }: Unknown): boolean {
  const resolution = resolveSegments(value, segments, 1)
  if (resolution.found) return false
  const holder = resolveSegments(value, segments.slice(0, resolution.at), 1)
  if (!holder.found) return false
  return (
    holder.value === text ||
    (isJsonObject(holder.value) && Object.keys(holder.value).some((name) => name.includes(text)))
  )
}

/** Returns whether a path steps into an object with a secret as a name. Where it leads then depends on the secret. */
function leadsPast(value: JsonValue, segments: PathSegments, { isIn }: Withheld): boolean {
  let current: JsonValue | undefined = value
  for (const segment of segments.slice(1)) {
    if (isJsonObject(current) && isIn(Object.keys(current))) return true
    current = stepInto(current, segment)
  }
  return false
}

/** Hides whether a path resolves. */
const withholding: Lookup = { found: false, reason: reasons.secretInName(), isUnknown: true }

const missing = (reason: string): Lookup => ({ found: false, reason })
