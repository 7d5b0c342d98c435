// The shape of `callsheet.baseline.json`: the contract violations that a project knows and accepts for now.

import { messages } from "../messages.ts"
import {
  array,
  enumOf,
  number,
  object,
  optional,
  required,
  string,
  textCheck,
  version,
  type TypeOf,
} from "../shape/shape.ts"

const { expires, operationForm, pointerForm } = messages["field-value"]

const checkText = textCheck(/\S/u, "a name", messages["id-invalid"].empty)
const checkOperation = textCheck(/^[A-Z]+ \/\S*$/u, "a method and a path, such as `GET /orders`", () =>
  operationForm(),
)
const checkPointer = textCheck(
  /^\//u,
  "a JSON pointer into the response, such as `/body/items/*/price`",
  () => pointerForm(),
)

const checkDay = textCheck(
  /^[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])$/u,
  "a day, such as 2027-01-31",
  () => expires(),
)

const entryShape = object({
  api: required(string(checkText), "The API's directory in `apis/`."),
  operation: required(string(checkOperation), "The method and the path: `GET /orders/{id}`."),
  status: required(number({ integer: true, minimum: 100, maximum: 999 }), "The HTTP status of the response."),
  path: required(
    string(checkPointer),
    "JSON pointer into the response. `*` stands for every index of an array, `~2` for a property named `*`.",
  ),
  schema: required(
    string(),
    "The violated rule: `<file>#<pointer>`, with the file's path from the API's directory.",
  ),
  reason: optional(string(), "Why the violation is accepted."),
  expires: optional(string(checkDay), "The last day on which the entry holds (UTC): `2027-01-31`."),
})

export type BaselineEntry = TypeOf<typeof entryShape>

/** What `callsheet probe` finds. */
const findingKinds = ["server-error", "accepted-invalid", "undocumented-status"] as const
export type FindingKind = (typeof findingKinds)[number]

const findingShape = object({
  api: optional(string(checkText), "The API's directory in `apis/`. Default: any API."),
  operation: required(string(checkText), "The operation: an `operationId`, or the method and the path."),
  parameter: required(string(checkText), "Where the value is: `query.limit` or `body.lines.0.sku`."),
  kind: required(enumOf(...findingKinds), "What the server did."),
  reason: optional(string(), "Why the finding is accepted."),
})

export type KnownFinding = TypeOf<typeof findingShape>

export const baselineShape = object(
  {
    $schema: optional(string(), "JSON Schema for editors."),
    version: required(version, "File format version."),
    violations: optional(
      array(() => entryShape),
      "The known violations.",
    ),
    findings: optional(
      array(() => findingShape),
      "The known findings of `callsheet probe`.",
    ),
  },
  { rule: "anyOf", of: ["violations", "findings"] },
)
