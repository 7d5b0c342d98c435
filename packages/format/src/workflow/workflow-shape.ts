// The shape of `apis/workflow/<name>.json`.

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
  type: required(enumOf("string", "number", "boolean"), "Type of the value. Text is parsed as this type."),
  required: optional(boolean, "If true, a run needs a value or a default."),
  default: optional(any, "Value if the run doesn't provide one, used as it is."),
  description: optional(string(), "A label."),
})

export const workflowShape = object({
  $schema: optional(string(), "JSON Schema for editors."),
  version: required(version, "File format version."),
  blocks: required(blocksShape, "The blocks to run, in order."),
  onFailure: defaulted(enumOf("halt", "continue"), "`halt` stops at the first failed block.", "halt"),
  validateContracts: defaulted(
    boolean,
    "Check each response against its operation. Violations in requests are warnings.",
    false,
  ),
  inputs: optional(map(inputShape, checkId), "Named parameters, read as `{{name}}`."),
})
