// Texts of a source with variables in them. A variable is its encoded name between two private characters, so that texts
// can be split, joined and parsed as JSON without touching variables.

/** A string in which `variableText(name)` represents a variable, whatever the source's syntax. */
export type Text = string

const OPEN = "\ue000"
const CLOSE = "\ue001"
const marks = /[\ue000\ue001]/g
const tokens = /\ue000([^\ue000\ue001]*)\ue001/g

export const variableText = (name: string): Text =>
  `${OPEN}${encodeURIComponent(name.replaceAll(/\p{Surrogate}/gu, "\ufffd"))}${CLOSE}`

export const plainText = (raw: string): Text => raw.replaceAll(marks, "")

/** Returns whether a name can only be that of a variable. Others may be parts of a template: `{{#each orders}}`. */
export const isUsualName = (name: string): boolean => /^[\p{L}\p{M}\p{N}_$ .:@-]+$/u.test(name)

/**
 * Reads `{{name}}`, the syntax of most sources. Names may have any characters but braces, so `withLiteralBraces` decides
 * about the unusual ones when the source has been read.
 */
export const mustacheText = (raw: string): Text =>
  plainText(raw).replaceAll(/\{\{([^{}\r\n]+)\}\}/g, (whole, name: string) =>
    name.trim() === "" ? whole : variableText(isUsualName(name) ? name.trim() : name),
  )

/** Returns the names of the variables, in order. */
export const variablesIn = (text: Text): readonly string[] =>
  [...text.matchAll(tokens)].map(([, name = ""]) => decodeURIComponent(name))

export const hasVariables = (text: Text): boolean => text.includes(OPEN)

/** Returns the variable's name if the text is only that variable. */
export function onlyVariable(text: Text): string | undefined {
  const [first, ...others] = variablesIn(text)
  return first !== undefined && others.length === 0 && text === variableText(first) ? first : undefined
}

/** Converts the literal parts and the variables of a text, and joins the results. */
export function mapText(
  text: Text,
  literal: (part: string, isBeforeVariable: boolean) => string,
  variable: (name: string) => string,
): string {
  const parts = text.split(tokens)
  return parts
    .map((part, at) =>
      at % 2 === 1 ? variable(decodeURIComponent(part)) : literal(part, at < parts.length - 1),
    )
    .join("")
}

/** Replaces variables by values. Undefined if one of them has no value. */
export function fillText(text: Text, valueOf: (name: string) => string | undefined): string | undefined {
  let isComplete = true
  const filled = mapText(
    text,
    (part) => part,
    (name) => {
      const value = valueOf(name)
      isComplete &&= value !== undefined
      return value ?? ""
    },
  )
  return isComplete ? filled : undefined
}

/** Decodes the percent-encoding of the literal parts. Malformed sequences stay. */
export const decodePercent = (text: Text): Text => mapText(text, decodeOrKeep, variableText)

function decodeOrKeep(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/** Decodes a name or value of a query or form, where `+` is a space. */
export const decodeForm = (text: Text): Text =>
  decodePercent(mapText(text, (part) => part.replaceAll("+", " "), variableText))
