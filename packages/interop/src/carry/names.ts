// Makes names that callsheet accepts from the names of a source.

import {
  asciiLetters,
  isApiName,
  isEnvironmentName,
  isVariableName,
  isWorkflowName,
  reservedKeys,
  UniqueNames,
} from "@callsheet/format"

/** Returns whether a name has letters that no name of a workflow can show. */
export const isForeignText = (text: string): boolean => /[^\P{L}A-Za-z]/u.test(asciiLetters(text))

export const workflowNames = (): UniqueNames => new UniqueNames({ isAllowed: isWorkflowName })
export const environmentNames = (): UniqueNames => new UniqueNames({ isAllowed: isEnvironmentName })
export const apiNames = (taken: Iterable<string>): UniqueNames =>
  new UniqueNames({ isAllowed: isApiName, taken })

export const variableNames = (): UniqueNames =>
  new UniqueNames({ separator: "_", isAllowed: isVariableName, taken: reservedKeys })

/** Replaces the characters that a variable's name can't have. */
export function variableName(text: string): string {
  const name = asciiLetters(text)
    .replaceAll(/[^A-Za-z0-9_-]+/g, "_")
    .replaceAll(/^_+(?=.)|(?<!_)_+$/g, (dashes, at) => (at === 0 && text.startsWith("_") ? dashes : ""))
  // Nothing is left of a name in another alphabet.
  if (/^_*$/.test(name) && !/^_+$/.test(text)) return "variable"
  return /^[A-Za-z_]/.test(name) ? name : `_${name}`
}

/** Returns whether a name has more than separators that a variable's name can't have, so that people look for it. */
export const isForeignName = (name: string): boolean => !/^[\w$ .:@-]*$/.test(name)

/** Returns `xApiKey` for `X-Api-Key`. */
export function camelCase(text: string): string {
  const [first = "value", ...others] = asciiLetters(text)
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== "")
  const lower = /^[A-Z0-9]+$/.test(first)
    ? first.toLowerCase()
    : `${first.charAt(0).toLowerCase()}${first.slice(1)}`
  return variableName(
    lower + others.map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`).join(""),
  )
}

const MAX_FIRST_WORDS = 24

/** Returns the first words of a name, to begin another name with. */
export function firstWords(text: string): string {
  const words = text.split(/[^\p{L}\p{M}\p{N}]+/u).filter((word) => word !== "")
  let first = words[0]?.slice(0, MAX_FIRST_WORDS) ?? ""
  for (const word of words.slice(1)) {
    if (first.length + word.length >= MAX_FIRST_WORDS) break
    first = `${first} ${word}`
  }
  return first
}

/** Returns whether a source computes the value of a variable at each use, such as that of `$guid`. */
export const isDynamic = (name: string): boolean => name.startsWith("$")
