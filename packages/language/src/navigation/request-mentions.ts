// Finds the names in a saved request. What a plain name means depends on the workflow that sends the request.

import {
  type InstanceFile,
  isJsonArray,
  isJsonObject,
  type JsonPointer,
  type JsonValue,
  type LocatedJson,
  member,
  textMember,
  valueAt,
  valueStrings,
} from "@callsheet/format"
import { pathsIn } from "../references/path-heads.ts"
import type { Mention, Named } from "./named.ts"
import { createNamePlaces, mentionAt } from "./workflow-mentions.ts"

const liveFields = ["description", "operation", "path", "params", "body"] as const

export function* requestMentions(
  api: string,
  { resource, name: request }: Pick<InstanceFile, "resource" | "name">,
  json: LocatedJson,
): Generator<Mention> {
  const operation = textMember(json.value, "operation")
  if (operation !== undefined)
    yield* mentionAt(json, ["operation"], "value", {
      named: { is: "operation", api, resource, name: operation },
      declares: false,
    })
  for (const pointer of filesIn(json.value)) {
    const name = valueAt(json.value, pointer)
    if (typeof name === "string")
      yield* mentionAt(json, pointer, "value", { named: { is: "file", name }, declares: false })
  }
  for (const field of liveFields)
    for (const live of valueStrings(member(json.value, field), [field], (text) => text.includes("{{"))) {
      const placeOf = createNamePlaces(json, live.pointer)
      for (const [first, second, third] of pathsIn(live)) {
        if (first === undefined) continue
        if (first.name === "env" && second !== undefined) {
          const variable = (name: string): Named => ({ is: "variable", api: second.name, name })
          yield { named: { is: "api", name: second.name }, declares: false, ...placeOf(second) }
          if (third !== undefined) yield { named: variable(third.name), declares: false, ...placeOf(third) }
        } else
          yield {
            named: { is: "open", api, resource, request, name: first.name },
            declares: false,
            ...placeOf(first),
          }
      }
    }
}

/** Returns the places of paths of files: the body of the type `file`, and the `file` of a part. */
function filesIn(value: JsonValue | undefined): readonly JsonPointer[] {
  const [type, body] = [textMember(value, "bodyType"), member(value, "body")]
  if (type === "file") return typeof body === "string" ? [["body"]] : []
  if (type !== "multipart" || !isJsonObject(body)) return []
  return Object.entries(body).flatMap(([name, part]) => {
    const parts: readonly (readonly [JsonValue, JsonPointer])[] = isJsonArray(part)
      ? part.map((one, index) => [one, ["body", name, index]] as const)
      : [[part, ["body", name]]]
    return parts.flatMap(([one, at]) => (textMember(one, "file") === undefined ? [] : [[...at, "file"]]))
  })
}
