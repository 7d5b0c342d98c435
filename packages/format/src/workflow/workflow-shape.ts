// The definition of `apis/workflow/<name>.json`.

import {
  any,
  boolean,
  defaulted,
  enumOf,
  map,
  object,
  optional,
  required,
  string,
  version,
} from "../shape/shape.ts"
import { blocksShape } from "./blocks/index.ts"
import { checkId } from "./names.ts"

export const inputShape = object({
  type: required(enumOf("string", "number", "boolean"), "Provided values are coerced to this type."),
  required: optional(boolean, "The run errors when no value and no default is given."),
  default: optional(any, "Used, as it stands, when the run does not supply the input."),
  description: optional(string(), "A label."),
})

export const workflowShape = object({
  $schema: optional(string(), "The JSON Schema that an editor checks the file with."),
  version: required(version, "Version of the file format: the number 1."),
  blocks: required(blocksShape, "Run in this order."),
  onFailure: defaulted(enumOf("halt", "continue"), "`halt` stops at the first failed block.", "halt"),
  validateContracts: defaulted(
    boolean,
    "Whether each response is held against its operation's schema, and each request, as a warning.",
    false,
  ),
  inputs: optional(map(inputShape, checkId), "Named parameters of a run, read as `{{name}}`."),
})
