// Creates the script that a block calls, or adds the function to it.

import { checkFreeName, isBlockKind, jsonPlaceAt, locateJson, member, valueAt } from "@callsheet/format"
import {
  addedFunction,
  checkFunctionName,
  scriptFile,
  scriptKindFor,
  scriptTemplate,
} from "@callsheet/language"
import { forCodes, type ActionRequest, type Offer } from "./action.ts"

export const createScript = forCodes(["script-missing"], (diagnostic, request): readonly Offer[] => {
  const { file, view } = request.place
  const called = calledAt(request, file.offsetAt(diagnostic.range.start))
  if (file.is.kind !== "workflow" || called === undefined) return []
  const { name, exportName, kind } = called
  if (checkFunctionName(exportName) !== undefined) return []
  if (name.split("/").some((part) => checkFreeName(part) !== undefined)) return []
  const path = scriptFile(file.is.workflow, name)
  const before = view.textOf(path)
  const text =
    before === undefined
      ? scriptTemplate(kind, exportName)
      : before.replace(/\n*$/, "\n") + addedFunction(kind, exportName)
  // An export that is not a function has to be changed by hand.
  if (before !== undefined && new RegExp(`\\bexport\\b.*\\b${escaped(exportName)}\\b`).test(before)) return []
  const title =
    before === undefined
      ? `Create the script ${name} with ${exportName}`
      : `Add ${exportName} to the script ${name}`
  return [
    { title, kind: "quickfix", diagnostic, texts: [{ file: path, before: before ?? null, after: text }] },
  ]
})

const escaped = (name: string): string => name.replaceAll("$", "\\$")

function calledAt({ place }: ActionRequest, at: number) {
  const { text } = place.file
  // Another file is created, so this one may have a syntax error elsewhere.
  const value = locateJson(text).value ?? null
  const { pointer } = jsonPlaceAt(text, at)
  const script = valueAt(value, pointer.slice(0, -1))
  const type = member(valueAt(value, blockAround(pointer)), "type")
  const [name, exportName] = [member(script, "name"), member(script, "exportName")]
  const kind = isBlockKind(type) ? scriptKindFor(type) : undefined
  if (typeof name !== "string" || typeof exportName !== "string" || kind === undefined) return undefined
  return { name, exportName, kind }
}

/** `["blocks", 0, "until", "script", "name"]` is in the block `["blocks", 0]`. */
const blockAround = (pointer: readonly (string | number)[]): readonly (string | number)[] =>
  pointer.slice(0, pointer.findLastIndex((step) => typeof step === "number") + 1)
