// What the checks of a workflow test, in words that don't depend on names: the response of a request, not `made.response`.

import {
  getOrCreate,
  hasOutputs,
  hasResponse,
  hasTokens,
  isSingleToken,
  ownOf,
  parsePathOnce,
  parseTemplateOnce,
  stringifyJson,
  valueStrings,
  walkBlocks,
  type Block,
  type JsonValue,
  type LoopBlock,
  type ReadableWorkflow,
  type RequestBlock,
  type TemplatePart,
} from "@callsheet/format"
import { patternOf } from "../names/name-pattern.ts"
import type { Targets } from "../requests/target.ts"
import { readingAt, type Reading, type StaticScope } from "../types/static-scope.ts"

export interface Ground {
  readonly readable: ReadableWorkflow
  readonly scope: StaticScope
  readonly targets: Targets
}

type Requests = Pick<Ground, "readable" | "targets">

/** Pairs requests to the same operation: those of the same id first, then in file order. Maps later to earlier blocks. */
export function pairRequests(before: Requests, after: Requests): ReadonlyMap<RequestBlock, RequestBlock> {
  const pairs = new Map<RequestBlock, RequestBlock>()
  const paired = new Set<RequestBlock>()
  const ofId = (block: RequestBlock, from: Requests): string =>
    stringifyJson([block.id, operationOf(block, from)])
  for (const keyOf of [ofId, operationOf]) {
    const left = new Map<string, RequestBlock[]>()
    // The last of a list is taken first.
    for (const earlier of requestsOf(before).toReversed())
      if (!paired.has(earlier)) getOrCreate(left, keyOf(earlier, before), () => []).push(earlier)
    for (const own of requestsOf(after)) {
      const earlier = pairs.has(own) ? undefined : left.get(keyOf(own, after))?.pop()
      if (earlier === undefined) continue
      pairs.set(own, earlier)
      paired.add(earlier)
    }
  }
  return pairs
}

const requestsOf = ({ readable: { workflow, broken } }: Requests): readonly RequestBlock[] =>
  [...walkBlocks(workflow.blocks)].flatMap(({ block }) =>
    hasResponse(block) && !broken.has(block) ? [block] : [],
  )

function operationOf(block: RequestBlock, { targets }: Requests): string {
  const { api, resource, operation, instance } = block.request
  const target = targets.get(block)?.target
  return target === undefined
    ? stringifyJson([api, resource ?? null, operation ?? null, instance ?? null])
    : `${api} ${target.method} ${target.path}`
}

export interface Subject {
  readonly text: string
  /** The requests whose responses it reads. */
  readonly requests: readonly RequestBlock[]
}

/** The maximum length of a chain of transforms. A loop over its own results could extend a chain forever. */
const MAX_CHAIN = 50

/** Describes what paths and values read. `idOf` returns the id that a request had before the edit. */
export class Subjects {
  readonly #ground: Ground
  readonly #idOf: (block: RequestBlock) => string

  constructor(ground: Ground, idOf: (block: RequestBlock) => string) {
    this.#ground = ground
    this.#idOf = idOf
  }

  of(source: string, reading: Reading): Subject {
    const requests = new Set<RequestBlock>()
    const place = this.#source(source, reading, { requests, left: MAX_CHAIN })
    return { text: textOf(place), requests: [...requests] }
  }

  /** Returns a value without placeholders as it is, and the default of an input for its placeholder. */
  valueOf(value: JsonValue, reading: Reading): JsonValue {
    if (typeof value === "string") return this.#text(value, reading)
    const open = valueStrings(value, []).filter(({ text }) => hasTokens(text))
    if (open.length === 0) return value
    const read = open.map(({ text }) => stringifyJson(this.#text(text, reading)))
    return `{{${stringifyJson(value)} ${read.join(" ")}}}`
  }

  #text(text: string, reading: Reading): JsonValue {
    const template = parseTemplateOnce(text)
    if (!template.ok || !template.hasTokens) return text
    const { parts } = template
    const name = isSingleToken(parts) ? patternOf(parts[0].inner) : ""
    const input = this.#defaultOf(name)
    if (input !== undefined && this.#ground.scope.meaningOf(name, reading)?.is === "input") return input
    return this.#join(parts, reading, { requests: new Set(), left: MAX_CHAIN })
  }

  #join(parts: readonly TemplatePart[], reading: Reading, chain: Chain): string {
    return parts
      .map((part) =>
        typeof part === "string" ? part : `{{${textOf(this.#path(part.inner, reading, chain))}}}`,
      )
      .join("")
  }

  #source(text: string, reading: Reading, chain: Chain): PlaceInRun {
    const template = parseTemplateOnce(text)
    const isEnd = !template.ok || chain.left === 0
    return isEnd
      ? { origin: text, segments: [], tokens: [] }
      : this.#path(template.parts, reading, { ...chain, left: chain.left - 1 })
  }

  #path(parts: readonly TemplatePart[], reading: Reading, chain: Chain): PlaceInRun {
    const parsed = parsePathOnce(patternOf(parts))
    if (!parsed.ok) return { origin: this.#join(parts, reading, chain), segments: [], tokens: [] }
    const [name, ...segments] = parsed.segments
    const tokens = parts.flatMap((part) =>
      typeof part === "string" ? [] : [textOf(this.#path(part.inner, reading, chain))],
    )
    const meaning = this.#ground.scope.meaningOf(name, reading)
    switch (meaning?.is) {
      case "input":
        return { origin: `input ${stringifyJson(this.#defaultOf(name) ?? null)}`, segments, tokens }
      case "iterator":
        return this.#item(meaning.loop, { segments, tokens }, chain)
      case "result":
        return this.#result(meaning.block, { segments, tokens }, chain)
      default:
        return { origin: `name ${name}`, segments, tokens }
    }
  }

  #defaultOf(name: string): JsonValue | undefined {
    return ownOf(this.#ground.readable.workflow.inputs ?? {}, name)?.default
  }

  #item(loop: LoopBlock, rest: Rest, chain: Chain): PlaceInRun {
    const visit = this.#ground.scope.visitOf(loop)
    if (loop.mode !== "forEach" || visit === undefined) return { origin: "index", ...rest }
    const list = this.#source(loop.source, readingAt(visit, ["source"]), chain)
    return { origin: `item of ${textOf(list)}`, ...rest }
  }

  #result(block: Block, rest: Rest, chain: Chain): PlaceInRun {
    if (hasResponse(block)) {
      chain.requests.add(block)
      return { origin: `request ${this.#idOf(block)}`, ...rest }
    }
    if (!hasOutputs(block)) return { origin: `block ${block.id}`, ...rest }
    const { transforms, script } = block
    if (script !== undefined) return { origin: `script ${script.name} ${script.exportName}`, ...rest }
    const [output = "", ...inner] = rest.segments
    const source = ownOf(transforms, output)
    const visit = this.#ground.scope.visitOf(block)
    if (source === undefined || visit === undefined) return { origin: `block ${block.id}`, ...rest }
    const place = this.#source(source, readingAt(visit, ["transforms"]), chain)
    return {
      origin: place.origin,
      segments: [...place.segments, ...inner],
      tokens: [...place.tokens, ...rest.tokens],
    }
  }
}

interface Rest {
  readonly segments: readonly string[]
  /** The subjects of the placeholders in the path. */
  readonly tokens: readonly string[]
}

interface PlaceInRun extends Rest {
  readonly origin: string
}

const textOf = ({ origin, segments, tokens }: PlaceInRun): string => stringifyJson([origin, segments, tokens])

interface Chain {
  readonly requests: Set<RequestBlock>
  readonly left: number
}
