// Finds what a string in a script names: a path of `ctx.get` or `ctx.has`, an input, or an API or variable of `ctx.env`.

export type ScriptPlace = {
  /** The offset after the opening quote. */
  readonly start: number
  readonly typed: string
} & ({ readonly is: "path" | "input" | "api" } | { readonly is: "variable"; readonly api: string })

const quoted = String.raw`(["'\x60])([^"'\x60\r\n]*)$`
const context = String.raw`\b\w+`
const patterns: readonly (readonly [RegExp, "path" | "input" | "api"])[] = [
  [new RegExp(`${context}\\s*\\.\\s*(?:get|has)\\s*(?:<[^()]*>)?\\(\\s*${quoted}`), "path"],
  [new RegExp(`${context}\\s*\\.\\s*inputs\\s*\\[\\s*${quoted}`), "input"],
  [new RegExp(`${context}\\s*\\.\\s*env\\s*\\(\\s*${quoted}`), "api"],
]
const variable = new RegExp(
  `${context}\\s*\\.\\s*env\\s*\\(\\s*["'\`]([^"'\`\\r\\n]*)["'\`]\\s*\\)\\s*\\[\\s*${quoted}`,
)

/** The longest text before a caret that is looked at. */
const NEAR = 500

/** Returns the place of a caret. Undefined outside such strings. Reads only text, so a comment counts as code. */
export function scriptPlaceAt(text: string, offset: number): ScriptPlace | undefined {
  const before = text.slice(Math.max(0, offset - NEAR), offset)
  const [, api, , ofVariable] = variable.exec(before) ?? []
  if (api !== undefined && ofVariable !== undefined)
    return { is: "variable", api, start: offset - ofVariable.length, typed: ofVariable }
  for (const [pattern, is] of patterns) {
    const typed = pattern.exec(before)?.[2]
    if (typed !== undefined) return { is, start: offset - typed.length, typed }
  }
  return undefined
}

const exported = /^export\s+(?:async\s+)?(?:function\s*\*?|const|let)\s+(\w+)/gm

/** Returns the name of the export around an offset: the last one that starts before it. */
export function exportAround(text: string, offset: number): string | undefined {
  return [...text.slice(0, offset).matchAll(exported)].at(-1)?.[1]
}
