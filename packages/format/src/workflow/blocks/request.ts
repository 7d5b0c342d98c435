// The request block: sends one operation or saved request of an API.

import type { JsonPointer } from "../../json/pointer.ts"
import { messages } from "../../messages.ts"
import type { Params } from "../types.ts"
import { any, map, object, optional, required, string, textCheck } from "../../shape/shape.ts"
import {
  commonFields,
  textStrings,
  valueStrings,
  type BlockDefinition,
  type LiveString,
} from "./definition.ts"

const textMap = map(string())

export const paramsShape = object({
  query: optional(textMap, "Query parameters by name."),
  path: optional(textMap, "Path parameters by name. Each is encoded as one segment."),
  header: optional(textMap, "Headers by name, in any case."),
  cookie: optional(textMap, "Cookies by name. An empty value sends none."),
})

export const overridesShape = object({
  params: optional(paramsShape, "Parameters to replace, by name."),
  body: optional(map(any), "Parts of the body to replace. Each key is a path into the body."),
})

// Doesn't allow tokens, because a run must know its APIs before it starts.
const apiName = string(
  textCheck(/^(?![\s\S]*\{\{)/u, "the name of a folder in apis/, without tokens", () =>
    messages["token-malformed"].api(),
  ),
)

export const targetShape = object(
  {
    api: required(apiName, "Name of the API's directory under `apis/`. No placeholders."),
    resource: optional(
      string(),
      "Resource of the operation or saved request. Needed only if its name isn't unique.",
    ),
    operation: optional(string(), "An `operationId`, or `METHOD /path`."),
    instance: optional(
      string(),
      "File name of a saved request. If `operation` is set too, the saved request must send it.",
    ),
    overrides: optional(overridesShape, "Changes to the operation or saved request."),
  },
  { rule: "anyOf", of: ["operation", "instance"] },
)

export const requestShape = object({
  ...commonFields("request"),
  request: required(targetShape, "The request to send."),
})

export const request = {
  summary: "Sends one operation or saved request of an API.",
  shape: () => requestShape,
  childFields: [],
  result: "response",
  iterates: false,
  apis: (block) => [block.request.api],
  strings: ({ request: { resource, operation, instance, overrides = {} } }) => [
    ...textStrings({ resource, operation, instance }, ["request"]),
    ...paramStrings(overrides.params, ["request", "overrides", "params"]),
    ...valueStrings(overrides.body, ["request", "overrides", "body"]),
  ],
} satisfies BlockDefinition<"request">

export const paramStrings = (params: Params = {}, pointer: JsonPointer): readonly LiveString[] =>
  (["query", "path", "header", "cookie"] as const).flatMap((place) =>
    textStrings(params[place] ?? {}, [...pointer, place]),
  )
