// Finds the names in the files of environments. A value is never part of a mention.

import {
  isJsonObject,
  isReserved,
  type LocatedJson,
  objectMember,
  parseSecretsFile,
  textMember,
} from "@callsheet/format"
import type { Mention } from "./named.ts"
import { mentionAt } from "./workflow-mentions.ts"

export function* schemaMentions(api: string, json: LocatedJson): Generator<Mention> {
  for (const name of Object.keys(objectMember(json.value, "variables") ?? {}))
    yield* mentionAt(json, ["variables", name], "key", {
      named: { is: "variable", api, name },
      declares: true,
    })
}

export function* valueMentions(api: string, json: LocatedJson): Generator<Mention> {
  const parent = textMember(json.value, "extends")
  if (parent !== undefined)
    yield* mentionAt(json, ["extends"], "value", {
      named: { is: "environment", api, name: parent },
      declares: false,
    })
  for (const name of Object.keys(isJsonObject(json.value) ? json.value : {}))
    if (!isReserved(name) && name !== "$schema")
      yield* mentionAt(json, [name], "key", { named: { is: "variable", api, name }, declares: false })
}

export function* secretsMentions(api: string, text: string): Generator<Mention> {
  for (const { name, nameStart } of parseSecretsFile(text).entries)
    yield {
      named: { is: "variable", api, name },
      declares: false,
      from: nameStart,
      to: nameStart + name.length,
    }
}
