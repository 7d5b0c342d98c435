// Makes valid values for the schemas, media types and parameters of a document. Every value is checked by the same rules
// as requests and responses, and a value that doesn't hold is undecided.

import { isJsonArray, isJsonObject, type JsonValue, setOwn } from "@callsheet/format"
import { escapePointer } from "../document/located.ts"
import type { MediaType } from "../document/content.ts"
import type { Parameter } from "../document/parameters.ts"
import type { Part } from "../document/part.ts"
import { type CheckSchema, createSchemaChecker } from "../schema/validate/schema-checker.ts"
import type { Direction } from "../schema/types/answers.ts"
import { examplesOf } from "./examples.ts"
import { makeValue, type SampleFields } from "./make-value.ts"
import { createUniqueTexts, type UniqueTexts } from "./unique-text.ts"

export interface SamplerOptions {
  /** Read-only properties are left out of requests, and write-only ones of responses. */
  readonly direction: Direction
  /** Which properties an object has besides the required ones. Default: those of examples. */
  readonly fields?: SampleFields | undefined
  /** Varies the values. The same seed gives the same values. */
  readonly seed?: number | undefined
  /**
   * Writes values as templates of a workflow: `{{$uuid}}` where the schema or the name asks for a unique text, and
   * `\{{` for braces of the document.
   */
  readonly isTemplate?: boolean | undefined
  /** The name of a further property of a body whose text is made unique in a template. */
  readonly uniqueField?: string | undefined
}

export type Sample =
  | { readonly isDecided: true; readonly value: JsonValue }
  /** `pointer` is the JSON pointer in the value that couldn't be made. */
  | { readonly isDecided: false; readonly pointer: string; readonly reason: string }

export interface Sampler {
  /** Returns a value for a schema. `name` is the name of its property or parameter. */
  readonly sampleSchema: (schema: Part, name?: string) => Sample
  /** Returns a value for a body: an example where it holds. `examples` are those of the media type unless given. */
  readonly sampleMedia: (media: MediaType, examples?: readonly JsonValue[]) => Sample
  readonly sampleParameter: (parameter: Parameter) => Sample
  /** Returns a value for a documented response header. */
  readonly sampleHeader: (header: Part, name: string) => Sample
}

/** The maximum number of schemas and candidates that one value may take, and those of each value in its examples. */
const MAX_WORK = 20_000
const MAX_WORK_PER_HINT = 4

export function createSampler(options: SamplerOptions): Sampler {
  const checkSchema = createSchemaChecker(options.direction)
  const sample = (subject: Subject): Sample => sampleSubject({ options, checkSchema }, subject)
  return {
    sampleSchema: (schema, name = "") => sample({ schema, name, examples: [] }),
    sampleMedia: (media, examples = examplesOf(media.value)) => {
      if (media.schema !== undefined) return sample({ schema: media.schema, name: "", examples })
      const item = media.value?.inside("itemSchema")
      if (item !== undefined) {
        const one = sample({ schema: item, name: "", examples: examples.flat() })
        return one.isDecided ? { isDecided: true, value: [one.value] } : one
      }
      return undescribed(options, examples)
    },
    sampleParameter: ({ name, schema, content, value }) => {
      const described = schema ?? content?.schema
      const all = [...examplesOf(value), ...examplesOf(content?.value)]
      return described === undefined
        ? undescribed(options, all)
        : sample({ schema: described, name, examples: all })
    },
    sampleHeader: (header, name) => {
      const schema = header.isSwagger ? header : header.inside("schema")
      const examples = examplesOf(header)
      return schema === undefined ? undescribed(options, examples) : sample({ schema, name, examples })
    },
  }
}

interface Subject {
  readonly schema: Part
  readonly name: string
  readonly examples: readonly JsonValue[]
}

interface Sampling {
  readonly options: SamplerOptions
  readonly checkSchema: CheckSchema
}

function sampleSubject({ options, checkSchema }: Sampling, { schema, name, examples }: Subject): Sample {
  const uniqueAt = options.uniqueField === undefined ? undefined : `/${escapePointer(options.uniqueField)}`
  const unique =
    options.isTemplate === true ? createUniqueTexts((pointer) => pointer === uniqueAt) : undefined
  const made = makeValue(
    {
      direction: options.direction,
      fields: options.fields ?? "examples",
      seed: options.seed,
      holds: (part, value) => checkSchema(part, [value], "").length === 0,
      uniqueText: unique?.textsFor,
      budget: MAX_WORK + MAX_WORK_PER_HINT * countValues(examples),
    },
    { schemas: [schema], hints: examples, name, pointer: "", nth: 0, outer: [] },
  )
  if (!made.ok) return { isDecided: false, pointer: made.pointer, reason: made.reason }
  const [problem] = checkSchema(schema, [made.value], "")
  if (problem !== undefined) return { isDecided: false, pointer: problem.path, reason: problem.message }
  return { isDecided: true, value: unique === undefined ? made.value : templateOf(made.value, unique) }
}

/** Counts a value and the values in it. Doesn't recurse. */
function countValues(value: JsonValue): number {
  const work: JsonValue[] = [value]
  let count = 0
  for (let part = work.pop(); part !== undefined; part = work.pop()) {
    count++
    if (typeof part === "object" && part !== null) for (const inner of Object.values(part)) work.push(inner)
  }
  return count
}

function undescribed({ isTemplate }: SamplerOptions, [example]: readonly JsonValue[]): Sample {
  if (example === undefined)
    return { isDecided: false, pointer: "", reason: "the document has no schema for it" }
  const value = isTemplate === true ? templateOf(example, createUniqueTexts()) : example
  return { isDecided: true, value }
}

/** Turns a value into what a workflow says. Its depth is limited by that of samples and of the document. */
function templateOf(value: JsonValue, unique: UniqueTexts): JsonValue {
  if (typeof value === "string") return unique.templateOf(value) ?? value.replaceAll(/\\*\{\{/g, escapeBraces)
  if (isJsonArray(value)) return value.map((item) => templateOf(item, unique))
  if (!isJsonObject(value)) return value
  const result: Record<string, JsonValue> = {}
  for (const [name, inner] of Object.entries(value)) setOwn(result, name, templateOf(inner, unique))
  return result
}

/** Escapes the backslashes before braces, too, because each of them would escape. */
const escapeBraces = (found: string): string => `${"\\".repeat(2 * (found.length - 2))}\\{{`
