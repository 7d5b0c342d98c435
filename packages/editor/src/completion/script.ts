// Completes what concerns callsheet in a script: paths, inputs, and the variables of environments.

import { INBOX, readableApis, type ValueType } from "@callsheet/format"
import {
  completePath,
  exportAround,
  knownField,
  scriptPlaceAt,
  scriptScope,
  typeWords,
  unknownValue,
  type Root,
  type ScriptPlace,
  type ScriptScope,
} from "@callsheet/language"
import type { CompletionItem, CompletionList } from "vscode-languageserver-protocol"
import type { Place } from "../workspace/workspace.ts"
import { itemKinds, sortTextAt } from "./choice.ts"

const nothing: CompletionList = { isIncomplete: false, items: [] }

interface Name {
  readonly label: string
  readonly detail: string
}

export async function completeScript(
  { file: document, view }: Place,
  offset: number,
): Promise<CompletionList> {
  const { is: file, text } = document
  const place = scriptPlaceAt(text, offset)
  const workflow = file.kind === "script" ? view.project.workflows.get(file.workflow) : undefined
  if (place === undefined || file.kind !== "script" || workflow === undefined) return nothing
  const { blocks } = workflow.readable?.workflow ?? { blocks: [] }
  const apis = await view.sources(readableApis(blocks, view.project.apis.get(INBOX)))
  const scope = scriptScope({ file: workflow, apis, apiNames: view.project.apiNames })
  if (scope === undefined) return nothing
  const { text: show } = view.masker()
  const own = readableNames(scope, file.script, exportAround(text, offset))
  const names = await namesAt(place, { scope, own })
  const rest = /^[^"'`\r\n]*/.exec(text.slice(offset))?.[0].length ?? 0
  const range = document.rangeOf(place.start, offset + rest)
  const items = names
    .filter(({ label }) => show(label) === label && !/["'`\\]/.test(label))
    .map(({ label, detail }, index): CompletionItem => ({
      label,
      kind: itemKinds.variable,
      ...(detail === "" ? {} : { detail: show(detail) }),
      sortText: sortTextAt(index),
      filterText: label,
      insertTextFormat: 1,
      textEdit: { range, newText: label },
    }))
  return { isIncomplete: place.is === "path", items }
}

/** Returns the names that the calls of an export can read. Without a call, returns all names. */
function readableNames(
  { names, calls }: ScriptScope,
  script: string,
  exportName: string | undefined,
): ReadonlySet<string> {
  const own = calls.filter((call) => call.script === script && call.exportName === exportName)
  return new Set(own.length === 0 ? names.keys() : own.flatMap((call) => call.names))
}

interface Ground {
  readonly scope: ScriptScope
  readonly own: ReadonlySet<string>
}

async function namesAt(place: ScriptPlace, { scope, own }: Ground): Promise<readonly Name[]> {
  switch (place.is) {
    case "input":
      return ofTypes(scope.inputs)
    case "api":
      return [...scope.environments.keys()].map((label) => ({ label, detail: "variables" }))
    case "variable":
      return ofTypes(scope.environments.get(place.api) ?? new Map())
    case "path": {
      const roots = [...scope.names].flatMap(([name, type]): readonly Root[] =>
        own.has(name)
          ? [{ name, note: typeWords(type), known: () => ({ ...unknownValue, fields: [knownField(type)] }) }]
          : [],
      )
      const found = await completePath(place.typed, place.typed.length, { reads: "path", roots })
      return found.items.map(({ text, note = "" }) => ({ label: text, detail: note }))
    }
  }
}

const ofTypes = (types: ReadonlyMap<string, ValueType>): readonly Name[] =>
  [...types].map(([label, type]) => ({ label, detail: typeWords(type) }))
