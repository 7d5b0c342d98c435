// Resolves placeholders and paths before a workflow runs. Finds what the first name refers to, and the type of the
// value.

import {
  type Block,
  createSuggester,
  getOrCreate,
  hasOutputs,
  hasResponse,
  type InputDeclaration,
  isSingleToken,
  type JsonPointer,
  iterates,
  type JsonValue,
  literalType,
  type LoopBlock,
  memberType,
  objectType,
  ownOf,
  parsePathOnce,
  parseTemplateOnce,
  type ReadableWorkflow,
  stepInto,
  scalarType,
  type ScalarType,
  suggest,
  type Replacement,
  type TemplatePart,
  unknownType,
  valueStrings,
  type ValueType,
  type Visit,
  walkBlocks,
} from "@callsheet/format"
import { asWritten, HOLE, patternOf } from "../names/name-pattern.ts"
import { ownPath } from "../names/other-paths.ts"
import { BlockNames, surelyRuns } from "../scope/block-names.ts"
import {
  hasRunBy,
  type LoopPlaces,
  type PlaceReader,
  type Places,
  placesOf,
  type Reach,
} from "../scope/places.ts"
import { iteratorNamed, leavesResult, lookUpName } from "../scope/rules.ts"
import type { KnownResponse } from "./response-type.ts"
import {
  type NameType,
  meansNothing,
  similarName,
  type WalkResult,
  showHoles,
  type Step,
  walk,
} from "./walk-type.ts"
import { advice, foreignNames, reasons } from "../messages.ts"

/** The block that reads a name. A request block can read the variables of its API by their plain names. */
export interface Reading {
  readonly visit: Visit
  readonly isAfterNested?: boolean
  readonly api?: string
}

/** Returns how a field of a block reads names. */
export function readingAt(visit: Visit, [field]: JsonPointer): Reading {
  const { block } = visit
  if (field === "request" && hasResponse(block)) return { visit, api: block.request.api }
  // The check of a polling loop reads after the nested blocks have run.
  return field === "until" ? { visit, isAfterNested: true } : { visit }
}

export type NameMeaning =
  | { readonly is: "result"; readonly block: Block; readonly isCertain: boolean }
  | { readonly is: "iterator"; readonly loop: LoopBlock }
  | { readonly is: "input" }
  | { readonly is: "absent"; readonly reason: string }

export interface VariableReading {
  readonly api: string
  readonly name: string
  readonly segment: number
  readonly isSure: boolean
}

export interface ScopeSource {
  readonly readable: ReadableWorkflow
  /** The types of the declared variables, by API. Undefined for an API whose variables are unknown. */
  readonly variables: ReadonlyMap<string, ReadonlyMap<string, ScalarType | undefined> | undefined>
  readonly responseOf: (block: Block<"request">) => KnownResponse
}

const numberType = scalarType("number")
const stringType = scalarType("string")
const dynamicTypes: ReadonlyMap<string, ValueType> = new Map([
  ["$index", numberType],
  ["$uuid", stringType],
  ["$timestamp", numberType],
  ["$isoTimestamp", stringType],
  ["$randomInt", numberType],
])

/** The maximum length of a chain of types. A longer chain is unknown, so that recursion is limited. */
const MAX_CHAIN = 100
/** The maximum number of explanations in the words of other tools, because each one searches the blocks. */
const MAX_EXPLAINED = 1_000
const responseMembers = new Set(["status", "body", "bodyText", "headers", "durationMs"])
/** The names that other tools give to the item of a loop, and to its index. */
const itemWords =
  /^\$?(?:(index|i|idx|loop\.index|iteration)|(?:item|each|element|elem|value|current|it|row|entry|this|loop\.value)(?=$|[.[])(.*))$/s

export class StaticScope {
  readonly iterators: ReadonlyMap<string, readonly LoopBlock[]>
  readonly results: ReadonlyMap<string, Block>
  readonly #source: ScopeSource
  readonly #names = new BlockNames()
  readonly #inProgress = new Set<Block>()
  readonly #responses = new Map<Block, NameType>()
  readonly #places: Places<Block>
  readonly #visits = new Map<Block, Visit>()
  #explained = 0
  readonly #known: ReadonlySet<string>
  readonly #suggest: (name: string) => string | undefined

  constructor(source: ScopeSource) {
    this.#source = source
    const { workflow } = source.readable
    this.#places = placesOf(workflow.blocks)
    const iterators = new Map<string, LoopBlock[]>()
    const results = new Map<string, Block>()
    for (const visit of walkBlocks(workflow.blocks)) {
      const { block } = visit
      this.#visits.set(block, visit)
      this.#names.add(visit)
      if (leavesResult(block) && !results.has(block.id)) results.set(block.id, block)
      if (iterates(block) && block.iteratorVar !== undefined)
        getOrCreate(iterators, block.iteratorVar, () => []).push(block)
    }
    this.#known = new Set([...Object.keys(workflow.inputs ?? {}), ...results.keys(), ...iterators.keys()])
    this.#suggest = createSuggester(this.#known)
    this.iterators = iterators
    this.results = new Map([...results].filter(([id]) => !id.includes("{{")))
  }

  hasBlock(name: string): boolean {
    return this.#names.find(name, [name]) !== undefined
  }

  visitOf(block: Block): Visit | undefined {
    return this.#visits.get(block)
  }

  meaningOf(name: string, reading: Reading): NameMeaning | undefined {
    const loop = this.#iteratorNamed(name, reading)
    if (loop !== undefined) return { is: "iterator", loop }
    if (this.#input(name) !== undefined) return { is: "input" }
    const block = this.results.get(name)
    const { issue } = this.resolve([name], reading)
    if (issue?.is === "unknown") {
      const { message, hint } = issue
      return { is: "absent", reason: hint === undefined ? message : `${message}; ${hint}` }
    }
    if (block === undefined || !hasRunBy(this.#places.reach(block, readerOf(reading)))) return undefined
    return { is: "result", block, isCertain: issue === undefined && this.#hasSurelyRun(block, reading) }
  }

  /** Returns false if a loop might not have run the block yet: the loop might be empty or in its first iteration. */
  #hasSurelyRun(writer: Block, reading: Reading): boolean {
    const reader = readerOf(reading)
    const around = new Set(blocksOf(this.#places.loopsOf(reader)))
    const place = this.#places.of(writer)
    const loops = blocksOf(place?.loops)
    if (loops.some((loop) => !around.has(loop) && !surelyRuns(loop))) return false
    const isNested = reading.isAfterNested === true && loops.includes(reader.block)
    return isNested || (place?.number ?? Infinity) < (this.#places.of(reader.block)?.number ?? Infinity)
  }

  /** Returns whether every run runs the block: it isn't in a branch or in a loop that may be empty. */
  alwaysRuns(block: Block): boolean {
    for (let place = this.#places.of(block); place !== undefined; place = place.list.owner) {
      const { owner, isBranch } = place.list
      if (isBranch || (owner !== undefined && !surelyRuns(owner.block))) return false
    }
    return true
  }

  /** Resolves a path. `parts` is the path as written, which may contain placeholders. */
  resolve(parts: readonly TemplatePart[], reading: Reading): WalkResult {
    // The value of a placeholder may be any path.
    if (isSingleToken(parts)) return { type: unknownType }
    const parsed = parsePathOnce(patternOf(parts))
    if (!parsed.ok) return { type: unknownType }
    const segments = this.#stepsOf(parts, parsed.segments, reading)
    return this.#resolveFirst({ name: parsed.segments[0], segments, parts, reading })
  }

  typeOf(value: JsonValue, reading: Reading): ValueType {
    if (typeof value === "string") return this.#typeOfText(value, reading)
    if (typeof value !== "object" || value === null) return literalType(value)
    const literal = literalType(value)
    if (!valueStrings(value, []).some(({ text }) => text.includes("{{"))) return literal
    return {
      ...literal,
      values: undefined,
      step: (segment) => {
        const inner = stepInto(value, segment)
        return inner === undefined ? { leads: "nowhere" } : { leads: "to", type: this.typeOf(inner, reading) }
      },
    }
  }

  #typeOfText(text: string, reading: Reading): ValueType {
    const template = parseTemplateOnce(text)
    if (!template.ok) return unknownType
    if (!template.hasTokens)
      return literalType(template.parts.filter((part) => typeof part === "string").join(""))
    if (!isSingleToken(template.parts)) return stringType
    return this.resolveToken(template.parts[0].inner, reading).type
  }

  /** Resolves the text between braces. In addition to paths, this may be a dynamic value. */
  resolveToken(inner: readonly TemplatePart[], reading: Reading): WalkResult {
    const [first] = inner
    if (typeof first !== "string" || !first.startsWith("$")) return this.resolve(inner, reading)
    const name = patternOf(inner)
    if (name.includes(HOLE)) return { type: unknownType }
    const type = dynamicTypes.get(name)
    if (type === undefined) {
      const names = [...dynamicTypes.keys()]
      const hint =
        suggest(name, names) ?? this.#otherWords(inner, reading)?.hint ?? advice.dynamicValues(names)
      return meansNothing(reasons.notDynamic(name), hint, similarName(name, names))
    }
    if (name === "$index" && reading.visit.loops === undefined && !reading.isAfterNested)
      return meansNothing(reasons.noLoop())
    return { type }
  }

  /**
   * Returns the variable that a path reads, declared or not. `isSure` is false if the name contains placeholders, or is
   * also the id of a block that may be skipped.
   */
  variableOf(parts: readonly TemplatePart[], reading: Reading): VariableReading | undefined {
    const parsed = parsePathOnce(patternOf(parts))
    if (!parsed.ok) return undefined
    const [first, api, name] = parsed.segments
    const reach = this.#reachOf(first, parts, reading)
    const isOther = this.#iteratorNamed(first, reading) !== undefined || this.#input(first) !== undefined
    if (isOther || reach === "earlier") return undefined
    const isSure = reach !== "perhaps" && !first.includes(HOLE)
    if (first === "env" && api !== undefined)
      return name === undefined
        ? undefined
        : { api, name, segment: 2, isSure: isSure && !api.includes(HOLE) && !name.includes(HOLE) }
    return reading.api === undefined ? undefined : { api: reading.api, name: first, segment: 0, isSure }
  }

  /** Returns whether the block with this name has a result. `later` if no block has the name. */
  #reachOf(name: string, parts: readonly TemplatePart[], reading: Reading): Reach {
    const found = this.#names.find(name, parts)
    if (found === undefined) return "later"
    if (found === "several" || this.#source.readable.broken.has(found.block)) return "perhaps"
    return leavesResult(found.block) ? this.#places.reach(found.block, readerOf(reading)) : "later"
  }

  #input(name: string): InputDeclaration | undefined {
    return ownOf(this.#source.readable.workflow.inputs ?? {}, name)
  }

  #iteratorNamed(name: string, { visit, isAfterNested }: Reading): LoopBlock | undefined {
    const { block, loops } = visit
    const isInside = isAfterNested === true && iterates(block)
    return iteratorNamed(isInside ? { loop: block, outer: loops } : loops, name)?.loop
  }

  #stepsOf(parts: readonly TemplatePart[], segments: readonly string[], reading: Reading): readonly Step[] {
    const tokens = parts.filter((part) => typeof part !== "string")
    let hole = 0
    return segments.map((segment) => {
      const token = tokens[hole]
      hole += segment.split(HOLE).length - 1
      const isToken = segment === HOLE && token !== undefined
      return { segment, type: isToken ? this.resolveToken(token.inner, reading).type : unknownType }
    })
  }

  #resolveFirst(path: Path): WalkResult {
    const { name, segments, reading } = path
    const found = lookUpName<WalkResult>(name, {
      iterator: () => {
        const loop = this.#iteratorNamed(name, reading)
        return loop && walk({ type: this.iterationType(loop) }, segments)
      },
      input: () =>
        this.#input(name) === undefined ? undefined : walk({ type: this.inputType(name) }, segments),
      result: () => this.#resolveResult(path),
      variable: () => this.#resolveVariable(path),
      environment: () => this.#resolveEnvironment(path),
    })
    return found ?? this.#explainResult(path) ?? this.#explainUnknown(path)
  }

  #resolveResult({ name, parts, segments, reading }: Path): WalkResult | undefined {
    const found = this.#names.find(name, parts)
    if (found === undefined) return undefined
    if (found === "several" || this.#source.readable.broken.has(found.block)) return { type: unknownType }
    const reach = this.#reachOf(name, parts, reading)
    if (!hasRunBy(reach)) return undefined
    const resolved = this.#inOurWords(walk(this.#resultType(found), segments), { parts, segments, reading })
    if (reach === "earlier" || resolved.issue !== undefined) return resolved
    const message = reasons.skippable(found.block.id)
    return { ...resolved, issue: { is: "skippable", message, hint: advice.readInBranch } }
  }

  #explainResult({ name, parts, reading }: Path): WalkResult | undefined {
    const found = this.#names.find(name, parts)
    if (found === undefined || found === "several") return undefined
    const { block } = found
    if (!leavesResult(block)) return meansNothing(reasons.noResult(block.id, block.type))
    if (block === reading.visit.block) return meansNothing(reasons.ownResult(block.id))
    const isLater = this.#places.reach(block, readerOf(reading)) === "later"
    return meansNothing(isLater ? reasons.later(block.id) : reasons.otherBranch(block.id))
  }

  resultType(block: Block): ValueType {
    const visit = this.#visits.get(block)
    return visit === undefined || this.#source.readable.broken.has(block)
      ? unknownType
      : this.#resultType(visit).type
  }

  #resultType(visit: Visit): NameType {
    const { block } = visit
    if (hasResponse(block)) return this.#responseOf(block)
    if (!hasOutputs(block) || block.transforms === undefined) return { type: unknownType }
    const { transforms } = block
    const type: ValueType = {
      kinds: new Set(["object"]),
      names: () => Object.keys(transforms),
      required: () => [],
      step: (name) => {
        const source = ownOf(transforms, name)
        return source === undefined
          ? { leads: "nowhere" }
          : { leads: "to", type: this.#guarded(block, () => this.#pathType(source, { visit })) }
      },
    }
    return { type }
  }

  #responseOf(block: Block<"request">): NameType {
    return getOrCreate(this.#responses, block, () => {
      const { type, otherwise } = this.#source.responseOf(block)
      return {
        type: objectType({ response: type }),
        otherwise: otherwise && objectType({ response: otherwise }),
      }
    })
  }

  #pathType(text: string, reading: Reading): ValueType {
    const template = parseTemplateOnce(text)
    return template.ok ? this.resolve(template.parts, reading).type : unknownType
  }

  /** Limits recursion: an output may depend on an output of the previous iteration. */
  #guarded(block: Block, make: () => ValueType): ValueType {
    if (this.#inProgress.has(block) || this.#inProgress.size === MAX_CHAIN) return unknownType
    this.#inProgress.add(block)
    try {
      return make()
    } finally {
      this.#inProgress.delete(block)
    }
  }

  iterationType(loop: LoopBlock): ValueType {
    if (this.#source.readable.broken.has(loop)) return unknownType
    if (loop.mode !== "forEach") return numberType
    const { source } = loop
    const visit = this.#visits.get(loop)
    if (visit === undefined) return unknownType
    const list = this.#guarded(loop, () => this.#pathType(source, { visit }))
    return (list.kinds?.has("array") === false ? undefined : memberType(list, "0")) ?? unknownType
  }

  /** Returns the type of an input. Unknown if the default has another type, because a run doesn't convert defaults. */
  inputType(name: string): ValueType {
    const input = this.#input(name)
    if (input === undefined || this.#source.readable.brokenInputs.has(name)) return unknownType
    const { type, default: value } = input
    return value === undefined || literalType(value).kinds?.has(type) === true
      ? scalarType(type)
      : unknownType
  }

  #resolveVariable({ name, segments, reading }: Path): WalkResult | undefined {
    if (reading.api === undefined) return undefined
    const declared = this.#source.variables.get(reading.api)
    if (declared === undefined) return name === "env" ? undefined : { type: unknownType }
    return declared.has(name) ? walk({ type: variableType(declared.get(name)) }, segments) : undefined
  }

  #resolveEnvironment({ name: first, segments }: Path): WalkResult | undefined {
    const [, api, name] = segments.map(({ segment }) => segment)
    if (first !== "env" || api === undefined) return undefined
    const { variables } = this.#source
    if (api.includes(HOLE)) return { type: unknownType }
    if (!variables.has(api)) {
      const hint = suggest(api, variables.keys())
      return meansNothing(reasons.unusedApi(api), hint, similarName(api, variables.keys()))
    }
    if (name === undefined) return meansNothing(reasons.noVariableName(api))
    const declared = variables.get(api)
    if (declared === undefined || name.includes(HOLE)) return { type: unknownType }
    if (declared.has(name)) return walk({ type: variableType(declared.get(name)) }, segments, 3)
    const replacement = similarName(name, declared.keys())
    return meansNothing(reasons.undeclared(api, name), suggest(name, declared.keys()), replacement)
  }

  #explainUnknown({ name, parts, reading }: Path): WalkResult {
    if (!this.#source.readable.isComplete) return { type: unknownType }
    const known = name.includes(HOLE) ? undefined : this.#explainVariable(name, reading)
    if (known !== undefined) return known
    const ofApi = reading.api === undefined ? undefined : this.#source.variables.get(reading.api)
    const otherWords = this.#otherWords(parts, reading)?.hint ?? ownOf(foreignNames, name)
    const isSearched = otherWords === undefined && this.#explained <= MAX_EXPLAINED
    const similar = isSearched ? similarName(name, this.#known, ofApi?.keys()) : undefined
    const isUsable = similar !== undefined && this.resolve([similar.to], reading).issue?.is !== "unknown"
    const hint =
      otherWords ??
      this.#suggest(name) ??
      (ofApi === undefined ? undefined : suggest(name, ofApi.keys())) ??
      this.#adviseIterator(reading)
    return meansNothing(reasons.unknownName(showHoles(name)), hint, isUsable ? similar : undefined)
  }

  /** Returns how to write a path into a response that another tool would read. */
  #otherWords(parts: readonly TemplatePart[], reading: Reading): OtherWords | undefined {
    if (this.#explained++ > MAX_EXPLAINED) return undefined
    const { visit, isAfterNested } = reading
    const text = asWritten(parts)
    const item = itemWords.exec(text)
    const loop = isAfterNested === true ? undefined : visit.loops?.loop
    if (item !== null && loop !== undefined) {
      const [, isIndex, rest = ""] = item
      if (isIndex !== undefined) return this.#write("$index", { text, reading })
      if (loop.mode === "forEach")
        return loop.iteratorVar === undefined
          ? { hint: advice.iterator(loop.id) }
          : this.#write(`${loop.iteratorVar}${rest}`, { text, reading })
    }
    const own = ownPath(text, {
      knows: (name) => this.results.has(name),
      hasResponse: (name) => {
        const block = this.results.get(name)
        return block !== undefined && hasResponse(block)
      },
      lastResponse: this.#places
        .resultsFor({ block: visit.block, isAfterNested })
        .find(({ name, block }) => hasResponse(block) && !name.includes("{{"))?.name,
    })
    return own === undefined || own === text ? undefined : this.#write(own, { text, reading })
  }

  /** Suggests a path. It is more than a guess if it starts with the same name and leads somewhere. */
  #write(path: string, { text, reading }: { readonly text: string; readonly reading: Reading }): OtherWords {
    const hint = advice.write(path)
    const isSure = nameOf(path) === nameOf(text) && this.resolve([path], reading).issue === undefined
    return isSure ? { hint, replacement: { is: "path", from: text, to: path } } : { hint }
  }

  /** Explains a property that no response has, but that other tools read there. */
  #inOurWords(resolved: WalkResult, { parts, segments, reading }: Omit<Path, "name">): WalkResult {
    const { issue } = resolved
    const [, response, member] = segments
    const isDeeper = response?.segment === "response" && responseMembers.has(member?.segment ?? "body")
    if (issue === undefined || issue.isNear === true || isDeeper) return resolved
    const words = this.#otherWords(parts, reading)
    return words === undefined ? resolved : { ...resolved, issue: { ...issue, ...words } }
  }

  #adviseIterator({ visit }: Reading): string | undefined {
    const loop = visit.loops?.loop
    return loop?.mode === "forEach" && loop.iteratorVar === undefined ? advice.iterator(loop.id) : undefined
  }

  /** Explains a variable of another API. Only request blocks of the same API can read a variable by its plain name. */
  #explainVariable(name: string, { api }: Reading): WalkResult | undefined {
    for (const [owner, declared] of this.#source.variables) {
      if (owner === api || declared?.has(name) !== true) continue
      return meansNothing(reasons.otherOwner(name, owner), advice.variable(owner, name))
    }
    const [loop] = this.iterators.get(name) ?? []
    if (loop === undefined) return undefined
    return meansNothing(reasons.outsideLoop(name, loop.id))
  }
}

/** How to write what a path of another tool reads. */
interface OtherWords {
  readonly hint: string
  readonly replacement?: Replacement
}

/** Returns the first name of a path. */
const nameOf = (path: string): string => /^[^.[]*/.exec(path)?.[0] ?? ""

interface Path {
  readonly name: string
  readonly segments: readonly Step[]
  readonly parts: readonly TemplatePart[]
  readonly reading: Reading
}

export const variableType = (type: ScalarType | undefined): ValueType =>
  type === undefined ? unknownType : scalarType(type)

const readerOf = ({ visit, isAfterNested }: Reading): PlaceReader<Block> => ({
  block: visit.block,
  isAfterNested,
})

function blocksOf(loops: LoopPlaces<Block> | undefined): readonly Block[] {
  const blocks: Block[] = []
  for (let here = loops; here !== undefined; here = here.outer) blocks.push(here.place.block)
  return blocks
}
