// Marks that stand for values inside texts. They are letters and digits, so that no encoding of a request changes them.

import {
  parsePath,
  parseTemplateOnce,
  resolveSegments,
  walkBlocks,
  iterates,
  type JsonValue,
  type TemplatePart,
} from "@callsheet/format"
import type { ExportSource, Ref } from "./model.ts"

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

  constructor(source: ExportSource) {
    this.#source = source
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
      if (at % 2 === 0) return part === "" ? [] : [this.#mask(part)]
      const ref = this.#refs[Number(part)]
      return ref === undefined ? [] : [this.use(ref)]
    })
  }

  #mask(text: string): string {
    const masked = this.#source.mask(text)
    this.#hidesSecrets ||= masked !== text
    return masked
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
    if (Array.isArray(value)) return value.map((item: JsonValue) => this.value(item, place))
    if (typeof value !== "object" || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, this.value(item, place)]))
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
    const path = this.#mask(given)
    const result: Ref = { kind: "result", path, isSecret: false }
    if (!parsed.ok) return result
    const [first, second, third] = parsed.segments
    if (iterators.has(first)) return { kind: "iterator", path, isSecret: false }
    const input = this.#source.inputs.get(first)
    if (input !== undefined) {
      const found = resolveSegments(input, parsed.segments, 1)
      return {
        kind: "input",
        path,
        name: first,
        value: found.found ? found.value : undefined,
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
      value,
      isSecret: declaration.secret === true,
    }
  }
}
