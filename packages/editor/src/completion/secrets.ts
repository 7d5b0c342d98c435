// Completes a secrets file: names of declared secret variables, and never a value.

import { parseSecretsFile } from "@callsheet/format"
import type { CompletionItem, CompletionList } from "vscode-languageserver-protocol"
import type { Place } from "../workspace/workspace.ts"
import { itemKinds } from "./choice.ts"

export function completeSecrets({ file, view }: Place, offset: number): CompletionList {
  const { is, text } = file
  const start = text.lastIndexOf("\n", offset - 1) + 1
  const typed = /^\s*(?:export\s+)?([\w.-]*)$/.exec(text.slice(start, offset))?.[1]
  const end = /^[\w.-]*/.exec(text.slice(offset))?.[0].length ?? 0
  if (is.kind !== "secrets" || typed === undefined || isInValue(text, start))
    return { isIncomplete: false, items: [] }
  const { variables } = view.project.apis.get(is.api)?.environments ?? { variables: new Map() }
  const given = new Set(
    parseSecretsFile(text)
      .entries.filter(({ start: at, end: to }) => !(at <= offset && offset <= to))
      .map(({ name }) => name),
  )
  const secrets = [...variables].filter(([name, { secret }]) => secret === true && !given.has(name))
  const hasSign = /^[ \t]*=/.test(text.slice(offset + end))
  const items = secrets.map(([name, { type, description }]): CompletionItem => ({
    label: name,
    kind: itemKinds.variable,
    detail: type,
    ...(description === undefined ? {} : { documentation: view.masker().text(description) }),
    filterText: name,
    insertTextFormat: 1,
    textEdit: {
      range: file.rangeOf(offset - typed.length, offset + end),
      newText: `${name}${hasSign ? "" : "="}`,
    },
  }))
  return { isIncomplete: false, items }
}

/** Returns whether an offset is inside a value of several lines. */
const isInValue = (text: string, at: number): boolean =>
  parseSecretsFile(text).entries.some(({ start, end }) => start < at && at < end)
