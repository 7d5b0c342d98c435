// Lists the named parts of a file as a tree, in any state of the text. A value is never part of it.

import {
  isJsonObject,
  isReserved,
  type JsonObject,
  type JsonPointer,
  type JsonValue,
  type LocatedJson,
  objectMember,
  parseSecretsFile,
  rawBlocks,
  type TextRange,
  textMember,
} from "@callsheet/format"
import { entriesIn } from "./settings-mentions.ts"

export interface OutlineItem {
  readonly name: string
  readonly detail?: string
  /** What the part is: a kind of block, or another word of the format. */
  readonly is: string
  readonly range: TextRange
  /** The place of the name. */
  readonly selection: TextRange
  readonly children: OutlineItem[]
}

/** Deeper blocks are siblings, because clients recurse. */
const MAX_DEPTH = 100

export function outlineWorkflow(json: LocatedJson): readonly OutlineItem[] {
  const inputs = Object.entries(objectMember(json.value, "inputs") ?? {})
  const top = inputs.flatMap(([name, value]) =>
    keyItem(json, ["inputs", name], { is: "input", name, detail: textMember(value, "type") }),
  )
  const open: OutlineItem[] = []
  for (const { block, pointer } of rawBlocks(json.value ?? null)) {
    const at = pointer()
    const item = blockItem(json, block, at)
    if (item === undefined) continue
    open.length = Math.min(open.length, at.length / 2 - 1, MAX_DEPTH)
    const siblings = open.at(-1)?.children ?? top
    siblings.push(item)
    open.push(item)
  }
  return top
}

function blockItem(json: LocatedJson, block: JsonObject, at: JsonPointer): OutlineItem | undefined {
  const range = json.memberRangeOf(at)
  if (range === undefined) return undefined
  const [id = "", is = "block"] = [textMember(block, "id"), textMember(block, "type")]
  const selection = json.rangeOf([...at, "id"], "value") ?? { from: range.from, to: range.from }
  return { name: id === "" ? `(${is})` : id, detail: detailOf(block, is), is, range, selection, children: [] }
}

function detailOf(block: JsonObject, type: string): string {
  const request = objectMember(block, "request")
  const names = [
    textMember(request, "api"),
    textMember(request, "instance") ?? textMember(request, "operation"),
  ].filter((name) => name !== undefined)
  return names.length === 0 ? type : names.join(" ")
}

interface Labels {
  readonly is: string
  readonly name: string
  readonly detail?: string | undefined
}

function keyItem(json: LocatedJson, pointer: JsonPointer, labels: Labels): OutlineItem[] {
  const [range, selection] = [json.memberRangeOf(pointer), json.rangeOf(pointer, "key")]
  if (range === undefined || selection === undefined) return []
  const { detail, ...rest } = labels
  return [{ ...rest, ...(detail === undefined ? {} : { detail }), range, selection, children: [] }]
}

export const outlineSchema = (json: LocatedJson): readonly OutlineItem[] =>
  Object.entries(objectMember(json.value, "variables") ?? {}).flatMap(([name, value]) =>
    keyItem(json, ["variables", name], { is: "variable", name, detail: variableDetail(value) }),
  )

const variableDetail = (declaration: JsonValue): string | undefined => {
  const type = textMember(declaration, "type")
  return objectMember({ declaration }, "declaration")?.["secret"] === true ? `${type ?? ""} secret` : type
}

/** Lists the names of a value file, without values. */
export const outlineValues = ({ value, ...json }: LocatedJson): readonly OutlineItem[] =>
  Object.keys(isJsonObject(value) ? value : {}).flatMap((name) =>
    keyItem({ value, ...json }, [name], { is: isReserved(name) ? "setting" : "variable", name }),
  )

/** Lists the names of a secrets file, without values. */
export const outlineSecrets = (text: string): readonly OutlineItem[] =>
  parseSecretsFile(text).entries.map(({ name, nameStart, start, end }) => ({
    name,
    is: "variable",
    range: { from: start, to: Math.max(end, nameStart + name.length) },
    selection: { from: nameStart, to: nameStart + name.length },
    children: [],
  }))

export function outlineSettings(json: LocatedJson): readonly OutlineItem[] {
  return Object.entries(objectMember(json.value, "suites") ?? {}).flatMap(([name, suite]) =>
    keyItem(json, ["suites", name], { is: "suite", name, detail: textMember(suite, "description") }).map(
      (item) => ({ ...item, children: entryItems(json, suite, ["suites", name]) }),
    ),
  )
}

const entryItems = (json: LocatedJson, suite: JsonValue, at: JsonPointer): OutlineItem[] =>
  [...entriesIn(suite, at)].flatMap(({ value, pointer, workflow, at: name, list }) => {
    const [range, selection] = [json.memberRangeOf(pointer), json.rangeOf(name, "value")]
    if (range === undefined || selection === undefined) return []
    const label = textMember(value, "as") ?? workflow
    return [{ name: label, detail: list, is: "entry", range, selection, children: [] }]
  })

/** A saved request is one part: the operation, or the method and path, that it sends. */
export function outlineRequest(json: LocatedJson): readonly OutlineItem[] {
  const [operation, method, path] = ["operation", "method", "path"].map((field) =>
    textMember(json.value, field),
  )
  const field = operation === undefined ? "path" : "operation"
  const [range, selection] = [json.memberRangeOf([]), json.rangeOf([field], "value")]
  if (range === undefined || selection === undefined) return []
  const name = operation ?? [method, path].filter((part) => part !== undefined).join(" ")
  return [{ name, is: "request", range, selection, children: [] }]
}
