// Replaces strings that Node truncates in messages: half a secret can't be recognized.

import { inspect } from "node:util"

/** Makes Node print strings in full. By default, it truncates them to 10,000 characters. */
export function showTextsWhole(): void {
  inspect.defaultOptions = { maxStringLength: Infinity }
}

/** V8 quotes ten characters on either side of invalid JSON. */
const jsonQuote = /, (?:\.\.\."[^]{1,60}?"(?:\.\.\.)?|"[^]{1,60}?"\.\.\.) is not valid JSON/g
/** Node quotes 25 characters of an argument of the wrong type, and 128 of one that is out of range. */
const typeQuote = /\. Received type (\w+) \([^]{1,60}?\.\.\.['"`]?\)/g
const valueQuote = /\. Received [^]{120,132}\.\.\.(?=\s|$)/g

export function withoutCutQuotes(text: string): string {
  if (!text.includes("...")) return text
  return text
    .replaceAll(jsonQuote, " in a text that is not valid JSON")
    .replaceAll(typeQuote, ". Received type $1")
    .replaceAll(valueQuote, ". Received another value")
}

/** Options that print a value without its own formatters, which may throw. */
export const wholeTexts = { depth: 3, customInspect: false, maxStringLength: Infinity } as const
const cutOperators = new Set(["==", "!=", "deepEqual", "notDeepEqual"])

/**
 * Returns a generated `node:assert` message in full, because Node truncates it to 512 characters. Undefined for other
 * errors. May throw.
 */
export function wholeAssertion(error: Error): string | undefined {
  const { generatedMessage, operator, actual, expected } = error as Error & Record<string, unknown>
  if (generatedMessage !== true || typeof operator !== "string" || !cutOperators.has(operator))
    return undefined
  return `${inspect(actual, wholeTexts)} ${operator} ${inspect(expected, wholeTexts)}`
}
