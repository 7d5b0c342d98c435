// A tool for agents: its texts, the shapes of its input and output, and what it does. Its output is masked here.

import {
  CallsheetError,
  formatPath,
  isJsonArray,
  isJsonObject,
  readShape,
  toJsonSchema,
  type JsonObject,
  type JsonValue,
  type Shape,
  type shapes,
  ownOf,
} from "@callsheet/format"
import type { Masker } from "@callsheet/server"
import { messages } from "../messages.ts"

export interface ToolCall {
  /** Aborts when the client cancels the call or disconnects. */
  readonly signal: AbortSignal
  readonly progress: (done: number, message: string) => void
}

/** Hints for the client, as the Model Context Protocol defines them. */
interface Annotations {
  readonly readOnlyHint: boolean
  readonly destructiveHint?: boolean
  readonly idempotentHint?: boolean
  /** True if the tool sends requests to servers. */
  readonly openWorldHint: boolean
}

interface ToolTexts {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly annotations: Annotations
}

export interface Tool extends ToolTexts {
  /** The JSON Schemas of the arguments and of the result. */
  readonly input: JsonObject
  readonly output: JsonObject
  readonly run: (args: JsonValue, call: ToolCall) => Promise<(masker: Masker) => JsonValue>
}

interface ToolParts<I, O> extends ToolTexts {
  readonly input: shapes.ObjectShapeOf<I>
  readonly output: shapes.ObjectShapeOf<O>
  readonly run: (input: I, call: ToolCall) => Promise<O>
}

/** Defines a tool. `run` of the result checks the arguments, and returns a function that masks the result. */
export function defineTool<I, O>({ run, input, output, ...texts }: ToolParts<I, O>): Tool {
  return {
    ...texts,
    input: schemaOf(input),
    output: schemaOf(output),
    run: async (args, call) => {
      const { findings, value } = readShape<I>(input, args)
      const [first] = findings
      if (value === undefined && first !== undefined)
        throw new CallsheetError(messages.usage.toolInput(formatPath(first.pointer), first.message))
      const result = await run(value as I, call)
      return (masker) => shown(output, result, masker)
    },
  }
}

/** Returns the JSON Schema without its head, which would repeat the texts of the tool. */
function schemaOf(shape: Shape): JsonObject {
  const head = { $id: "", title: "", description: "" }
  const { $schema: _, $id: __, title: ___, description: ____, ...schema } = toJsonSchema(shape, head)
  return schema
}

/** Masks a result. The words of the tool itself, such as statuses and counts, stay readable. */
function shown(shape: Shape, value: unknown, masker: Masker): JsonValue {
  if (typeof value === "string")
    return shape.is === "string" || shape.is === "any" ? masker.text(value) : value
  if (shape.is === "any") return masker.value(value as JsonValue)
  if (isJsonArray(value))
    return value.map((item) => shown(shape.is === "array" ? shape.items() : { is: "any" }, item, masker))
  if (isJsonObject(value)) {
    const shapeOf = (key: string): Shape =>
      (shape.is === "object"
        ? ownOf(shape.fields, key)?.shape
        : shape.is === "map"
          ? shape.values
          : undefined) ?? {
        is: "any",
      }
    return Object.fromEntries(
      Object.entries(value)
        .filter(([, member]) => member !== undefined)
        .map(([key, member]) => [
          shape.is === "map" ? masker.name(key) : key,
          shown(shapeOf(key), member, masker),
        ]),
    )
  }
  return value as JsonValue
}
