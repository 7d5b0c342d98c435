// Request: sends one operation or saved request of an API.

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
  path: optional(textMap, "Path parameters by name; each is encoded as one segment."),
  header: optional(textMap, "Headers by name, whatever their case."),
  cookie: optional(textMap, "Cookies by name; an empty one sends none of that name."),
})

export const overridesShape = object({
  params: optional(paramsShape, "Replaces parameters by name, headers whatever their case."),
  body: optional(map(any), "Replaces parts of the body: each key is a path into it, with its new value."),
})

// Which APIs a run touches is known before it starts, so no token can name one.
const apiName = string(
  textCheck(/^(?![\s\S]*\{\{)/u, "the name of a folder in apis/, without tokens", () =>
    messages["token-malformed"].api(),
  ),
)

export const targetShape = object(
  {
    api: required(apiName, "The API: the name of its folder under `apis/`. No tokens."),
    resource: optional(
      string(),
      "What the operation or saved request belongs to; tells those of one name apart.",
    ),
    operation: optional(string(), "An operationId, or `METHOD /path`."),
    instance: optional(
      string(),
      "A saved request: the name of its file. With `operation` too, it must be of that operation.",
    ),
    overrides: optional(overridesShape, "What is put over the operation or saved request."),
  },
  { rule: "anyOf", of: ["operation", "instance"] },
)

export const requestShape = object({
  ...commonFields("request"),
  request: required(targetShape, "What is sent."),
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
