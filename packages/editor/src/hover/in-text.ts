// What a name in a secrets file or in a script means.

import { parseSecretsFile, apisOfFile } from "@callsheet/format"
import {
  knownField,
  rootOf,
  scriptPlaceAt,
  scriptScope,
  typeWords,
  unknownValue,
  walkKnown,
  describeKnown,
} from "@callsheet/language"
import type { Place } from "../workspace/workspace.ts"
import type { FoundHover, HoverRequest } from "./in-json.ts"
import { describeNamed } from "./named.ts"
import { describeVariable } from "./variable.ts"

/** Describes the variable whose name is under the caret. Says nothing about a value. */
export function hoverInSecrets(
  { file, view }: Place,
  { offset, context }: HoverRequest,
): Promise<FoundHover | undefined> {
  const entry = parseSecretsFile(file.text).entries.find(
    ({ nameStart, name }) => nameStart <= offset && offset <= nameStart + name.length,
  )
  if (entry === undefined || file.is.kind !== "secrets") return Promise.resolve(undefined)
  const write = describeVariable(file.is.api, entry.name, { view, context })
  const from = entry.nameStart
  return Promise.resolve(write && { from, to: from + entry.name.length, write })
}

/** Describes the path, input or variable in a string under the caret. */
export async function hoverInScript(
  { file: document, view }: Place,
  { offset, context }: HoverRequest,
): Promise<FoundHover | undefined> {
  const { is: file, text } = document
  const end = offset + (/^[^"'`\r\n]*/.exec(text.slice(offset))?.[0].length ?? 0)
  const place = file.kind === "script" ? scriptPlaceAt(text, end) : undefined
  const workflow = file.kind === "script" ? view.project.workflows.get(file.workflow) : undefined
  if (place === undefined || workflow === undefined || offset < place.start) return undefined
  const range = { from: place.start, to: end }
  if (place.is === "variable") {
    const write = describeVariable(place.api, place.typed, { view, context })
    return write && { ...range, write }
  }
  if (place.is === "api") {
    const write = await describeNamed({ is: "api", name: place.typed }, { view, context })
    return write && { ...range, write }
  }
  const apis = await view.sources(apisOfFile(workflow))
  const scope = scriptScope({ file: workflow, apis, apiNames: view.project.apiNames })
  if (scope === undefined) return undefined
  const types = place.is === "input" ? scope.inputs : scope.names
  const roots = [...types].map(([name, type]) => ({
    name,
    note: typeWords(type),
    known: () => ({ ...unknownValue, fields: [knownField(type)] }),
  }))
  const root = roots.find(({ name }) => name === place.typed) ?? rootOf(place.typed, roots)
  const known = root && walkKnown(place.typed.slice(root.name.length), await root.known())
  if (known === undefined) return undefined
  const { text: mask } = view.masker()
  const words = mask(describeKnown(known))
  return {
    ...range,
    write: (style) => [`${style.code(mask(place.typed))}${words === "" ? "" : ` (${style.text(words)})`}`],
  }
}
