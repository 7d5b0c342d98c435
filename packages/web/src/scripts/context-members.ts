// The members of the contexts of scripts, as `@callsheet/sdk` declares them.

import type { FieldView, NamedField, ScriptContextName } from "@callsheet/server/calls"

interface ContextMember {
  readonly name: string
  /** The type in TypeScript. */
  readonly type: string
  readonly description: string
  readonly isFunction: boolean
}

const method = (name: string, type: string, description: string): ContextMember => ({
  name,
  type,
  description,
  isFunction: true,
})

const property = (name: string, type: string, description: string): ContextMember => ({
  name,
  type,
  description,
  isFunction: false,
})

const common: readonly ContextMember[] = [
  method(
    "get",
    "(path) => value",
    "Returns a copy of the value at a path such as create.response.body.id, or undefined if the path doesn't resolve.",
  ),
  method("has", "(path) => boolean", "Returns true if the path has a value, even null."),
  property("inputs", "the workflow's inputs", "Typed, with defaults applied."),
  method("env", "(api) => variables", "The variables of the environment that an API is bound to."),
  method("log", "(...values) => void", "Writes a line to the block's logs. Secrets are masked."),
  method("secret", "(value) => value", "Makes a value secret from now on, and returns it."),
  property(
    "iteration",
    "{ index, value } | undefined",
    "The innermost loop's item and index. Absent outside a loop.",
  ),
  property("workflow", "{ name }", "The running workflow."),
  property("block", "{ id, type, description? }", "The block that called the script."),
  property("signal", "AbortSignal", "Aborts on timeout or when the run is canceled."),
  method("sleep", "(ms) => Promise", "Waits, in milliseconds."),
]

const assert = method(
  "assert",
  "(condition, message?) => void",
  "Fails the block with the message if the condition is false.",
)

export const contextNames: readonly ScriptContextName[] = [
  "AssertContext",
  "ConditionContext",
  "TransformContext",
  "ScriptContext",
]

export const contextMembers = (context: string): readonly ContextMember[] =>
  context === "AssertContext" ? [assert, ...common] : common

const text: FieldView = { words: "string", kinds: ["string"] }

/** Members that are the same in every workflow. */
export const fixedFields: readonly NamedField[] = [
  { name: "workflow", words: "object", fields: [{ name: "name", ...text }] },
  {
    name: "block",
    words: "object",
    fields: [
      { name: "id", ...text },
      { name: "type", ...text },
      { name: "description", ...text },
    ],
  },
  {
    name: "iteration",
    words: "object",
    fields: [
      { name: "index", words: "integer", kinds: ["number"] },
      { name: "value", words: "" },
    ],
  },
]
