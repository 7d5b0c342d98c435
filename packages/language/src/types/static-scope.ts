// What a token or a path of a workflow means before it runs: which name it begins with, and what it may lead to.

import {
  createSuggester,
  isSingleToken,
  literalType,
  parsePathOnce,
  parseTemplateOnce,
  scalarType,
  suggest,
  unknownType,
  valueStrings,
  walkBlocks,
  type Block,
  type InputDeclaration,
  type JsonValue,
  type LoopBlock,
  type LoopChain,
  type ReadableWorkflow,
  type ScalarType,
  type TemplatePart,
  type ValueKind,
  type ValueType,
  type Visit,
} from "@callsheet/format"
import { BlockNames, leavesResult } from "../names/block-names.ts"
import { BlockOrder, type Reach, type Reader } from "../scope/block-order.ts"
import { HOLE, patternOf } from "../names/name-pattern.ts"
import type { KnownResponse } from "./response-type.ts"
import { meansNothing, shown, walk, type Known, type Resolved, type Step } from "./walk-type.ts"

/** Who reads: a block, and of a request block the API whose variables need no prefix. */
export interface Reading extends Reader {
  readonly api?: string
}

/** A path that reads a variable. */
export interface VariableReading {
  readonly api: string
  readonly name: string
  /** Which segment of the path is its name. */
  readonly segment: number
  readonly isSure: boolean
}

export interface ScopeSource {
  readonly readable: ReadableWorkflow
  /** The declared variables of the APIs that the workflow touches, with their types; undefined where they cannot be told. */
  readonly variables: ReadonlyMap<string, ReadonlyMap<string, ScalarType | undefined> | undefined>
  /** What is known of the response of a request block. */
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

/** A type that is made of more others than this counts as unknown: the stack is finite. */
const MAX_CHAIN = 100

export class StaticScope {
  readonly #source: ScopeSource
  readonly #names = new BlockNames()
  readonly #inProgress = new Set<Block>()
  readonly #results = new Map<Block, Known>()
  readonly #order: BlockOrder
  readonly #visits = new Map<Block, Visit>()
  /** The first loop of each iterator's name. */
  readonly #iterators = new Map<string, LoopBlock>()
  readonly #suggest: (name: string) => string | undefined

  constructor(source: ScopeSource) {
    this.#source = source
    const { workflow } = source.readable
    this.#order = new BlockOrder(workflow.blocks)
    const names = new Set(Object.keys(workflow.inputs ?? {}))
    for (const visit of walkBlocks(workflow.blocks)) {
      const { block } = visit
      this.#visits.set(block, visit)
      this.#names.add(visit)
      if (leavesResult(block)) names.add(block.id)
      if (block.type !== "loop" || block.iteratorVar === undefined) continue
      names.add(block.iteratorVar)
      if (!this.#iterators.has(block.iteratorVar)) this.#iterators.set(block.iteratorVar, block)
    }
    this.#suggest = createSuggester(names)
  }

  /** What a path leads to; `parts` are its text, in which tokens may stand. */
  resolve(parts: readonly TemplatePart[], reading: Reading): Resolved {
    const text = patternOf(parts)
    const parsed = parsePathOnce(text)
    if (!parsed.ok) return { type: unknownType }
    return this.#resolveFirst({ segments: this.#stepsOf(parts, parsed.segments, reading), parts, reading })
  }

  /** The type of a value in which tokens may stand at any depth. */
  typeOf(value: JsonValue, reading: Reading): ValueType {
    if (typeof value === "string") return this.#typeOfText(value, reading)
    if (typeof value !== "object" || value === null) return literalType(value)
    const inner = value as Readonly<Record<string, JsonValue>>
    const literal = literalType(value)
    if (!valueStrings(value, []).some(({ text }) => text.includes("{{"))) return literal
    return {
      ...literal,
      values: undefined,
      step: (segment) =>
        literal.step(segment).leads === "to"
          ? { leads: "to", type: this.typeOf(inner[segment]!, reading) }
          : { leads: "nowhere" },
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

  /** `resolve` for what stands between braces: dynamic values too. */
  resolveToken(inner: readonly TemplatePart[], reading: Reading): Resolved {
    const [first] = inner
    if (typeof first !== "string" || !first.startsWith("$")) return this.resolve(inner, reading)
    const name = patternOf(inner)
    if (name.includes(HOLE)) return { type: unknownType }
    const type = dynamicTypes.get(name)
    if (type === undefined) {
      const hint = suggest(name, dynamicTypes.keys())
      return meansNothing(
        `"${name}" is no dynamic value`,
        hint ?? `there are ${[...dynamicTypes.keys()].join(", ")}`,
      )
    }
    if (name === "$index" && reading.visit.loops === undefined && !reading.isAfterNested)
      return meansNothing("there is no loop around it")
    return { type }
  }

  /**
   * The variable that a path reads, wherever it is declared: undefined where the name means something else. It is not sure where
   * a block of that name may have been skipped, or where tokens make the name.
   */
  variableOf(parts: readonly TemplatePart[], reading: Reading): VariableReading | undefined {
    const parsed = parsePathOnce(patternOf(parts))
    if (!parsed.ok) return undefined
    const [first = "", api, name] = parsed.segments
    if (findIterator(first, reading) !== undefined) return undefined
    if (own(this.#source.readable.workflow.inputs, first) !== undefined) return undefined
    const reach = this.#reachOf(first, parts, reading)
    if (reach === "earlier") return undefined
    const isSure = reach !== "perhaps" && !first.includes(HOLE)
    if (first === "env" && api !== undefined)
      return name === undefined
        ? undefined
        : { api, name, segment: 2, isSure: isSure && !api.includes(HOLE) && !name.includes(HOLE) }
    return reading.api === undefined ? undefined : { api: reading.api, name: first, segment: 0, isSure }
  }

  /** Whether the block that a name means has a result by then; of a name that is no block's, it never has one. */
  #reachOf(name: string, parts: readonly TemplatePart[], reading: Reading): Reach {
    const found = this.#names.find(name, parts)
    if (found === undefined) return "later"
    if (found === "several" || this.#source.readable.broken.has(found.block)) return "perhaps"
    return leavesResult(found.block) ? this.#order.reach(found, reading) : "later"
  }

  /** The segments with the type of the token where one alone makes a segment. */
  #stepsOf(parts: readonly TemplatePart[], segments: readonly string[], reading: Reading): readonly Step[] {
    if (parts.length === 1 && typeof parts[0] === "string")
      return segments.map((segment) => ({ segment, type: unknownType }))
    const tokens = parts.filter((part) => typeof part !== "string")
    let hole = 0
    return segments.map((segment) => {
      const token = tokens[hole]
      hole += segment.split(HOLE).length - 1
      const isToken = segment === HOLE && token !== undefined
      return { segment, type: isToken ? this.resolveToken(token.inner, reading).type : unknownType }
    })
  }

  #resolveFirst(path: Path): Resolved {
    const { segments, reading } = path
    const name = segments[0]!.segment
    const iterator = findIterator(name, reading)
    if (iterator !== undefined) return walk(this.#iteratorType(iterator), path.segments)
    const input = own(this.#source.readable.workflow.inputs, name)
    if (input !== undefined)
      return walk(
        { type: this.#source.readable.brokenInputs.has(name) ? unknownType : inputType(input) },
        path.segments,
      )
    return this.#resolveResult(path) ?? this.#resolveVariable(path) ?? this.#explainUnknown(path)
  }

  /** The result of an earlier block; of one that comes later where no variable has the name. */
  #resolveResult(path: Path): Resolved | undefined {
    const found = this.#names.find(path.segments[0]!.segment, path.parts)
    if (found === undefined) return undefined
    if (found === "several") return { type: unknownType }
    const { block } = found
    const { broken } = this.#source.readable
    if (broken.has(block)) return { type: unknownType }
    if (!leavesResult(block)) {
      return (
        this.#resolveVariable(path) ??
        meansNothing(`"${block.id}" is a block of type ${block.type}, which leaves no result`)
      )
    }
    const reach = this.#order.reach(found, path.reading)
    if (reach === "later" || reach === "other-branch") {
      const variable = this.#resolveVariable(path)
      return variable ?? unreached(block.id, reach, found.block === path.reading.visit.block)
    }
    const resolved = walk(this.#resultType(found), path.segments)
    if (reach === "earlier" || resolved.doubt !== undefined) return resolved
    return {
      ...resolved,
      doubt: {
        is: "skippable",
        message: `"${block.id}" stands in a branch that may not be taken, and has no result then`,
        hint: `move what reads it into that branch`,
      },
    }
  }

  #resultType(visit: Visit): Known {
    const { block } = visit
    if (block.type === "request") return this.#responseOf(block)
    if (block.type !== "transform" || block.transforms === undefined) return { type: unknownType }
    const { transforms } = block
    return {
      type: {
        kinds: new Set<ValueKind>(["object"]),
        names: () => Object.keys(transforms),
        required: () => [],
        step: (name) => {
          const source = own(transforms, name)
          return source === undefined
            ? { leads: "nowhere" }
            : { leads: "to", type: this.#guarded(block, () => this.#pathType(source, { visit })) }
        },
      },
    }
  }

  #responseOf(block: Block<"request">): Known {
    let known = this.#results.get(block)
    if (known === undefined) {
      const { type, otherwise } = this.#source.responseOf(block)
      known = {
        type: wrap(type),
        ...(otherwise === undefined ? {} : { otherwise: wrap(otherwise) }),
      }
      this.#results.set(block, known)
    }
    return known
  }

  #pathType(text: string, reading: Reading): ValueType {
    const template = parseTemplateOnce(text)
    return template.ok ? this.resolve(template.parts, reading).type : unknownType
  }

  /** Types may go in a circle: an output of the iteration before. */
  #guarded(block: Block, make: () => ValueType): ValueType {
    if (this.#inProgress.has(block) || this.#inProgress.size === MAX_CHAIN) return unknownType
    this.#inProgress.add(block)
    try {
      return make()
    } finally {
      this.#inProgress.delete(block)
    }
  }

  #iteratorType(loop: LoopBlock): Known {
    if (this.#source.readable.broken.has(loop)) return { type: unknownType }
    const { mode, source } = loop
    if (mode !== "forEach") return { type: numberType }
    const visit = this.#visits.get(loop)
    if (source === undefined || visit === undefined) return { type: unknownType }
    const list = this.#guarded(loop, () => this.#pathType(source, { visit }))
    if (list.kinds?.has("array") === false) return { type: unknownType }
    const item = list.step("0")
    return { type: item.leads === "to" ? item.type : unknownType }
  }

  /** What an iteration of a loop has as its value. */
  iterationType(loop: LoopBlock): ValueType {
    return this.#iteratorType(loop).type
  }

  #resolveVariable(path: Path): Resolved | undefined {
    const { segments, reading } = path
    const name = segments[0]!.segment
    if (name === "env" && segments.length > 1) return this.#resolveEnvironment(path)
    if (reading.api === undefined) return undefined
    const declared = this.#source.variables.get(reading.api)
    if (declared === undefined) return { type: unknownType }
    return declared.has(name) ? walk({ type: variableType(declared.get(name)) }, path.segments) : undefined
  }

  #resolveEnvironment(path: Path): Resolved {
    const [, api, name] = path.segments.map(({ segment }) => segment)
    const { variables } = this.#source
    if (api!.includes(HOLE)) return { type: unknownType }
    if (!variables.has(api!)) {
      const hint = suggest(api!, variables.keys())
      return meansNothing(`this workflow sends nothing to an API "${api}"`, hint)
    }
    if (name === undefined) return meansNothing(`a variable is missing: env.${api}.<name>`)
    const declared = variables.get(api!)
    if (declared === undefined || name.includes(HOLE)) return { type: unknownType }
    if (declared.has(name)) return walk({ type: variableType(declared.get(name)) }, path.segments, 3)
    return meansNothing(`the API "${api}" declares no variable "${name}"`, suggest(name, declared.keys()))
  }

  #explainUnknown(path: Path): Resolved {
    const { segments, reading } = path
    const name = segments[0]!.segment
    if (!this.#source.readable.isComplete) return { type: unknownType }
    const known = name.includes(HOLE) ? undefined : this.#explainVariable(name, reading)
    if (known !== undefined) return known
    const ofApi = reading.api === undefined ? undefined : this.#source.variables.get(reading.api)
    const hint = this.#suggest(name) ?? (ofApi === undefined ? undefined : suggest(name, ofApi.keys()))
    return meansNothing(`nothing is named "${shown(name)}" here`, hint)
  }

  /** A variable is read by its plain name in request blocks of its own API alone. */
  #explainVariable(name: string, { api }: Reading): Resolved | undefined {
    for (const [owner, declared] of this.#source.variables) {
      if (owner === api || declared?.has(name) !== true) continue
      return meansNothing(
        `nothing is named "${name}" here; "${owner}" has a variable of that name`,
        `write env.${owner}.${name}`,
      )
    }
    const loop = this.#iterators.get(name)
    if (loop === undefined) return undefined
    return meansNothing(`"${name}" is the iterator of the loop "${loop.id}", and means nothing outside of it`)
  }
}

interface Path {
  readonly segments: readonly Step[]
  readonly parts: readonly TemplatePart[]
  readonly reading: Reading
}

const variableType = (type: ScalarType | undefined): ValueType =>
  type === undefined ? unknownType : scalarType(type)

const unreached = (id: string, reach: "later" | "other-branch", isItself: boolean): Resolved =>
  isItself
    ? meansNothing(`the block "${id}" reads its own result, which it does not have yet`)
    : reach === "later"
      ? meansNothing(`the block "${id}" comes later, and has no result yet`)
      : meansNothing(`the block "${id}" stands in the other branch, and is skipped whenever this one is not`)

/** The loop whose iterator a name means, innermost first. */
function findIterator(name: string, { visit, isAfterNested }: Reading): LoopBlock | undefined {
  const { block } = visit
  if (isAfterNested === true && block.type === "loop" && block.iteratorVar === name) return block
  for (let chain: LoopChain | undefined = visit.loops; chain !== undefined; chain = chain.outer) {
    if (chain.loop.iteratorVar === name) return chain.loop
  }
  return undefined
}

function own<T>(record: Readonly<Record<string, T>> | undefined, name: string): T | undefined {
  return record !== undefined && Object.hasOwn(record, name) ? record[name] : undefined
}

/** A default is used as it stands, whatever the declared type. */
export function inputType({ type, default: value }: InputDeclaration): ValueType {
  if (value === undefined) return scalarType(type)
  const { kinds } = literalType(value)
  return kinds?.has(type) === true ? scalarType(type) : unknownType
}

const wrap = (response: ValueType): ValueType => ({
  kinds: new Set<ValueKind>(["object"]),
  names: () => ["response"],
  required: () => [],
  step: (name) => (name === "response" ? { leads: "to", type: response } : { leads: "nowhere" }),
})
