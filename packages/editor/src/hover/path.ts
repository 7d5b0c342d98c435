// What a path in a text means: its type by the contract, and its value in the last run.

import { isJsonObject, ownOf, parsePath, stringifyJson, type JsonValue } from "@callsheet/format"
import {
  blockPlaceAt,
  describeKnown,
  pathRoots,
  rootOf,
  typeWords,
  walkKnown,
  type Root,
} from "@callsheet/language"
import type { Context } from "../context.ts"
import { valuePointer, type JsonSpot } from "../known/json-file.ts"
import { lastRuns } from "../known/last-run.ts"
import type { Style } from "../known/markup.ts"
import type { PathGround } from "../known/path-ground.ts"
import { workflowTypes } from "../known/workflow-types.ts"
import { describeVariable } from "./variable.ts"

type Write = (style: Style) => readonly (string | undefined)[]

interface PathPlace {
  readonly spot: JsonSpot
  readonly ground: PathGround
  readonly context: Context
}

/** Returns undefined if the path means nothing here. */
export async function describePath(path: string, place: PathPlace): Promise<Write | undefined> {
  const { spot, ground, context } = place
  const roots = await pathRoots(ground.reading, ground.sources)
  const root = roots.find(({ name }) => name === path) ?? rootOf(path, roots)
  const variable = root === undefined ? undefined : variableNamed(path, root)
  if (variable !== undefined)
    return describeVariable(variable.api, variable.name, { view: spot.view, context })
  if (root === undefined) return undefined
  const seen = await seenValue(path, root, place)
  const words = await typeOf(path, root, spot)
  const { text, value: mask } = spot.view.masker()
  return (style) => [
    `${style.code(text(path))}${words === "" ? "" : ` (${style.text(text(words))})`}`,
    seen === undefined ? undefined : `In the last run:\n\n${valueBlock(mask(seen), style)}`,
  ]
}

function variableNamed(
  path: string,
  { name, definition }: Root,
): { readonly api: string; readonly name: string } | undefined {
  if (definition?.is === "variable") return definition
  const parsed = name === "env" && definition === undefined ? parsePath(path) : undefined
  const [, api, variable] = parsed?.ok === true ? parsed.segments : []
  return api === undefined || variable === undefined ? undefined : { api, name: variable }
}

async function typeOf(path: string, root: Root, spot: JsonSpot): Promise<string> {
  if (root.definition?.is === "input") return root.note
  const place = blockPlaceAt(valuePointer(spot))
  const types = place === undefined ? undefined : await workflowTypes(spot)
  const words = place === undefined || types === undefined ? "" : typeWords(types.ofPath(path, place))
  if (words !== "" || path === root.name) return [root.note, words].filter((word) => word !== "").join(", ")
  const known = walkKnown(path.slice(root.name.length), await root.known())
  return known === undefined ? root.note : describeKnown({ ...known, seen: [] })
}

/** Returns the value in the last run, masked by the secrets of that run only. */
async function seenValue(
  path: string,
  root: Root,
  { spot, ground, context }: PathPlace,
): Promise<JsonValue | undefined> {
  const { definition } = root
  if (definition?.is === "input") {
    const { workflow } = ground.reading
    const [run] = workflow === undefined ? [] : lastRuns(context, spot.view.root, workflow.name)
    const value: unknown = isJsonObject(run?.inputs) ? ownOf(run.inputs, root.name) : undefined
    return value === undefined ? undefined : (value as JsonValue)
  }
  return walkKnown(path.slice(root.name.length), await root.known())?.seen[0]
}

const MAX_LINES = 20
const MAX_LENGTH = 2_000

function valueBlock(value: JsonValue, style: Style): string {
  const text = pretty(value).slice(0, MAX_LENGTH)
  const lines = text.split("\n")
  const shown = lines.length > MAX_LINES ? [...lines.slice(0, MAX_LINES), "…"] : lines
  return style.block(shown.join("\n"), "json")
}

const pretty = (value: JsonValue): string =>
  JSON.stringify(value, (_, one: unknown) => (typeof one === "bigint" ? String(one) : one), 2) ??
  stringifyJson(value)
