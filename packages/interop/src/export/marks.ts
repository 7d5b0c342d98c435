// Marks that stand for values inside texts. They are letters and digits, so that no encoding of a request changes them.

import {
  createMaskedKeys,
  formatPath,
  isJsonArray,
  isJsonObject,
  ownOf,
  parsePath,
  parseTemplateOnce,
  resolveSegments,
  walkBlocks,
  iterates,
  type JsonValue,
  type TemplatePart,
} from "@callsheet/format"
import type { ExportSource, Ref, MaskedInput } from "./model.ts"

/** Where a placeholder is. */
export interface Place {
  /** The API of a request block, whose variables need no prefix. */
  readonly api?: string
  /** The iterators of the loops around it. */
  readonly iterators: ReadonlySet<string>
}

export class Marks {
  readonly #source: ExportSource
  readonly #refs: Ref[] = []
  readonly #used = new Set<Ref>()
  readonly #known = new Map<string, number>()
  readonly #pattern: RegExp
  #hidesSecrets = false
  readonly #blockIds: ReadonlySet<string>
  readonly #inputNames: ReadonlyMap<string, string>

  constructor(source: ExportSource) {
    this.#source = source
    const shown = createMaskedKeys(Object.fromEntries(source.inputs), (name) => this.name(name))
    this.#inputNames = new Map([...source.inputs.keys()].map((name) => [name, shown(name)]))
    this.#pattern = new RegExp(`${source.nonce}(\\d+)z`)
    const blocks = [...walkBlocks(source.workflow.blocks)].map(({ block }) => block)
    this.#blockIds = new Set(blocks.filter((block) => !iterates(block)).map(({ id }) => id))
  }

  /** The values that the exported parts use, in the order of their first use. */
  get used(): readonly Ref[] {
    return [...this.#used]
  }

  /** True if a secret was masked outside a variable. */
  get hidesSecrets(): boolean {
    return this.#hidesSecrets
  }

  use(ref: Ref): Ref {
    const own = this.#refs[this.#indexOf(ref)] ?? ref
    this.#used.add(own)
    return own
  }

  mark(ref: Ref): string {
    return `${this.#source.nonce}${this.#indexOf(ref)}z`
  }

  #indexOf(ref: Ref): number {
    const key = JSON.stringify([ref.kind, ref.path])
    const index = this.#known.get(key) ?? this.#refs.push(ref) - 1
    this.#known.set(key, index)
    return index
  }

  /** Splits a text at its marks. Masks secrets in the other parts. */
  split(text: string): readonly (string | Ref)[] {
    return text.split(this.#pattern).flatMap((part, at): readonly (string | Ref)[] => {
      if (at % 2 === 0) return part === "" ? [] : [this.mask(part)]
      const ref = this.#refs[Number(part)]
      return ref === undefined ? [] : [this.use(ref)]
    })
  }

  /** Masks the secrets in a text without marks. */
  mask(text: string): string {
    return this.#note(text, this.#source.mask(text))
  }

  /** Masks the secrets in a name, an id or a path. */
  name(name: string): string {
    return this.#note(name, this.#source.maskName(name))
  }

  #note(text: string, masked: string): string {
    this.#hidesSecrets ||= masked !== text
    return masked
  }

  /** Returns the members of an object. No name contains a secret, and no two names are the same. */
  members<T>(object: Readonly<Record<string, T>>): readonly (readonly [name: string, member: T])[] {
    const shown = createMaskedKeys(object, (name) => this.name(name))
    return Object.entries(object).map(([name, member]) => [shown(name), member])
  }

  /** Masks the names of all members of a value. Its strings stay, because they may contain marks. */
  keys(value: JsonValue): JsonValue {
    if (isJsonArray(value)) return value.map((item) => this.keys(item))
    if (!isJsonObject(value)) return value
    return Object.fromEntries(this.members(value).map(([name, item]) => [name, this.keys(item)]))
  }

  /** The inputs of the workflow, by their names without secrets. */
  get inputs(): ReadonlyMap<string, MaskedInput> {
    const { inputs, workflow } = this.#source
    const shown = [...inputs].map(([name, value]): readonly [string, MaskedInput] => {
      const description = ownOf(workflow.inputs ?? {}, name)?.description
      const own = { value: this.keys(value), description: description && this.mask(description) }
      return [this.#inputNames.get(name) ?? "", own]
    })
    return new Map(shown)
  }

  /** Replaces the placeholders in a text by marks. */
  text(text: string, place: Place): string {
    const template = parseTemplateOnce(text)
    return template.ok ? this.#join(template.parts, place) : text
  }

  /** Returns what a path refers to, with marks for the placeholders in it. */
  path(text: string, place: Place): Ref {
    return this.refer(this.text(text, place), place)
  }

  /** Replaces the placeholders in all strings of a value. */
  value(value: JsonValue, place: Place): JsonValue {
    if (typeof value === "string") return this.text(value, place)
    if (isJsonArray(value)) return value.map((item) => this.value(item, place))
    if (!isJsonObject(value)) return value
    return Object.fromEntries(this.members(value).map(([name, item]) => [name, this.value(item, place)]))
  }

  #join(parts: readonly TemplatePart[], place: Place): string {
    return parts
      .map((part) =>
        typeof part === "string" ? part : this.mark(this.refer(this.#join(part.inner, place), place)),
      )
      .join("")
  }

  /** Finds out what a path refers to, in the order in which a run looks names up. */
  refer(given: string, { api, iterators }: Place): Ref {
    if (given.startsWith("$")) return { kind: "dynamic", path: given, isSecret: false }
    const parsed = parsePath(given)
    const path = this.name(given)
    const result: Ref = { kind: "result", path, isSecret: false }
    if (!parsed.ok) return result
    const [first, second, third] = parsed.segments
    if (iterators.has(first)) return { kind: "iterator", path, isSecret: false }
    const input = this.#source.inputs.get(first)
    if (input !== undefined) {
      const found = resolveSegments(input, parsed.segments, 1)
      const name = this.#inputNames.get(first) ?? ""
      return {
        kind: "input",
        path: formatPath([name, ...parsed.segments.slice(1).map((segment) => this.name(segment))]),
        name,
        value: found.found ? this.keys(found.value) : undefined,
        isSecret: false,
      }
    }
    if (this.#blockIds.has(first) || this.#pattern.test(first)) return result
    const own = api === undefined ? undefined : this.variable(api, first)
    if (own !== undefined) return own
    return (
      (first === "env" && second !== undefined && third !== undefined && this.variable(second, third)) ||
      result
    )
  }

  /** Returns the reference to a variable that has a value. */
  variable(api: string, name: string): Ref | undefined {
    const variable = this.#source.environments.get(api)?.variables.get(name)
    if (variable?.value === undefined) return undefined
    const { value, declaration } = variable
    return {
      kind: "variable",
      path: `env.${api}.${name}`,
      api,
      name,
      value: this.keys(value),
      isSecret: declaration.secret === true,
    }
  }
}
