// Turns `{{ … }}` back into text if it is not a variable: the braces may belong to a template that a request sends. Only the
// whole source tells, because an environment may be in another file.

import { getOrCreate } from "@callsheet/format"
import { reasons } from "../messages.ts"
import type { Collection, Item, Loss, Script } from "../model.ts"
import {
  hasVariables,
  isUsualName,
  mapText,
  plainText,
  variablesIn,
  variableText,
  type Text,
} from "../text.ts"

/** Returns the collection without the unusual variables that nothing declares or sets. Possible ones are losses. */
export function withLiteralBraces(collection: Collection): Collection {
  const { variables, environments, root } = collection
  const declared = new Set(
    [variables, ...environments.map((one) => one.variables)].flat().map(({ name }) => name),
  )
  const codes = scriptsIn(root).map(({ code }) => code)
  const known = new Map<string, boolean>()
  const lost = new Set<string>()
  const isVariable = (name: string): boolean =>
    isUsualName(name) ||
    getOrCreate(
      known,
      name,
      () => declared.has(name.trim()) || codes.some((code) => isQuotedIn(code, name.trim())),
    )
  const change = (text: Text): Text =>
    !hasVariables(text) || variablesIn(text).every(isVariable)
      ? text
      : mapText(
          text,
          (part) => part,
          (name) => {
            if (isVariable(name)) return variableText(isUsualName(name) ? name : name.trim())
            if (mayBeVariable(name)) lost.add(name)
            return plainText(`{{${name}}}`)
          },
        )
  const changed = mapTexts(collection, change) as Collection
  return { ...changed, losses: [...changed.losses, ...[...lost].map((name) => lossOf(name, root.where))] }
}

function scriptsIn(item: Item): readonly Script[] {
  const own = item.scripts
  return item.kind === "folder" ? [...own, ...item.items.flatMap(scriptsIn)] : own
}

const isQuotedIn = (code: string, name: string): boolean =>
  ['"', "'", "`"].some((quote) => code.includes(`${quote}${name}${quote}`))

/** Returns whether a name isn't clearly a part of a template, such as `#each orders` or `"a": 1`. */
const mayBeVariable = (name: string): boolean => /^\s*[\p{L}\p{N}_]/u.test(name)

/** A longer text in braces, or one with quotes, may be a value. */
const isName = (text: string): boolean => /^[^"'`=:<>]{1,40}$/.test(text)

const lossOf = (name: string, where: string): Loss => ({
  where,
  what: isName(name) ? `{{${name}}}` : "text in double braces",
  reason: reasons.literalBraces(),
})

/** Changes the texts with variables anywhere in a value. Code isn't a text with variables. */
function mapTexts(value: unknown, change: (text: Text) => Text): unknown {
  if (typeof value === "string") return change(value)
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, change))
  if (typeof value !== "object" || value === null || value instanceof Map) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, key === "code" ? inner : mapTexts(inner, change)]),
  )
}
