// The probes of a body: walks a valid one along its schema, and changes one value at a time.

import {
  getOrCreate,
  hasTokens,
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  ownOf,
  setOwn,
  setPath,
  stringifyJson,
} from "@callsheet/format"
import type { Part } from "../document/part.ts"
import type { Steps } from "../resources/resource-model.ts"
import { composeSchemas } from "../samples/compose-schemas.ts"
import { createSampler } from "../samples/create-sampler.ts"
import { isMarked } from "../schema/schema-graph.ts"
import { type CheckSchema, createSchemaChecker } from "../schema/validate/schema-checker.ts"
import { boundariesOf, distinct } from "./boundary-values.ts"
import type { Boundary } from "./probe-case.ts"

interface BodyProbing {
  readonly schema: Part
  /** A valid body. Its strings may be templates. */
  readonly body: JsonValue
  /** True for a form, whose values are texts. */
  readonly isText: boolean
}

export interface BodyProbe extends Boundary {
  /** Where the changed value is. */
  readonly steps: Steps
  readonly body: JsonValue
}

/** How deep to change values. */
const MAX_DEPTH = 6

/** The longest text to send where the schema sets no limit. */
const MAX_TEXT = 10_000

const EXTRA_NAME = "callsheetProbe"

export function* bodyProbes(probing: BodyProbing): Generator<BodyProbe> {
  yield* new BodyWalk(probing).probes({ schemas: [probing.schema], value: probing.body, steps: [] })
}

interface Visit {
  readonly schemas: readonly Part[]
  /** Undefined for an optional value that the body doesn't have. */
  readonly value: JsonValue | undefined
  readonly steps: Steps
}

class BodyWalk {
  readonly #probing: BodyProbing
  readonly #check: CheckSchema = createSchemaChecker("request")
  readonly #sampler = createSampler({ direction: "request" })
  /** The problems of the body itself, because a template isn't yet the text that it stands for. */
  readonly #known: ReadonlySet<string>

  constructor(probing: BodyProbing) {
    this.#probing = probing
    this.#known = new Set(this.#problemsOf(probing.body))
  }

  *probes(visit: Visit): Generator<BodyProbe> {
    const { schemas, value, steps } = visit
    const { parts } = composeSchemas(schemas, {
      picks: new Map(),
      prefer: (branches) =>
        Math.max(
          0,
          branches.findIndex((branch) => this.#holds(branch, value)),
        ),
    })
    if (steps.length > 0) yield* this.#boundaries(visit, parts)
    if (steps.length >= MAX_DEPTH) return
    if (isJsonObject(value)) yield* this.#members(visit, parts, value)
    const [first] = isJsonArray(value) ? value : []
    const items = parts.flatMap((part) => part.inside("items") ?? [])
    if (first !== undefined && items.length > 0)
      yield* this.probes({ schemas: items, value: first, steps: [...steps, "0"] })
  }

  *#boundaries({ schemas, value, steps }: Visit, parts: readonly Part[]): Generator<BodyProbe> {
    // Multipart files are named by path, which only the project knows.
    if (this.#probing.isText && isJsonObject(value)) return
    const wanted = { parts, sample: this.#sampleOf({ schemas, value, steps }), isText: this.#probing.isText }
    const fitting = [...boundariesOf({ ...wanted, maxLength: MAX_TEXT })].flatMap((boundary) => {
      const body = this.#withValue(steps, boundary.value)
      return body !== undefined && this.#isValid(body) === boundary.isValid ? [boundary] : []
    })
    for (const boundary of distinct(fitting)) {
      const body = this.#withValue(steps, boundary.value)
      if (body !== undefined) yield { ...boundary, steps, body }
    }
  }

  *#members({ steps }: Visit, parts: readonly Part[], value: JsonObject): Generator<BodyProbe> {
    const properties = new Map<string, Part[]>()
    for (const [name, schema] of parts.flatMap((part) => part.entries("properties")))
      getOrCreate(properties, name, () => []).push(schema)
    for (const [name, schemas] of properties) {
      if (schemas.some((schema) => isMarked(schema, "readOnly")) || hasTokens(name)) continue
      const own = ownOf(value, name)
      const inner = [...steps, name]
      if (own !== undefined) yield* this.#without(inner, steps, value)
      yield* this.probes({ schemas, value: own, steps: inner })
    }
    const body = this.#withValue([...steps, EXTRA_NAME], EXTRA_VALUE)
    if (body !== undefined && !this.#isValid(body))
      yield {
        steps: [...steps, EXTRA_NAME],
        body,
        value: EXTRA_VALUE,
        rule: "additionalProperties",
        isValid: false,
      }
  }

  *#without(steps: Steps, holder: Steps, value: JsonObject): Generator<BodyProbe> {
    const rest: Record<string, JsonValue> = {}
    for (const [name, inner] of Object.entries(value)) if (name !== steps.at(-1)) setOwn(rest, name, inner)
    const body = holder.length === 0 ? rest : this.#withValue(holder, rest)
    if (body !== undefined && !this.#isValid(body))
      yield { steps, body, value: null, rule: "required", isValid: false }
  }

  /** Returns a valid value: that of the body, unless it is a template. */
  #sampleOf({ schemas, value, steps }: Visit): JsonValue | undefined {
    if (value !== undefined && !hasTokens(stringifyJson(value))) return value
    const [schema] = schemas
    const made = schema === undefined ? undefined : this.#sampler.sampleSchema(schema, steps.at(-1))
    return made?.isDecided === true ? made.value : undefined
  }

  #withValue(steps: Steps, value: JsonValue): JsonValue | undefined {
    // A text of the document would be a placeholder.
    if (hasTokens(stringifyJson(value))) return undefined
    const changed = setPath(this.#probing.body, steps, value)
    return changed.ok ? changed.value : undefined
  }

  #holds(schema: Part, value: JsonValue | undefined): boolean {
    return value !== undefined && this.#check(schema, [value], "").length === 0
  }

  #isValid(body: JsonValue): boolean {
    return this.#problemsOf(body).every((problem) => this.#known.has(problem))
  }

  #problemsOf(body: JsonValue): readonly string[] {
    return this.#check(this.#probing.schema, [body], "").map(({ path, message }) => `${path} ${message}`)
  }
}

const EXTRA_VALUE = "callsheet"
